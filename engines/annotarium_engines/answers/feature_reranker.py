"""Scores passages by the words of the question, their title and their ranks."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import ClassVar

from annotarium_engines.answers.question_words import content_words, share, weights, words
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.base.reranker import Reranker
from annotarium_plugins.parameters import Parameters

_SHARE, _BIGRAMS, _TITLE, _TEXT_RANK, _VECTOR_RANK, _BIAS = 3.0, 1.0, 0.5, 2.0, 1.5, -3.0
"""Weights set by hand, not tuned yet."""


class FeatureRerankerParameters(Parameters):
    """None."""


class FeatureReranker(Reranker[FeatureRerankerParameters]):
    """A logistic combination of simple features."""

    title: ClassVar[str] = "Words and ranks"
    description: ClassVar[str] = "Reorders passages by the words of the question, the title and their ranks."
    parameters_model: ClassVar[type[Parameters]] = FeatureRerankerParameters
    version: ClassVar[str] = "1"

    def rerank(self, question: str, passages: Sequence[Passage], language: str) -> list[float]:
        """Return a score from 0 to 1 per passage."""
        wanted = content_words(question, language)
        texts = [words(passage.text, language) for passage in passages]
        weight = weights(wanted, (set(text) for text in texts))
        return [_score(wanted, weight, text, one, language) for text, one in zip(texts, passages, strict=True)]


def _score(wanted: list[str], weight: dict[str, float], text: list[str], passage: Passage, language: str) -> float:
    pairs = set(pairwise(wanted))
    following = set(pairwise(text))
    value = _BIAS + _SHARE * share(weight, set(text))
    value += _BIGRAMS * (len(pairs & following) / len(pairs) if pairs else 0.0)
    value += _TITLE * share(weight, set(words(passage.title, language)))
    value += _TEXT_RANK * _closeness(passage.text_rank) + _VECTOR_RANK * _closeness(passage.vector_rank)
    return 1 / (1 + math.exp(-value))


def _closeness(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / (1 + 0.2 * (rank - 1))
