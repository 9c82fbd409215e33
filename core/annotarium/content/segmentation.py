"""How a document is cut into segments at import (C-059)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any, Literal

from annotarium.content.validation import InvalidContent
from annotarium.db.models import CLASSIFICATION
from annotarium_plugins.graphemes import next_border
from annotarium_schemas.documents import Document, Sentence
from annotarium_schemas.messages import message

Policy = Literal["always_recompute", "compute_if_missing", "no_segmentation", "documents_as_segments"]
COMPUTING_POLICIES: frozenset[Policy] = frozenset(("always_recompute", "compute_if_missing"))
"""The policies that may need a segmenter."""


def default_policy(nature: str) -> Policy:
    """What an import does that names no policy (C-059): texts to classify are not cut."""
    return "no_segmentation" if nature == CLASSIFICATION else "compute_if_missing"


SegmentFunction = Callable[[str, str], list[tuple[int, int]]]
"""A segmenter: ranges of a text in a language."""
Range = tuple[int, int]
SegmentRow = tuple[int, int, dict[str, Any] | None]
"""Start, end, metadata."""


def segment_nothing(text: str, language: str) -> list[tuple[int, int]]:
    """Stands where the policy computes no segments, so that a missing segmenter does not hinder such an import."""
    return []


def segments_of(
    document: Document, policy: Policy, segment: SegmentFunction, language: str, *, annotations_whole: bool = True
) -> list[SegmentRow]:
    """Segments of a document, ascending and without overlap.

    `documents_as_segments` makes the whole text one segment. `no_segmentation` computes nothing and keeps the
    sentences that were given. `compute_if_missing` does so too, and cuts a text that came without sentences;
    `always_recompute` cuts every text. A text in which the segmenter finds nothing is one segment. A segment that is
    one of the given sentences has their metadata.

    Args:
        annotations_whole: segments that are computed never end inside an annotation that holds.

    Raises:
        Refused: the given sentences overlap, or the segmenter answered with ranges that cannot be.
    """
    given = {(one.start, one.end): one.metadata or None for one in document.sentences or ()}
    if policy == "documents_as_segments":
        whole = (0, len(document.text))
        return [(*whole, given.get(whole))]
    if document.sentences and policy != "always_recompute":
        return _segments_from_sentences(document.sentences)
    if policy == "no_segmentation":
        return []
    spans = [(one.start, one.end) for one in document.annotations if one.status != "KO"] if annotations_whole else []
    return [(*one, given.get(one)) for one in segment_text(document.text, language, segment, spans)]


def count_lost_metadata(document: Document, rows: Iterable[SegmentRow]) -> int:
    """How many of the given sentences have metadata that none of the segments took over."""
    kept = {row[:2] for row in rows}
    return sum(bool(one.metadata) and (one.start, one.end) not in kept for one in document.sentences or ())


def segment_text(text: str, language: str, segment: SegmentFunction, whole: Iterable[Range] = ()) -> list[Range]:
    """Segments of a text: ascending, without overlap, parting no character; one over everything where nothing is found.

    Args:
        whole: ranges that no border may part (annotations). The segments that one of them touches become one.

    Raises:
        Refused: the segmenter answered with ranges that cannot be.
    """
    ranges = list(segment(text, language))
    position = 0
    for start, end in ranges:
        if not position <= start < end <= len(text):
            raise InvalidContent(
                message(
                    "cut.strange",
                    "The segmenter answered with the range {start}-{end} after {position} in a text of {length}",
                    start=start,
                    end=end,
                    position=position,
                    length=len(text),
                ),
                message("fix.otherSegmenter", "Choose another segmenter"),
            )
        position = end
    ranges = _align_borders_to_graphemes(text, ranges)
    return _merge_overlapping_ranges(ranges, whole) if ranges else [(0, len(text))]


def _align_borders_to_graphemes(text: str, ranges: Iterable[Range]) -> list[Range]:
    """The ranges, their borders moved on to where they part no character (an emoji, a letter and its accent)."""
    moved = ((next_border(text, start), next_border(text, end)) for start, end in ranges)
    return [(start, end) for start, end in moved if start < end]


def _merge_overlapping_ranges(ranges: Sequence[Range], spans: Iterable[Range]) -> list[Range]:
    """What hangs together through overlaps, wherever a range is among it."""
    joined: list[Range] = []
    start = end = 0
    found = False
    for first, last, is_range in sorted([*((*one, True) for one in ranges), *((*one, False) for one in spans)]):
        if first >= end:
            if found:
                joined.append((start, end))
            start, end, found = first, last, is_range
        else:
            end, found = max(end, last), found or is_range
    return [*joined, (start, end)] if found else joined


def _segments_from_sentences(sentences: list[Sentence]) -> list[SegmentRow]:
    rows: list[SegmentRow] = sorted(((one.start, one.end, one.metadata) for one in sentences), key=lambda row: row[:2])
    for (_, end, _), (start, later_end, _) in pairwise(rows):
        if start < end:
            raise InvalidContent(
                message(
                    "document.sentencesOverlap",
                    "The sentences overlap at {start}-{end}",
                    start=start,
                    end=min(end, later_end),
                ),
                message("fix.sentences", "Send sentences that do not overlap"),
            )
    return rows
