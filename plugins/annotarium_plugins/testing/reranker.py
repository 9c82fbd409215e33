"""Contract of rerankers."""

from __future__ import annotations

from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.rag_context_builder import passages
from annotarium_plugins.testing.samples import HOSTILE_TEXTS


class RerankerContract(ComponentContract):
    """Needs the component only."""

    def test_scores_each_passage(self) -> None:
        """There is one score from 0 to 1 per passage, the same each time, for any question."""
        reranker = self.build()
        given = passages()
        for question in ("Who lived in Paris?", *HOSTILE_TEXTS):
            scores = reranker.rerank(question, given, "en")
            assert len(scores) == len(given), f"{len(scores)} scores for {len(given)} passages"
            assert all(0 <= score <= 1 for score in scores), f"a score outside 0..1 for {question!r}"
            assert reranker.rerank(question, given, "en") == scores, "two runs differ"

    def test_no_passage_is_fine(self) -> None:
        """No passages give an empty list."""
        assert self.build().rerank("Who?", [], "en") == []
