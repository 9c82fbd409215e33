"""The project's default of searching: what uses it, what does not (decision 134), and how it is undone."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.judged_questions import create, run

from annotarium.db.unit_of_work import Event

RERANKED = {"searchType": "text", "reranker": "feature_reranker"}
QUERY = "the old city river"


def _scores(corpus: Corpus, **parameters: Any) -> list[float]:
    found = corpus.post("/segments/_search", params={"query": QUERY, "simpleQuery": True} | parameters)
    return [hit["score"] for hit in found["hits"]]


def _in_json(corpus: Corpus, **search: Any) -> list[float]:
    found = corpus.post("/segments/_do_search", json={"search": {"query": QUERY} | search})
    return [hit["score"] for hit in found["hits"]]


def test_a_default_applies_to_requests_without_a_search_type(judged: Corpus, emitted_events: list[Event]) -> None:
    plain, reranked = _scores(judged, searchType="text"), _scores(judged, reranker="feature_reranker")
    assert plain != reranked and _scores(judged) == plain
    name = create(judged, rerankers=["feature_reranker"])
    run(judged, name)
    body = {"configuration": "text+feature_reranker"}
    made = judged.post(f"/ranking_experiments/{name}/_make_default", json=body)
    assert made.get("former") is None and made["searchDefaults"]["reranker"] == "feature_reranker"
    assert made["searchDefaults"]["experiment"] == name
    shown = judged.get("/config")["searchDefaults"]
    assert shown == {name: value for name, value in made["searchDefaults"].items() if value is not None}
    assert any(event.mutation == "project" for event in emitted_events)
    assert _scores(judged) == reranked == _in_json(judged)
    assert _scores(judged, searchType="text") == plain == _in_json(judged, type="text"), "explicit text is text"
    assert _scores(judged, sort="title") == _scores(judged, sort="title", searchType="text"), "sorted"
    asked = judged.post("/segments/_search", params={"query": "When was the tower built?", "answerQuestion": True})
    assert asked["answerDetails"]["status"] == "done" and "1889" in asked["answer"]
    former = judged.post(f"/ranking_experiments/{name}/_make_default", json={"configuration": "text"})["former"]
    assert former == made["searchDefaults"] and _scores(judged) == plain
    assert "searchDefaults" not in judged.get("/config")
    judged.patch("/config", 204, json={"searchDefaults": former})
    assert _scores(judged) == reranked, "the former default is set again"


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"searchType": "hybrid"}, "searchDefaults.vectorizer"),
        ({"reranker": "none_such"}, "searchDefaults.reranker"),
        ({"reranker": "learned_reranker", "rerankerParameters": {"title": 1e9}}, "rerankerParameters.title"),
        ({"reranker": "learned_reranker", "rerankerParameters": {"surprise": 1}}, "rerankerParameters.surprise"),
        ({"searchType": "magic"}, "searchDefaults.searchType"),
        ({"vectorWeight": -1}, "searchDefaults.vectorWeight"),
    ],
)
def test_impossible_defaults_are_refused(corpus: Corpus, wrong: dict[str, Any], field: str) -> None:
    refused = corpus.patch("/config", 400, json={"searchDefaults": wrong})
    assert any(one["field"].endswith(field) for one in refused["details"]), refused
    assert "searchDefaults" not in corpus.get("/config")


def test_what_cannot_become_the_default(judged: Corpus) -> None:
    name = create(judged)
    judged.post(f"/ranking_experiments/{name}/_make_default", 409, json={"configuration": "text"})
    run(judged, name)
    refused = judged.post(f"/ranking_experiments/{name}/_make_default", 400, json={"configuration": "hybrid"})
    assert refused["details"][0]["field"] == "configuration"


def test_a_default_with_removed_vectors_is_full_text(judged: Corpus, open_as: Any) -> None:
    with open_as("root", judged.project) as call:
        stored = {"searchType": "hybrid", "vectorizer": "gone", "reranker": "gone"}
        call.project.properties = {"searchDefaults": stored}
    assert _scores(judged) == _scores(judged, searchType="text")
    with open_as("root", judged.project) as call:
        call.project.properties = {"searchDefaults": {"searchType": 5}}
    assert _scores(judged) == _scores(judged, searchType="text"), "a damaged default is none"
