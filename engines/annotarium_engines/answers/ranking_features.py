"""Features of a passage and a question, from which rankings are learned."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Sequence

from annotarium_engines.answers.question_words import content_words, share, weights, words
from annotarium_plugins.base.rag_context_builder import Passage

FEATURES = (
    *("order", "text_rank", "vector_rank", "score", "words", "together", "adjacent", "frequency", "title"),
    *("beginning", "length", "same_document"),
)
"""Names of the features, in their order."""
_BLOCK, _POWER = 12, 4
_SATURATION, _LENGTH_SHARE = 1.2, 0.75
"""Parameters of BM25."""
_FAR = 2_000.0
"""Offset in code points at which the feature `beginning` is a half."""


def ranking_features(question: str, passages: Sequence[Passage], language: str) -> list[list[float]]:
    """Return `FEATURES` of each passage. Passages are in the order of the search, best first."""
    wanted = content_words(question, language)
    texts = [words(passage.text, language) for passage in passages]
    titles = {passage.title: set(words(passage.title, language)) for passage in passages}
    weight = weights(wanted, (set(text) for text in texts))
    usual = sum(map(len, texts)) / max(1, len(texts))
    highest = max((passage.score for passage in passages), default=0.0)
    near: defaultdict[str, float] = defaultdict(float)
    for place, passage in enumerate(passages, 1):
        near[passage.document_id] += 1 / place
    rows = []
    for place, (text, passage) in enumerate(zip(texts, passages, strict=True), 1):
        rows.append([
            -math.log(place),
            _rank_value(passage.text_rank),
            _rank_value(passage.vector_rank),
            passage.score / highest if highest > 0 else 0.0,
            share(weight, set(text)),
            best_window(weight, text) ** _POWER,
            _adjacent_pairs(wanted, weight, text),
            _saturated_frequency(weight, text, usual),
            share(weight, titles[passage.title]),
            1 / (1 + passage.start / _FAR),
            math.log1p(len(text)) / 5,
            min(1.0, near[passage.document_id] - 1 / place),
        ])  # fmt: skip
    return rows


def best_window(weight: dict[str, float], text: list[str]) -> float:
    """Return the greatest share of the question words within two blocks of words that follow each other."""
    blocks: dict[int, set[str]] = {}
    for place, word in enumerate(text):
        if word in weight:
            blocks.setdefault(place // _BLOCK, set()).add(word)
    return max((share(weight, found | blocks.get(block + 1, set())) for block, found in blocks.items()), default=0.0)


def _rank_value(rank: int | None) -> float:
    return 0.0 if rank is None else 1 / math.log2(1 + rank)


def _adjacent_pairs(wanted: Sequence[str], weight: dict[str, float], text: Sequence[str]) -> float:
    """Return the weighted share of pairs of neighbouring question words that are neighbours in the text too."""
    pairs = {(one, two): weight[one] + weight[two] for one, two in itertools.pairwise(wanted)}
    total = sum(pairs.values())
    found = {pair for pair in itertools.pairwise(text) if pair in pairs}
    return sum(pairs[pair] for pair in found) / total if total else 0.0


def _saturated_frequency(weight: dict[str, float], text: Sequence[str], usual: float) -> float:
    """Return the share of BM25 of the greatest possible one."""
    total = sum(weight.values())
    counts = Counter(word for word in text if word in weight)
    long = _SATURATION * (1 - _LENGTH_SHARE + _LENGTH_SHARE * len(text) / usual) if usual else _SATURATION
    return sum(weight[word] * count / (count + long) for word, count in counts.items()) / total if total else 0.0
