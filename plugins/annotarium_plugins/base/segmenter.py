"""Kind segmenter: splits a text into segments."""

from __future__ import annotations

from abc import abstractmethod

from annotarium_plugins.base.component import Component, P


class Segmenter(Component[P]):
    """Splits a text. Segments are ranges of code points, ordered, not overlapping and not blank; gaps are allowed."""

    @abstractmethod
    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Return half-open ranges `[start, end)` of `text`."""
