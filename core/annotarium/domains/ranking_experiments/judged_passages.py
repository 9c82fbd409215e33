"""Matches found segments with judged passages by their ranges, because a project may be segmented anew.

A segment matches a judgement of its document if they overlap by at least half of the shorter one. It has the highest
grade of the judgements that it matches. Each judgement counts once, for the first segment that matches it; later
segments that match only counted judgements keep their place and gain nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from annotarium.search import ranking_quality

FIGURES = ("ndcg", "rr", "ap", "recall5", "recall10")
"""Figures of a ranking, in the order of C-076; the first one decides."""


class Judgement(NamedTuple):
    """A judged passage: code points in a document, grade 0 (not relevant) to 3."""

    document: str
    start: int
    end: int
    grade: int


class FoundRange(NamedTuple):
    """A segment of a ranking."""

    document: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A saved question with the judgements of passages that the caller may read, and its known answers."""

    id: int
    identifier: str
    text: str
    judgements: list[Judgement] = field(default_factory=list)
    answers: list[str] = field(default_factory=list)
    unanswerable: bool = False


def matches(found: FoundRange, judged: Judgement) -> bool:
    """Return whether a segment and a judged passage overlap by at least half of the shorter one."""
    if found.document != judged.document:
        return False
    overlap = min(found.end, judged.end) - max(found.start, judged.start)
    return overlap > 0 and 2 * overlap >= min(found.end - found.start, judged.end - judged.start)


def grade_of(found: FoundRange, judgements: Sequence[Judgement]) -> int:
    """Return the highest grade of the judgements that a segment matches, 0 for none."""
    return max((one.grade for one in judgements if matches(found, one)), default=0)


def gains_of(ranking: Sequence[FoundRange], judgements: Sequence[Judgement]) -> list[float]:
    """Return the gain of each segment of a ranking; see the module."""
    left = [one for one in judgements if one.grade > 0]
    gains = []
    for found in ranking:
        matched = [one for one in left if matches(found, one)]
        gains.append(float(max((one.grade for one in matched), default=0)))
        if matched:
            left = [one for one in left if one not in matched]
    return gains


def figures_of(ranking: Sequence[FoundRange], judgements: Sequence[Judgement]) -> tuple[float, ...]:
    """Return `FIGURES` of a ranking. At least one judgement must be relevant."""
    wanted = [float(one.grade) for one in judgements if one.grade > 0]
    gains = gains_of(ranking, judgements)
    count = len(wanted)
    return (
        ranking_quality.ndcg(gains, wanted),
        ranking_quality.reciprocal_rank(gains),
        ranking_quality.average_precision(gains, count),
        ranking_quality.recall(gains, count, 5),
        ranking_quality.recall(gains, count, 10),
    )
