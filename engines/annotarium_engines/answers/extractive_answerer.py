"""Answers with the sentence that contains most words of the question."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from pydantic import Field

from annotarium_engines.answers.follow_ups import added_words, earlier_question
from annotarium_engines.answers.question_words import LONGEST_QUESTION, content_words, share, weights, words
from annotarium_engines.tokens import starts_with_unspaced_script
from annotarium_plugins.base.follow_up import Turn
from annotarium_plugins.base.question_answerer import Answer, Citation, QuestionAnswerer
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.builtin.segmenters.rule_sentence import (
    RuleSentenceSegmenter,
    RuleSentenceSegmenterParameters,
)
from annotarium_plugins.parameters import Parameters

_RANK_WEIGHT = 0.15
_EARLIER_SHARE = 0.7
"""Weight of all words of earlier questions relative to those of the question: a sentence that only repeats what was
asked before is no answer. Measured by `core/bench/answers.py --follow-ups`.
"""
_UNSPACED = 1.35
"""Factor of the share in scripts without spaces, where the pairs of characters of the question word count too."""


class ExtractiveAnswererParameters(Parameters):
    """When a sentence is an answer; the default threshold is measured on XQuAD (`core/bench/answers.py --sweep`)."""

    sentences: int = Field(1, ge=1, le=5, title="Maximum number of sentences")
    threshold: float = Field(
        0.3, ge=0, le=1, title="Minimum score", description="With a lower score the documents do not tell."
    )


class ExtractiveAnswerer(QuestionAnswerer[ExtractiveAnswererParameters]):
    """Quotes the passages; needs no model and no network."""

    title: ClassVar[str] = "Sentences of the documents"
    description: ClassVar[str] = "Answers with the sentences of the documents that fit the question best."
    parameters_model: ClassVar[type[Parameters]] = ExtractiveAnswererParameters
    version: ClassVar[str] = "1"

    def answer(self, question: str, context: str, passages: Sequence[Passage], language: str) -> Answer:
        """Return the best sentences, in the order of their score, each with its citation."""
        return self._answer(_ranked(question, "", passages, language), passages)

    def stream_follow_up(
        self, turns: Sequence[Turn], question: str, context: str, passages: Sequence[Passage], language: str
    ) -> Iterator[Answer]:
        """Yield one answer; words of earlier questions count too, less than those of the question."""
        earlier = earlier_question(turns, question, language)
        yield self._answer(_ranked(question, earlier, passages, language), passages)

    def _answer(self, ranked: list[tuple[float, int, int, int]], passages: Sequence[Passage]) -> Answer:
        best = [one for one in ranked if one[0] >= self.parameters.threshold]
        if not best:
            return Answer("", told=False)
        text, citations = "", []
        for _, number, start, end in best[: self.parameters.sentences]:
            quote = passages[number - 1].text[start:end]
            at = len(text) + bool(text)
            text = f"{text} {quote}" if text else quote
            citations.append(Citation(number, start, end, quote, at, at + len(quote)))
        return Answer(text, citations, score=best[0][0])


def _ranked(
    question: str, earlier: str, passages: Sequence[Passage], language: str
) -> list[tuple[float, int, int, int]]:
    segmenter = RuleSentenceSegmenter(RuleSentenceSegmenterParameters())
    found: list[tuple[int, int, int, set[str]]] = []
    for number, passage in enumerate(passages, 1):
        for first, last in segmenter.segment(passage.text, language):
            sentence = passage.text[first:last]
            start = first + len(sentence) - len(sentence.lstrip())
            end = first + len(sentence.rstrip())
            if start < end:
                found.append((number, start, end, set(words(sentence, language))))
    weight = weights(content_words(question, language), (one[3] for one in found))
    if earlier:
        added = weights(added_words(question, earlier, language), (one[3] for one in found))
        factor = _EARLIER_SHARE * sum(weight.values()) / (sum(added.values()) or 1.0)
        weight = weight | {word: factor * value for word, value in added.items()}
    factor = _UNSPACED if any(starts_with_unspaced_script(char) for char in question[:LONGEST_QUESTION]) else 1.0
    scored = []
    for number, start, end, stems in found:
        evidence = min(1.0, factor * share(weight, stems))
        rank = _RANK_WEIGHT / number if evidence else 0.0
        scored.append((min(1.0, (1 - _RANK_WEIGHT) * evidence + rank), number, start, end))
    return sorted(scored, key=lambda one: (-one[0], one[1], one[2]))
