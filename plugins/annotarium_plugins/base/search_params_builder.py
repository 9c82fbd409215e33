"""Kind searchParamsBuilder: derives search parameters from a question."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.follow_up import Turn


@dataclass(frozen=True)
class SearchParams:
    """Parameters of the search for the passages that answer a question.

    `query` is in the simple query language, `query_filter` in the advanced one. `type` is an upper bound: without
    vectors the search is a full-text search. `reranker` names the component that reorders the result, empty = none.
    """

    query: str
    type: Literal["text", "vector", "hybrid"] = "text"
    size: int = 10
    query_filter: str = ""
    reranker: str = ""


class SearchParamsBuilder(Component[P]):
    """Derives the search from a question."""

    @abstractmethod
    def build(self, question: str, language: str) -> SearchParams:
        """Return the search to run for `question`."""

    def build_follow_up(self, turns: Sequence[Turn], question: str, language: str) -> SearchParams:
        """Return the search to run for a question that may refer to `turns`, oldest first.

        Builders that do not override it search for the question alone.
        """
        return self.build(question, language)
