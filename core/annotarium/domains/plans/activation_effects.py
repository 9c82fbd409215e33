"""Jobs to start when a plan is activated, deactivated or, while active, changed (T-031).

Conversion: none, it affects future imports only. The parts of answering questions: none, they affect future questions
only. Segmentation: all documents are segmented again. Vectorization: each vectorizer of the plan has its own set of
vectors, named after the plan.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.content.plans import plan_types
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.domains.segmentation.service import start_recomputation
from annotarium.domains.segments import vectorization
from annotarium.domains.segments.schemas import VectorizeRequest
from annotarium.jobs.serializers import job_to_json
from annotarium.search.repository import find_vectorization
from annotarium_schemas.plans import AnnotationPlan

JobList = list[dict[str, Any]]


class PlanState(NamedTuple):
    """A plan before or after a change."""

    name: str
    type: str
    active: bool
    plan: AnnotationPlan


def plan_change_effects(
    call: ProjectCall, before: PlanState | None, after: PlanState | None
) -> Callable[[], JobList] | None:
    """The function that starts the jobs a change requires, to be called after the change is written; None if none are.

    It returns the JSON of the started jobs and also deletes vectors that are no longer needed.

    Args:
        before: None for a new plan.
        after: None for a deleted plan.
    """
    was = before if before is not None and before.active else None
    now = after if after is not None and after.active else None
    if _settings_affecting_corpus(was) == _settings_affecting_corpus(now):
        return None
    kind = (now or was or _NOTHING).type
    if kind == plan_types.SEGMENTATION:
        return lambda: [_job_json(call, start_recomputation(call))]
    if kind == plan_types.VECTORIZATION:
        return lambda: _update_vectorizations(call, was, now)
    return None


def preview_jobs(call: ProjectCall, before: PlanState | None, after: PlanState | None) -> JobList:
    """The JSON of the jobs that would be started; their ids are empty."""
    if plan_change_effects(call, before, after) is None:
        return []
    shown = after if after is not None and after.active else before
    assert shown is not None
    kinds = {plan_types.SEGMENTATION: ["PROJECT_SEGMENTATION"]}
    vectors = len(plan_types.vectorizers_of(after.plan)) if after is not None and after.active else 0
    words = {"PROJECT_SEGMENTATION": "Segments", "PROJECT_VECTORIZATION": "Vectors"}
    found = kinds.get(shown.type, ["PROJECT_VECTORIZATION"] * vectors)
    return [_job_json(call, _unsaved_job(call, kind, f"{words[kind]} of {call.project.label}")) for kind in found]


_NOTHING = PlanState("", "", False, AnnotationPlan(pipeline=[]))


def _settings_affecting_corpus(state: PlanState | None) -> Any:
    """The settings of an active plan that affect the corpus; equal values mean nothing has to be done."""
    if state is None:
        return None
    if state.type == plan_types.SEGMENTATION:
        segmenter = plan_types.segmenter_of(state.plan)
        return (state.type, segmenter and (segmenter.name, segmenter.parameters))
    if state.type == plan_types.VECTORIZATION:
        return (state.type, [(one.vectorizer, one.parameters) for one in plan_types.vectorizers_of(state.plan)])
    return (state.type, None)


def _update_vectorizations(call: ProjectCall, was: PlanState | None, now: PlanState | None) -> JobList:
    requests = [] if now is None else _vectorize_requests(now)
    wanted_names = {one.name for one in requests}
    to_delete = set() if was is None else {one.name for one in _vectorize_requests(was)} - wanted_names
    for name in sorted(to_delete):
        if find_vectorization(call.session, call.project.id, name) is not None:
            vectorization.delete_vectorization(call, name)
    return [_job_json(call, vectorization.start_vectorization(call, one)) for one in requests]


def _vectorize_requests(state: PlanState) -> list[VectorizeRequest]:
    steps = plan_types.vectorizers_of(state.plan)
    names = [state.name[:50] + (f"-{number}" if number > 1 else "") for number in range(1, len(steps) + 1)]
    return [
        VectorizeRequest(name=name, vectorizer=step.vectorizer, parameters=step.parameters)
        for name, step in zip(names, steps, strict=True)
    ]


def _unsaved_job(call: ProjectCall, type_: str, description: str) -> Job:
    facts = {"id": "", "type": type_, "status": "STARTED", "state": "waiting", "description": description}
    return Job(**facts, created_by=call.username, created_at=now_ms(), current_step=0, total_steps=0, upload_ids=[])


def _job_json(call: ProjectCall, job: Job) -> dict[str, Any]:
    return job_to_json(job, call.project)
