"""Rules of vectors: which vectorizer computes them, when they are computed, what the API reports of them (T-031)."""

from __future__ import annotations

from functools import partial
from typing import Any

from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall, require_permission
from annotarium.db.corruption import convert_readable_rows, json_object_or_empty
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Job, Project, Vectorization
from annotarium.db.unit_of_work import UnitOfWork, unit_of_work
from annotarium.domains.components.service import may_use_component, require_component
from annotarium.domains.jobs.service import request_cancel
from annotarium.domains.segments import repository
from annotarium.domains.segments.schemas import (
    VectorizationRead,
    Vectorizations,
    VectorizeRequest,
    VectorizerRead,
    VectorProbe,
    VectorState,
)
from annotarium.errors import InvalidInput, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium.registry.defaults import component_defaults
from annotarium.registry.model_store import delete_models
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.indexer import index_key
from annotarium.search.repository import find_vectorization, list_vectorizations
from annotarium.search.vector_models import DEFAULT, KIND, indexed_vectors_name
from annotarium_schemas.messages import message

REQUIRED_PERMISSION = "changeProjectConfig"
RETRAIN_FACTOR = 2
"""Vectors are measured again (and trained again) if the corpus grew or shrank by this factor, or one in this many
documents was added or changed.
"""


def start_vectorization(call: ProjectCall, body: VectorizeRequest) -> Job:
    """Start a job that computes all vectors of a project with a new model. If such a job is already waiting or running,
    that job is returned; one with other parameters is cancelled.

    Raises:
        AccessDenied: the caller may not change the project's settings or use the vectorizer.
        NotFound: there is no such vectorizer.
        InvalidInput: its parameters are invalid.
    """
    require_permission(call, REQUIRED_PERMISSION)
    row = find_vectorization(call.session, call.project.id, body.name or DEFAULT)
    component = body.vectorizer or (row.component if row else component_defaults().vectorizer.name)
    require_component(call.access, KIND, component)
    given = body.parameters
    if given is None:
        given = row.parameters if row and row.component == component else {}
    parameters = get_registry().validate(KIND, component, given).model_dump(mode="json")
    changed = row is None or (row.component, row.parameters) != (component, parameters)
    if row is None:
        row = Vectorization(id=new_id(), project_id=call.project.id, name=body.name or DEFAULT)
        row.created_by = call.username
        call.session.add(row)
    running = repository.find_running_job(call.session, row.job_id)
    if running is not None and not changed:
        return running
    if running is not None:
        request_cancel(call, running.id)
    row.component, row.parameters, row.building, row.tried = component, parameters, 0, ""
    row.modified_at, row.modified_by = now_ms(), call.username
    call.session.flush()
    return _start(call.unit, call.project, row, anew=True, created_by=call.username)


def _start(unit: UnitOfWork, project: Project, row: Vectorization, *, anew: bool, created_by: str) -> Job:
    job = start_job(
        unit,
        type="PROJECT_VECTORIZATION",
        function="vectorize_project",
        arguments={"project_name": project.name, "vectorization": row.name, "anew": anew},
        project=project,
        created_by=created_by,
        description=message("start.vectors", "Vectors of {project}", project=project.label),
        queue="heavy",
    )
    row.job_id = job.id
    unit.emit("segments", {"type": "vectorizing", "name": row.name}, project=project.name)
    return job


def read_vectorizations(call: ProjectCall, language: str = "en") -> Vectorizations:
    """The vectors of a project, and all vectorizers the caller may use, including unavailable ones."""
    rows = list_vectorizations(call.session, call.project.id)
    found = convert_readable_rows(rows, lambda row: _describe_vectorization(call.session, call.project, row, language))
    names = sorted({info.name for info in get_registry().list(KIND) if info.state != "disabled"})
    return Vectorizations(
        vectorizations=found,
        vectorizers=[
            _describe_vectorizer(name, language) for name in names if may_use_component(call.access, KIND, name)
        ],
    )


def _describe_vectorizer(name: str, language: str) -> VectorizerRead:
    description = get_registry().describe(KIND, name, language=language)
    return VectorizerRead(
        name=name,
        title=description.title or name,
        description=description.description,
        languages=list(description.languages),
        available=description.info.state == "available",
        reason=description.missing or description.info.reason,
    )


def _describe_vectorization(session: Session, project: Project, row: Vectorization, language: str) -> VectorizationRead:
    stats = get_search_engine().stats(index_key(project, "documents"))
    running = repository.find_running_job(session, row.job_id)
    shown = row.model or row.building
    state: VectorState = "ready" if row.model else "building" if running else "empty"
    if state == "empty" and repository.has_job_failed(session, row.job_id):
        state = "failed"
    return VectorizationRead(
        name=row.name,
        vectorizer=row.component,
        title=_title(row, language),
        parameters=row.parameters,
        state=state,
        documents=stats.vectors.get(indexed_vectors_name(row.name, shown), 0),
        total=stats.items,
        dimension=row.dimension,
        timestamp=row.model,
        probe=VectorProbe.model_validate(row.probe) if row.model and row.probe else None,
        job_id=running.id if running else None,
    )


