"""Rules of experiments, and what other domains use for learning: training data, training, topic labels."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from annotarium.access.call import ProjectCall
from annotarium.content.labels import require_label_writing
from annotarium.db.models import Experiment, Job
from annotarium.domains.components.service import may_use_component, require_component
from annotarium.domains.experiments import repository
from annotarium.domains.experiments.schemas import ExperimentPatch, ExperimentRead, NewExperiment
from annotarium.domains.experiments.topics import (
    delete_unused_topic_labels,
    ensure_topic_labels,
    has_found_topics,
    topic_label_names,
)
from annotarium.domains.experiments.training import (
    TrainedModel,
    TrainingSet,
    collect_training_set,
    train,
    uses_gazetteers,
)
from annotarium.domains.jobs.service import mail_language
from annotarium.domains.trainables.schemas import DeleteResponse, EngineName
from annotarium.domains.trainables.service import TrainableService, trainable_fields
from annotarium.errors import AccessDenied, Conflict, InvalidInput, NotFound
from annotarium.registry import get_registry
from annotarium.registry.model_store import delete_models, state_of_foreign_model
from annotarium_schemas.messages import message

__all__ = [
    "TrainedModel",
    "TrainingSet",
    "collect_training_set",
    "delete_unused_topic_labels",
    "ensure_topic_labels",
    "has_found_topics",
    "mark_dictionary_experiments_outdated",
    "mark_experiments_outdated",
    "topic_label_names",
    "train",
]
KIND = "experiment"
experiments: TrainableService[Experiment] = TrainableService(
    Experiment, noun=KIND, kind="learner", topic="experiments", relabelling_outdates=True
)


def _build_experiment_read_model(row: Experiment, training: set[str]) -> ExperimentRead:
    return ExperimentRead(
        **trainable_fields(row, training),
        running=row.name in training,
        favorite=row.favorite,
        email_notification=row.email_notification,
        group_field=row.group_field,
        train_on_all=row.train_on_all,
        classes=row.classes,
        report=row.report,
        annotate_service=row.name if row.models else None,
        history=list(reversed(row.history[-10:])),
        finds_topics=_finds_topics(row),
        foreign_model=state_of_foreign_model(row.project_id, "experiment", row.id) if row.models else None,
    )


def _finds_topics(row: Experiment) -> bool:
    """Whether the engine finds topics; for an engine that is not installed here, whether the last training did."""
    try:
        return not get_registry().describe("learner", row.engine).needs_labels or has_found_topics(row)
    except NotFound:
        return has_found_topics(row)


def mark_experiments_outdated(call: ProjectCall) -> None:
    """Mark the project's trained models as outdated, because the training data changed."""
    repository.mark_experiments_outdated(call.session, call.project.id)


def mark_dictionary_experiments_outdated(call: ProjectCall) -> None:
    """Mark the trained models that learned from the project's gazetteers as outdated, because one of them changed."""
    for row in experiments.all(call):
        if row.uptodate and _uses_gazetteers(row):
            row.uptodate = False
            experiments.notify(call, row.name)


def _uses_gazetteers(row: Experiment) -> bool:
    try:
        return uses_gazetteers(row.engine, row.parameters)
    except (NotFound, InvalidInput):  # the engine is not installed here, or in another version
        return False


def experiments_of_project(call: ProjectCall) -> Sequence[Experiment]:
    """The experiments of the project, for other domains."""
    return experiments.all(call)


def list_experiments(call: ProjectCall, tags: Sequence[str]) -> list[ExperimentRead]:
    """Experiments, those with all the tags when some are given."""
    return experiments.read_all(call, tags, _build_experiment_read_model)


def read_experiment(call: ProjectCall, name: str) -> ExperimentRead:
    """One experiment."""
    return experiments.read_one(call, name, _build_experiment_read_model)


def create_experiment(call: ProjectCall, body: NewExperiment) -> EngineName:
    """Create an experiment."""
    return experiments.create(
        call,
        body,
        email_notification=body.email_notification,
        group_field=body.group_field,
        train_on_all=body.train_on_all,
    )


def update_experiment(call: ProjectCall, name: str, body: ExperimentPatch) -> ExperimentRead:
    """Change an experiment; a change of grouping field or `train_on_all` marks its model as outdated."""
    row = experiments.update(call, name, body)
    if body.favorite is not None:
        row.favorite = body.favorite
    if body.email_notification is not None:
        row.email_notification = body.email_notification
    if body.group_field is not None and body.group_field != row.group_field:
        row.group_field, row.uptodate = body.group_field, False
    if body.train_on_all is not None and body.train_on_all != row.train_on_all:
        row.train_on_all, row.uptodate = body.train_on_all, False
    return _build_experiment_read_model(row, experiments.training(call, [row]))


def delete_experiments(call: ProjectCall, names: Sequence[str]) -> DeleteResponse:
    """Delete experiments with their models, all or none. They can be restored for a while.

    Raises:
        NotFound: an experiment does not exist. AccessDenied: the caller may not use the learner of one.
    """
    rows = [experiments.require(call, name) for name in dict.fromkeys(names)]
    for row in rows:
        if not may_use_component(call.access, "learner", row.engine):
            raise AccessDenied(
                "Authorization has been denied.",
                cause=message("denied.learner", "You may not use the learner {name}", name=row.engine),
            )
        experiments.delete(call, row)
    return DeleteResponse(removed_count=len(rows))


def restore_experiment(call: ProjectCall, name: str) -> ExperimentRead:
    """Restore a deleted experiment with its report and model."""
    row = experiments.restore(call, name)
    return _build_experiment_read_model(row, set())


def launch(call: ProjectCall, name: str, *, annotate_corpus: bool, language: str = "en") -> Job:
    """Start the training as a job; if the experiment requests it, the caller gets an e-mail when it ends.

    Args:
        language: `Accept-Language` of the request.

    Raises:
        Conflict: the experiment is being trained already.
    """
    row = experiments.require(call, name)
    require_component(call.access, "learner", row.engine)
    if annotate_corpus:
        call.access.require("annotateCorpus")
    if annotate_corpus and not get_registry().describe("learner", row.engine).needs_labels:
        require_label_writing(call)  # the topics become labels
    if experiments.training(call, [row]):
        raise Conflict(
            message("train.already", "{what} is already being trained", what=row.label),
            fix="Wait until it ends, or stop it first",
        )
    job = experiments.start(
        call,
        row,
        type="EXPERIMENT_TRAINING",
        function="train_experiment",
        description=message("start.train", "Training {name}", name=row.label),
        parameters={"engine": row.engine, "annotate_corpus": annotate_corpus, "train": row.parameters},
        mail_in=mail_language(language, wanted=row.email_notification),
        annotate_corpus=annotate_corpus,
    )
    experiments.notify(call, name, "started")
    return job


def cancel(call: ProjectCall, name: str) -> None:
    """Cancel the training, if it runs."""
    experiments.cancel(call, experiments.require(call, name))
    experiments.notify(call, name, "cancelled")


def delete_all_models(call: ProjectCall) -> None:
    """Delete the trained models of all experiments of the project; the experiments stay."""
    for row in experiments.all(call):
        row.models, row.uptodate, row.timestamp, row.report, row.quality = 0, False, 0, None, 0
        row.classes, row.history = [], []
        call.unit.after_commit(partial(delete_models, row.project_id, KIND, row.id))
        experiments.notify(call, row.name)
