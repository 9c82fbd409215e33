"""Taking a job back reaches no further than the caller: what other groups brought stays as the job left it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.settings import get_settings

GRANTS = ("ProjectManager", "deleteDocuments", "annotateCorpus", "seeProjectJobs", "readUserAnnot:*", "readFacet:*")


@pytest.fixture
def guarded(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any) -> Iterator[Corpus]:
    """A document of everybody and one of each of two groups, each with a span."""
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    as_user(client, "lena", "Reader", groups=("press",))
    as_user(client, "paula", "Reader", groups=("law",))
    corpus.add(document("open", "Paris for all", ("Paris", "place"), metadata={"kind": "a"}))
    for group in ("press", "law"):
        text = f"Paris for {group}"
        corpus.add(document(group, text, ("Paris", "place"), metadata={"kind": "a"}), groupName=group)
    corpus.post("/labels", json={"label": "press"})
    yield corpus
    get_settings.cache_clear()


@pytest.fixture
def narrow(guarded: Corpus, as_user: Any, client: Any) -> Corpus:
    """Called by a member of the group press."""
    caller = as_user(client, "paul", *GRANTS, f"writeProject:{guarded.project.name}", groups=("press",))
    return Corpus(caller, guarded.project, guarded.run_jobs)


def run(corpus: Corpus, path: str, **arguments: Any) -> dict[str, Any]:
    job = corpus.post(path, **arguments)
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended


def documents(corpus: Corpus) -> dict[str, dict[str, Any]]:
    return {one["identifier"]: one for one in corpus.get("/documents")}


def test_deleted_documents_of_others_stay_deleted(guarded: Corpus, narrow: Corpus) -> None:
    job = run(guarded, "/documents/_search_and_delete", params={"query": "paris"})
    assert documents(guarded) == {}
    back = run(narrow, f"/job/{job['id']}/_undo")
    assert (back["result"]["undone"], back["result"]["kept"]) == (2, 1)
    assert set(documents(guarded)) == {"open", "press"}


def test_values_on_documents_of_others_stay(guarded: Corpus, narrow: Corpus) -> None:
    job = run(guarded, "/documents/_search_and_tag", params={"query": "paris"}, json={"name": "kind", "value": "b"})
    back = run(narrow, f"/job/{job['id']}/_undo")
    assert (back["result"]["undone"], back["result"]["kept"]) == (2, 1)
    kinds = {name: one["metadata"]["kind"] for name, one in documents(guarded).items()}
    assert kinds == {"open": "a", "press": "a", "law": "b"}


@pytest.mark.parametrize("kind", ["annotations", "categories"])
def test_labelling_on_documents_of_others_stays(guarded: Corpus, narrow: Corpus, kind: str) -> None:
    """Spans that were deleted, and categories that were given."""
    if kind == "annotations":
        job = run(guarded, "/documents/_search_and_delete_labelling", params={"query": "paris"})
        expected = {"open": 1, "press": 1, "law": 0}
    else:
        body = {"labelName": "press", "add": True}
        job = run(guarded, "/documents/_search_and_categorize", params={"query": "paris"}, json=body)
        expected = {"open": 0, "press": 0, "law": 1}
    back = run(narrow, f"/job/{job['id']}/_undo")
    assert (back["result"]["undone"], back["result"]["kept"]) == (2, 1)
    assert {name: len(one[kind]) for name, one in documents(guarded).items()} == expected
