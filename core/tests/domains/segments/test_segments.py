"""Searching segments, similar segments, context."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.settings import get_settings

TEXT = "Anna lives in Paris. Bob lives in Rome. Nobody lives on Mars. Eve left. The end."


def fill(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT, ("Anna", "person"), ("Rome", "place")), document("d2", "Anna lives alone."))


def texts(answer: Any) -> list[str]:
    return [hit["segment"]["text"] for hit in answer["hits"]]


def test_offsets_refer_to_the_document_and_shift_to_the_segment(corpus: Corpus) -> None:
    """S-019, S-020."""
    hard = "👩‍👩‍👧 first. María second."
    corpus.add(document("d1", hard, ("María", "person")))
    answer = corpus.post("/segments/_search", params={"query": "second"})
    segment = answer["hits"][0]["segment"]
    span = segment["annotations"][0]
    assert hard[segment["start"] : segment["end"]] == segment["text"]
    assert segment["text"][span["start"] - segment["shift"] : span["end"] - segment["shift"]] == span["text"] == "María"
    assert (segment["documentIdentifier"], segment["documentTitle"]) == ("d1", "D1")
    made = corpus.annotate("d1", "person", segment["start"], segment["end"])
    assert made["text"] == segment["text"]


def test_both_parameter_styles_give_the_same_response(corpus: Corpus) -> None:
    """Conflicts 5 and 6 of the contract, S-018, S-023, S-026; C-020: the response contains its page size."""
    fill(corpus)
    asked = {"query": "lives", "facet": True, "highlight": True, "size": 7}
    by_query = corpus.post("/segments/_search", params=asked)
    body = {"search": {"query": "lives", "size": 7}, "output": {"facets": True, "highlight": True}}
    in_json = corpus.post("/segments/_do_search", json=body)
    assert by_query.pop("resultID") != in_json.pop("resultID")
    for answer in (by_query, in_json):
        answer["aggregations"] = [
            one for one in answer["aggregations"] if one["name"] not in ("activity", "createdDate")
        ]
    assert by_query == in_json
    assert (by_query["size"], len(texts(by_query))) == (7, 4)
    marked = by_query["hits"][0]
    span = marked["highlights"]["text"][0]
    assert marked["segment"]["text"][span["start"] : span["end"]] == "lives"


def test_facets_without_hits(corpus: Corpus) -> None:
    """S-078."""
    fill(corpus)
    parameters = {"query": "", "size": 1, "facet": True, "searchType": "text", "returnHits": False}
    answer = corpus.post("/segments/_search", params=parameters)
    assert (answer["hits"], answer["total"]["value"]) == ([], 6)
    facets = {one["name"]: {b["key"]: b["doc_count"] for b in one["buckets"]} for one in answer["aggregations"]}
    assert facets["label"] == {"person": 1, "place": 1}
    assert facets["inDataset"] == {"true": 2, "false": 4}


def test_dataset_selections_and_invert(corpus: Corpus) -> None:
    fill(corpus)
    inside = {"search": {"filtering": {"datasetSelector": "$inDataset"}}}
    assert texts(corpus.post("/segments/_do_search", json=inside)) == ["Anna lives in Paris.", "Bob lives in Rome."]
    answer = corpus.post("/segments/_search", params={"selectedFacets": ["-label:person"], "query": "lives"})
    assert "Anna lives in Paris." not in texts(answer)
    inverted = corpus.post("/segments/_search", params={"query": "lives", "invertSearch": True})
    assert texts(inverted) == ["Eve left.", "The end."]
    assert corpus.post("/segments/_search", 400, params={"query": '"open'})["message"].startswith("Failed to parse")


def test_similar_segments(corpus: Corpus) -> None:
    """S-025."""
    fill(corpus)
    first = corpus.post("/segments/_search", params={"query": "alone"})["hits"][0]["_id"]
    alike = corpus.post("/segments/_similar", params={"segid": first, "fields": "text"})
    assert texts(alike)[0] == "Anna lives in Paris."
    assert first not in [hit["_id"] for hit in alike["hits"]]
    assert texts(corpus.post("/segments/_similar", params={"text": "the end of it"}))[0] == "The end."
    body = {"search": {"size": 1, "type": "vector"}}
    assert len(texts(corpus.post("/segments/_similar", params={"segid": first}, json=body))) == 1
    corpus.post("/segments/_similar", 400, params={"text": "  "})


@pytest.mark.parametrize(("before", "after"), [(0, 0), (1, 0), (2, 1), (3, 1), (4, 2), (5, 2)])
def test_context_at_each_zoom(corpus: Corpus, before: int, after: int) -> None:
    """C-025."""
    fill(corpus)
    segments = ["Anna lives in Paris.", "Bob lives in Rome.", "Nobody lives on Mars.", "Eve left.", "The end."]
    query = {"documentIdentifier": "d1", "segmentStart": TEXT.index("Eve"), "sizeBefore": before, "sizeAfter": after}
    answer = corpus.post("/segments/_context", params=query)
    assert [one["text"] for one in answer["before"]["segments"]] == segments[max(0, 3 - before) : 3]
    assert [one["text"] for one in answer["after"]["segments"]] == segments[4 : 4 + after]
    assert answer["before"]["size"] == min(before, 3)


def test_context_skips_merges_and_includes_annotations(corpus: Corpus) -> None:
    fill(corpus)
    query = {"documentIdentifier": "d1", "segmentStart": TEXT.index("Eve"), "sizeAfter": 9}
    far = corpus.post("/segments/_context", params=query | {"fromBefore": 1, "sizeBefore": 2, "contextOutput": "all"})
    merged = far["before"]["merged"]
    assert merged["text"] == TEXT[merged["start"] : merged["end"]] == "Anna lives in Paris. Bob lives in Rome."
    assert merged["annotations"] == []
    query |= {"sizeBefore": 9, "contextOutput": "merged_segments", "includeAnnotations": True}
    whole = corpus.post("/segments/_context", params=query)
    assert [one["text"] for one in whole["before"]["merged"]["annotations"]] == ["Anna", "Rome"]
    assert "segments" not in whole["before"]


def test_a_context_size_of_minus_one_returns_all_segments_on_that_side(corpus: Corpus) -> None:
    """Far beyond what a screen shows; each with its labelling, and its text cut at the right offsets."""
    text = "🦊 first. " + " ".join(f"Number {number} é." for number in range(1_203))
    corpus.add(document("long", text, ("first", "place"), ("1202", "place")))
    query = {"documentIdentifier": "long", "segmentStart": text.index("Number 700"), "includeAnnotations": True}
    answer = corpus.post("/segments/_context", params=query | {"sizeBefore": -1, "sizeAfter": -1})
    for side, size in (("before", 701), ("after", 502)):
        segments = answer[side]["segments"]
        assert answer[side]["size"] == len(segments) == size
        assert all(one["text"] == text[one["start"] : one["end"]] for one in segments)
    assert [one["text"] for one in answer["before"]["segments"][0]["annotations"]] == ["first"]
    assert [one["text"] for one in answer["after"]["segments"][-1]["annotations"]] == ["1202"]
    rest = corpus.post("/segments/_context", params=query | {"fromBefore": 699, "sizeBefore": -1, "sizeAfter": 300})
    assert [one["text"] for one in rest["before"]["segments"]] == ["🦊 first.", "Number 0 é."]
    assert rest["after"]["size"] == 300
    for wrong in (-2, 10_001):
        corpus.post("/segments/_context", 400, params=query | {"sizeAfter": wrong})


def test_total_of_a_truncated_wildcard_is_not_exact(corpus: Corpus) -> None:
    """The embedded engine expands one wildcard to 1,024 words and reports it; OpenSearch expands it to all."""
    corpus.add(document("many", " ".join(f"x{number:04d}y" for number in range(1_100))), document("few", "xy"))
    told = "gte" if get_settings().engine_name == "embedded" else "eq"
    for area in ("segments", "documents"):
        broad = corpus.post(f"/{area}/_search", params={"query": "x*y", "simpleQuery": True})
        assert broad["total"]["relation"] == told
        exact = corpus.post(f"/{area}/_search", params={"query": "x*99y", "simpleQuery": True})
        assert exact["total"] == {"value": 1, "relation": "eq"}


def test_permissions_to_read_a_context(corpus: Corpus, as_user: Any, client: Any) -> None:
    fill(corpus)
    query = {"documentIdentifier": "d1", "segmentStart": 0}
    reader = as_user(client, "rita", "Reader", f"readProject:{corpus.project.name}")
    stranger = as_user(client, "sven", "Reader")
    client.headers.pop("Authorization", None)
    path = f"{corpus.path}/segments/_context"
    answers = [who.post(path, params=query).status_code for who in (client, stranger, reader)]
    assert answers == [401, 404, 200]


def test_invalid_context_requests_are_refused(corpus: Corpus) -> None:
    fill(corpus)
    corpus.post("/segments/_context", 404, params={"documentIdentifier": "gone", "segmentStart": 0})
    corpus.post("/segments/_context", 400, params={"documentIdentifier": "d1", "segmentStart": -1})
    corpus.post("/segments/_context", 400, params={"documentIdentifier": "d1"})
    wrong = {"documentIdentifier": "d1", "segmentStart": 0, "contextOutput": "all of it"}
    corpus.post("/segments/_context", 400, params=wrong)


def test_permissions_to_search_segments(corpus: Corpus, as_user: Any, client: Any) -> None:
    fill(corpus)
    stranger = as_user(client, "sven", "Reader")
    unable = as_user(client, "una", f"readProject:{corpus.project.name}")
    for path in ("_search", "_do_search", "_similar"):
        assert stranger.post(f"{corpus.path}/segments/{path}", json={}).status_code == 404
        assert unable.post(f"{corpus.path}/segments/{path}", json={}).status_code == 403


def test_fields_of_hits_are_selectable(corpus: Corpus) -> None:
    corpus.add(document("d1", "Anna lives in Paris.", ("Paris", "place")))
    by_query = corpus.post("/segments/_search", params={"outputFields": "text,start"})
    in_json = corpus.post("/segments/_do_search", json={"output": {"fields": "!text,!metadata"}})
    assert set(by_query["hits"][0]["segment"]) == {"identifier", "text", "start"}
    kept = set(in_json["hits"][0]["segment"])
    assert {"identifier", "annotations", "end"} <= kept and not {"text", "metadata"} & kept
    alike = corpus.post("/segments/_similar", params={"text": "Paris", "outputFields": "text"})
    assert set(alike["hits"][0]["segment"]) == {"identifier", "text"}
