"""Searching documents: three entry points, query languages, paging, selections, facets and the caller's permissions."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

RUBBISH = (
    '"',
    "((",
    "a AND",
    "field:",
    "[1 TO",
    "~",
    "a:b:c",
    "\\",
    "AND OR NOT",
    "x^",
    "*",
    '"open ( [',
    "\u0000",
    "-",
)


def fill(corpus: Corpus) -> None:
    corpus.add(
        document(
            "d1", "Anna Smith lives in Paris.", ("Anna Smith", "person"), ("Paris", "place"), metadata={"kind": "a"}
        ),
        document("d2", "Paris is a city.", ("Paris", "place"), metadata={"kind": "b", "question": True}),
        document("d3", "Nothing to see here.", metadata={"kind": ["a", "b"]}),
    )


def found(answer: Any) -> list[str]:
    return sorted(hit["document"]["identifier"] for hit in answer["hits"])


def search(corpus: Corpus, status: int = 200, **parameters: Any) -> Any:
    return corpus.post("/documents/_search", status, params=parameters)


def test_all_entry_points_return_the_same_hits(corpus: Corpus) -> None:
    """Conflict 7 of the contract: `_search` and `_do_search`, in query parameters and in JSON. S-018, S-023."""
    fill(corpus)
    by_query = search(corpus, query="paris", facet=True)
    again = corpus.post("/documents/_do_search", params={"query": "paris", "facet": True})
    body = {"search": {"query": "paris"}, "output": {"facets": True}}
    in_json = corpus.post("/documents/_do_search", json=body)
    for answer in (by_query, again, in_json):
        answer.pop("resultID")
        answer["aggregations"] = [
            one for one in answer["aggregations"] if one["name"] not in ("activity", "createdDate")
        ]
    assert by_query == again == in_json
    assert found(by_query) == ["d1", "d2"]
    assert by_query["total"] == {"value": 2, "relation": "eq"}
    assert by_query["max_score"] > 0


def test_the_simple_language_never_fails(corpus: Corpus) -> None:
    fill(corpus)
    for text in RUBBISH:
        search(corpus, query=text, simpleQuery=True)
        corpus.post("/documents/_do_search", json={"search": {"query": text}})


@pytest.mark.parametrize("text", ['"open', "(a", "a AND", "metadata.kind:[a TO"])
def test_syntax_errors_of_the_advanced_language_are_reported(corpus: Corpus, text: str) -> None:
    """E-019: the message starts with this text; the web app searches it for a double quote."""
    message = search(corpus, 400, query=text)["message"]
    assert message.startswith("Failed to parse query [")
    assert search(corpus, 400, queryFilter=text)["message"].startswith("Failed to parse query [")


def test_fields_filters_and_metadata(corpus: Corpus) -> None:
    fill(corpus)
    cases = {
        "annotations:*": ["d1", "d2"],
        "+annotations:place -annotations:person": ["d2"],
        "-metadata.question:true": ["d1", "d3"],
        "metadata.kind:a": ["d1", "d3"],
        "identifier:d2": ["d2"],
        "identifier:/d[23]/": ["d2", "d3"],
        "_exists_:annotations": ["d1", "d2"],
        "pariss~1 AND annotations:place": ["d1", "d2"],
        "title:D3": ["d3"],
        '"lives in"': ["d1"],
    }
    for query, expected in cases.items():
        assert found(search(corpus, queryFilter=query)) == expected, query
        assert found(search(corpus, query=query)) == expected, query
    filters = [{"value": "paris"}, {"value": "anna", "filterSelector": "must_not"}]
    body = {"search": {"filtering": {"filters": filters}}}
    assert found(corpus.post("/documents/_do_search", json=body)) == ["d2"]
    term = [{"field": "metadata.kind", "value": 'a "b', "filterType": "term"}]
    assert found(corpus.post("/documents/_do_search", json={"search": {"filtering": {"filters": term}}})) == []


def test_paging_counting_and_inverting(corpus: Corpus) -> None:
    fill(corpus)
    pages = [search(corpus, size=1, **{"from": start}) for start in (0, 1, 2, 3, 10**30)]
    assert [page["total"]["value"] for page in pages] == [3, 3, 3, 3, 3]
    assert [found(page) for page in pages] == [["d1"], ["d2"], ["d3"], [], []]
    assert search(corpus, returnHits=False)["hits"] == []
    assert found(search(corpus, query="paris", invertSearch=True)) == ["d3"]
    assert found(search(corpus, selectedFacets=["label:person"], invertSearch=True)) == ["d2", "d3"]
    for wrong in ({"size": -1}, {"size": 10_001}, {"from": -1}, {"searchType": "smell"}):
        search(corpus, 400, **wrong)


def test_selections_and_datasets(corpus: Corpus) -> None:
    """C-062, C-067, W-015."""
    fill(corpus)
    cases: list[tuple[list[str], list[str]]] = [
        (["+label:place", "-label:person"], ["d2"]),
        (["label:person", "label:place"], ["d1", "d2"]),
        (["+kind:a"], ["d1", "d3"]),
        (["+metadata.kind:a,-label:place"], ["d3"]),
        (["+inDataset:false"], ["d3"]),
        (["+label:nobody"], []),
        (["identifier:d2"], ["d2"]),
        (["-identifier:d2"], ["d1", "d3"]),
        (["+documentIdentifier:d2"], ["d2"]),
        (["0"], ["d1", "d2", "d3"]),
    ]
    for selected, expected in cases:
        assert found(search(corpus, selectedFacets=selected)) == expected, selected
    for selector, expected in (("$inDataset", ["d1", "d2"]), ("$outDataset", ["d3"]), ("", ["d1", "d2", "d3"])):
        body = {"search": {"filtering": {"datasetSelector": selector}}}
        assert found(corpus.post("/documents/_do_search", json=body)) == expected


def test_facets_have_no_empty_bucket_and_count_omitted_values(corpus: Corpus) -> None:
    """V-021, W-015, C-071."""
    corpus.add(*(document(f"d{n:02}", f"word{n}", metadata={"number": str(n)}) for n in range(60)))
    answer = search(corpus, facet=True, size=1)
    names = {aggregation["name"]: aggregation["buckets"] for aggregation in answer["aggregations"]}
    numbers = {bucket["key"]: bucket["doc_count"] for bucket in names["metadata.number"]}
    assert len(numbers) == 51
    assert numbers["sum_other_doc_count_metadata.number"] == 10
    assert names["inDataset"] == [{"key": "false", "doc_count": 60}]
    assert {bucket["doc_count"] for bucket in names["createdDate"]} == {60}
    assert names["createdDate"][0]["key"] == "just_now"
    assert "label" not in names, "no document carries one"
    assert "activity" not in names


def test_requested_fields_and_highlights_are_returned(corpus: Corpus) -> None:
    """Conflict 8 of the contract: a list of fields, `!` for all but these; highlights count code points."""
    corpus.add(document("d1", "\U0001f600 Paris " + "filler " * 100 + "Paris", metadata={"a": 1}))
    hit = search(corpus, query="paris", outputFields="title")["hits"][0]["document"]
    assert set(hit) == {"identifier", "title"}
    assert "text" not in search(corpus, outputFields="!text")["hits"][0]["document"]
    found_hit = search(corpus, query="paris", highlight=True, outputFields="title")["hits"][0]
    assert found_hit["highlights"]["text"][0] == {"start": 2, "end": 7}
    piece = found_hit["excerpt"]
    assert [piece["text"][one["start"] : one["end"]] for one in piece["highlights"]] == ["Paris"]
    assert "text" not in found_hit["document"]


def test_similar_documents(corpus: Corpus) -> None:
    """S-025, also for documents."""
    fill(corpus)
    first = search(corpus, query="anna")["hits"][0]["_id"]
    alike = corpus.post("/documents/_similar", params={"segid": first})
    assert found(alike) == ["d2"]
    assert found(corpus.post("/documents/_similar", params={"text": "a city, Paris", "size": 1})) == ["d2"]
    corpus.post("/documents/_similar", 400)
    corpus.post("/documents/_similar", 404, params={"segid": "424242"})


def test_vector_and_hybrid_searches_without_vectors(corpus: Corpus, as_user: Any, client: Any) -> None:
    fill(corpus)
    assert "vectors" in search(corpus, 400, query="paris", searchType="vector")["message"]
    assert found(search(corpus, query="paris", searchType="hybrid", nativeRRF="if_available")) == ["d1", "d2"]
    assert found(search(corpus, searchType="hybrid")) == ["d1", "d2", "d3"]
    annotator = as_user(client, "alan", "Annotator", f"readProject:{corpus.project.name}")
    refused = annotator.post(f"{corpus.path}/documents/_search", params={"searchType": "hybrid"})
    assert "useHybridSearch" in refused.json()["cause"]


def test_permissions_to_search(corpus: Corpus, as_user: Any, client: Any) -> None:
    fill(corpus)
    path = f"{corpus.path}/documents/_search"
    name = corpus.project.name
    assert as_user(client, "una", f"readProject:{name}", "readFacet:*").post(path).status_code == 403
    assert as_user(client, "una", "Reader").post(path).status_code == 404
    assert as_user(client, "una", "Reader", f"readProject:{name}").post(path).status_code == 200


def facet_names(caller: Any, corpus: Corpus) -> set[str]:
    answer = caller.post(f"{corpus.path}/documents/_search", params={"facet": True}).json()
    return {aggregation["name"] for aggregation in answer["aggregations"]}


LABELLING = ("readUserAnnot:*", "readModeAnnot:all")


def test_facets_show_what_the_caller_may_read(corpus: Corpus, as_user: Any, client: Any) -> None:
    """readFacet and readUserAnnot are required; W-015: facets of one user, inDataset hidden from the role Reader."""
    fill(corpus)
    name = corpus.project.name
    writer = as_user(client, "wanda", "Annotator", f"writeProject:{name}")
    body = {"documentIdentifier": "d3", "labelName": "place", "start": 0, "end": 7}
    assert writer.post(f"{corpus.path}/annotations", json=body).status_code == 200
    general = {"label", "createdBy", "status", "creationMode", "inDataset"}
    assert general | {"label(wanda)", "label(root)", "metadata.kind"} <= facet_names(corpus.caller, corpus)
    seen = facet_names(writer, corpus)
    assert not seen & (general | {"label(root)"})
    assert {"label(wanda)", "metadata.kind"} <= seen
    friend = as_user(client, "fred", "Reader", "readUserAnnot:wanda", f"readProject:{name}")
    assert "label(wanda)" in facet_names(friend, corpus)
    assert "label(root)" not in facet_names(friend, corpus)
    narrow = as_user(client, "nora", *LABELLING, "useSearch", "readFacet:label", f"readProject:{name}")
    assert {one.partition("(")[0] for one in facet_names(narrow, corpus)} == {"label"}
    reader = as_user(client, "rita", "Reader", *LABELLING, f"readProject:{name}")
    assert "inDataset" not in facet_names(reader, corpus)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ({"selectedFacets": ["+label:person"]}, []),
        ({"selectedFacets": ["+label:place"]}, ["d3"]),
        ({"selectedFacets": ["+label(root):person"]}, None),
        ({"selectedFacets": ["+createdBy:root"]}, None),
        ({"selectedFacets": ["+status:KO"]}, None),
        ({"selectedFacets": ["+inDataset:true"]}, ["d3"]),
        ({"selectedFacets": ["+inDataset:false"]}, ["d1", "d2"]),
        ({"selectedFacets": ["-inDataset:true"]}, ["d1", "d2"]),
        ({"queryFilter": "annotations:*"}, ["d3"]),
        ({"queryFilter": "label:person"}, []),
        ({"queryFilter": "createdBy:root"}, []),
        ({"queryFilter": "inDataset:true"}, ["d3"]),
        ({"query": "creationMode:imported"}, []),
        ({"query": "-createdBy:root"}, ["d1", "d2", "d3"]),
    ],
)
def test_no_search_reveals_unreadable_labelling(
    corpus: Corpus, as_user: Any, client: Any, parameters: dict[str, Any], expected: list[str] | None
) -> None:
    fill(corpus)
    writer = as_user(client, "wanda", "Annotator", f"writeProject:{corpus.project.name}")
    body = {"documentIdentifier": "d3", "labelName": "place", "start": 0, "end": 7}
    writer.post(f"{corpus.path}/annotations", json=body)
    answer = writer.post(f"{corpus.path}/documents/_search", params=parameters)
    assert answer.status_code == (403 if expected is None else 200)
    assert expected is None or found(answer.json()) == expected


def test_facet_find_reaches_values_beyond_the_size(corpus: Corpus) -> None:
    """W-015: values beyond the size are counted in one last bucket; `facetFind` reaches them."""
    corpus.add(*(document(f"d{n}", "Text.", metadata={"author": f"Writer {n}", "year": 1990 + n}) for n in range(60)))
    (authors,) = search(corpus, facet=True, size=0, facetNames=["author"])["aggregations"]
    assert authors["name"] == "metadata.author"
    assert len(authors["buckets"]) == 51
    assert authors["buckets"][-1] == {"key": "sum_other_doc_count_metadata.author", "doc_count": 10}
    body = {"output": {"facets": True, "facetNames": ["metadata.author"], "facetFind": "iter 5", "facetSize": 3}}
    (found_ones,) = corpus.post("/documents/_do_search", json=body)["aggregations"]
    assert [one["key"] for one in found_ones["buckets"][:3]] == ["Writer 5", "Writer 50", "Writer 51"]
    assert found_ones["buckets"][-1]["doc_count"] == 8
    (years,) = search(corpus, facet=True, size=0, facetNames=["year"])["aggregations"]
    assert years["valueKind"] == "number"


def test_numbers_and_dates_have_histograms_and_range_filters(corpus: Corpus) -> None:
    corpus.add(*(document(f"d{n}", "Text.", metadata={"year": 1990 + n, "day": f"2026-01-0{n + 1}"}) for n in range(9)))
    wanted = ["year", "metadata.day", "createdDate", "label"]
    drawn = {one["name"]: one for one in search(corpus, size=0, histograms=wanted)["histograms"]}
    assert {name: one["valueKind"] for name, one in drawn.items()} == {
        "metadata.year": "number",
        "metadata.day": "date",
        "createdDate": "date",
    }
    assert [(one["from"], one["doc_count"]) for one in drawn["metadata.year"]["buckets"]] == [
        (1990 + n, 1) for n in range(9)
    ]
    ranges = [
        ([{"field": "metadata.year", "value": "[1992 TO 1993]"}], ["d2", "d3"]),
        ([{"field": "metadata.year", "value": "[1992 TO *]", "filterSelector": "must_not"}], ["d0", "d1"]),
        ([{"field": "metadata.day", "value": "[* TO 2026-01-02]"}], ["d0", "d1"]),
        ([{"field": "createdDate", "value": "[* TO 2000]"}], []),
    ]
    for filters, expected in ranges:
        body = {"search": {"filtering": {"filters": filters}}}
        assert found(corpus.post("/documents/_do_search", json=body)) == expected, filters
    assert found(search(corpus, queryFilter="+metadata.year:[1992 TO 1993]")) == ["d2", "d3"]
    wrong = corpus.post("/documents/_do_search", 400, json={"search": {"filtering": {"filters": [{"value": '"'}]}}})
    assert wrong["details"][0]["field"] == "filters"


def test_documents_are_ordered_by_date(corpus: Corpus) -> None:
    fill(corpus)
    for name in ("d2", "d1"):
        corpus.post("/documents/_tag", 204, params={"identifier": name}, json={"name": "seen", "value": "yes"})

    def ordered(sort: str) -> list[str]:
        return [hit["document"]["identifier"] for hit in search(corpus, sort=sort)["hits"]]

    assert ordered("-modifiedDate") == ["d1", "d2", "d3"]
    assert ordered("modifiedDate") == ["d3", "d2", "d1"]
    body = {"search": {"sort": "-modifiedDate", "query": "paris"}}
    in_json = corpus.post("/documents/_do_search", json=body)["hits"]
    assert [hit["document"]["identifier"] for hit in in_json] == ["d1", "d2"]
    assert search(corpus, 400, sort="label")["message"].startswith("Results cannot be sorted by label")


def test_documents_and_segments_are_ordered_by_title_and_metadata(corpus: Corpus) -> None:
    """S-006, S-018: numbers and dates compared as such, on any page; documents without a value come last."""
    values = {"a": ("Étude 10", 9, "2026-02"), "b": ("etude 9", 10, "1999-12-31"), "c": ("Zoo", 100, "2026-01-31")}
    documents = [
        document(name, f"Text of {name}.", title=title, metadata={"pages": pages, "day": day})
        for name, (title, pages, day) in values.items()
    ]
    corpus.add(*documents, document("d", "Text of d.", title=" "))

    def ordered(sort: str, kind: str = "documents") -> str:
        found = ""
        for start in range(4):
            page = corpus.post(f"/{kind}/_search", params={"sort": sort, "from": start, "size": 1, "query": ""})
            hit = page["hits"][0]
            found += hit["document"]["identifier"] if kind == "documents" else hit["segment"]["documentIdentifier"]
        return found

    for kind in ("documents", "segments"):
        assert ordered("title", kind).strip("d") == "bac"
        assert ordered("-title", kind).strip("d") == "cab"
        assert ordered("metadata.pages", kind) == "abcd"
        assert ordered("-pages", kind) == "cbad"
        assert ordered("metadata.day", kind) == "bcad"
        assert ordered("-metadata.day", kind) == "acbd"
    corpus.post("/documents/_tag", 204, params={"identifier": "a"}, json={"name": "pages", "value": 1000})
    assert ordered("-metadata.pages") == "acbd"
    assert ordered("metadata.pages", "segments") == "bcad"


@pytest.mark.parametrize(("query", "position"), [('one "two', 4), ("😀 (a", 2), ("a AND", 5)])
def test_the_position_of_a_mistake_is_reported(corpus: Corpus, query: str, position: int) -> None:
    """E-019: counted in code points, in the query or in the filter."""
    for field in ("query", "queryFilter"):
        (detail,) = search(corpus, 400, **{field: query})["details"]
        assert (detail["field"], detail["position"]) == (field, position)


def test_metadata_keeps_its_type_and_is_searched_by_it(corpus: Corpus) -> None:
    """S-013: values that are not texts keep their type, for filters and histograms."""
    corpus.add(document("d1", "One."), document("d2", "Two."))

    def tag(name: str, value: Any, status: int = 204) -> Any:
        return corpus.post("/documents/_tag", status, params={"identifier": "d1"}, json={"name": name, "value": value})

    values = {"pages": 12, "price": 9.5, "seen": False, "none": 0, "kinds": ["a", 7], "day": "2026-01-31"}
    for name, value in values.items():
        tag(name, value)
    assert corpus.get("/documents/d1")["metadata"] == values
    assert found(search(corpus, query="metadata.pages:[10 TO 20]")) == ["d1"]
    assert found(search(corpus, query="metadata.seen:false")) == ["d1"]
    tag("pages", "12")
    assert corpus.get("/documents/d1")["metadata"]["pages"] == "12"
    for name in ("pages", "kinds", "seen"):
        tag(name, [] if name == "kinds" else None)
    assert set(corpus.get("/documents/d1")["metadata"]) == {"price", "none", "day"}
    for wrong in ({"a": 1}, ["a", ["b"]], {}):
        tag("x", wrong, 400)
