"""Trains a learner on confirmed labelling, and evaluates it on documents it has not learned from.

`evaluation_plan` draws the test part. No model learns from the project's own test part. The model in use differs from
the evaluated model if it was trained again on all other documents, including the drawn test part.
"""

from __future__ import annotations

import hashlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy.orm import Session

from annotarium.content.holdout import holdout_group_of_document
from annotarium.db.models import CLASSIFICATION, Project
from annotarium.domains.experiments.confidence_intervals import metric_intervals
from annotarium.domains.experiments.evaluation_plan import EvaluationPlan, Sample, plan_evaluation, sample_counts
from annotarium.domains.experiments.metrics import QualityReport, category_report, span_report
from annotarium.domains.experiments.training_progress import (
    READ,
    TOTAL,
    SampleUnit,
    TrainingProgress,
    reading_message,
    splitting_message,
    too_little_error,
    trained_message,
)
from annotarium.domains.trainables.examples import Example, training_examples
from annotarium.errors import InvalidInput
from annotarium.registry import get_registry
from annotarium.registry.model_store import gazetteer_versions, load_gazetteers
from annotarium_plugins.base.component import Progress
from annotarium_plugins.base.learner import GazetteerLearner, Learner
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.messages import Message, join_messages, message

MINIMUM_EXAMPLES = 2


@dataclass(frozen=True)
class TrainingSet:
    """Samples to learn from, and those of the project's own test part, from which no model learns.

    Both are sorted by document identifier. `fingerprint` is a hash of the samples to learn from, `unit` is what one
    sample is.
    """

    learn: list[Sample]
    reserved: list[Sample]
    has_split: bool
    fingerprint: str
    unit: SampleUnit = "segments"

    @property
    def labels(self) -> list[str]:
        """Sorted labels of the samples to learn from."""
        return _sorted_labels_of_samples(self.learn)


@dataclass(frozen=True)
class TrainedModel:
    """The model in use, with the report of the evaluated model; `report` is None if nothing could be tested."""

    learner: Learner[Any]
    report: QualityReport | None
    labels: list[str]
    facts: dict[str, Any]
    intervals: dict[str, Any] = field(default_factory=dict)

    @property
    def quality(self) -> int:
        """Micro F1 in percent; 0 if nothing could be tested."""
        return self.report.quality if self.report else 0

    @property
    def summary(self) -> Message:
        """What was done, for the end of the job."""
        done = trained_message(self.facts["trainingSize"], self.facts.get("sampleUnit", "segments"))
        return join_messages([done, f1_message(self.report)])

    def report_json(self) -> dict[str, Any] | None:
        """The experiment's report; all its figures are those of the evaluated model."""
        if self.report is None:
            return None
        body = self.report.to_json() | {"config": {"name": self.facts["learner"], "type": "learner"}}
        measured = self.facts["measurement"]
        body |= {
            "split": self.facts["split"],
            "trainingSize": self.facts["measuredTrainingSize"],
            "testSize": self.facts["testSize"],
            "measurement": measured,
            "intervals": self.intervals,
        }
        return body | {"accuracy": self.report.accuracy}


def f1_message(report: QualityReport | None) -> Message | None:
    """The figure for the end of a job; nothing where none was measured."""
    return None if report is None else message("done.f1", "F1 {f1:.2f}", f1=round(report.micro.f1, 2))


def _labels_of_document(document: Document) -> tuple[str, ...]:
    items: list[Annotation | Category] = [*document.annotations, *document.categories]
    return tuple(item.label_name for item in items if item.status != "KO" and item.label_name)


def _sorted_labels_of_samples(samples: Sequence[Sample]) -> list[str]:
    return sorted({label for sample in samples for label in sample.labels})


def collect_training_set(
    session: Session, project: Project, *, group_field: str = "", progress: Progress
) -> TrainingSet:
    """Collect the training data.

    Args:
        group_field: metadata field whose values keep documents in the same part when a test part is drawn.

    Raises:
        InvalidInput: there are fewer than `MINIMUM_EXAMPLES` samples, or none has a label.
    """
    learn: list[Sample] = []
    reserved: list[Sample] = []
    unit: SampleUnit = "documents" if project.nature == CLASSIFICATION else "segments"
    for number, example in enumerate(training_examples(session, project), start=1):
        if not example.whole:
            unit = "segments"
        if number % 200 == 0:
            progress(0, TOTAL, reading_message(number, unit))
        if project.has_split and example.split == "test":
            reserved.append(_example_to_sample(example, group_field))
        elif project.nature == CLASSIFICATION or example.document.text.strip():
            learn.append(_example_to_sample(example, group_field))
    for samples in (learn, reserved):
        samples.sort(key=lambda sample: sample.document.identifier)
    digest = hashlib.sha256()
    for sample in learn:
        digest.update(f"{sample.document.identifier}:{list(sample.labels)}".encode(errors="surrogatepass"))
    data = TrainingSet(learn, reserved, project.has_split, digest.hexdigest(), unit)
    if not data.labels or len(learn) < MINIMUM_EXAMPLES:
        raise too_little_error(len(learn), len(data.labels), unit)
    return data


