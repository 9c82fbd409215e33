"""Rules of suggesters: an active one retrains after enough answers, never per click."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Job, Suggester
from annotarium.domains.components.service import require_component
from annotarium.domains.experiments.schemas import DeleteResponse, EngineName, GeneratedLabelHint
from annotarium.domains.experiments.service import (
    active_jobs,
    delete_models,
    free_label,
    free_name,
    validated_parameters,
)
from annotarium.domains.jobs.service import request_cancel
from annotarium.domains.suggesters import repository
from annotarium.domains.suggesters.schemas import NewSuggester, SuggesterPatch, SuggesterRead
from annotarium.errors import NotFound
from annotarium.jobs.queue import start_job
from annotarium.registry import get_registry

KIND = "suggester"
ANSWERS_BEFORE_TRAINING = 10
"""Answers after which an active suggester trains again (research: every 10 to 20 answers)."""


def require_suggester(call: ProjectCall, name: str) -> Suggester:
    """The suggester of that name, or `NotFound`."""
    suggester = repository.find_suggester(call.session, call.project, name)
    if suggester is None:
        raise NotFound(f"There is no suggester {name} in this project")
    return suggester


def _active(call: ProjectCall, rows: Sequence[Suggester]) -> set[str]:
    return active_jobs(call, (row.job_id for row in rows))


def _read(row: Suggester, active: set[str]) -> SuggesterRead:
    training = row.job_id is not None and row.job_id in active
    return SuggesterRead(
        name=row.name,
        label=row.label,
        engine=row.engine,
        parameters=row.parameters,
        models=row.models,
        timestamp=row.timestamp,
        duration=row.duration,
        uptodate=row.uptodate,
        running=row.active or training,
        training=training,
        job_id=row.job_id if training else None,
        tags=row.tags,
        quality=row.quality,
        answers=row.answers,
    )


def list_suggesters(call: ProjectCall, tags: Sequence[str]) -> list[SuggesterRead]:
    """Suggesters, those with all the tags when some are given."""
    rows = [row for row in repository.list_suggesters(call.session, call.project) if set(tags) <= set(row.tags)]
    active = _active(call, rows)
    return [_read(row, active) for row in rows]


def read_suggester(call: ProjectCall, name: str) -> SuggesterRead:
    """One suggester."""
    row = require_suggester(call, name)
    return _read(row, _active(call, [row]))


def label_hint(call: ProjectCall, label: str) -> GeneratedLabelHint:
    """A label that is free."""
    taken = [row.label for row in repository.list_suggesters(call.session, call.project)]
    return GeneratedLabelHint(label_hint=free_label(label.strip() or "Suggester", taken))


def changed(call: ProjectCall, name: str, kind: str = "changed") -> None:
    """Tell the project's readers."""
    call.unit.emit("suggesters", {"type": kind, "name": name, "by": call.username}, project=call.project.name)


def create_suggester(call: ProjectCall, body: NewSuggester) -> EngineName:
    """Create a suggester; it does nothing until it is started."""
    require_component(call.access, "suggester", body.engine)
    parameters = validated_parameters("suggester", body.engine, body.parameters)
    title = get_registry().describe("suggester", body.engine).title or body.engine
    label = label_hint(call, body.label or title).label_hint
    name = free_name(label, lambda taken: repository.find_suggester(call.session, call.project, taken) is not None)
    call.session.add(
        Suggester(
            id=new_id(),
            project_id=call.project.id,
            name=name,
            label=label,
            engine=body.engine,
            parameters=parameters,
            tags=body.tags,
            created_by=call.username,
            modified_by=call.username,
        )
    )
    changed(call, name, "created")
    return EngineName(name=name)


def update_suggester(call: ProjectCall, name: str, body: SuggesterPatch) -> SuggesterRead:
    """Change a suggester; new parameters make its model not up to date."""
    row = require_suggester(call, name)
    require_component(call.access, "suggester", row.engine)
    if body.parameters is not None:
        row.parameters = validated_parameters("suggester", row.engine, body.parameters)
        row.uptodate = False
    if body.label:
        row.label = body.label
    if body.tags is not None:
        row.tags = body.tags
    row.modified_at, row.modified_by, row.version = now_ms(), call.username, row.version + 1
    changed(call, name)
    return _read(row, _active(call, [row]))


def delete_suggesters(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete suggesters with their models and suggestions."""
    rows = [require_suggester(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        _cancel_training(call, row)
        repository.delete_suggestions(call.session, call.project.id, row.name)
        call.unit.after_commit(partial(delete_models, row.project_id, KIND, row.id))
        call.session.delete(row)
        changed(call, row.name, "deleted")
    return DeleteResponse(removed_count=len(rows))


def _cancel_training(call: ProjectCall, row: Suggester) -> None:
    if row.job_id and row.job_id in _active(call, [row]):
        request_cancel(call, row.job_id)
    row.job_id = None


def start(call: ProjectCall, name: str, *, force: bool) -> None:
    """Make a suggester active; it trains at once when it has no current model, or when forced (T-029)."""
    row = require_suggester(call, name)
    require_component(call.access, "suggester", row.engine)
    row.active = True
    if force or not row.models or not row.uptodate or row.answers:
        start_training(call, row)
    changed(call, name, "started")


def stop(call: ProjectCall, name: str) -> None:
    """Make a suggester passive; its suggestions stay."""
    row = require_suggester(call, name)
    row.active = False
    _cancel_training(call, row)
    changed(call, name, "stopped")


def start_training(call: ProjectCall, row: Suggester) -> Job | None:
    """Start training unless it runs; None then."""
    if row.job_id and row.job_id in _active(call, [row]):
        return None
    job = start_job(
        call.unit,
        type="TRAIN_AND_SUGGEST",
        function="train_and_suggest",
        arguments={"project_name": call.project.name, "suggester": row.name},
        project=call.project,
        created_by=call.username,
        description=f"Looking for suggestions with {row.label}",
        queue="heavy",
    )
    row.job_id = job.id
    return job


def count_answers(call: ProjectCall, answers: int) -> None:
    """Answers came in (see `corpus.labelling.changes.on_labelling`): active suggesters train again after enough."""
    for row in repository.active_suggesters(call.session, call.project.id):
        row.answers += answers
        row.uptodate = False
        if row.answers >= ANSWERS_BEFORE_TRAINING and call.job_id is None:
            start_training(call, row)