def _title(row: Vectorization, language: str) -> str:
    known = any(info.name == row.component for info in get_registry().list(KIND))
    return (known and get_registry().describe(KIND, row.component, language=language).title) or row.component


def delete_vectorization(call: ProjectCall, name: str) -> None:
    """Delete a set of vectors; its models and vectors are deleted after the commit.

    Raises:
        NotFound: there is no set of that name.
    """
    require_permission(call, REQUIRED_PERMISSION)
    row = find_vectorization(call.session, call.project.id, name)
    if row is None:
        raise NotFound(message("none.vectors", "There are no vectors named {name} in this project", name=name))
    running = repository.find_running_job(call.session, row.job_id)
    if running is not None:
        request_cancel(call, running.id)
    call.unit.after_commit(partial(delete_models, call.project.id, KIND, row.id))
    call.unit.after_commit(partial(drop_unused_vectors, call.project))
    call.session.delete(row)
    for mutation in ("segments", "project"):
        call.unit.emit(mutation, {"type": "vectorized", "name": name}, project=call.project.name)


def drop_unused_vectors(project: Project) -> None:
    """Delete the vectors of models that are neither in use nor being built. Opens its own transaction."""
    with unit_of_work(actor="", write=False) as unit:
        rows = list_vectorizations(unit.session, project.id)
    kept = {indexed_vectors_name(row.name, moment) for row in rows for moment in (row.model, row.building) if moment}
    for kind in ("segments", "documents"):
        get_search_engine().keep_vectors(index_key(project, kind), kept)


def start_missing_vectorizations() -> int:
    """Start a job for each set with missing vectors, after documents were added or changed; returns how many.

    The index reports what is missing, so nothing is overlooked. What is still missing after a job (it failed) is not
    tried again until something changes or a user requests it.
    """
    with unit_of_work(actor="", write=False) as unit:
        behind = [
            (row.id, mark)
            for row, project in repository.live_vectorizations(unit.session)
            if (mark := _missing_vectors_fingerprint(unit.session, project, row))
        ]
    started = 0
    for owner_id, mark in behind:
        with unit_of_work(actor="", write=True) as unit:
            found = repository.find_live_vectorization(unit.session, owner_id)
            if found is not None and repository.find_running_job(unit.session, found[0].job_id) is None:
                row, project = found
                row.tried = mark
                _start(unit, project, row, anew=mark.endswith("anew"), created_by="")
                started += 1
    return started


def _missing_vectors_fingerprint(session: Session, project: Project, row: Vectorization) -> str:
    """A fingerprint of what is missing; empty if nothing is, or if it was already tried, or a job is running."""
    stats = get_search_engine().stats(index_key(project, "documents"))
    missing = stats.items - stats.vectors.get(indexed_vectors_name(row.name, row.model), 0)
    due = probe_is_due(row, stats.items)
    if not stats.items or not (missing or due):
        return ""
    anew = not row.model or (due and (row.learned_from > 0 or not row.probe))
    mark = f"{row.model}:{stats.items}:{missing}{':anew' if anew else ':probe' if due else ''}"
    if mark == row.tried or repository.find_running_job(session, row.job_id) is not None:
        return ""
    return mark


def probe_is_due(row: Vectorization, documents: int) -> bool:
    """Whether the measurement is missing or outdated, because the corpus has changed much since.

    Args:
        documents: the current number of documents of the project.
    """
    measured = json_object_or_empty(row.probe).get("documents")
    if not isinstance(measured, int):
        return True
    grown, shrunk = documents >= RETRAIN_FACTOR * measured, RETRAIN_FACTOR * documents <= measured
    return grown or shrunk or RETRAIN_FACTOR * row.remade >= documents


def require_vectorization(session: Session, project: Project, name: str) -> Vectorization:
    """The vectorization of that name; raises `InvalidInput` if it does not exist (any more)."""
    row = find_vectorization(session, project.id, name)
    if row is None:
        raise InvalidInput(message("gone.vectors", "This project no longer has vectors named {name}", name=name))
    return row


def manifest_facts(
    row: Vectorization, version: str, learned_from: int, job_id: str, probe: VectorProbe
) -> dict[str, Any]:
    """The content of a model's manifest."""
    return {
        KIND: row.component,
        "parameters": row.parameters,
        "version": version,
        "learnedFrom": learned_from,
        "job": job_id,
        "probe": probe_to_json(probe),
    }


def probe_to_json(probe: VectorProbe) -> dict[str, Any]:
    """The measurement as stored in the database."""
    found: dict[str, Any] = probe.model_dump(mode="json", by_alias=True)
    return found