def _example_to_sample(example: Example, group_field: str) -> Sample:
    document = example.document.model_copy(update={"identifier": stable_example_identifier(example)})
    group = holdout_group_of_document(example.name, example.document.metadata, group_field)
    return Sample(document, example.name, group, _labels_of_document(document))


def stable_example_identifier(example: Example) -> str:
    """An identifier that is the same for equal corpora; internal ids are random."""
    return f"{example.name}:{example.start:09d}"


def build_learner(engine: str, parameters: dict[str, Any]) -> Learner[Any]:
    """Create an unfitted learner."""
    learner = get_registry().build("learner", engine, parameters)
    assert isinstance(learner, Learner)
    return learner


def uses_gazetteers(engine: str, parameters: dict[str, Any]) -> bool:
    """Whether a learner with these parameters learns what the gazetteers of the project find."""
    learner = build_learner(engine, parameters)
    return isinstance(learner, GazetteerLearner) and learner.wants_gazetteers


def train(
    engine: str,
    parameters: dict[str, Any],
    data: TrainingSet,
    project: Project,
    *,
    group_field: str = "",
    train_on_all: bool = True,
    progress: Progress,
) -> TrainedModel:
    """Evaluate a learner, then train the model to use.

    Args:
        group_field: as for `collect_training_set`.
        train_on_all: after the evaluation train the model in use on the drawn test part too. Cross-validation always
            does this, because it has no single evaluated model.

    Raises:
        InvalidInput: the learner finds topics and does not learn labels.
    """
    if not build_learner(engine, parameters).needs_labels:
        raise InvalidInput(
            message("train.topics", "{engine} does not learn labels: it finds topics", engine=engine),
            fix=message("fix.otherEngine", "Choose an engine that learns from confirmed annotations"),
        )
    progress(READ, TOTAL, splitting_message())
    # Read before the matchers: if one is replaced meanwhile, the marks differ, and the model counts as outdated.
    dictionaries = gazetteer_versions(project.id) if uses_gazetteers(engine, parameters) else None
    plan = plan_evaluation(data.learn, data.reserved, group_field, has_split=data.has_split)
    again = plan.method in ("crossValidation", "none") or (train_on_all and plan.method == "heldOut")
    steps = TrainingProgress(len(plan.rounds), again, progress)
    outcome = EvaluatedPredictions(_sorted_labels_of_samples([*data.learn, *data.reserved]))
    learner: Learner[Any] | None = None
    learned: Sequence[Sample] = data.learn
    for one in plan.rounds:
        learner, learned = _fit(engine, parameters, one.learn, project, steps), one.learn
        outcome.add(learner, one.test, project, counted=_counted_by(steps, data.unit))
    if again or learner is None:
        learner, learned = _fit(engine, parameters, data.learn, project, steps, final=True), data.learn
    if learner is None:
        raise AssertionError("what can be learned from holds labels")
    in_use = sample_counts(learned) | {"retrained": again}
    labels = _sorted_labels_of_samples(learned)
    facts = {
        "learner": engine,
        "parameters": parameters,
        "version": learner.version,
        "labels": labels,
        "trainingData": data.fingerprint,
        "trainingSize": len(learned),
        "sampleUnit": data.unit,
        "measuredTrainingSize": plan.training_size,
        "testSize": len(outcome.gold),
        "split": plan.split,
        "measurement": plan.to_json() | {"modelInUse": in_use},
    }
    if dictionaries is not None:
        facts["gazetteers"] = dictionaries
    report, intervals = outcome.report(project, plan)
    return TrainedModel(learner, report, labels, facts, intervals)


CountedSamples = Callable[[Sequence[Document]], Iterable[Document]]
"""Yields the samples and reports how many were read."""


def _counted_by(steps: TrainingProgress, unit: SampleUnit) -> CountedSamples:
    return lambda samples: steps.tested(samples, len(samples), unit)


