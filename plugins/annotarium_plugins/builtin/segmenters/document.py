"""Segmenter `document`: the whole document is one segment."""

from __future__ import annotations

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.parameters import NoParameters


class DocumentSegmenter(Segmenter[NoParameters]):
    """Returns one segment that is the whole text; none when the text is blank."""

    title = "Whole document"
    description = "Each document is one segment."

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return the range of the whole text."""
        return [(0, len(text))] if text.strip() else []
