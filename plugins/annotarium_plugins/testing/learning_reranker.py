"""Contract of rerankers that learn."""

from __future__ import annotations

import json
import math

import pytest

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.learning_reranker import LearningReranker, RankingSample
from annotarium_plugins.testing.rag_context_builder import passages
from annotarium_plugins.testing.reranker import RerankerContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS


class LearningRerankerContract(RerankerContract):
    """Needs the component only."""

    def test_features_are_finite(self) -> None:
        """There is a row of the same number of finite features per passage, for any question."""
        reranker = self._learner()
        for question in ("Who lived in Paris?", *HOSTILE_TEXTS):
            rows = reranker.features(question, passages(), "en")
            assert len(rows) == len(passages()) and len({len(row) for row in rows}) == 1
            assert all(math.isfinite(value) for row in rows for value in row), f"no number for {question!r}"

    def test_what_it_learns_are_its_parameters(self) -> None:
        """The parameters are valid JSON for the component; they prefer what was preferred; two runs give the same."""
        reranker = self._learner()
        rows = reranker.features("Who lived in Paris?", passages(), "en")
        for preferred in (0, len(rows) - 1):
            grades = [float(place == preferred) for place in range(len(rows))]
            learned = reranker.fit([RankingSample(rows, grades)] * 10)
            assert learned == reranker.fit([RankingSample(rows, grades)] * 10), "two runs differ"
            trained = self.component(self.component.parameters_model(**json.loads(json.dumps(learned))))
            assert isinstance(trained, LearningReranker)
            scores = trained.score(rows)
            assert len(scores) == len(rows) and all(0 <= score <= 1 for score in scores)
            assert max(range(len(rows)), key=scores.__getitem__) == preferred

    def test_nothing_to_learn_is_an_error(self) -> None:
        """Without candidates, or without a relevant one, there is no order to learn."""
        reranker = self._learner()
        rows = reranker.features("Who lived in Paris?", passages(), "en")
        for samples in ([], [RankingSample(rows, [0.0] * len(rows))], [RankingSample([], [])]):
            with pytest.raises(ComponentError):
                reranker.fit(samples)

    def _learner(self) -> LearningReranker:  # type: ignore[type-arg]
        reranker = self.build()
        assert isinstance(reranker, LearningReranker)
        return reranker
