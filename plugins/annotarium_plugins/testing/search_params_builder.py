"""Contract of search parameter builders."""

from __future__ import annotations

from annotarium_plugins.base.search_params_builder import SearchParams
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS


class SearchParamsBuilderContract(ComponentContract):
    """Needs the component only."""

    def test_builds_a_search_for_any_question(self) -> None:
        """The search has a known type and a positive size, and is the same each time."""
        builder = self.build()
        for question in ("Who lived in Paris?", *HOSTILE_TEXTS):
            params = builder.build(question, "en")
            assert isinstance(params, SearchParams), f"{type(params).__name__} is no SearchParams"
            assert params.type in ("text", "vector", "hybrid"), f"unknown type {params.type!r}"
            assert params.size > 0, "a search for no hits"
            assert builder.build(question, "en") == params, "two runs differ"
