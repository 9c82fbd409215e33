"""Rules of experiments, and what other domains need of learning: gathering examples, training, models on disk."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus.labels import label_slug
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Experiment, Job
from annotarium.domains.components.service import may_use, require_component
from annotarium.domains.experiments import repository
from annotarium.domains.experiments.models import delete_models, load_model, save_model
from annotarium.domains.experiments.schemas import (
    DeleteResponse,
    EngineName,
    ExperimentPatch,
    ExperimentRead,
    GeneratedLabelHint,
    NewExperiment,
)
from annotarium.domains.experiments.training import Trained, TrainingSet, gather, train
from annotarium.domains.jobs.service import request_cancel
from annotarium.errors import AccessDenied, Conflict, NotFound
from annotarium.jobs.queue import start_job
from annotarium.registry import get_registry

__all__ = [
    "Trained",
    "TrainingSet",
    "active_jobs",
    "delete_models",
    "free_label",
    "free_name",
    "gather",
    "load_model",
    "outdate",
    "save_model",
    "train",
    "validated_parameters",
]
KIND = "experiment"


def require_experiment(call: ProjectCall, name: str) -> Experiment:
    """The experiment of that name, or `NotFound`."""
    experiment = repository.find_experiment(call.session, call.project, name)
    if experiment is None:
        raise NotFound(f"There is no experiment {name} in this project")
    return experiment


def free_label(wanted: str, taken: Iterable[str]) -> str:
    """The wished label, or the next free one: `Model`, `Model 2`, `Model 3`."""
    used = set(taken)
    if wanted not in used:
        return wanted
    base = re.sub(r" \d+$", "", wanted)
    number = 2
    while f"{base} {number}" in used:
        number += 1
    return f"{base} {number}"


def free_name(label: str, is_taken: Callable[[str], bool]) -> str:
    """A stable name from a label that nothing else has."""
    base = label_slug(label)[:200]
    name, number = base, 2
    while is_taken(name):
        name, number = f"{base}_{number}", number + 1
    return name


def validated_parameters(kind: str, engine: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters with their defaults; `InvalidInput` names the wrong ones field by field."""
    return get_registry().validate(kind, engine, parameters).model_dump(mode="json")


def _read(row: Experiment, active: set[str]) -> ExperimentRead:
    running = row.job_id is not None and row.job_id in active
    return ExperimentRead(
        name=row.name,
        label=row.label,
        engine=row.engine,
        parameters=row.parameters,
        models=row.models,
        timestamp=row.timestamp,
        duration=row.duration,
        uptodate=row.uptodate,
        running=running,
        job_id=row.job_id if running else None,
        favorite=row.favorite,
        email_notification=row.email_notification,
        tags=row.tags,
        classes=row.classes,
        report=row.report,
        quality=row.quality,
        annotate_service=row.name if row.models else None,
        history=list(reversed(row.history[-10:])),
    )


def active_jobs(call: ProjectCall, job_ids: Iterable[str | None]) -> set[str]:
    """Those of the jobs that have not ended."""
    return repository.active_jobs(call.session, [job_id for job_id in job_ids if job_id])


def outdate(call: ProjectCall) -> None:
    """What was trained no longer knows everything that was annotated."""
    repository.outdate(call.session, call.project.id)


def _active(call: ProjectCall, rows: Sequence[Experiment]) -> set[str]:
    return active_jobs(call, (row.job_id for row in rows))


def experiments_of(call: ProjectCall) -> Sequence[Experiment]:
    """The experiments of the project, for other domains."""
    return repository.list_experiments(call.session, call.project)


def list_experiments(call: ProjectCall, tags: Sequence[str]) -> list[ExperimentRead]:
    """Experiments, those with all the tags when some are given."""
    rows = [row for row in repository.list_experiments(call.session, call.project) if set(tags) <= set(row.tags)]
    active = _active(call, rows)
    return [_read(row, active) for row in rows]


def read_experiment(call: ProjectCall, name: str) -> ExperimentRead:
    """One experiment."""
    row = require_experiment(call, name)
    return _read(row, _active(call, [row]))


