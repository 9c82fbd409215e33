"""What facets, histograms, sort orders and filters may reveal to a caller, and what of a request reaches the engine."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from annotarium.access.rights import Access
from annotarium.db.models import Project
from annotarium.errors import AccessDenied, InvalidInput
from annotarium.search import search_rights
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import (
    TITLE_ORDER,
    Bucket,
    FacetCounts,
    FacetSpec,
    SearchHits,
    SearchSpec,
    Sort,
)
from annotarium.search.params import (
    MAX_OFFSET,
    SearchParams,
    check_query,
    escaped_field,
    params_from_query,
    params_from_request,
    query_to_highlight_words,
    similarity_fields,
)
from annotarium.search.query import Boolean, MatchAll, Phrase, Term
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.serializers import facet_to_json, search_result_to_json
from annotarium_schemas.search import SearchQuery, SearchRequest

NAMES = ["label", "label(ann)", "label(bob)", "category", "inDataset", "metadata.year", "metadata.salary", "split"]
OTHERS = {"readUserAnnot:*", "readModeAnnot:all"}
EVERYTHING = Access(1, "ann", permissions=frozenset({"readFacet:*", "useHybridSearch", *OTHERS}))
NO_SALARY = Access(1, "ann", permissions=frozenset({"readFacet:metadata.year", "readFacet:label", *OTHERS}))
PROJECT = Project(name="p", lang="en")


def spec(params: SearchParams, access: Access = EVERYTHING, kind: Any = "documents", **more: Any) -> SearchSpec:
    return build_search_spec(params, kind, access, more.pop("project", PROJECT), NAMES, **more)


@pytest.mark.parametrize("name", ["salary", "metadata.salary", "-salary", "-metadata.salary"])
def test_hits_cannot_be_ordered_by_hidden_metadata(name: str) -> None:
    """The order alone would reveal the values."""
    with pytest.raises(AccessDenied):
        spec(SearchParams(sort=name), NO_SALARY)
    assert spec(SearchParams(sort=name)).sort == Sort("metadata.salary", descending=name.startswith("-"))


def test_harmless_sort_orders_need_no_permission() -> None:
    nobody = Access(1, "ann")
    assert spec(SearchParams(), nobody).sort is None
    assert spec(SearchParams(sort="-title"), nobody).sort == Sort(TITLE_ORDER, descending=True)
    assert spec(SearchParams(sort="createdDate"), nobody).sort == Sort("createdDate", descending=False)
    assert spec(SearchParams(sort="year"), NO_SALARY).sort == Sort("metadata.year", descending=False)
    for wrong in ("label", "metadate", "-split"):
        with pytest.raises(InvalidInput):
            spec(SearchParams(sort=wrong))


def test_histograms_of_hidden_metadata_are_left_out() -> None:
    wanted = SearchParams(histograms=["salary", "year", "label", "year"])
    assert [one.name for one in spec(wanted, NO_SALARY).facets] == ["metadata.year"]
    drawn = spec(wanted).facets
    assert [(one.name, one.kind) for one in drawn] == [("metadata.salary", "histogram"), ("metadata.year", "histogram")]
    dates = SearchParams(histograms=["createdDate"])
    assert spec(dates, NO_SALARY).facets == []
    assert [one.name for one in spec(dates).facets] == ["createdDate"]


def test_facets_are_the_requested_ones_the_caller_may_read() -> None:
    every = SearchParams(facets=True)
    assert {one.name for one in spec(every, NO_SALARY).facets} == {"label", "label(ann)", "label(bob)", "metadata.year"}
    some = SearchParams(facets=True, facet_names=["salary", "year", "activity"], facet_size=7, facet_find="20")
    assert spec(some).facets == [
        FacetSpec("activity", kind="dates"),
        FacetSpec("metadata.year", size=7, find="20"),
        FacetSpec("metadata.salary", size=7, find="20"),
    ]
    assert spec(some, NO_SALARY).facets == [FacetSpec("metadata.year", size=7, find="20")]
    assert spec(SearchParams(facet_names=["year"])).facets == [], "facets were not asked for"


def test_a_project_chooses_the_facets_of_its_metadata_and_their_order() -> None:
    project = Project(name="p", lang="en", metafacets=[{"name": "salary"}, {"name": "absent"}])
    names = [one.name for one in spec(SearchParams(facets=True), project=project).facets]
    assert [name for name in names if name.startswith("metadata.")] == ["metadata.salary"]
    assert "label" in names
    params = [one.name for one in spec(SearchParams(facets=True, facet_names=["year"]), project=project).facets]
    assert params == ["metadata.year"], "whoever names a facet gets it"


def test_users_limited_to_their_own_work_select_only_their_own_facets() -> None:
    """Also by the name of the facet; those of others are refused, whether or not they exist."""
    own = Access(1, "ann", permissions=frozenset({"readFacet:*"}))
    assert spec(SearchParams(selected_facets=["label(ann):x"]), own).selections == [FacetSelection("label(ann)", "x")]
    for other in ("label(bob):x", "status:OK"):
        with pytest.raises(AccessDenied):
            spec(SearchParams(selected_facets=[other]), own)
    made = spec(SearchParams(query="annotations:x AND categories:y AND createdBy:bob AND identifier:i"), own).query
    assert isinstance(made, Boolean)
    fields = [getattr(one, "field", None) for one in made.must]
    assert "label(ann)" in fields and "classificationLabel(ann)" in fields and "documentIdentifier" in fields
    assert Boolean(must_not=(MatchAll(),)) in made.must, "a field that is hidden matches nothing"


@pytest.mark.parametrize(
    ("dataset", "kind", "expected"),
    [
        ("$inDataset", EVERYTHING, FacetSelection("inDataset", "true", "+")),
        ("$outDataset", EVERYTHING, FacetSelection("inDataset", "false", "+")),
        ("$inDataset", Access(1, "ann"), FacetSelection("inDataset(ann)", "true", "+")),
        ("$outDataset", Access(1, "ann"), FacetSelection("inDataset(ann)", "true", "-")),
    ],
)
def test_every_user_can_filter_by_the_dataset_of_readable_labelling(
    dataset: str, kind: Access, expected: FacetSelection
) -> None:
    """C-062."""
    assert spec(SearchParams(dataset=dataset), kind).selections == [expected]
    assert spec(SearchParams(dataset="$all"), kind).selections == []


def test_an_inverted_dataset_selection_is_limited_to_readable_labelling() -> None:
    own = Access(1, "ann", permissions=frozenset({"readFacet:*"}))
    inside, outside = FacetSelection("inDataset(ann)", "true", "+"), FacetSelection("inDataset(ann)", "true", "-")
    for value, expected in (
        ("inDataset:true", inside),
        ("-inDataset:true", outside),
        ("inDataset:false", outside),
        ("-inDataset:false", inside),
    ):
        assert spec(SearchParams(selected_facets=[value]), own).selections == [expected]


def test_fields_of_segments_keep_their_own_identifier() -> None:
    assert isinstance(made := spec(SearchParams(query="identifier:i"), kind="segments").query, Term | Phrase)
    assert made.field == "identifier"
    assert spec(SearchParams(), kind="segments").default_fields == ("text",)
    assert spec(SearchParams(), kind="documents").default_fields == ("text", "title")


def test_a_boost_keeps_its_field() -> None:
    own = Access(1, "ann", permissions=frozenset({"readFacet:*"}))
    assert "label(ann)" in repr(spec(SearchParams(query="annotations:x^3"), own).query)


def test_filters_must_hold_or_must_not() -> None:
    made = spec(
        SearchParams(
            query_filter="a",
            filters=[("text", "b c", True, True), ("metadata.year", "x", True, False), ("title", "d", False, False)],
        )
    ).filter
    assert isinstance(made, Boolean)
    assert (len(made.must), len(made.must_not)) == (3, 1)
    assert made.must[2] == Phrase("x", "metadata.year") or getattr(made.must[2], "field", "") == "metadata.year"
    assert spec(SearchParams()).filter == MatchAll()
    only_not = spec(SearchParams(filters=[("title", "d", False, False)])).filter
    assert isinstance(only_not, Boolean) and (len(only_not.must), len(only_not.must_not)) == (0, 1)
    assert spec(SearchParams(query_filter="   ")).filter == MatchAll()


@pytest.mark.parametrize(("size", "from_"), [(0, 0), (10_000, 0), (1, 5)])
def test_paging_within_limits_is_accepted(size: int, from_: int) -> None:
    made = spec(SearchParams(size=size, from_=from_))
    assert (made.size, made.from_) == (size, from_)


def test_paging_out_of_limits_is_refused() -> None:
    for wrong in (SearchParams(size=10_001), SearchParams(size=-1), SearchParams(from_=-1)):
        with pytest.raises(InvalidInput):
            spec(wrong)
    assert spec(SearchParams(from_=10**12)).from_ == MAX_OFFSET


def test_a_vector_search_needs_a_vectorizer_and_a_query_vector() -> None:
    with pytest.raises(InvalidInput):
        spec(SearchParams(search_type="vector"))
    assert spec(SearchParams(search_type="vector", vectorizer="v")).search_type == "text", "no words to compare"
    assert spec(SearchParams(search_type="vector", vectorizer="v"), vector=[1.0]).search_type == "vector"
    assert spec(SearchParams(search_type="vector", vectorizer="v"), like=True).search_type == "vector"
    assert spec(SearchParams(search_type="vector"), like=True).search_type == "text"
    assert spec(SearchParams(search_type="vector"), vector=[1.0]).vector == [1.0]


ALL_FIELDS = SearchParams(
    query="a",
    query_filter="f",
    selected_facets=["label:x"],
    invert=True,
    from_=4,
    size=9,
    facets=True,
    search_type="hybrid",
    vectorizer="v",
    vector_query="w",
    sort="title",
    facet_names=["label"],
    facet_find="z",
    facet_size=3,
    histograms=["year"],
)


def test_all_query_parameters_are_parsed() -> None:
    query = SearchQuery.model_validate(
        {
            "query": "a",
            "simpleQuery": True,
            "queryFilter": "f",
            "selectedFacets": ["label:x"],
            "invertSearch": True,
            "from": 4,
            "size": 9,
            "facet": True,
            "searchType": "hybrid",
            "vectorizer": "v",
            "vectorQuery": "w",
            "sort": "title",
            "facetNames": ["label"],
            "facetFind": "z",
            "facetSize": 3,
            "histograms": ["year"],
        }
    )
    assert params_from_query(query) == replace(ALL_FIELDS, simple=True)
    assert params_from_query(query.model_copy(update={"return_hits": False})).size == 0


def test_all_json_fields_are_parsed() -> None:
    body: dict[str, Any] = {
        "search": {
            "query": "a",
            "advanced": True,
            "invert": True,
            "from": 4,
            "size": 9,
            "type": "hybrid",
            "sort": "title",
            "vector": {"vectorizer": "v", "query": "w"},
            "filtering": {
                "queryFilter": "f",
                "selectedFacets": ["label:x"],
                "datasetSelector": "$inDataset",
                "filters": [
                    {"field": "text", "value": "b", "filterSelector": "must", "filterType": "query"},
                    {"field": "title", "value": "c", "filterSelector": "must_not", "filterType": "term"},
                    {"field": "text", "value": "  "},
                ],
            },
        },
        "output": {
            "facets": True,
            "facetNames": ["label"],
            "facetFind": "z",
            "facetSize": 3,
            "histograms": ["year"],
        },
    }
    made = params_from_request(SearchRequest.model_validate(body))
    filters = [("text", "b", True, True), ("title", "c", False, False)]
    assert made == replace(ALL_FIELDS, simple=False, filters=filters, dataset="$inDataset")
    body["output"]["returnHits"] = False
    assert params_from_request(SearchRequest.model_validate(body)).size == 0


def test_a_query_is_validated_before_it_is_saved() -> None:
    """Only the advanced language has syntax errors."""
    check_query(SearchParams(query='"open', simple=True))
    for wrong in (
        SearchParams(query='"open'),
        SearchParams(query_filter='"open'),
        SearchParams(filters=[("text", '"open', True, True)]),
    ):
        with pytest.raises(InvalidInput):
            check_query(wrong)
    check_query(SearchParams(filters=[("text", '"open', True, False)]))


def test_similar_items_are_compared_by_text_or_title() -> None:
    assert similarity_fields(" text, title ,text") == ("text", "title")
    assert similarity_fields("") == ()
    with pytest.raises(InvalidInput):
        similarity_fields("text,label")


def test_word_query_contains_each_long_word_once() -> None:
    """Each long word once; short words are left out."""
    made = query_to_highlight_words("one fine day a fine dayx")
    assert isinstance(made, Boolean)
    assert [one.text for one in made.should if isinstance(one, Term)] == ["fine", "dayx"]


def test_names_of_fields_are_escaped() -> None:
    assert escaped_field("metadata.a b:c") == "metadata.a\\ b\\:c"


def test_only_documents_of_no_group_or_the_callers_groups_are_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    class Settings:
        document_level_access = True

    caller = Access(1, "ann", permissions=EVERYTHING.permissions, group_names=frozenset({"press", "law"}))
    assert spec(SearchParams(), caller).scope == []
    monkeypatch.setattr(search_rights, "get_settings", Settings)
    scope = spec(SearchParams(), caller).scope
    assert [one.facet for one in scope] == ["origin"] * 3
    assert [one.value for one in scope][1:] == ["law", "press"]
    everything = Access(1, "ann", permissions=EVERYTHING.permissions | {"readProject:*"})
    assert spec(SearchParams(), everything).scope == []


def test_a_response_describes_facets_and_counts_omitted_values() -> None:
    """W-015: a metadata field with only numbers or only dates is marked as such; the project's own settings come
    first."""
    numbers = FacetCounts("metadata.year", [Bucket("2020", 2), Bucket("2021", 1)])
    assert facet_to_json(numbers)["valueKind"] == "number"
    assert "valueKind" not in facet_to_json(FacetCounts("label", [Bucket("2020", 2)]))
    assert "valueKind" not in facet_to_json(FacetCounts("metadata.kind", [Bucket("x", 2)]))
    project = Project(
        name="p",
        lang="en",
        metafacets=[{"name": "year", "type": "text", "title": "Year"}, {"name": "kind", "type": "date"}],
    )
    hits = SearchHits(hits=[], total=3, facets=[numbers, FacetCounts("metadata.kind", [Bucket("x", 2)])])
    wire = search_result_to_json(hits, [], spec(SearchParams(size=5)), project)
    assert [(one["name"], one.get("title"), one.get("valueKind")) for one in wire["aggregations"]] == [
        ("metadata.year", "Year", None),
        ("metadata.kind", None, "date"),
    ]
    assert (wire["size"], wire["total"], wire["searchType"]) == (5, {"value": 3, "relation": "eq"}, "text")
    assert "max_score" not in wire and "histograms" not in wire
    drawn = SearchHits(
        hits=[],
        total=3,
        exact=False,
        max_score=2.5,
        facets=[FacetCounts("metadata.year", [Bucket("1", 1)], bars_of="number")],
    )
    wire = search_result_to_json(drawn, [{"id": 1}], spec(SearchParams()), project)
    assert (wire["total"]["relation"], wire["max_score"], wire["aggregations"]) == ("gte", 2.5, [])
    assert (wire["histograms"][0]["valueKind"], wire["hits"]) == ("number", [{"id": 1}])
