"""Helpers on ranges, shared by the segmenters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotarium_plugins.graphemes import is_border, next_border, previous_border

Range = tuple[int, int]


def trimmed_range(text: str, start: int, end: int) -> Range | None:
    """Return the range without white space at its ends; None when nothing is left."""
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(body)


def ranges_between_cuts(text: str, cuts: Iterable[Range]) -> list[Range]:
    """Return the trimmed, non-blank ranges between separators. `cuts` must be ordered and not overlap."""
    ranges = []
    start = 0
    for cut_start, cut_end in cuts:
        kept = trimmed_range(text, start, cut_start)
        if kept:
            ranges.append(kept)
        start = cut_end
    kept = trimmed_range(text, start, len(text))
    return [*ranges, kept] if kept else ranges


def split_long_ranges(text: str, ranges: Iterable[Range], size: int) -> Iterator[Range]:
    """Yield the ranges; those longer than `size` code points are split, at white space where possible."""
    for start, end in ranges:
        while end - start > size:
            cut = last_cut_position(text, start, start + size)
            kept = trimmed_range(text, start, cut)
            if kept:
                yield kept
            start = cut
        kept = trimmed_range(text, start, end)
        if kept:
            yield kept


def last_cut_position(text: str, start: int, end: int) -> int:
    """Return a position in (start, end] to split at: after the last space or line break, otherwise the last one that
    splits no grapheme cluster.
    """
    if end >= len(text):
        return len(text)
    for mark in ("\n", " "):
        found = text.rfind(mark, start + (end - start) // 2, end)
        if found > start and is_border(text, found + 1):
            return found + 1
    cut = previous_border(text, end)
    return cut if cut > start else next_border(text, end)
