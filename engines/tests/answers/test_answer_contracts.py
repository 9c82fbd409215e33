"""The components that answer questions fulfil the contracts of their kinds."""

from __future__ import annotations

from annotarium_engines.answers.extractive_answerer import ExtractiveAnswerer
from annotarium_engines.answers.feature_reranker import FeatureReranker
from annotarium_engines.answers.numbered_passages import NumberedPassages
from annotarium_engines.answers.question_search import QuestionSearch
from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.testing import (
    QuestionAnswererContract,
    RagContextBuilderContract,
    RerankerContract,
    SearchParamsBuilderContract,
)


class TestQuestionSearch(SearchParamsBuilderContract):
    component = QuestionSearch


class TestNumberedPassages(RagContextBuilderContract):
    component = NumberedPassages


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
