"""Validating documents: who may, what it changes, the next unfinished one, the state in lists and facets."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", "One two."), document("d2", "Three four."), document("d3", "Five."))
    corpus.add_labels("word")
    return corpus


def review(corpus: Corpus, name: str, status: int = 200, *, reviewed: bool = True, **arguments: Any) -> dict[str, Any]:
    params = {"identifier": name}
    body = {"reviewed": reviewed}
    answer: dict[str, Any] = corpus.post("/documents/_review", status, params=params, json=body, **arguments)
    return answer


def next_after(corpus: Corpus, name: str) -> tuple[str | None, int, int]:
    found = corpus.post("/documents/_next_unfinished", params={"identifier": name})
    return found.get("documentIdentifier"), found["reviewed"], found["documents"]


def test_a_document_is_validated_and_taken_back(filled: Corpus) -> None:
    before = filled.get("/documents/d1")
    answer = review(filled, "d1")
    assert answer == {"ok": True, "documentIdentifier": "d1", "reviewed": True, "version": before["version"] + 1}
    assert filled.get("/documents/d1")["reviewed"] is True
    assert filled.facet("reviewed") == {"true": 1, "false": 2}
    assert review(filled, "d1")["version"] == answer["version"]
    assert review(filled, "d1", reviewed=False)["reviewed"] is False
    told = filled.get("/documents/d1/_history")["entries"]
    assert [(one["action"], one["after"]) for one in told] == [
        ("reviewed", {"reviewed": False}),
        ("reviewed", {"reviewed": True}),
    ]
    review(filled, "nowhere", 404)


def test_a_validation_based_on_an_old_version_is_refused(filled: Corpus) -> None:
    version = filled.get("/documents/d1")["version"]
    review(filled, "d1", headers={"If-Match": f'"{version}"'})
    review(filled, "d1", 412, reviewed=False, headers={"If-Match": f'"{version}"'})


def test_the_next_unfinished_document(filled: Corpus) -> None:
    """In import order, from the first again after the last; the one that is open is no answer."""
    assert next_after(filled, "") == ("d1", 0, 3)
    assert next_after(filled, "d1") == ("d2", 0, 3)
    review(filled, "d2")
    assert next_after(filled, "d1") == ("d3", 1, 3)
    assert next_after(filled, "d3") == ("d1", 1, 3)
    review(filled, "d1")
    assert next_after(filled, "d3") == (None, 2, 3)
    review(filled, "d3")
    assert next_after(filled, "d3") == (None, 3, 3)


def test_the_list_says_how_far_each_document_is(filled: Corpus) -> None:
    """Counts are of what the caller may read and is not rejected."""
    filled.annotate("d1", "word", 0, 3)
    made = filled.annotate("d1", "word", 4, 7)
    filled.patch(f"/annotations/{made['identifier']}", json={"status": "KO"})
    review(filled, "d1")
    params = {"outputFields": "title,length,annotationCount,reviewed"}
    hits = filled.post("/documents/_search", params=params)["hits"]
    shown = {one["document"]["identifier"]: one["document"] for one in hits}
    assert (shown["d1"]["annotationCount"], shown["d1"]["length"], shown["d1"]["reviewed"]) == (1, 8, True)
    assert (shown["d2"]["annotationCount"], shown["d2"]["length"], shown["d2"]["reviewed"]) == (0, 11, False)
    assert "annotationCount" not in filled.get("/documents/d1")


def test_who_may_validate(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid."""
    path = f"{filled.path}/documents/_review?identifier=d1"
    following = f"{filled.path}/documents/_next_unfinished"
    assert client.post(path, json={}).status_code == 401
    assert client.post(following).status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}")
    assert reader.post(path, json={}).status_code == 403
    assert reader.post(following).json()["documents"] == 3
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}")
    assert writer.post(path, json={}).json()["reviewed"] is True
    stranger = as_user(client, "sam", "Reader")
    assert stranger.post(following).status_code in (403, 404)
