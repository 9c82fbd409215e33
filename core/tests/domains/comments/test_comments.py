"""Comments: threads on documents, spans, annotations and suggestions; who may read, write, change and resolve them."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

TEXT = "Ines spoke in Halden."


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", "Another text."))
    corpus.add_labels("person")
    return corpus


def comment(corpus: Corpus, text: str, status: int = 200, **body: Any) -> dict[str, Any]:
    values = {"documentIdentifier": "d1", "text": text} | body
    answer: dict[str, Any] = corpus.post("/comments", status, json=values)
    return answer


def threads(corpus: Corpus, name: str = "d1") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = corpus.get("/comments", params={"documentIdentifier": name})["threads"]
    return found


def texts(thread: dict[str, Any]) -> list[str]:
    return [one["text"] for one in thread["comments"]]


def test_a_thread_of_each_target(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)
    comment(filled, "About all of it")
    comment(filled, "About a place", target="span", start=14, end=20)
    comment(filled, "About a person", target="annotation", annotation=made["identifier"])
    comment(filled, "About a proposal", target="suggestion", start=0, end=4)
    found = threads(filled)
    assert [(one["target"], one.get("text")) for one in found] == [
        ("document", None),
        ("span", "Halden"),
        ("annotation", "Ines"),
        ("suggestion", "Ines"),
    ]
    assert found[2]["annotation"] == made["identifier"]
    assert threads(filled, "d2") == []
    filled.delete(f"/annotations/{made['identifier']}")
    assert [one["target"] for one in threads(filled)] == ["document", "span", "suggestion"]


def test_replies_and_resolving(filled: Corpus) -> None:
    """A reply opens a resolved thread again."""
    first = comment(filled, "Is this right?")
    again = comment(filled, "It is", thread=first["identifier"])
    assert texts(again) == ["Is this right?", "It is"]
    path = f"/comment_threads/{first['identifier']}/_resolve"
    resolved = filled.post(path, json={"resolved": True})
    assert (resolved["resolved"], "resolvedDate" in resolved) == (True, True)
    assert filled.post(path, json={"resolved": False})["resolved"] is False
    filled.post(path, json={})
    assert comment(filled, "No", thread=first["identifier"])["resolved"] is False
    comment(filled, "Elsewhere", 404, thread=first["identifier"], documentIdentifier="d2")


def test_own_comments_are_changed_deleted_and_restored(filled: Corpus) -> None:
    made = comment(filled, "Frist")["comments"][0]
    path = f"/comments/{made['identifier']}"
    changed = filled.patch(path, json={"text": "First"}, headers={"If-Match": f'"{made["version"]}"'})
    assert texts(changed) == ["First"]
    filled.patch(path, 412, json={"text": "Late"}, headers={"If-Match": f'"{made["version"]}"'})
    assert texts(filled.delete(path)) == []
    assert threads(filled) == []
    filled.delete(path, 404)
    assert texts(filled.post(f"{path}/_restore")) == ["First"]
    told = [one["action"] for one in filled.get("/documents/d1/_history")["entries"]]
    assert told == ["restored", "deleted", "updated", "created"]


def test_mentions_are_of_known_users(filled: Corpus, as_user: Any, client: Any) -> None:
    as_user(client, "rosa.luna", "Reader", f"writeProject:{filled.project.name}")
    made = comment(filled, "@rosa.luna, ask @nobody or me@example.org, @rosa.luna.")["comments"][0]
    assert made["mentions"] == ["rosa.luna"]


def test_who_may_comment(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid; nobody changes what others wrote, and comments on hidden annotations are hidden."""
    made = filled.annotate("d1", "person", 0, 4)
    hidden = comment(filled, "Of an annotation", target="annotation", annotation=made["identifier"])
    shown = comment(filled, "Of the document")
    path = f"{filled.path}/comments"
    body = {"documentIdentifier": "d1", "text": "Hello"}
    assert client.get(path, params={"documentIdentifier": "d1"}).status_code == 401
    assert client.post(path, json=body).status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}")
    assert reader.post(path, json=body).status_code == 403
    read = reader.get(path, params={"documentIdentifier": "d1"}).json()["threads"]
    assert [texts(one) for one in read] == [["Of the document"]]
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}")
    assert writer.post(path, json=body).status_code == 200
    assert writer.post(path, json=body | {"thread": shown["identifier"]}).status_code == 200
    assert writer.post(path, json=body | {"thread": hidden["identifier"]}).status_code == 404
    theirs = shown["comments"][0]["identifier"]
    assert writer.patch(f"{path}/{theirs}", json={"text": "Mine now"}).status_code == 403
    assert writer.delete(f"{path}/{theirs}").status_code == 403
    resolve = f"{filled.path}/comment_threads/{shown['identifier']}/_resolve"
    assert writer.post(resolve, json={}).json()["resolved"] is True
    told = writer.get(f"{filled.path}/documents/d1/_history").json()["entries"]
    assert "Of an annotation" not in str(told)


def test_wrong_requests(filled: Corpus) -> None:
    comment(filled, "  ", 400)
    comment(filled, "a\u0000b", 400)
    comment(filled, "Where?", 400, target="span")
    comment(filled, "Where?", 400, target="span", start=4, end=400)
    comment(filled, "Which?", 400, target="annotation")
    comment(filled, "Which?", 404, target="annotation", annotation="17")
    comment(filled, "Where?", 404, documentIdentifier="nowhere")


def test_documents_are_exported_with_their_comments(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)
    first = comment(filled, "Is this right?", target="annotation", annotation=made["identifier"])
    comment(filled, "It is", thread=first["identifier"])
    exported = {one["identifier"]: one for one in filled.get("/documents")}
    assert [texts(one) for one in exported["d1"]["comments"]] == [["Is this right?", "It is"]]
    assert "comments" not in exported["d2"]
    assert "comments" not in filled.get("/documents/d1")


def test_an_archive_restores_comments_with_their_authors_as_imported(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)
    first = comment(filled, "Is this right?", target="annotation", annotation=made["identifier"])
    comment(filled, "It is", thread=first["identifier"])
    gone = comment(filled, "Forget it")["comments"][0]["identifier"]
    filled.delete(f"/comments/{gone}")
    name, _ = import_project(filled, export_project(filled))
    restored = filled.caller.get(f"/api/projects/{name}/comments", params={"documentIdentifier": "d1"}).json()[
        "threads"
    ]
    assert [(one["target"], one["text"], texts(one)) for one in restored] == [
        ("annotation", "Ines", ["Is this right?", "It is"])
    ]
    annotations = filled.caller.get(f"/api/projects/{name}/documents/d1").json()["annotations"]
    assert restored[0]["annotation"] == annotations[0]["identifier"]
    assert {one["mine"] for one in restored[0]["comments"]} == {False}
