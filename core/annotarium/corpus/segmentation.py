"""How a document is cut into segments at import (C-059)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Literal

from annotarium.corpus.gate import Refused
from annotarium_schemas.documents import Document, Sentence

Policy = Literal["always_recompute", "compute_if_missing", "no_segmentation", "documents_as_segments"]
Segment = Callable[[str, str], list[tuple[int, int]]]
"""A segmenter: ranges of a text in a language."""
SegmentRow = tuple[int, int, dict[str, Any] | None]
"""Start, end, metadata."""


def segments_of(document: Document, policy: Policy, segment: Segment, language: str) -> list[SegmentRow]:
    """Segments of a document, ascending and without overlap.

    `documents_as_segments` makes the whole text one segment. `no_segmentation` computes nothing and keeps the
    sentences that were given. `compute_if_missing` does so too, and cuts a text that came without sentences;
    `always_recompute` cuts every text. A text in which the segmenter finds nothing is one segment.

    Raises:
        Refused: the given sentences overlap.
    """
    if policy == "documents_as_segments":
        return [(0, len(document.text), None)]
    if document.sentences and policy != "always_recompute":
        return _given(document.sentences)
    if policy == "no_segmentation":
        return []
    ranges = segment(document.text, language) or [(0, len(document.text))]
    return [(start, end, None) for start, end in ranges]


def _given(sentences: list[Sentence]) -> list[SegmentRow]:
    rows: list[SegmentRow] = sorted(((one.start, one.end, one.metadata) for one in sentences), key=lambda row: row[:2])
    for (_, end, _), (start, later_end, _) in pairwise(rows):
        if start < end:
            raise Refused(
                f"The sentences overlap at {start}-{min(end, later_end)}", "Send sentences that do not overlap"
            )
    return rows
