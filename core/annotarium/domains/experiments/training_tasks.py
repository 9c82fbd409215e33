"""What a training job does, whatever is learned: read from the database, then fit without any transaction.

Both kinds of learners have the same steps; the job knows neither.
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
    """A fitted learner with its figures."""

    @property
    def learner(self) -> Learner[Any]:
        """The model in use."""
        ...

    @property
    def labels(self) -> list[str]:
        """Names of what it predicts."""
        ...

    @property
    def facts(self) -> dict[str, Any]:
        """What the manifest of the model says."""
        ...

    @property
    def quality(self) -> int:
        """Percent."""
        ...

    @property
    def summary(self) -> Message:
        """What was done, for the end of the job."""
        ...

    def report_json(self) -> dict[str, Any] | None:
        """The report of the experiment; None when nothing was measured."""
        ...


@dataclass(frozen=True)
class TrainingSettings:
    """What an experiment says about its training. `before` is the report of the run before."""

    engine: str
    parameters: dict[str, Any]
    group_field: str
    train_on_all: bool
    before: dict[str, Any] | None


class TrainingTask(Protocol):
    """A training whose data was read. Nothing it does from here on reads the database."""

    def fit(self, progress: Progress) -> TrainingResult:
        """Train and measure."""
        ...

    def close(self) -> None:
        """Let go of the data."""
        ...


@dataclass(frozen=True)
class LabelTraining:
    """Learns what people confirmed."""

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
        """See `TrainingTask.close`; its data is memory."""


@dataclass(frozen=True)
class TopicTraining:
    """Finds topics."""

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
        """See `TrainingTask.close`."""
        self.corpus.close()


def read_training_data(call: ProjectCall, row: Experiment, progress: Progress) -> TrainingTask:
    """Read all that the training of an experiment needs of the database.

    Raises:
        InvalidInput: there is too little to learn from.
    """
    settings = TrainingSettings(row.engine, row.parameters, row.group_field, row.train_on_all, row.report)
    learner = build_learner(row.engine, row.parameters)
    if isinstance(learner, TopicLearner):
        return TopicTraining(call.project, settings, learner, TopicCorpus.read(call, learner, row.group_field))
    data = collect_training_set(call.session, call.project, group_field=row.group_field, progress=progress)
    return LabelTraining(call.project, settings, data)
