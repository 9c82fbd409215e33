"""Segmenting a document again: what changes, what stays on its segment, what no longer has one.

Annotations, categories and suggestions have offsets in the document and are never changed. Segments with an unchanged
range keep their metadata; all former segments with their metadata are stored in the history.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from annotarium.content.segmentation import Range, SegmentFunction, segment_text
from annotarium.content.validation import InvalidContent
from annotarium.domains.segmentation.repository import SegmentedDocument
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.messages import Message, join_messages, message

BATCH_DOCUMENTS, BATCH_CHARACTERS = 100, 2_000_000
OTHER_SEGMENTER_FIX = message("fix.otherSegmenter", "Choose another segmenter")
SEGMENT_BOUND = ("categories", "suggestions", "metadata", "annotations")
"""Kinds that are counted when they lose their segment, in the order of the report."""
_MESSAGES: dict[str, Callable[[int], Message]] = {
    "categories": lambda count: message(
        "number.sentenceCategories",
        "{count:,} categories of sentences",
        one="{count:,} category of a sentence",
        count=count,
    ),
    "suggestions": lambda count: message(
        "number.suggestions", "{count:,} suggestions", one="{count:,} suggestion", count=count
    ),
    "metadata": lambda count: message(
        "number.segmentMetadata", "{count:,} segments with metadata", one="{count:,} segment with metadata", count=count
    ),
    "annotations": lambda count: message(
        "number.annotations", "{count:,} annotations", one="{count:,} annotation", count=count
    ),
}


@dataclass
class Resegmentation:
    """New segments of a document. `detached` counts by kind what depended on one segment and no longer matches one."""

    state: SegmentedDocument
    ranges: list[Range]
    refused: str | None = None
    fix: str | None = None
    detached: Counter[str] = field(default_factory=Counter)
    kept: int = 0

    @property
    def changed(self) -> bool:
        """Whether the document gets different segments."""
        return self.refused is None and self.ranges != self.state.segments

    def counts(self) -> dict[str, int]:
        """Counts for the history and the result of the job."""
        return {"before": len(self.state.segments), "after": len(self.ranges), "kept": self.kept, **self.detached}

    def former(self) -> dict[str, Any]:
        """The former segments with their metadata, for the history."""
        described = [[start, end, metadata] for (start, end), metadata in self.state.metadata.items()]
        return {"ranges": self.state.segments, "metadata": described}


def resegment(
    state: SegmentedDocument, segment: SegmentFunction, language: str, *, annotations_whole: bool
) -> Resegmentation:
    """Segment one document again. On failure, its segments stay, with the reason in `refused`.

    Args:
        annotations_whole: put no segment boundary inside an annotation.
    """
    try:
        ranges = segment_text(state.text, language, segment, state.annotations if annotations_whole else ())
    except (InvalidContent, ComponentError) as error:
        return Resegmentation(state, state.segments, error.message, error.fix or OTHER_SEGMENTER_FIX)
    except Exception as error:  # noqa: BLE001  (a segmenter may be anybody's; one text must not stop the others)
        return Resegmentation(
            state,
            state.segments,
            message("cut.segmenterFailed", "The segmenter failed: {why}", why=f"{type(error).__name__}: {error}"),
            OTHER_SEGMENTER_FIX,
        )
    former, present = set(state.segments), set(ranges)
    result = Resegmentation(state, ranges, kept=len(former & present))
    lost = former - present
    result.detached["metadata"] = len(lost & state.metadata.keys())
    result.detached["categories"] = sum(one in lost for one in state.categories)
    result.detached["suggestions"] = sum(one in lost for one in state.suggestions)
    before, after = _WithinOneSegment(state.segments), _WithinOneSegment(ranges)
    result.detached["annotations"] = sum(before(one) and not after(one) for one in state.annotations)
    result.detached = +result.detached
    return result


class _WithinOneSegment:
    """Tells whether a range lies within one segment."""

    def __init__(self, ranges: Sequence[Range]) -> None:
        self._ranges = ranges
        self._starts = [start for start, _ in ranges]

    def __call__(self, span: Range) -> bool:
        index = bisect_right(self._starts, span[0]) - 1
        return index >= 0 and span[1] <= self._ranges[index][1]


def detached_message(detached: Counter[str]) -> str | None:
    """A sentence for users about what lost its segment, None if nothing did."""
    parts = [_MESSAGES[kind](detached[kind]) for kind in SEGMENT_BOUND if detached[kind]]
    return message("cut.apart", "No longer in a single segment: {what}", what=join_messages(parts)) if parts else None


def batches_of_document_ids(sizes: Iterable[tuple[int, int]]) -> Iterator[list[int]]:
    """Group document ids into batches that fit in memory.

    Args:
        sizes: (id, code points).
    """
    batch: list[int] = []
    characters = 0
    for document_id, length in sizes:
        if batch and (len(batch) >= BATCH_DOCUMENTS or characters + length > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(document_id)
        characters += length
    if batch:
        yield batch
