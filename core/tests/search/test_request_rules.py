"""Which requests need a permission, which fields of a query would reveal the work of others, and what passes
unchanged."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search.facet_and_sort_specs import HIDDEN_FACETS
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import FacetSpec, SearchSpec
from annotarium.search.params import SearchParams, params_from_query, params_from_request, query_to_highlight_words
from annotarium.search.query import Boolean, MatchAll
from annotarium.search.search_rights import require_search
from annotarium.search.search_spec_builder import build_search_spec
from annotarium_schemas.search import SearchQuery, SearchRequest, SegmentSearchQuery

NAMES = ["label", "label(bob)", "label(eva)", "inDataset", "inDataset(bob)", "createdBy", "metadata.year", "split"]
NAMES += sorted(HIDDEN_FACETS)
LISTS = Access(1, "ann")
FACETS = frozenset({"readFacet:*", "readModeAnnot:all"})
EVERYTHING = Access(1, "ann", permissions=FACETS | {"readUserAnnot:*", "useSearch", "useHybridSearch"})
NOTHING = Boolean(must_not=(MatchAll(),))


def spec(params: SearchParams, access: Access = EVERYTHING, **more: Any) -> SearchSpec:
    return build_search_spec(params, "documents", access, Project(name="p", lang="en"), NAMES, **more)


@pytest.mark.parametrize(
    "params",
    [
        SearchParams(),
        SearchParams(query="  ", vector_query=" ", query_filter=" "),
        SearchParams(from_=20, size=5, sort="title", facets=True, histograms=["year"]),
        SearchParams(query_filter="identifier:x"),
        SearchParams(query_filter='identifier:"a b"'),
    ],
    ids=["list", "blank", "page in some order", "one document", "one document, quoted"],
)
def test_lists_and_single_documents_need_no_search_permission(params: SearchParams) -> None:
    """P-019."""
    require_search(LISTS, params)


@pytest.mark.parametrize(
    "params",
    [
        SearchParams(query="a"),
        SearchParams(vector_query="a"),
        SearchParams(selected_facets=["label:x"]),
        SearchParams(filters=[("text", "a", True, True)]),
        SearchParams(dataset="$inDataset"),
        SearchParams(invert=True),
        SearchParams(facet_find="a"),
        SearchParams(query_filter="a"),
        SearchParams(query_filter="title:x"),
        SearchParams(query_filter="identifier:x OR title:y"),
        SearchParams(query="a", query_filter="identifier:x"),
    ],
    ids=lambda params: next(name for name, value in vars(params).items() if value != getattr(SearchParams(), name)),
)
def test_any_filter_of_a_list_needs_the_search_permission(params: SearchParams) -> None:
    """P-019."""
    with pytest.raises(AccessDenied):
        require_search(LISTS, params)
    require_search(EVERYTHING, params)


@pytest.mark.parametrize("name", ["answerQuestion", "answerer", "asyncAnswer"])
def test_question_parameters_are_refused_by_name(name: str) -> None:
    """A parameter that is silently ignored would look like an empty result."""
    given = SegmentSearchQuery.model_validate({name: "true" if name != "answerer" else "one"})
    with pytest.raises(InvalidInput) as refused:
        params_from_query(given)
    assert [one["field"] for one in refused.value.details] == [name]
    same = replace(params_from_query(SegmentSearchQuery()), by_default=False)  # the project's default: of segments only
    assert same == params_from_query(SearchQuery())


@pytest.mark.parametrize("name", ["enabled", "context", "contextOnly", "generator"])
def test_question_parameters_in_json_are_refused_by_name(name: str) -> None:
    given = SearchRequest.model_validate({"questionAnswering": {name: True if name != "generator" else "one"}})
    with pytest.raises(InvalidInput) as refused:
        params_from_request(given)
    assert [one["field"] for one in refused.value.details] == [f"questionAnswering.{name}"]
    unasked = SearchRequest.model_validate({"questionAnswering": {"html": True, "answerLanguage": "en"}})
    assert params_from_request(unasked) == params_from_request(SearchRequest())


def test_facets_that_only_the_server_uses_are_not_listed() -> None:
    """Identifiers, origins, the title order, the dataset of one user."""
    listed = [one.name for one in spec(SearchParams(facets=True)).facets]
    assert listed[:2] == ["activity", "createdDate"]
    assert listed[2:] == ["label", "label(bob)", "label(eva)", "inDataset", "createdBy", "metadata.year", "split"]
    assert {one.size for one in spec(SearchParams(facets=True)).facets[2:]} == {50}
    hidden = SearchParams(facets=True, facet_names=["origin", "identifier"])
    assert spec(hidden).facets == []


@pytest.mark.parametrize(
    ("permissions", "field", "read"),
    [
        ({"readModeAnnot:all"}, "label(ann)", "label(ann)"),
        ({"readModeAnnot:all"}, "label", "label(ann)"),
        ({"readModeAnnot:all"}, "inDataset", "inDataset(ann)"),
        ({"readModeAnnot:all"}, "label(bob)", None),
        ({"readModeAnnot:all", "readUserAnnot:bob"}, "label(bob)", "label(bob)"),
        ({"readModeAnnot:all", "readUserAnnot:bob"}, "label(eva)", None),
        ({"readModeAnnot:all", "readUserAnnot:bob"}, "createdBy", None),
        ({"readModeAnnot:all", "readUserAnnot:bob"}, "status(bob)", None),
        ({"readModeAnnot:manual", "readUserAnnot:*"}, "label(bob)", None),
        ({"readModeAnnot:manual", "readUserAnnot:bob"}, "label(bob)", None),
        ({"readUserAnnot:*"}, "label(ann)", "label(ann)"),
        ({"readModeAnnot:all"}, "split", "split"),
        ({"readModeAnnot:all", "readUserAnnot:*"}, "createdBy", "createdBy"),
    ],
)
def test_a_field_of_a_query_reveals_no_more_than_the_caller_may_read(
    permissions: set[str], field: str, read: str | None
) -> None:
    """The hits of a query on the work of others would reveal it, even if no label is shown."""
    escaped = field.replace("(", r"\(").replace(")", r"\)")
    made = spec(SearchParams(query=f"{escaped}:x"), Access(1, "ann", permissions=frozenset(permissions))).query
    assert (NOTHING if read is None else read) == (made if read is None else getattr(made, "field", None))


def test_a_hidden_field_in_a_boost_or_negation_matches_nothing() -> None:
    own = Access(1, "ann", permissions=FACETS)
    boosted = spec(SearchParams(query="createdBy:bob^3"), own).query
    assert getattr(boosted, "node", boosted) == NOTHING
    negated = spec(SearchParams(query="split:a AND NOT createdBy:bob"), own).query
    assert isinstance(negated, Boolean)
    assert "createdBy" not in repr(negated) and repr(NOTHING) in repr(negated)


def test_a_facet_of_one_user_needs_the_permission_of_the_facet() -> None:
    labels = Access(1, "ann", permissions=EVERYTHING.permissions - {"readFacet:*"} | {"readFacet:label"})
    found = spec(SearchParams(selected_facets=["label(bob):x"]), labels).selections
    assert found == [FacetSelection("label(bob)", "x")]
    with pytest.raises(AccessDenied):
        spec(SearchParams(selected_facets=["inDataset(bob):true"]), labels)


def test_filters_added_by_the_server_reach_the_engine() -> None:
    counted = [FacetSpec("of the server", size=3)]
    params = SearchParams(
        vectorizer="v",
        vector_weight=0.25,
        extra=[FacetSelection("identifier", "i")],
        facets=True,
        facet_names=["split"],
    )
    made = spec(params, counted=counted, vector=[1.0])
    assert (made.vectorizer, made.vector_weight, made.vector) == ("v", 0.25, [1.0])
    assert made.selections == [FacetSelection("documentIdentifier", "i")]
    assert [one.name for one in made.facets] == ["split", "of the server"]
    assert spec(SearchParams(invert=True)).invert is True
    assert spec(SearchParams()).invert is False


def test_a_metadata_selection_may_omit_an_unambiguous_prefix() -> None:
    made = spec(SearchParams(selected_facets=["year:2020", "metadata.year:2021", "split:a"])).selections
    assert [one.facet for one in made] == ["metadata.year", "metadata.year", "split"]


def test_only_the_start_of_a_very_long_text_is_highlighted() -> None:
    made = query_to_highlight_words("word " * 5_000 + "beyond")
    assert isinstance(made, Boolean)
    assert [getattr(one, "text", None) for one in made.should] == ["word"]
    assert query_to_highlight_words("") == Boolean(should=())
