"""Comments in imported documents: a round trip of an export, authors that cannot be borrowed, what is not valid."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document

TEXT = "Ines spoke in Halden."


def threads(corpus: Corpus, name: str = "d1") -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = corpus.get("/comments", params={"documentIdentifier": name})["threads"]
    return found


def shown_threads(corpus: Corpus, name: str = "d1") -> list[tuple[Any, ...]]:
    """What readers see of the threads, without identifiers and authors."""
    return [
        (
            *(one["target"], one.get("start"), one.get("end"), one["resolved"], one.get("resolvedDate")),
            [(said["text"], said["createdDate"]) for said in one["comments"]],
        )
        for one in threads(corpus, name)
    ]


@pytest.fixture
def commented(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT))
    corpus.add_labels("person")
    made = corpus.annotate("d1", "person", 0, 4)
    first = {"documentIdentifier": "d1", "text": "Who, @marie?", "target": "annotation"}
    thread = corpus.post("/comments", json=first | {"annotation": made["identifier"]})["identifier"]
    corpus.post("/comments", json={"documentIdentifier": "d1", "text": "Ines", "thread": thread})
    corpus.post("/comments", json={"documentIdentifier": "d1", "text": "All of it"})
    place = {"documentIdentifier": "d1", "text": "Where", "target": "span", "start": 14, "end": 20}
    corpus.post(f"/comment_threads/{corpus.post('/comments', json=place)['identifier']}/_resolve", json={})
    return corpus


@pytest.fixture
def other(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    """Another, empty project."""
    return Corpus(as_admin, make_project(lang="en"), run_jobs)


def test_an_export_brings_its_comments_back(commented: Corpus, other: Corpus) -> None:
    exported = commented.get("/documents")
    other.add(*exported)
    assert shown_threads(other) == shown_threads(commented)
    (annotation,) = other.get("/documents/d1")["annotations"]
    assert threads(other)[0]["annotation"] == annotation["identifier"]
    again = other.get("/documents")
    assert [len(one["comments"]) for one in again[0]["comments"]] == [2, 1, 1]


def test_the_same_export_again_changes_nothing_and_loses_no_later_comment(commented: Corpus) -> None:
    exported = commented.get("/documents")
    commented.post("/comments", json={"documentIdentifier": "d1", "text": "Later"})
    before = threads(commented)
    commented.add(*exported)
    assert threads(commented) == before


def test_nobody_speaks_in_the_name_of_another(commented: Corpus, other: Corpus) -> None:
    """An author from a file is named, with who imported it; the account of that name did not write it."""
    (exported,) = commented.get("/documents")
    for thread in exported["comments"]:
        for said in thread["comments"]:
            said["createdBy"] = "imported:nora"
        thread["resolvedBy"] = "nora"
    other.add(exported)
    found = [one for thread in threads(other) for one in thread["comments"]]
    assert {(one["createdBy"], one["mine"], "importedBy" in one) for one in found} == {("nora", False, True)}
    other.delete(f"/comments/{found[0]['identifier']}", 403)


@pytest.mark.parametrize(
    "comments",
    [
        "Good text",
        ["Good text", 3],
        [{"target": "span", "start": 1, "end": 3}],
        [{"comments": []}],
        [{"comments": [{"text": "  "}]}],
        [{"comments": [{"text": "x" * 10_001}]}],
        [{"comments": [{"text": "Date", "createdDate": "yesterday"}]}],
        [{"comments": [{"text": "Name", "createdBy": "x" * 300}]}],
    ],
)
def test_comments_that_are_not_valid_are_left_out(corpus: Corpus, comments: Any) -> None:
    corpus.add(document("d1", TEXT) | {"comments": comments})
    assert threads(corpus) == []


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"target": "annotation", "annotation": "gone", "start": 0, "end": 4, "text": "Ines"}, ("span", 0, 4)),
        ({"target": "annotation", "annotation": "gone"}, ("document", None, None)),
        ({"target": "span", "start": 3, "end": 9, "text": "Halden"}, ("span", 14, 20)),
        ({"target": "span", "start": 3, "end": 9, "text": "Oslo"}, ("document", None, None)),
        ({"target": "suggestion", "start": 0, "end": 4}, ("suggestion", 0, 4)),
        ({"target": "span", "start": -2, "end": 400}, ("document", None, None)),
        ({"target": "world"}, ("document", None, None)),
    ],
)
def test_a_thread_whose_place_is_not_there_stays_on_the_document(
    corpus: Corpus, given: dict[str, Any], expected: tuple[Any, ...]
) -> None:
    corpus.add(document("d1", TEXT) | {"comments": [given | {"comments": [{"text": "Here"}]}]})
    (found,) = threads(corpus)
    assert (found["target"], found.get("start"), found.get("end")) == expected


def test_the_number_of_threads_is_limited(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.importing.comments.MOST_THREADS", 3)
    corpus.add(document("d1", TEXT) | {"comments": [{"comments": [{"text": str(one)}]} for one in range(9)]})
    assert len(threads(corpus)) == 3
