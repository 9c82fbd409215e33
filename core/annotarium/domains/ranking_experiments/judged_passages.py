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


@dataclass(frozen=True, slots=True)
class Matches:
    """What a ranking has of the judged passages, without its segments: enough to measure it in another order.

    Attributes:
        places: the relevant judgements (numbers in `grades`) that a segment matches, by its place in the ranking.
        grades: of the relevant judgements.
        size: number of segments of the ranking.
    """

    places: dict[int, tuple[int, ...]]
    grades: tuple[int, ...]
    size: int


def matches_of(ranking: Sequence[FoundRange], judgements: Sequence[Judgement]) -> Matches:
    """Match a ranking with judgements."""
    relevant = [one for one in judgements if one.grade > 0]
    places = {}
    for place, found in enumerate(ranking):
        matched = tuple(number for number, one in enumerate(relevant) if matches(found, one))
        if matched:
            places[place] = matched
    return Matches(places, tuple(one.grade for one in relevant), len(ranking))


def figures_of(found: Matches, order: Sequence[int] | None = None) -> tuple[float, ...]:
    """Return `FIGURES` of a ranking, or of its segments in another order (places, best first).

    There must be a relevant judgement.
    """
    gains, counted = [], set[int]()
    for place in range(found.size) if order is None else order:
        new = [number for number in found.places.get(place, ()) if number not in counted]
        gains.append(float(max((found.grades[number] for number in new), default=0)))
        counted.update(new)
    wanted = [float(grade) for grade in found.grades]
    count = len(wanted)
    return (
        ranking_quality.ndcg(gains, wanted),
        ranking_quality.reciprocal_rank(gains),
        ranking_quality.average_precision(gains, count),
        ranking_quality.recall(gains, count, 5),
        ranking_quality.recall(gains, count, 10),
    )
