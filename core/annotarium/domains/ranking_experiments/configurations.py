"""The configurations of a ranking experiment: the combinations of its grid, its plans, and the baseline."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.plans.question_answering import search_params_builder_of_plan
from annotarium.content.questions import QUESTION_FILTER
from annotarium.domains.segments.answering import require_reranker
from annotarium.domains.segments.question_answering import derived_search, run_component
from annotarium.domains.segments.vectorization import require_vectorization
from annotarium.errors import InvalidInput
from annotarium.search.index_and_search_types import SearchType
from annotarium.search.params import SearchParams
from annotarium.search.repository import list_vectorizations
from annotarium.search.search_rights import require_search_type
from annotarium.search.vector_models import DEFAULT
from annotarium_schemas.messages import Message, message
from annotarium_schemas.ranking_experiments import MAX_CONFIGURATIONS, RankingGrid

BASELINE, LEARNED = "text", "learned"
"""Keys of the baseline and of the learned reranker."""
NOT_QUESTIONS = QUESTION_FILTER.replace("+", "-", 1)
"""The filter that leaves saved questions out: they are no passages."""


@dataclass(frozen=True)
class SearchConfiguration:
    """One way to search. `vector_weight`: None = the measured one; `plan` derives the search if there is one."""

    key: str
    search_type: SearchType = "text"
    vectorizer: str = ""
    vector_weight: float | None = None
    reranker: str = ""
    reranker_parameters: dict[str, Any] = field(default_factory=dict)
    plan: str = ""

    @property
    def label(self) -> str:
        """What it is called in files and where no other label is known: its parts as they are set."""
        weight = "" if self.vector_weight is None else f"{self.vector_weight:g}"
        return " · ".join(filter(None, (self.plan or self.search_type, self.vectorizer, weight, self.reranker)))

    def settings_json(self) -> dict[str, Any]:
        """The configuration as part of a report."""
        return {
            "searchType": self.search_type,
            "vectorizer": self.vectorizer,
            "vectorWeight": self.vector_weight,
            "reranker": self.reranker,
            "rerankerParameters": self.reranker_parameters,
            "plan": self.plan,
        }


def expand_grid(grid: RankingGrid) -> list[SearchConfiguration]:
    """Return the configurations, the baseline first.

    Raises:
        InvalidInput: there are too many.
    """
    found = {BASELINE: SearchConfiguration(BASELINE)}
    types: list[SearchType] = grid.search_types or ["text"]
    for search_type in dict.fromkeys(types):
        vectorizers = grid.vectorizers or [""] if search_type != "text" else [""]
        weights: list[float | None] = [*grid.vector_weights] if search_type == "hybrid" else []
        for vectorizer in vectorizers:
            for weight in weights or [None]:
                for reranker in grid.rerankers or [""]:
                    one = SearchConfiguration("", search_type, vectorizer, weight, reranker)
                    key = _key_of(one)
                    found[key] = replace(one, key=key)
    for plan in grid.plans:
        found[f"plan:{plan}"] = SearchConfiguration(f"plan:{plan}", plan=plan)
    if len(found) > MAX_CONFIGURATIONS:
        problem = message(
            "wrong.manyConfigurations", "These are {count:,} configurations; an experiment compares at most {most:,}",
            count=len(found), most=MAX_CONFIGURATIONS,
        )  # fmt: skip
        fix = message("fix.manyConfigurations", "Choose fewer vectorizers, weights or rerankers")
        raise InvalidInput(problem, fix=fix, details=[{"field": "parameters.ranking", "message": problem}])
    return list(found.values())


def _key_of(one: SearchConfiguration) -> str:
    weight = "" if one.vector_weight is None else f"{one.vector_weight:g}"
    search = ":".join((one.search_type, one.vectorizer, weight)).rstrip(":")
    return f"{search}+{one.reranker}" if one.reranker else search


def require_configurations(call: ProjectCall, grid: RankingGrid) -> list[SearchConfiguration]:
    """Return the configurations of a grid after checking that the caller may use all of them and that they can run.

    Raises:
        InvalidInput: unknown vectors, reranker or plan; vector searches without vectors; `details` name the field.
        AccessDenied: the caller may not search in this way, or not use a reranker.
    """
    call.access.require("useSearch")
    configurations = expand_grid(grid)
    for one in configurations:
        require_search_type(call.access, SearchParams(search_type=one.search_type))
    for name in filter(None, grid.rerankers):
        require_reranker(call, name, field="parameters.ranking.rerankers")
    if any(one.search_type != "text" for one in configurations):
        _require_vectors(call, grid.vectorizers)
    for name in grid.plans:
        search_params_builder_of_plan(call.session, call.project, name, field="parameters.ranking.plans")
    return configurations


def _require_vectors(call: ProjectCall, names: list[str]) -> None:
    for name in names:
        try:
            row = require_vectorization(call.session, call.project, name or DEFAULT)
        except InvalidInput as error:
            raise _invalid(error.message, "vectorizers") from error
        if not row.model:
            raise _invalid(_no_vectors(), "vectorizers")
    if not names and not any(row.model for row in list_vectorizations(call.session, call.project.id)):
        raise _invalid(_no_vectors(), "searchTypes")


def _no_vectors() -> Message:
    return message("none.vectorsYet", "There are no vectors yet: searches by meaning cannot be measured")


def _invalid(problem: str, field_name: str) -> InvalidInput:
    details = [{"field": f"parameters.ranking.{field_name}", "message": problem}]
    return InvalidInput(problem, fix=message("fix.computeVectors", "Compute vectors in the settings"), details=details)


def params_of(call: ProjectCall, one: SearchConfiguration, question: str, depth: int) -> SearchParams:
    """Return the search of a configuration for a question."""
    plain = SearchParams(
        query=question,
        simple=True,
        size=depth,
        query_filter=NOT_QUESTIONS,
        search_type=one.search_type,
        vectorizer=one.vectorizer,
        weight=one.vector_weight,
        reranker=one.reranker,
        reranker_parameters=one.reranker_parameters,
    )
    if not one.plan:
        return plain
    builder = search_params_builder_of_plan(call.session, call.project, one.plan)
    built = run_component(builder, "searchParamsBuilder", "search", question=question, language=call.project.lang)
    return derived_search(call, plain, built)
