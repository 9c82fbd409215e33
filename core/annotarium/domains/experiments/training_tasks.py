"""The steps of a training job for all kinds of learners: read from the database, then fit without a transaction.

Label and topic learners have the same interface, so that the job does not distinguish them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from annotarium.access.call import ProjectCall
from annotarium.db.models import Experiment, Project
from annotarium.domains.experiments.topic_corpus import TopicCorpus
from annotarium.domains.experiments.topics import find_topics
from annotarium.domains.experiments.training import TrainingSet, build_learner, collect_training_set, train
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_schemas.messages import Message


class TrainingResult(Protocol):
    """A fitted learner with its evaluation."""

    @property
    def learner(self) -> Learner[Any]:
        """The model in use."""
        ...

    @property
    def labels(self) -> list[str]:
        """Names of the labels or topics that it predicts."""
        ...

    @property
    def facts(self) -> dict[str, Any]:
        """The contents of the model's manifest."""
        ...

    @property
    def quality(self) -> int:
        """The main figure, in percent."""
        ...

    @property
    def summary(self) -> Message:
        """The job's final message."""
        ...

    def report_json(self) -> dict[str, Any] | None:
        """The experiment's report; None if nothing was evaluated."""
        ...


@dataclass(frozen=True)
class TrainingSettings:
    """The training settings of an experiment. `before` is the report of the previous run."""

    engine: str
    parameters: dict[str, Any]
    group_field: str
    train_on_all: bool
    before: dict[str, Any] | None


class TrainingTask(Protocol):
    """A training whose data was read; its methods do not access the database."""

    def fit(self, progress: Progress) -> TrainingResult:
        """Train and evaluate."""
        ...

    def close(self) -> None:
        """Release the data."""
        ...


@dataclass(frozen=True)
class LabelTraining:
    """Training of a learner on confirmed labels."""

    project: Project
    settings: TrainingSettings
    data: TrainingSet

    def fit(self, progress: Progress) -> TrainingResult:
        """See `TrainingTask.fit`."""
        return train(
            self.settings.engine,
            self.settings.parameters,
            self.data,
            self.project,
            group_field=self.settings.group_field,
            train_on_all=self.settings.train_on_all,
            progress=progress,
        )

    def close(self) -> None:
        """Does nothing: the data is only in memory."""


@dataclass(frozen=True)
class TopicTraining:
    """Training of a topic learner."""

    project: Project
    settings: TrainingSettings
    learner: TopicLearner[Any]
    corpus: TopicCorpus

    def fit(self, progress: Progress) -> TrainingResult:
        """See `TrainingTask.fit`."""
        return find_topics(
            self.corpus,
            self.learner,
            self.settings.engine,
            self.settings.parameters,
            language=self.project.lang,
            before=self.settings.before,
            group_field=self.settings.group_field,
            train_on_all=self.settings.train_on_all,
            progress=progress,
        )

    def close(self) -> None:
        """Delete the temporary file of the corpus."""
        self.corpus.close()


def read_training_data(call: ProjectCall, row: Experiment, progress: Progress) -> TrainingTask:
    """Read everything that the training of an experiment needs from the database.

    Raises:
        InvalidInput: there is not enough training data.
    """
    settings = TrainingSettings(row.engine, row.parameters, row.group_field, row.train_on_all, row.report)
    learner = build_learner(row.engine, row.parameters)
    if isinstance(learner, TopicLearner):
        return TopicTraining(
            call.project, settings, learner, TopicCorpus.read(call, learner, row.group_field, progress)
        )
    data = collect_training_set(call.session, call.project, group_field=row.group_field, progress=progress)
    return LabelTraining(call.project, settings, data)
