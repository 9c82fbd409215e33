"""Reranker whose parameters are weights learned from judged passages (search experiments)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Annotated, Any, ClassVar

from pydantic import Field

from annotarium_engines.answers.ranking_features import FEATURES, ranking_features
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.learning_reranker import LearningReranker, RankingSample
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.parameters import Parameters

_LARGEST = 1_000.0
_PAIRS_OF_QUESTION = 400
"""Maximum number of pairs of a relevant and another candidate that are learned from, by question."""
_STRENGTH = 0.1
"""Inverse strength of the regularisation; chosen on Cranfield and XQuAD (5 folds)."""
Weight = Annotated[float, Field(ge=-_LARGEST, le=_LARGEST, allow_inf_nan=False)]


class LearnedRerankerParameters(Parameters):
    """Weights of the features. The default ones keep the order of the search."""

    bias: Weight = Field(0.0, title="Bias")
    order: Weight = Field(1.0, title="Order of the search")
    text_rank: Weight = Field(0.0, title="Rank in the full-text search")
    vector_rank: Weight = Field(0.0, title="Rank in the vector search")
    score: Weight = Field(0.0, title="Score of the search")
    words: Weight = Field(0.0, title="Words of the question")
    together: Weight = Field(0.0, title="Words of the question close together")
    adjacent: Weight = Field(0.0, title="Pairs of neighbouring words")
    frequency: Weight = Field(0.0, title="Frequency of the words")
    title: Weight = Field(0.0, title="Words of the question in the title")
    beginning: Weight = Field(0.0, title="Near the beginning of the document")
    length: Weight = Field(0.0, title="Length")
    same_document: Weight = Field(0.0, title="Other passages of the document")


class LearnedReranker(LearningReranker[LearnedRerankerParameters]):
    """A logistic model of pairs: which of two passages is the better one."""

    title: ClassVar[str] = "Learned ranking"
    description: ClassVar[str] = "Reorders passages with weights that search experiments learn from judged passages."
    parameters_model: ClassVar[type[Parameters]] = LearnedRerankerParameters
    version: ClassVar[str] = "1"

    def features(self, question: str, passages: Sequence[Passage], language: str) -> list[list[float]]:
        """Return `FEATURES` of each passage."""
        return ranking_features(question, passages, language)

    def score(self, features: Sequence[Sequence[float]]) -> list[float]:
        """Return the logistic function of the weighted sum of each row."""
        weights = [float(getattr(self.parameters, name)) for name in FEATURES]
        found = []
        for row in features:
            value = self.parameters.bias + sum(weight * one for weight, one in zip(weights, row, strict=True))
            found.append(1 / (1 + math.exp(-max(-500.0, min(500.0, value)))))
        return found

    def fit(self, samples: Sequence[RankingSample]) -> dict[str, Any]:
        """Return the weights that order the pairs of each question best; all questions count the same."""
        import numpy as np
        from sklearn.linear_model import LogisticRegression

        pairs = [_weighted_pairs(one) for one in samples]
        pairs = [one for one in pairs if len(one[0])]
        if not pairs:
            raise ComponentError("There are no candidates to learn an order from")
        difference = np.concatenate([rows for rows, _ in pairs])
        importance = np.concatenate([given for _, given in pairs])
        scale = difference.std(axis=0)
        scale[scale < 1e-9] = np.inf  # a feature that is always the same gets the weight 0
        scaled = difference / scale
        signs = np.where(np.arange(len(scaled)) % 2 == 0, 1.0, -1.0)  # half of the pairs the other way round
        model = LogisticRegression(C=_STRENGTH * len(pairs), fit_intercept=False, max_iter=1_000)
        model.fit(scaled * signs[:, None], signs > 0, sample_weight=importance / len(pairs))
        weights = np.clip(model.coef_[0] / scale, -_LARGEST, _LARGEST)
        usual = np.concatenate([np.asarray(one.features, dtype=np.float64) for one in samples if len(one.features)])
        bias = float(np.clip(-(usual @ weights).mean(), -_LARGEST, _LARGEST))
        return {name: round(float(one), 6) for name, one in zip(FEATURES, weights, strict=True)} | {
            "bias": round(bias, 6)
        }


def _weighted_pairs(sample: RankingSample) -> tuple[Any, Any]:
    """Return differences of the features of better and worse candidates, and their importance, 1 in all.

    A pair counts by the gain that its right order brings at the first ten ranks (as in LambdaRank).
    """
    import numpy as np

    features = np.asarray(sample.features, dtype=np.float64).reshape(len(sample.grades), len(FEATURES))
    grades = np.asarray(sample.grades, dtype=np.float64)
    discount = 1 / np.log2(np.arange(len(grades)) + 2)
    better, worse = np.nonzero(grades[:, None] > grades[None, :])
    step = max(1, -(-len(better) // _PAIRS_OF_QUESTION))
    better, worse = better[::step], worse[::step]
    importance = np.abs(grades[better] - grades[worse]) * (np.abs(discount[better] - discount[worse]) + 0.05)
    total = importance.sum()
    return features[better] - features[worse], importance / total if total else importance
