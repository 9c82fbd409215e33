"""From a request to a search spec: both parameter styles, the caller's permissions, limits."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.access.predefined_roles import facets_hidden_by_roles
from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import Bucket, FacetCounts, FacetSpec, SearchSpec
from annotarium.search.params import SearchParams, params_from_query, params_from_request
from annotarium.search.query import Boolean, Phrase
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import facet_to_json
from annotarium_schemas.search import SearchQuery, SearchRequest

NAMES = ["label", "label(ann)", "label(bob)", "inDataset", "inDataset(ann)", "createdBy", "metadata.kind", "split"]
LABELLING = ("readUserAnnot:*", "readModeAnnot:all")
EVERYTHING = Access(1, "ann", permissions=frozenset({"readFacet:*", *LABELLING, "useHybridSearch"}))
OWN_WORK = Access(1, "ann", permissions=frozenset({"readFacet:*", "readModeAnnot:all"}))


def spec(params: SearchParams, access: Access = EVERYTHING, **more: Any) -> SearchSpec:
    return build_search_spec(params, "documents", access, Project(name="p", lang="en"), NAMES, **more)


def test_both_parameter_styles_give_the_same_search() -> None:
    """C-067, conflict 9 of the contract."""
    by_query = SearchQuery.model_validate(
        {
            "query": "a",
            "simpleQuery": True,
            "from": 3,
            "size": 7,
            "selectedFacets": ["+label:x"],
            "facet": True,
            "nativeRRF": "if_available",
        }
    )
    in_json = SearchRequest.model_validate(
        {
            "search": {
                "query": "a",
                "from": 3,
                "size": 7,
                "filtering": {"selectedFacets": ["+label:x"]},
                "vector": {"nativeRRF": True},
            },
            "output": {"facets": True},
        }
    )
    assert spec(params_from_query(by_query)) == spec(params_from_request(in_json))
    assert SearchQuery().search_type == SearchRequest().search.type == "text"


@pytest.mark.parametrize(
    "params",
    [SearchParams(size=-1), SearchParams(size=10_001), SearchParams(from_=-1), SearchParams(search_type="vector")],
)
def test_limits(params: SearchParams) -> None:
    with pytest.raises(InvalidInput):
        spec(params)


def test_hybrid_search_requires_the_permission_and_a_vector() -> None:
    """C-060 (server side): without vectors a hybrid search is a text search."""
    params = SearchParams(query="a", search_type="hybrid")
    with pytest.raises(AccessDenied):
        spec(params, OWN_WORK)
    assert spec(params).search_type == "text"
    assert spec(params, vector=[1.0]).search_type == "hybrid"


def test_facets_of_callers() -> None:
    """W-015."""
    everything = {one.name for one in spec(SearchParams(facets=True)).facets}
    assert everything == {"activity", "createdDate", *NAMES} - {"inDataset(ann)"}
    own = {one.name for one in spec(SearchParams(facets=True), OWN_WORK).facets}
    assert own == {"activity", "createdDate", "label(ann)", "metadata.kind", "split"}
    narrow = Access(1, "ann", permissions=frozenset({"readFacet:split", *LABELLING}))
    assert [one.name for one in spec(SearchParams(facets=True), narrow).facets] == ["split"]
    assert FacetSpec("inDataset", size=50) in spec(SearchParams(facets=True)).facets
    reader = Access(1, "ann", permissions=EVERYTHING.permissions, hidden_facets=facets_hidden_by_roles({"Reader"}))
    assert {one.name for one in spec(SearchParams(facets=True), reader).facets} == everything - {"inDataset"}
    for mode in ("manual", "automatic"):
        some = Access(1, "ann", permissions=EVERYTHING.permissions - {"readModeAnnot:all"} | {f"readModeAnnot:{mode}"})
        assert {one.name for one in spec(SearchParams(facets=True), some).facets} == own


def test_selections_and_fields_of_callers() -> None:
    params = SearchParams(selected_facets=["label:x", "kind:a", "-inDataset:true"], query_filter="annotations:y")
    assert spec(params).selections == [
        FacetSelection("label", "x"),
        FacetSelection("metadata.kind", "a"),
        FacetSelection("inDataset", "true", "-"),
    ]
    own = spec(params, OWN_WORK)
    assert own.selections[0] == FacetSelection("label(ann)", "x")
    assert own.selections[2] == FacetSelection("inDataset(ann)", "true", "-")
    assert "label(ann)" in repr(own.filter)
    for hidden in ("createdBy:bob", "label(bob):x", "status:KO"):
        with pytest.raises(AccessDenied):
            spec(SearchParams(selected_facets=[hidden]), OWN_WORK)
    assert "createdBy" not in repr(spec(SearchParams(query="createdBy:bob"), OWN_WORK).query)


@pytest.mark.parametrize("value", ['a"b', "a\\", "(", "AND", "x:y", '"'])
def test_term_filters_accept_any_value(value: str) -> None:
    made = spec(SearchParams(filters=[("text", value, True, False), ("title", value, False, False)])).filter
    assert isinstance(made, Boolean)
    assert [(one.text, one.field) for one in made.must if isinstance(one, Phrase)] == [(value, None)]
    assert [(one.text, one.field) for one in made.must_not if isinstance(one, Phrase)] == [(value, "title")]


def test_values_left_out_of_a_facet_are_counted() -> None:
    """W-015, C-071 (ends of ranges)."""
    wire = facet_to_json(FacetCounts("label", [Bucket("a", 2), Bucket("today", 1, 5.0, 9.0)], sum_other_doc_count=4))
    assert wire["buckets"] == [
        {"key": "a", "doc_count": 2},
        {"key": "today", "doc_count": 1, "from": 5.0, "to": 9.0},
        {"key": "sum_other_doc_count_label", "doc_count": 4},
    ]