def label_hint(call: ProjectCall, label: str) -> GeneratedLabelHint:
    """A label that is free."""
    taken = [row.label for row in repository.list_experiments(call.session, call.project)]
    return GeneratedLabelHint(label_hint=free_label(label.strip() or "Experiment", taken))


def _changed(call: ProjectCall, name: str, kind: str = "changed") -> None:
    call.unit.emit("experiments", {"type": kind, "name": name, "by": call.username}, project=call.project.name)


def create_experiment(call: ProjectCall, body: NewExperiment) -> EngineName:
    """Create an experiment; nothing is trained yet (T-026)."""
    require_component(call.access, "learner", body.engine)
    parameters = validated_parameters("learner", body.engine, body.parameters)
    title = get_registry().describe("learner", body.engine).title or body.engine
    label = label_hint(call, body.label or title).label_hint
    name = free_name(label, lambda taken: repository.find_experiment(call.session, call.project, taken) is not None)
    call.session.add(
        Experiment(
            id=new_id(),
            project_id=call.project.id,
            name=name,
            label=label,
            engine=body.engine,
            parameters=parameters,
            email_notification=body.email_notification,
            tags=body.tags,
            created_by=call.username,
            modified_by=call.username,
        )
    )
    _changed(call, name, "created")
    return EngineName(name=name)


def update_experiment(call: ProjectCall, name: str, body: ExperimentPatch) -> ExperimentRead:
    """Change an experiment; new parameters or a new label make its model not up to date (T-027)."""
    row = require_experiment(call, name)
    require_component(call.access, "learner", row.engine)
    if body.parameters is not None:
        row.parameters = validated_parameters("learner", row.engine, body.parameters)
        row.uptodate = False
    if body.label and body.label != row.label:
        row.label = body.label
        row.uptodate = False
    for field in ("favorite", "email_notification", "tags"):
        value = getattr(body, field)
        if value is not None:
            setattr(row, field, value)
    row.modified_at, row.modified_by, row.version = now_ms(), call.username, row.version + 1
    _changed(call, name)
    return _read(row, _active(call, [row]))


def delete_experiments(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete experiments with their models; a training that runs is cancelled."""
    rows = [require_experiment(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        if not may_use(call.access, "learner", row.engine):
            raise AccessDenied("Authorization has been denied.", cause=f"You may not use the learner {row.engine}")
        if row.job_id and row.job_id in _active(call, [row]):
            request_cancel(call, row.job_id)
        call.unit.after_commit(partial(delete_models, row.project_id, KIND, row.id))
        call.session.delete(row)
        _changed(call, row.name, "deleted")
    return DeleteResponse(removed_count=len(rows))


def launch(call: ProjectCall, name: str, *, annotate_corpus: bool) -> Job:
    """Start the training as a job."""
    row = require_experiment(call, name)
    require_component(call.access, "learner", row.engine)
    if row.job_id and row.job_id in _active(call, [row]):
        raise Conflict(f"{row.label} is being trained already", fix="Wait until it ends, or stop it first")
    job = start_job(
        call.unit,
        type="EXPERIMENT_TRAINING",
        function="train_experiment",
        arguments={"project_name": call.project.name, "experiment": row.name, "annotate_corpus": annotate_corpus},
        project=call.project,
        created_by=call.username,
        description=f"Training {row.label}",
        queue="heavy",
    )
    row.job_id = job.id
    _changed(call, name, "started")
    return job


def cancel(call: ProjectCall, name: str) -> None:
    """Stop the training, if one runs."""
    row = require_experiment(call, name)
    if row.job_id and row.job_id in _active(call, [row]):
        request_cancel(call, row.job_id)
    row.job_id = None
    _changed(call, name, "cancelled")


def delete_all_models(call: ProjectCall) -> None:
    """Forget every trained model of the project; the experiments stay."""
    for row in repository.list_experiments(call.session, call.project):
        row.models, row.uptodate, row.timestamp, row.report, row.quality = 0, False, 0, None, 0
        row.classes, row.history = [], []
        call.unit.after_commit(partial(delete_models, row.project_id, KIND, row.id))
        _changed(call, row.name)
