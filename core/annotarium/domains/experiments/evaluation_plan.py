"""Decides which samples a model is evaluated on.

The first that applies: the project's own test part; a fifth of the annotated documents; with few documents,
cross-validation, in which each document is tested once by a model that has not learned from it. Samples of the same
document, or of documents with the same value of the grouping field, are never in both parts. Only a single group is
divided by segments, and then the report warns that its figures are too high.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from annotarium.content.holdout import SEED, TEST, HoldoutGroup, draw_split
from annotarium.domains.experiments.confidence_intervals import CONFIDENCE, RESAMPLES
from annotarium_schemas.documents import Document

TEST_SHARE = 0.2
FOLDS = 5
FEW_GROUPS = 20
"""With fewer groups, a fifth of them is too small a test part: use cross-validation if that is fast enough."""
MANY_SAMPLES = 2000
"""From this number of samples on cross-validation is slow, and a fifth of them is enough."""
Method = Literal["project", "heldOut", "crossValidation", "none"]
Unit = Literal["document", "field", "segment"]
Caution = Literal["oneGroup", "fewGroups", "testPartNotAnnotated"]
"""Reasons why the figures are less reliable; their texts are `caution` in the web app's `measurement.json`."""


@dataclass(frozen=True)
class Sample:
    """A segment or document to learn from or to test on.

    Attributes:
        document: its identifier is derived from the document's public one, so that it is the same in equal corpora.
        name: identifier of the document that the sample belongs to.
        group: all samples of a group are in the same part.
        labels: the confirmed labels, one entry per occurrence.
    """

    document: Document
    name: str
    group: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class TrainTestSplit:
    """The part to learn from and the part to test on."""

    learn: Sequence[Sample]
    test: Sequence[Sample]


@dataclass(frozen=True)
class EvaluationPlan:
    """How a model is evaluated. `group_field` is the metadata field that groups documents, or empty."""

    method: Method
    unit: Unit
    group_field: str
    rounds: Sequence[TrainTestSplit]
    cautions: tuple[Caution, ...] = ()
    seed: int = SEED

    @property
    def test(self) -> list[Sample]:
        """All test samples; each occurs once."""
        return [sample for one in self.rounds for sample in one.test]

    @property
    def training_size(self) -> int:
        """Number of samples that the evaluated model learned from (in cross-validation the mean)."""
        return round(sum(len(one.learn) for one in self.rounds) / max(1, len(self.rounds)))

    @property
    def split(self) -> str:
        """A short description of the split."""
        words = {"project": "project", "heldOut": f"held out {round(100 * TEST_SHARE)} %", "none": "none"}
        return words.get(self.method, f"cross-validation in {len(self.rounds)} parts")

    def to_json(self) -> dict[str, Any]:
        """The description of the evaluation in the report."""
        learned = [sample for one in self.rounds for sample in one.learn]
        body: dict[str, Any] = {
            "method": self.method,
            "unit": self.unit,
            "train": sample_counts(learned) if self.method != "crossValidation" else sample_counts(self.test),
            "test": sample_counts(self.test),
            "untestedLabels": sorted(_labels_of_samples(learned) - _labels_of_samples(self.test)),
            "confidence": CONFIDENCE,
            "resamples": RESAMPLES,
        }
        if self.method == "crossValidation":
            body["folds"] = len(self.rounds)
        if self.method != "project":
            body |= {"seed": self.seed, "share": TEST_SHARE}
        if self.group_field:
            body["groupField"] = self.group_field
        return body | ({"cautions": list(self.cautions)} if self.cautions else {})


def sample_counts(samples: Iterable[Sample]) -> dict[str, int]:
    """The number of groups, documents and segments (samples)."""
    names: set[str] = set()
    groups: set[str] = set()
    number = 0
    for sample in samples:
        number += 1
        names.add(sample.name)
        groups.add(sample.group)
    return {"groups": len(groups), "documents": len(names), "segments": number}


def _labels_of_samples(samples: Iterable[Sample]) -> set[str]:
    return {label for sample in samples for label in sample.labels}


def plan_evaluation(
    learn: Sequence[Sample], reserved: Sequence[Sample], group_field: str, *, has_split: bool
) -> EvaluationPlan:
    """Choose the evaluation method and split the samples.

    Args:
        learn: samples outside the project's test part.
        reserved: samples in the project's test part; no model learns from them.
        group_field: see `content.holdout.holdout_group_of_document`.
        has_split: whether the project has its own test part.
    """
    unit: Unit = "field" if group_field else "document"
    if reserved:
        return EvaluationPlan("project", "document", "", [TrainTestSplit(learn, reserved)])
    groups = _holdout_groups(learn)
    cautions: tuple[Caution, ...] = ("testPartNotAnnotated",) if has_split else ()
    if len(groups) < 2:
        unit, cautions = "segment", (*cautions, "oneGroup")
        learn = [_with_segment_as_group(sample) for sample in learn]
        groups = _holdout_groups(learn)
    if len(groups) < 2:
        return EvaluationPlan("none", unit, group_field, [], cautions)
    if use_cross_validation(len(groups), len(learn)):
        folds = min(FOLDS, len(groups))
        parts = draw_split(groups, [1 / folds] * folds)
        rounds = [_train_test_split(learn, parts, fold) for fold in range(folds)]
        return EvaluationPlan("crossValidation", unit, group_field, rounds, cautions or ("fewGroups",))
    parts = draw_split(groups, [1 - TEST_SHARE, TEST_SHARE])
    return EvaluationPlan("heldOut", unit, group_field, [_train_test_split(learn, parts, TEST)], cautions)


def use_cross_validation(groups: int, samples: int) -> bool:
    """Whether to evaluate by cross-validation, given the numbers of groups and samples."""
    return groups < FOLDS or (groups < FEW_GROUPS and samples < MANY_SAMPLES)


def _with_segment_as_group(sample: Sample) -> Sample:
    return Sample(sample.document, sample.name, sample.document.identifier, sample.labels)


def _holdout_groups(samples: Iterable[Sample]) -> dict[str, HoldoutGroup]:
    groups: dict[str, HoldoutGroup] = {}
    for sample in samples:
        group = groups.setdefault(sample.group, HoldoutGroup())
        group.weight += 1
        group.labels.update(sample.labels)
    return groups


def _train_test_split(samples: Sequence[Sample], parts: Mapping[str, int], test: int) -> TrainTestSplit:
    return TrainTestSplit(
        [sample for sample in samples if parts[sample.group] != test],
        [sample for sample in samples if parts[sample.group] == test],
    )
