"""Consolidation: of automatic annotations that overlap, only one is kept."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from typing import ClassVar, Literal

from pydantic import Field

from annotarium_plugins.base.component import Nature
from annotarium_plugins.base.processor import Processor
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Document


class ConsolidateParameters(Parameters):
    """Settings of the consolidation."""

    keep: Literal["first", "longest"] = Field(
        "first",
        title="Keep",
        description="The annotation of the annotator that comes first in the plan, or the longest one.",
    )


class ConsolidateProcessor(Processor[ConsolidateParameters]):
    """Keeps one of several overlapping automatic annotations, and adds terms and a missing score of those with the same
    range.

    Annotations that are not automatic or that a user has reviewed are not changed, and other automatic ones that
    overlap them are removed. Discontinuous annotations are left unchanged.
    """

    title: ClassVar[str] = "Consolidate annotations"
    description: ClassVar[str] = (
        "Keeps one of several overlapping automatic annotations; annotations by people have priority."
    )
    parameters_model: ClassVar[type[Parameters]] = ConsolidateParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling", "question_answering")
    version: ClassVar[str] = "1"

    def process(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Return the documents with fewer annotations; see `Processor.process`."""
        for document in documents:
            yield document.model_copy(update={"annotations": self._consolidated(document.annotations)})

    def _consolidated(self, annotations: list[Annotation]) -> list[Annotation]:
        fixed = [one for one in annotations if _is_fixed(one)]
        free = [(place, one) for place, one in enumerate(annotations) if not _is_fixed(one)]
        if self.parameters.keep == "longest":
            free.sort(key=lambda item: (item[1].start - item[1].end, item[0]))
        taken = _OccupiedRanges([(one.start, one.end) for one in fixed if one.status != "KO" and not one.fragments])
        kept: dict[int, Annotation] = {}
        at: dict[tuple[int, int], int] = {}
        for place, one in free:
            if not taken.overlaps(one.start, one.end):
                taken.add(one.start, one.end)
                kept[place], at[one.start, one.end] = one, place
            elif (one.start, one.end) in at:
                first = at[one.start, one.end]
                kept[first] = _combine_annotations(kept[first], one)
        return [kept.get(place, one) for place, one in enumerate(annotations) if place in kept or _is_fixed(one)]


class _OccupiedRanges:
    """Ranges that are occupied. The initial ones may overlap each other; added ones must not overlap any."""

    def __init__(self, ranges: list[tuple[int, int]]) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in _merge_ranges(ranges):
            self._starts.append(start)
            self._ends.append(end)

    def overlaps(self, start: int, end: int) -> bool:
        """Whether a range shares a code point with an occupied one."""
        place = bisect_right(self._ends, start)
        return place < len(self._starts) and self._starts[place] < end

    def add(self, start: int, end: int) -> None:
        """Add a range that overlaps none of the others."""
        place = bisect_left(self._starts, start)
        self._starts.insert(place, start)
        self._ends.insert(place, end)


def _merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if merged and start < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        else:
            merged.append((start, end))
    return merged


def _is_fixed(one: Annotation) -> bool:
    return one.creation_mode != "automatic" or one.status is not None or bool(one.fragments)


def _combine_annotations(first: Annotation, other: Annotation) -> Annotation:
    """Return the first annotation, with terms and score of the other one where it has none."""
    known = {(term.lexicon, term.identifier) for term in first.terms or ()}
    more = [term for term in other.terms or () if (term.lexicon, term.identifier) not in known]
    score = first.score if first.score is not None else other.score
    return first.model_copy(update={"terms": [*(first.terms or ()), *more] or None, "score": score})
