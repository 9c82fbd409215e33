"""Undoing an import that replaced documents gives them back as they were; work of people since stays."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document

OLD = document("d1", "Paris is large.", ("Paris", "city"), metadata={"year": "2020"}, title="One")
NEW = document("d1", "Rome is old, they say.", ("Rome", "town"), metadata={"author": "x"}, title="Another")


def shown(corpus: Corpus, identifier: str = "d1") -> dict[str, Any]:
    found: dict[str, Any] = corpus.get(f"/documents/{identifier}")
    for part in (found, *found.get("annotations", ()), *found.get("categories", ())):
        for name in ("version", "modifiedDate"):
            part.pop(name, None)
    return found


def undo(corpus: Corpus, job: dict[str, Any]) -> dict[str, Any]:
    started = corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{started['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended


def hits(corpus: Corpus, query: str) -> list[str]:
    return [hit["document"]["identifier"] for hit in corpus.post("/documents/_search", params={"query": query})["hits"]]


def test_a_replaced_document_comes_back_as_it_was(corpus: Corpus) -> None:
    """Text, title, annotations, metadata, and what searches find."""
    first = corpus.add(OLD, document("d2", "Oslo sleeps."))
    assert "undoable" not in first, "nothing was replaced: there is nothing to take back"
    before = shown(corpus)
    job = corpus.add(NEW, document("d3", "Bern wakes."))
    assert job["undoable"] is True
    assert hits(corpus, "rome") == ["d1"]
    ended = undo(corpus, job)
    assert ended["result"] == {"undone": 1, "kept": 0, "job": job["id"]}
    assert shown(corpus) == before
    assert (hits(corpus, "paris"), hits(corpus, "rome")) == (["d1"], [])
    assert sorted(one["identifier"] for one in corpus.get("/documents")) == ["d1", "d2", "d3"]
    assert corpus.post(f"/job/{job['id']}/_undo", 409)["message"] == "The job has already been undone"


def test_imports_are_undone_one_by_one_last_first(corpus: Corpus) -> None:
    """A replacement that was replaced itself is given back by the undo of the later import."""
    corpus.add(OLD)
    oldest = shown(corpus)
    second = corpus.add(NEW)
    middle = shown(corpus)
    third = corpus.add(document("d1", "Bern, at last."))
    early = undo(corpus, second)
    assert early["result"]["kept"] == 1, "another document stands there"
    assert shown(corpus)["text"] == "Bern, at last."
    undo(corpus, third)
    assert shown(corpus) == middle
    assert oldest != middle


def test_work_on_the_new_document_is_not_lost(corpus: Corpus) -> None:
    """The undo says in words why it leaves the document, and changes nothing of it."""
    corpus.add(OLD, document("d2", "Oslo sleeps."))
    job = corpus.add(NEW, document("d2", "Oslo is awake."))
    corpus.annotate("d1", "city", 0, 4)
    worked = shown(corpus)
    ended = undo(corpus, job)
    assert ended["result"] == {"undone": 1, "kept": 1, "job": job["id"]}
    (line,) = corpus.get(f"/job/{ended['id']}/items")["items"]
    assert line["documentIdentifier"] == "d1"
    assert line["message"] == "People have worked on the document that replaced it (1 changes)"
    assert shown(corpus) == worked
    assert shown(corpus, "d2")["text"] == "Oslo sleeps."


def test_a_new_document_that_was_deleted_makes_room(corpus: Corpus) -> None:
    corpus.add(OLD)
    before = shown(corpus)
    job = corpus.add(NEW)
    corpus.delete("/documents/d1")
    assert undo(corpus, job)["result"]["undone"] == 1
    assert shown(corpus) == before
