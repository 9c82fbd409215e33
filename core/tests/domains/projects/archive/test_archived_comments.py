"""Comments in archives (T-009): threads, replies, resolved ones, history, imported authors, forgeries."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document
from support.forged_archives import files_of, pack_files, update_manifest
from support.project_archives import export_project, import_project

TEXT = "Ines 👩🏽‍🚀 spoke in Halden."
HALDEN = TEXT.index("Halden")


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    """Threads of each target, one with a reply, one resolved, one opened again, a deleted comment."""
    corpus.add(document("d1", TEXT), document("d2", "Another text."))
    corpus.add_labels("person")
    made = corpus.annotate("d1", "person", 0, 4)
    first = _comment(corpus, "Is this right?", target="annotation", annotation=made["identifier"])
    _comment(corpus, "It is, @root", thread=first["identifier"])
    done = _comment(corpus, "Which Halden?", target="span", start=HALDEN, end=HALDEN + 6)
    corpus.post(f"/comment_threads/{done['identifier']}/_resolve", json={})
    again = _comment(corpus, "A proposal", target="suggestion", start=0, end=4)
    for resolved in (True, False):
        corpus.post(f"/comment_threads/{again['identifier']}/_resolve", json={"resolved": resolved})
    _comment(corpus, "Read it twice", documentIdentifier="d2")
    gone = _comment(corpus, "Forget it")["comments"][0]["identifier"]
    corpus.delete(f"/comments/{gone}")
    return corpus


def _comment(corpus: Corpus, text: str, **body: Any) -> dict[str, Any]:
    made: dict[str, Any] = corpus.post("/comments", json={"documentIdentifier": "d1", "text": text} | body)
    return made


def _threads(caller: Any, project: str, name: str = "d1") -> list[dict[str, Any]]:
    answer = caller.get(f"/api/projects/{project}/comments", params={"documentIdentifier": name})
    found: list[dict[str, Any]] = answer.json()["threads"]
    return found


def _summary(threads: list[dict[str, Any]]) -> list[Any]:
    fields = ("target", "start", "end", "text", "resolved", "resolvedBy", "resolvedDate", "commentCount")
    stored_text = ("text", "mentions", "createdBy", "createdDate", "modifiedDate")
    return [
        ([one.get(field) for field in fields], [[part.get(field) for field in stored_text] for part in one["comments"]])
        for one in threads
    ]


def test_an_archive_has_the_comments_as_they_were(filled: Corpus) -> None:
    name, job = import_project(filled, export_project(filled))
    assert job["status"] == "COMPLETED", job
    for identifier in ("d1", "d2"):
        before = _threads(filled.caller, filled.project.name, identifier)
        assert before
        assert _summary(_threads(filled.caller, name, identifier)) == _summary(before)
    read = filled.caller.get(f"/api/projects/{name}/documents/d1").json()
    (annotation,) = read["annotations"]
    assert [one.get("annotation") for one in _threads(filled.caller, name)] == [annotation["identifier"], None, None]


def test_no_account_is_credited_with_imported_comments(filled: Corpus) -> None:
    """Decision 0117: the name stays readable; nobody here may change what an archive says they wrote."""
    name, _ = import_project(filled, export_project(filled))
    comments = [part for one in _threads(filled.caller, name) for part in one["comments"]]
    assert {(one["createdBy"], one["mine"], one["importedBy"]) for one in comments} == {("root", False, "root")}
    path = f"/api/projects/{name}/comments/{comments[0]['identifier']}"
    assert filled.caller.patch(path, json={"text": "mine"}).status_code == 403
    assert filled.caller.delete(path).status_code == 403
    thread = _threads(filled.caller, name)[0]["identifier"]
    answer = {"documentIdentifier": "d1", "text": "Thank you", "thread": thread}
    assert filled.caller.post(f"/api/projects/{name}/comments", json=answer).json()["comments"][-1]["mine"] is True


def test_the_history_of_comments_comes_along(filled: Corpus) -> None:
    name, _ = import_project(filled, export_project(filled))

    def stored_comments(project: str) -> list[Any]:
        entries = filled.caller.get(f"/api/projects/{project}/documents/d1/_history").json()["entries"]
        return [(one["action"], one["date"]) for one in entries if one["entity"] == "comment"]

    # What became of the deleted comment stays with it: deleted comments are not archived.
    here, there = stored_comments(filled.project.name), stored_comments(name)
    assert {action for action, _ in there} == {"created", "resolved", "reopened"}
    assert set(there) < set(here)
    bare, _ = import_project(filled, export_project(filled, includeHistory="false"))
    assert stored_comments(bare) == []
    assert len(_threads(filled.caller, bare)) == 3


def _with_text(text: bytes) -> Callable[[bytes], bytes]:
    return lambda body: body.replace(b'"Is this right?"', text)


FORGERIES: dict[str, Callable[[bytes], bytes]] = {
    "no text": _with_text(b'"  "'),
    "too long a text": _with_text(b'"' + b"x" * 10_001 + b'"'),
    "not a text": _with_text(b"7"),
    "a target that does not exist": lambda body: body.replace(b'"target":"span"', b'"target":"galaxy"'),
    "a place before the text": lambda body: body.replace(b'"start":%d' % HALDEN, b'"start":-1'),
    "mentions that are no names": lambda body: body.replace(b'"mentions":["root"]', b'"mentions":[7]'),
}


@pytest.mark.parametrize("forgery", FORGERIES)
def test_wrong_comments_are_refused(filled: Corpus, forgery: str) -> None:
    files = files_of(export_project(filled, includeHistory="false"))
    changed = FORGERIES[forgery](files["documents.jsonl"])
    assert changed != files["documents.jsonl"]
    files["documents.jsonl"] = changed
    update_manifest(files)
    _, job = import_project(filled, pack_files(files))
    assert job["status"] == "FAILED", job