def _fit(
    engine: str,
    parameters: dict[str, Any],
    samples: Sequence[Sample],
    project: Project,
    steps: TrainingProgress,
    *,
    final: bool = False,
) -> Learner[Any] | None:
    """Fit a learner on the samples; None if they have no labels."""
    fitting = steps.start(final=final)
    labels = _sorted_labels_of_samples(samples)
    if not labels:
        return None
    learner = build_learner(engine, parameters)
    if isinstance(learner, GazetteerLearner) and learner.wants_gazetteers:
        learner.use_gazetteers(load_gazetteers(project.id))
    learner.fit([sample.document for sample in samples], labels=labels, language=project.lang, progress=fitting)
    return learner


class _LabelScores(Mapping[str, float]):
    """Scores of all labels for one sample."""

    def __init__(self, columns: Mapping[str, int], values: array[float]) -> None:
        self._columns, self._values = columns, values

    def __getitem__(self, name: str) -> float:
        return self._values[self._columns[name]]

    def __iter__(self) -> Iterator[str]:
        return iter(self._columns)

    def __len__(self) -> int:
        return len(self._columns)


class EvaluatedPredictions:
    """Predictions for test samples, with the gold labels."""

    def __init__(self, labels: Sequence[str]) -> None:
        self._labels = labels
        self.gold: list[frozenset[Any]] = []
        self.predicted: list[frozenset[Any]] = []
        self.groups: list[str] = []
        self._scores: list[Mapping[str, float]] = []

    def add(
        self,
        learner: Learner[Any] | None,
        samples: Sequence[Sample],
        project: Project,
        *,
        counted: CountedSamples = iter,
    ) -> None:
        """Predict samples without their labels; without a learner (None) the predictions are empty."""
        bare = [_without_labels(sample.document) for sample in samples]
        for sample in samples:
            self.gold.append(_labels_or_spans_to_compare(sample.document, project))
            self.groups.append(sample.group)
        if learner is None:
            self.predicted += [frozenset()] * len(samples)
            self._scores += [{}] * len(samples)
            return
        self.predicted += [
            _labels_or_spans_to_compare(one, project) for one in learner.predict(counted(bare), project.lang)
        ]
        if project.nature == CLASSIFICATION and can_rank_labels(learner):
            self._scores += label_scores_per_document(learner, counted(bare), self._labels, project.lang)

    def report(self, project: Project, plan: EvaluationPlan) -> tuple[QualityReport | None, dict[str, Any]]:
        """The metrics and their intervals; `(None, {})` without test samples."""
        if not self.gold:
            return None, {}
        if project.nature != CLASSIFICATION:
            report = span_report(self.gold, self.predicted)
        else:
            scores = self._scores if len(self._scores) == len(self.gold) else None
            report = category_report(self.gold, self.predicted, scores=scores)
        return report, metric_intervals(
            self.gold, self.predicted, self.groups, label_of=_label_of_compared_item, seed=plan.seed
        )


def _label_of_compared_item(mark: Any) -> str:
    """The label of an item of `_labels_or_spans_to_compare`."""
    return mark if isinstance(mark, str) else str(mark[2])


def can_rank_labels(learner: Learner[Any]) -> bool:
    """Whether a learner scores all labels of a text, which the area under the ROC curve requires."""
    return type(learner).rank is not Learner.rank


def label_scores_per_document(
    learner: Learner[Any], documents: Iterable[Document], labels: Sequence[str], language: str
) -> list[Mapping[str, float]]:
    """For each document the score of each label; 0 for labels that the learner does not rank."""
    columns = {label: at for at, label in enumerate(labels)}
    found: list[Mapping[str, float]] = []
    for document in learner.rank(documents, language, limit=1_000_000):
        values = array("d", bytes(8 * len(columns)))
        for category in document.categories:
            at = columns.get(category.label_name or "")
            if at is not None:
                values[at] = category.score or 0.0
        found.append(_LabelScores(columns, values))
    return found


def _without_labels(document: Document) -> Document:
    return Document(
        identifier=document.identifier, title=document.title, text=document.text, metadata=document.metadata
    )


def _labels_or_spans_to_compare(document: Document, project: Project) -> frozenset[Any]:
    """The labels of the categories, or `(start, end, label)` of the annotations, without rejected ones."""
    if project.nature == CLASSIFICATION:
        return frozenset(one.label_name or "" for one in document.categories if one.status != "KO")
    return frozenset((one.start, one.end, one.label_name or "") for one in document.annotations if one.status != "KO")
