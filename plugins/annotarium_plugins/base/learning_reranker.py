"""Rerankers that learn their parameters from judged passages."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotarium_plugins.base.component import P
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.base.reranker import Reranker


@dataclass(frozen=True)
class RankingSample:
    """The candidates of one question: their features and grades (0 = not relevant), in the order of the search."""

    features: Sequence[Sequence[float]]
    grades: Sequence[float]


class LearningReranker(Reranker[P]):
    """A reranker that learns: the result are parameters, with which a component is built that ranks.

    `rerank` is `score` of `features`, so that a ranking can be measured without the texts.
    """

    @abstractmethod
    def features(self, question: str, passages: Sequence[Passage], language: str) -> list[list[float]]:
        """Return the features of each passage, finite numbers; passages are in the order of the search."""

    @abstractmethod
    def score(self, features: Sequence[Sequence[float]]) -> list[float]:
        """Return a score from 0 to 1 for each row of features, with the parameters of this component."""

    @abstractmethod
    def fit(self, samples: Sequence[RankingSample]) -> dict[str, Any]:
        """Return parameters learned from samples; the component itself does not change. The same samples give the same
        parameters.

        Raises:
            ComponentError: no question has both relevant and other candidates.
        """

    def rerank(self, question: str, passages: Sequence[Passage], language: str) -> list[float]:
        """Return one score (0..1, higher = better) per passage, in the order of `passages`."""
        return self.score(self.features(question, passages, language)) if passages else []
