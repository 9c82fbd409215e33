"""Kind ragContextBuilder: found passages become the context of an answer."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from annotarium_plugins.base.component import Component, P


@dataclass(frozen=True)
class Passage:
    """A found segment: offsets are code points in its document."""

    segment_id: str
    document_id: str
    title: str
    text: str
    start: int
    end: int
    score: float


class RagContextBuilder(Component[P]):
    """Chooses, merges and numbers passages within a budget."""

    @abstractmethod
    def build(self, question: str, passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
        """The context text with numbered passages, and the passages in the order of their numbers."""
