"""Small helpers on ranges that the segmenters share."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Range = tuple[int, int]


def trimmed(text: str, start: int, end: int) -> Range | None:
    """The range without the white space at its ends; None when nothing is left."""
    piece = text[start:end]
    body = piece.strip()
    if not body:
        return None
    start += len(piece) - len(piece.lstrip())
    return start, start + len(body)


def between(text: str, cuts: Iterable[Range]) -> list[Range]:
    """What lies between separators, trimmed, without blanks. `cuts` are ordered and do not overlap."""
    ranges = []
    start = 0
    for cut_start, cut_end in cuts:
        kept = trimmed(text, start, cut_start)
        if kept:
            ranges.append(kept)
        start = cut_end
    kept = trimmed(text, start, len(text))
    return [*ranges, kept] if kept else ranges


def limited(text: str, ranges: Iterable[Range], size: int) -> Iterator[Range]:
    """The ranges, those longer than `size` code points cut at white space where there is some."""
    for start, end in ranges:
        while end - start > size:
            cut = last_cut(text, start, start + size)
            kept = trimmed(text, start, cut)
            if kept:
                yield kept
            start = cut
        kept = trimmed(text, start, end)
        if kept:
            yield kept


def last_cut(text: str, start: int, end: int) -> int:
    """A place to cut in (start, end]: after the last space or line break, else `end`, never before a joined mark."""
    if end >= len(text):
        return len(text)
    for mark in ("\n", " "):
        found = text.rfind(mark, start + (end - start) // 2, end)
        if found > start:
            return found + 1
    cut = end
    while cut > start + 1 and end - cut < 16 and _joins(text, cut):
        cut -= 1
    return cut


def _joins(text: str, position: int) -> bool:
    """Whether the code point at `position` belongs to the character before it (accent, emoji part)."""
    import unicodedata

    return (
        unicodedata.category(text[position]) in ("Mn", "Me", "Mc", "Cf", "Sk")
        or text[position - 1] == "\u200d"
        or "\U0001f3fb" <= text[position] <= "\U0001f3ff"
    )
