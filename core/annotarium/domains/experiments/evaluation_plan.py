"""On which pieces a model is measured, and how to say so.

In this order: the project's own test part; else a fifth of the annotated documents; else, when there are few of them,
cross-validation: each document is tested once, by a model that has not learned from it. Parts of one document, or of
documents with the same value of a metadata field, never lie on both sides. Only a single annotated document is divided
by segments, and the report says that its figures are too good.
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
"""Below, a fifth of them says little about the rest: cross-validation, where that takes little time."""
MANY_SAMPLES = 2000
"""From here on cross-validation takes long, and a fifth holds examples enough."""
Method = Literal["project", "heldOut", "crossValidation", "none"]
Unit = Literal["document", "field", "segment"]
Caution = Literal["oneGroup", "fewGroups", "testPartNotAnnotated"]
"""What makes the figures worth less: see the texts `experiments.caution` of the studio."""


@dataclass(frozen=True)
class Sample:
    """A segment or document to learn from or to test on.

    Attributes:
        document: its identifier is made of what people call the document: it decides nothing, but is the same for the
            same corpus.
        name: of the document it belongs to.
        group: pieces of one group are all learned from or all tested on.
        labels: those confirmed on it, one for each time.
    """

    document: Document
    name: str
    group: str
    labels: tuple[str, ...]


@dataclass(frozen=True)
class TrainTestSplit:
    """A model learns from one part and is tested on the other."""

    learn: Sequence[Sample]
    test: Sequence[Sample]


@dataclass(frozen=True)
class EvaluationPlan:
    """How a model is measured. `group_field` is empty unless documents were grouped by it."""

    method: Method
    unit: Unit
    group_field: str
    rounds: Sequence[TrainTestSplit]
    cautions: tuple[Caution, ...] = ()
    seed: int = SEED

    @property
    def test(self) -> list[Sample]:
        """All pieces that are tested, each once."""
        return [sample for one in self.rounds for sample in one.test]

    @property
    def training_size(self) -> int:
        """Pieces that a measured model learned from (in cross-validation the mean)."""
        return round(sum(len(one.learn) for one in self.rounds) / max(1, len(self.rounds)))

    @property
    def split(self) -> str:
        """In a few words."""
        words = {"project": "project", "heldOut": f"held out {round(100 * TEST_SHARE)} %", "none": "none"}
        return words.get(self.method, f"cross-validation in {len(self.rounds)} parts")

    def to_json(self) -> dict[str, Any]:
        """How it was measured, for the report."""
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
    """How many groups, documents and segments (pieces) these are."""
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
    """Decide what is tested.

    Args:
        learn: pieces outside the test part of the project.
        reserved: pieces in it; no model learns from them.
        group_field: see `content.holdout.holdout_group_of_document`.
        has_split: whether the project has a test part of its own.
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
    """Whether a model is measured by cross-validation."""
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
