"""The parameter `reranker` of segment searches."""

from __future__ import annotations

import pytest
from support.factories import Corpus, document

from annotarium.errors import ServiceUnavailable
from annotarium.search.answer_client import get_answer_client

TEXTS = ["The tower was built in 1889 in Paris.", "Paris has a tower.", "A tower, a tower, a tower in rain."]


def _found(corpus: Corpus, **extra: object) -> tuple[list[str], int]:
    answer = corpus.post("/segments/_search", params={"query": "tower Paris", "simpleQuery": True, **extra})
    return [hit["_id"] for hit in answer["hits"]], answer["total"]["value"]


def test_a_reranker_reorders_and_keeps_hits_and_total(corpus: Corpus) -> None:
    for number, text in enumerate(TEXTS):
        corpus.add(document(f"d{number}", text))
    plain, total = _found(corpus)
    reranked, same = _found(corpus, reranker="feature_reranker")
    assert total == same and total > 0 and sorted(plain) == sorted(reranked)
    assert _found(corpus, reranker="feature_reranker", **{"from": 1, "size": 1})[0] == reranked[1:2]
    body = {"search": {"query": "tower Paris", "reranker": "feature_reranker"}}
    scores = [hit["score"] for hit in corpus.post("/segments/_do_search", json=body)["hits"]]
    assert scores == sorted(scores, reverse=True) and all(0 <= score <= 1 for score in scores)


def test_an_unknown_reranker_is_refused(corpus: Corpus) -> None:
    refused = corpus.post("/segments/_search", 400, params={"query": "a", "reranker": "none_such"})
    assert [one["field"] for one in refused["details"]] == ["reranker"]
    assert "none_such" in refused["message"]


def test_a_killed_helper_is_restarted(corpus: Corpus) -> None:
    corpus.add(document("a", TEXTS[0]))
    first, _ = _found(corpus, reranker="feature_reranker")
    client = get_answer_client()
    process = client._process
    assert process is not None
    request = {
        "kind": "reranker",
        "name": "feature_reranker",
        "operation": "rerank",
        "question": "tower",
        "passages": [],
    }
    unusable = client.results(request | {"name": "none_such"})
    with pytest.raises(ServiceUnavailable):
        next(unusable)
    process.kill()
    process.wait()
    assert _found(corpus, reranker="feature_reranker")[0] == first
    assert client._process is not process
