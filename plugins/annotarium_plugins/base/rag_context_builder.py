"""Kind ragContextBuilder: builds the context of an answer from the passages a search found."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

from annotarium_plugins.base.component import Component, P


@dataclass(frozen=True)
class Passage:
    """A segment that a search found; offsets are code points in its document.

    Attributes:
        score: of the search or the reranker; comparable within one result only.
        text_rank, vector_rank: positions in the full-text and in the vector search, from 1; None = not found by it.
        before, after: text of the document directly before `start` and after `end`; empty unless the context builder
            requests neighbours (`RagContextBuilder.neighbours`).
    """

    segment_id: str
    document_id: str
    title: str
    text: str
    start: int
    end: int
    score: float
    text_rank: int | None = None
    vector_rank: int | None = None
    before: str = ""
    after: str = ""


class RagContextBuilder(Component[P]):
    """Selects, merges and numbers passages within a size limit."""

    def neighbours(self) -> int:
        """Return how many segments before and after each passage are needed as `before` and `after`."""
        return 0

    @abstractmethod
    def build(self, question: str, passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
        """Return the context with numbered passages, and the passages in the order of their numbers.

        Returned passages may be extended into `before` and `after`, or merged with neighbours of the same document;
        their text is always that of the document from `start` to `end`.
        """
