"""The components that answer questions fulfil the contracts of their kinds."""

from __future__ import annotations

from annotarium_engines.answers.extractive_answerer import ExtractiveAnswerer
from annotarium_engines.answers.feature_reranker import FeatureReranker
from annotarium_engines.answers.learned_reranker import LearnedReranker
from annotarium_engines.answers.numbered_passages import NumberedPassages, NumberedPassagesParameters
from annotarium_engines.answers.question_search import QuestionSearch
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.testing import (
    LearningRerankerContract,
    QuestionAnswererContract,
    RagContextBuilderContract,
    RerankerContract,
    SearchParamsBuilderContract,
)


class TestQuestionSearch(SearchParamsBuilderContract):
    component = QuestionSearch


def passage(document: str, start: int, text: str) -> Passage:
    return Passage(f"{document}{start}", document, "", text, start, start + len(text), 1.0)


class TestNumberedPassages(RagContextBuilderContract):
    component = NumberedPassages

    def test_merges_passages_that_follow_each_other(self) -> None:
        """They take the place of the best one; others, and those of another document, stay apart."""
        third, first, second = (passage("d", at, text) for at, text in ((10, "thirdtext."), (0, "first"), (5, "other")))
        apart, elsewhere = passage("d", 21, "apart"), passage("e", 20, "elsewhere")
        _, taken = self.build().build("Who?", [third, elsewhere, first, apart, second])
        assert [(one.document_id, one.start, one.text) for one in taken] == [
            ("d", 0, "firstotherthirdtext."),
            ("e", 20, "elsewhere"),
            ("d", 21, "apart"),
        ]
        assert all(one.end - one.start == len(one.text) for one in taken) and taken[0].segment_id == third.segment_id

    def test_diversity_prefers_other_texts(self) -> None:
        given = [passage("a", 0, "oak gates"), passage("b", 0, "oak gates"), passage("c", 0, "coal and railways")]
        orders = []
        for diversity in (0.0, 0.8):
            parameters = NumberedPassagesParameters(diversity=diversity)
            orders.append([one.document_id for one in NumberedPassages(parameters).build("Who?", given)[1]])
        assert orders == [["a", "b", "c"], ["a", "c", "b"]]


class TestFeatureReranker(RerankerContract):
    component = FeatureReranker


class TestExtractiveAnswerer(QuestionAnswererContract):
    component = ExtractiveAnswerer

    def test_answers_only_what_the_passages_contain(self) -> None:
        text = "The canal is 66 km long. Its lock gates were made of oak by local carpenters."
        given = [Passage("s", "d", "Canal", text, 0, len(text), 1.0)]
        answer = self.build().answer("What were the lock gates made of?", "", given, "en")
        assert answer.told and answer.text == "Its lock gates were made of oak by local carpenters."
        unrelated = self.build().answer("Who won the 1998 World Cup?", "", given, "en")
        assert not unrelated.told and not unrelated.text and not unrelated.citations


class TestLearnedReranker(LearningRerankerContract):
    component = LearnedReranker

    def test_default_weights_keep_the_order(self) -> None:
        given = [passage("a", 0, "gates of coal"), passage("b", 0, "oak gates"), passage("c", 0, "canal")]
        scores = self.build().rerank("What were the gates made of?", given, "en")
        assert scores == sorted(scores, reverse=True)
