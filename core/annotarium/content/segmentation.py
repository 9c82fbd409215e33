"""Segmentation of documents at import (C-059)."""

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
    """Return the policy of an import that names none (C-059): texts to classify are not segmented."""
    return "no_segmentation" if nature == CLASSIFICATION else "compute_if_missing"


SegmentFunction = Callable[[str, str], list[tuple[int, int]]]
"""A segmenter: returns ranges of a text, from the text and its language."""
Range = tuple[int, int]
SegmentRow = tuple[int, int, dict[str, Any] | None]
"""Start, end, metadata."""


def segment_nothing(text: str, language: str) -> list[tuple[int, int]]:
    """Used where the policy computes no segments, so that a missing segmenter does not prevent such an import."""
    return []


def segments_of(
    document: Document, policy: Policy, segment: SegmentFunction, language: str, *, annotations_whole: bool = True
) -> list[SegmentRow]:
    """Return the segments of a document, ascending and without overlap.

    `documents_as_segments` makes the whole text one segment. `no_segmentation` computes nothing and keeps the sentences
    of the document. `compute_if_missing` does so too, and segments a text without sentences; `always_recompute`
    segments every text. A text in which the segmenter finds nothing is one segment. A segment that equals a sentence of
    the document keeps the sentence's metadata.

    Args:
        annotations_whole: computed segments never end inside an annotation that is not rejected.

    Raises:
        InvalidContent: the sentences overlap, or the segmenter returned invalid ranges.
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
    """Count the sentences of the document with metadata that no segment took over."""
    kept = {row[:2] for row in rows}
    return sum(bool(one.metadata) and (one.start, one.end) not in kept for one in document.sentences or ())


def segment_text(text: str, language: str, segment: SegmentFunction, whole: Iterable[Range] = ()) -> list[Range]:
    """Return segments of a text: ascending, without overlap, never splitting a grapheme; the whole text where none is
    found.

    Args:
        whole: ranges that no border may split (annotations). Segments that overlap one of them are merged.

    Raises:
        InvalidContent: the segmenter returned invalid ranges.
    """
    ranges = list(segment(text, language))
    position = 0
    for start, end in ranges:
        if not position <= start < end <= len(text):
            raise InvalidContent(
                message(
                    "cut.strange",
                    "The segmenter returned the range {start}-{end} after {position} in a text of {length} characters",
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
    """Move borders forward to where they split no grapheme (an emoji, a letter with its accent); empty ranges are
    dropped.
    """
    moved = ((next_border(text, start), next_border(text, end)) for start, end in ranges)
    return [(start, end) for start, end in moved if start < end]


def _merge_overlapping_ranges(ranges: Sequence[Range], spans: Iterable[Range]) -> list[Range]:
    """Return the hull of each group of overlapping ranges and spans that contains at least one range."""
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
