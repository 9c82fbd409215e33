"""What follows when a plan begins or ceases to work for its project, or works otherwise than before (T-031).

Conversion: nothing, it counts for future imports. Segmentation: all documents are cut anew. Vectorization: each
vectorizer of the plan has vectors of its own, under the plan's name.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.corpus.plans import types
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.domains.jobs.service import job_bean
from annotarium.domains.segmentation.service import start_recomputation
from annotarium.domains.segments import vectorization
from annotarium.domains.segments.schemas import VectorizeRequest
from annotarium.search.repository import find_vectorization
from annotarium_schemas.plans import AnnotationPlan

Beans = list[dict[str, Any]]


class State(NamedTuple):
    """A plan before or after a change. `active` = it works for its project."""

    name: str
    type: str
    active: bool
    plan: AnnotationPlan


def follow(call: ProjectCall, before: State | None, after: State | None) -> Callable[[], Beans] | None:
    """What has to be done for a change, to be called once it is written; None when nothing has to.

    The answer is the jobs that were started. None before = the plan is new, None after = it is gone.
    """
    was = before if before is not None and before.active else None
    now = after if after is not None and after.active else None
    if _work(was) == _work(now):
        return None
    kind = (now or was or _NOTHING).type
    if kind == types.SEGMENTATION:
        return lambda: [_bean(call, start_recomputation(call))]
    if kind == types.VECTORIZATION:
        return lambda: _vectors(call, was, now)
    return None


def foretell(call: ProjectCall, before: State | None, after: State | None) -> Beans:
    """The jobs that would be started, without an id."""
    if follow(call, before, after) is None:
        return []
    shown = after if after is not None and after.active else before
    assert shown is not None
    kinds = {types.SEGMENTATION: ["PROJECT_SEGMENTATION"]}
    vectors = len(types.vectorizers_of(after.plan)) if after is not None and after.active else 0
    words = {"PROJECT_SEGMENTATION": "Segments", "PROJECT_VECTORIZATION": "Vectors"}
    found = kinds.get(shown.type, ["PROJECT_VECTORIZATION"] * vectors)
    return [_bean(call, _unwritten(call, kind, f"{words[kind]} of {call.project.label}")) for kind in found]


_NOTHING = State("", "", False, AnnotationPlan(pipeline=[]))


def _work(state: State | None) -> Any:
    """What of a working plan makes a difference to the corpus."""
    if state is None:
        return None
    if state.type == types.SEGMENTATION:
        segmenter = types.segmenter_of(state.plan)
        return (state.type, segmenter and (segmenter.name, segmenter.parameters))
    if state.type == types.VECTORIZATION:
        return (state.type, [(one.vectorizer, one.parameters) for one in types.vectorizers_of(state.plan)])
    return (state.type, None)


def _vectors(call: ProjectCall, was: State | None, now: State | None) -> Beans:
    asked = [] if now is None else _asked(now)
    kept = {one.name for one in asked}
    gone = set() if was is None else {one.name for one in _asked(was)} - kept
    for name in sorted(gone):
        if find_vectorization(call.session, call.project.id, name) is not None:
            vectorization.delete_vectorization(call, name)
    return [_bean(call, vectorization.start_vectorization(call, one)) for one in asked]


def _asked(state: State) -> list[VectorizeRequest]:
    steps = types.vectorizers_of(state.plan)
    names = [state.name[:50] + (f"-{number}" if number > 1 else "") for number in range(1, len(steps) + 1)]
    return [
        VectorizeRequest(name=name, vectorizer=step.vectorizer, parameters=step.parameters)
        for name, step in zip(names, steps, strict=True)
    ]


def _unwritten(call: ProjectCall, type_: str, description: str) -> Job:
    facts = {"id": "", "type": type_, "status": "STARTED", "state": "waiting", "description": description}
    return Job(**facts, created_by=call.username, created_at=now_ms(), current_step=0, total_steps=0, upload_ids=[])


def _bean(call: ProjectCall, job: Job) -> dict[str, Any]:
    return job_bean(job, call.project)
