"""Kind reranker: reorders the first passages of a search by how well they answer a question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.rag_context_builder import Passage


class Reranker(Component[P]):
    """Scores passages. It must be fast: a search waits for it."""

    @abstractmethod
    def rerank(self, question: str, passages: Sequence[Passage], language: str) -> list[float]:
        """Return one score (0..1, higher = better) per passage, in the order of `passages`."""
