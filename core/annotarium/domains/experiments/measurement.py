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

from annotarium.corpus.holdout import SEED, TEST, Group, draw
from annotarium.domains.experiments.intervals import CONFIDENCE, RESAMPLES
from annotarium_schemas.documents import Document

TEST_SHARE = 0.2
FOLDS = 5
FEW_GROUPS = 20
"""Below, a fifth of them says little about the rest: cross-validation, where that takes little time."""
MANY_PIECES = 2000
"""From here on cross-validation takes long, and a fifth holds examples enough."""
Method = Literal["project", "heldOut", "crossValidation", "none"]
Unit = Literal["document", "field", "segment"]
Caution = Literal["oneGroup", "fewGroups", "testPartNotAnnotated"]
"""What makes the figures worth less: see the texts `experiments.caution` of the studio."""


@dataclass(frozen=True)
class Piece:
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
class Round:
    """A model learns from one part and is tested on the other."""

    learn: Sequence[Piece]
    test: Sequence[Piece]


@dataclass(frozen=True)
class Measurement:
    """How a model is measured. `group_field` is empty unless documents were grouped by it."""

    method: Method
    unit: Unit
    group_field: str
    rounds: Sequence[Round]
    cautions: tuple[Caution, ...] = ()
    seed: int = SEED

    @property
    def test(self) -> list[Piece]:
        """All pieces that are tested, each once."""
        return [piece for one in self.rounds for piece in one.test]

    @property
    def training_size(self) -> int:
        """Pieces that a measured model learned from (in cross-validation the mean)."""
        return round(sum(len(one.learn) for one in self.rounds) / max(1, len(self.rounds)))

    @property
    def split(self) -> str:
        """In a few words."""
        words = {"project": "project", "heldOut": f"held out {round(100 * TEST_SHARE)} %", "none": "none"}
        return words.get(self.method, f"cross-validation in {len(self.rounds)} parts")

    def to_wire(self) -> dict[str, Any]:
        """How it was measured, for the report."""
        learned = [piece for one in self.rounds for piece in one.learn]
        wire: dict[str, Any] = {
            "method": self.method,
            "unit": self.unit,
            "train": counts(learned) if self.method != "crossValidation" else counts(self.test),
            "test": counts(self.test),
            "untestedLabels": sorted(_labels(learned) - _labels(self.test)),
            "confidence": CONFIDENCE,
            "resamples": RESAMPLES,
        }
        if self.method == "crossValidation":
            wire["folds"] = len(self.rounds)
        if self.method != "project":
            wire |= {"seed": self.seed, "share": TEST_SHARE}
        if self.group_field:
            wire["groupField"] = self.group_field
        return wire | ({"cautions": list(self.cautions)} if self.cautions else {})


def counts(pieces: Iterable[Piece]) -> dict[str, int]:
    """How many groups, documents and segments (pieces) these are."""
    names: set[str] = set()
    groups: set[str] = set()
    number = 0
    for piece in pieces:
        number += 1
        names.add(piece.name)
        groups.add(piece.group)
    return {"groups": len(groups), "documents": len(names), "segments": number}


def _labels(pieces: Iterable[Piece]) -> set[str]:
    return {label for piece in pieces for label in piece.labels}


def plan_measurement(
    learn: Sequence[Piece], reserved: Sequence[Piece], group_field: str, *, has_split: bool
) -> Measurement:
    """Decide what is tested.

    Args:
        learn: pieces outside the test part of the project.
        reserved: pieces in it; no model learns from them.
        group_field: see `corpus.holdout.group_of`.
        has_split: whether the project has a test part of its own.
    """
    unit: Unit = "field" if group_field else "document"
    if reserved:
        return Measurement("project", "document", "", [Round(learn, reserved)])
    groups = _groups(learn)
    cautions: tuple[Caution, ...] = ("testPartNotAnnotated",) if has_split else ()
    if len(groups) < 2:
        unit, cautions = "segment", (*cautions, "oneGroup")
        learn = [_alone(piece) for piece in learn]
        groups = _groups(learn)
    if len(groups) < 2:
        return Measurement("none", unit, group_field, [], cautions)
    if are_few(len(groups), len(learn)):
        folds = min(FOLDS, len(groups))
        parts = draw(groups, [1 / folds] * folds)
        rounds = [_round(learn, parts, fold) for fold in range(folds)]
        return Measurement("crossValidation", unit, group_field, rounds, cautions or ("fewGroups",))
    parts = draw(groups, [1 - TEST_SHARE, TEST_SHARE])
    return Measurement("heldOut", unit, group_field, [_round(learn, parts, TEST)], cautions)


def are_few(groups: int, pieces: int) -> bool:
    """Whether a model is measured by cross-validation."""
    return groups < FOLDS or (groups < FEW_GROUPS and pieces < MANY_PIECES)


def _alone(piece: Piece) -> Piece:
    return Piece(piece.document, piece.name, piece.document.identifier, piece.labels)


def _groups(pieces: Iterable[Piece]) -> dict[str, Group]:
    groups: dict[str, Group] = {}
    for piece in pieces:
        group = groups.setdefault(piece.group, Group())
        group.weight += 1
        group.labels.update(piece.labels)
    return groups


def _round(pieces: Sequence[Piece], parts: Mapping[str, int], test: int) -> Round:
    return Round(
        [piece for piece in pieces if parts[piece.group] != test],
        [piece for piece in pieces if parts[piece.group] == test],
    )
