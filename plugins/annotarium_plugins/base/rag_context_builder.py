"""Kind ragContextBuilder: builds the context of an answer from the passages a search found."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from annotarium_plugins.base.component import Component, P


@dataclass(frozen=True)
class Passage:
    """A segment that a search found; offsets are code points in its document."""

    segment_id: str
    document_id: str
    title: str
    text: str
    start: int
    end: int
    score: float


class RagContextBuilder(Component[P]):
    """Selects, merges and numbers passages within a size limit."""

    @abstractmethod
    def build(self, question: str, passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
        """Return the context with numbered passages, and the passages in the order of their numbers."""
