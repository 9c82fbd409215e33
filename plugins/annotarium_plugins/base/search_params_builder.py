"""Kind searchParamsBuilder: a question becomes a search."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Literal

from annotarium_plugins.base.component import Component, P


@dataclass(frozen=True)
class SearchParams:
    """The search that should find the passages for a question."""

    query: str
    type: Literal["text", "vector", "hybrid"] = "text"
    size: int = 10
    query_filter: str = ""


class SearchParamsBuilder(Component[P]):
    """Builds the search of a question."""

    @abstractmethod
    def build(self, question: str, language: str) -> SearchParams:
        """The search to run."""
