"""Segmenter `fixed_window`: segments of about equal length."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.segmenter import Segmenter
from annotarium_plugins.builtin.segmenters._ranges import Range, last_cut_position, trimmed_range
from annotarium_plugins.parameters import Parameters

_WORD = re.compile(r"\S++")


class FixedWindowSegmenterParameters(Parameters):
    """Parameters of `fixed_window`."""

    unit: Literal["words", "characters"] = Field(
        "words", title="Unit", description="Words, or characters for scripts without spaces."
    )
    size: int = Field(150, ge=1, le=100_000, title="Size", description="Length of a segment.")


class FixedWindowSegmenter(Segmenter[FixedWindowSegmenterParameters]):
    """Splits after every `size` words or characters; characters are split at white space where possible."""

    title = "Fixed length"
    description = "Segments of a fixed number of words or characters."
    parameters_model = FixedWindowSegmenterParameters

    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return ranges of at most `size` units."""
        windows = self._by_words(text) if self.parameters.unit == "words" else self._by_characters(text)
        return list(windows)

    def _by_words(self, text: str) -> Iterator[Range]:
        size = self.parameters.size
        start = end = count = 0
        for word in _WORD.finditer(text):
            if count == 0:
                start = word.start()
            count += 1
            end = word.end()
            if count == size:
                yield start, end
                count = 0
        if count:
            yield start, end

    def _by_characters(self, text: str) -> Iterator[Range]:
        start = 0
        while start < len(text):
            cut = last_cut_position(text, start, start + self.parameters.size)
            kept = trimmed_range(text, start, cut)
            if kept:
                yield kept
            start = cut
