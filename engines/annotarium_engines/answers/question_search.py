"""Derives the search for passages from the content words of a question."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from annotarium_engines.answers.follow_ups import earlier_question
from annotarium_engines.answers.question_words import LONGEST_QUESTION, content_tokens
from annotarium_engines.tokens import starts_with_unspaced_script
from annotarium_plugins.base.follow_up import Exchange
from annotarium_plugins.base.search_params_builder import SearchParams, SearchParamsBuilder
from annotarium_plugins.parameters import Parameters, hint

_MOST_WORDS = 64
_NO_LETTERS = re.compile(r"[^\w\s]|_")


class QuestionSearchParameters(Parameters):
    """How passages are searched for."""

    size: int = Field(20, ge=1, le=100, title="Number of passages")
    type: Literal["text", "vector", "hybrid"] = Field("hybrid", title="Search type")
    reranker: str = Field(
        "feature_reranker",
        max_length=255,
        title="Reranker",
        description="Reorders the passages found.",
        json_schema_extra=hint(widget="reranker"),
    )


class QuestionSearch(SearchParamsBuilder[QuestionSearchParameters]):
    """Searches for the words of the question without question words and stop words."""

    title: ClassVar[str] = "Words of the question"
    description: ClassVar[str] = "Searches for the words of the question that carry its meaning."
    parameters_model: ClassVar[type[Parameters]] = QuestionSearchParameters
    version: ClassVar[str] = "1"

    def build(self, question: str, language: str) -> SearchParams:
        """Return the search; the query consists of lower-case words only, so that no character is an operator."""
        return self._search(_query_words(question, language))

    def build_follow_up(self, exchanges: Sequence[Exchange], question: str, language: str) -> SearchParams:
        """Return the search; the words of earlier questions complete a question that refers to them."""
        found = dict.fromkeys(_query_words(question, language))
        earlier = earlier_question(exchanges, question, language)
        return self._search(list(found | dict.fromkeys(_query_words(earlier, language)))[:_MOST_WORDS])

    def _search(self, found: Sequence[str]) -> SearchParams:
        query = " ".join(found)
        settings = self.parameters
        return SearchParams(query=query, type=settings.type, size=settings.size, reranker=settings.reranker)


def _query_words(question: str, language: str) -> list[str]:
    given = question[:LONGEST_QUESTION]
    if any(starts_with_unspaced_script(char) for char in given):
        found = given.split()
    else:
        found = content_tokens(given, language)[:_MOST_WORDS]
    return _NO_LETTERS.sub(" ", " ".join(found)).casefold().split()
