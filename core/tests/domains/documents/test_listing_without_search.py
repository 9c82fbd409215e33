"""Users who may see documents but not search get a list of them, page by page, without any filter."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

NARROWED: list[dict[str, Any]] = [
    {"query": "Anna"},
    {"query": "*:*"},
    {"queryFilter": "label:person"},
    {"queryFilter": 'identifier:"d1" OR text:Bob'},
    {"queryFilter": "identifier:*"},
    {"selectedFacets": ["label:person"]},
    {"searchType": "vector", "vectorQuery": "Anna"},
    {"invertSearch": True},
    {"facet": True, "facetFind": "per"},
]


def filled(corpus: Corpus) -> Corpus:
    corpus.add(*(document(f"d{n}", f"{name} left Paris.", (name, "person")) for n, name in enumerate(("Anna", "Bob"))))
    return corpus


def as_lister(corpus: Corpus, as_user: Any, *grants: str) -> Corpus:
    grants = (*grants, "readFacet:*", "readModeAnnot:all", "readUserAnnot:*", f"readProject:{corpus.project.name}")
    return Corpus(as_user(corpus.caller.client, "lisa", *grants), corpus.project, corpus.run_jobs)


@pytest.mark.parametrize(("kind", "grant"), [("documents", "seeDocuments"), ("segments", "seeExplore")])
def test_documents_are_listed_without_the_search_permission(
    corpus: Corpus, as_user: Any, kind: str, grant: str
) -> None:
    """With both parameter styles; requests that search are refused and name the missing permission."""
    lister = as_lister(filled(corpus), as_user, grant)
    listed = lister.post(f"/{kind}/_search", params={"facet": True, "size": 1, "from": 1, "sort": "-createdDate"})
    assert listed["total"]["value"] == 2
    assert len(listed["hits"]) == 1
    assert lister.post(f"/{kind}/_do_search", json={"search": {"size": 5}})["total"]["value"] == 2
    for parameters in NARROWED:
        refused = lister.post(f"/{kind}/_search", 403, params=parameters)
        assert "useSearch" in refused["cause"], parameters
    for body in ({"query": "Anna"}, {"filtering": {"datasetSelector": "$inDataset"}}):
        lister.post(f"/{kind}/_do_search", 403, json={"search": body})
    lister.post(f"/{kind}/_do_search", 403, params={"savedSearch": "mine"}, json={})
    lister.post(f"/{kind}/_do_search", 403, params={"defaultSavedSearch": True}, json={})
    lister.post(f"/{kind}/_similar", 403, params={"text": "Anna"})
    searcher = as_lister(corpus, as_user, "useSearch")
    assert searcher.post(f"/{kind}/_search", params={"query": "Anna"})["total"]["value"] == 1
    stranger = as_lister(corpus, as_user, "seeLabels")
    stranger.post(f"/{kind}/_search", 403)


def test_a_document_is_found_by_identifier_without_the_search_permission(corpus: Corpus, as_user: Any) -> None:
    """The same document as `GET documents/{identifier}` returns: the web app opens it by its identifier."""
    lister = as_lister(filled(corpus), as_user, "seeDocuments")
    found = lister.post("/documents/_search", params={"queryFilter": 'identifier:("d1")', "facet": False})
    assert [hit["document"]["identifier"] for hit in found["hits"]] == ["d1"]
