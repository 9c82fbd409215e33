"""Kind segmenter: a text is cut into segments."""

from __future__ import annotations

from abc import abstractmethod

from annotarium_plugins.base.component import Component, P


class Segmenter(Component[P]):
    """Cuts a text. Segments are code-point ranges, ordered, not overlapping, not blank; gaps are allowed."""

    @abstractmethod
    def segment(self, text: str, language: str) -> list[tuple[int, int]]:
        """Half-open ranges [start, end) into `text`."""
