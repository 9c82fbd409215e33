"""Who may read, save and judge: permissions, read-only projects, other tenants, documents of groups; live events."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.saved_questions import judge, judged, save

from annotarium.settings import get_settings

PASSAGE = {"documentIdentifier": "d1", "start": 0, "end": 4}
CALLS: list[tuple[str, str, Any, str]] = [
    ("get", "", None, "read"),
    ("get", "/q1", None, "read"),
    ("get", "/q1/judgements", None, "read"),
    ("get", "/_export", None, "exportDocuments"),
    ("post", "", {"text": "What?"}, "importDocuments"),
    ("post", "/_from_answer", {"question": "What?"}, "importDocuments"),
    ("patch", "/q1", {"answers": ["x"]}, "importDocuments"),
    ("put", "/q1/judgements", PASSAGE | {"grade": 1}, "write"),
    ("post", "/q1/judgements/_delete", PASSAGE, "write"),
    ("delete", "/q1", None, "deleteDocuments"),
    ("post", "/q1/_restore", None, "deleteDocuments"),
    ("post", "/_delete_all", None, "deleteDocuments"),
]
"""Method, path, body, and what it needs besides reading."""


def test_each_call_needs_its_permission(filled: Corpus, as_user: Any, client: Any) -> None:
    """Whoever may not write the project, or has not the permission, changes nothing."""
    save(filled, "Where?", identifier="q1")
    name = filled.project.name
    reader = as_user(client, "reader", f"readProject:{name}", "importDocuments", "deleteDocuments", "useSearch")
    writer = as_user(client, "writer", f"readProject:{name}", f"writeProject:{name}", "useSearch")
    stranger = as_user(client, "stranger", "importDocuments", "deleteDocuments", "useSearch", "exportDocuments")
    allowed = as_user(
        client,
        "allowed",
        f"readProject:{name}",
        f"writeProject:{name}",
        "useSearch",
        *{call[3] for call in CALLS} - {"read", "write"},
    )
    for method, path, body, needed in CALLS:
        address = f"/api/projects/{name}/questions{path}"
        more = {} if body is None else {"json": body}
        assert getattr(client, method)(address, **more).status_code == 401, path
        assert getattr(stranger, method)(address, **more).status_code == 404, path
        expected = 200 if needed == "read" else 403
        assert getattr(reader, method)(address, **more).status_code == expected, path
        found = getattr(writer, method)(address, **more).status_code
        assert found == (200 if needed in ("read", "write") else 403), path
        assert getattr(allowed, method)(address, **more).status_code == 200 or path.endswith("judgements/_delete"), path


@pytest.fixture
def grouped(corpus: Corpus, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Corpus, Corpus]:
    """A project with a document and a question of the group press; and the same project for somebody outside."""
    monkeypatch.setattr(get_settings(), "document_level_access", True)
    permissions = ("importDocuments", "deleteDocuments", "exportDocuments", "useSearch")
    own = (f"readProject:{corpus.project.name}", f"writeProject:{corpus.project.name}")
    member = Corpus(as_user(client, "member", *permissions, *own, groups=("press",)), corpus.project, corpus.run_jobs)
    other = Corpus(as_user(client, "other", *permissions, *own), corpus.project, corpus.run_jobs)
    member.add(document("d1", "Secret text."), groupName="press")
    question = {"identifier": "q2", "text": "Which secret?", "metadata": {"question": True}}
    member.add(question, groupName="press", segmentationPolicy="documents_as_segments")
    member.add(document("d2", "Open text."))
    save(member, "Where?", identifier="q1")
    return member, other


def test_documents_of_groups_stay_hidden(grouped: tuple[Corpus, Corpus]) -> None:
    member, other = grouped
    judge(member, "q1", 0, 6, 3)
    judge(member, "q1", 0, 4, 1, documentIdentifier="d2")
    assert [one["judged"] for one in member.get("/questions")["questions"] if one["identifier"] == "q1"] == [2]
    assert [(one["identifier"], one["judged"]) for one in other.get("/questions")["questions"]] == [("q1", 1)]
    assert judged(other, "q1") == [("d2", 0, 4, 1)]
    judge(other, "q1", 0, 6, status=404)
    other.post("/questions/q1/judgements/_delete", 404, json={"documentIdentifier": "d1", "start": 0, "end": 6})
    other.get("/questions/q2", 404)
    other.patch("/questions/q2", 404, json={"answers": ["x"]})
    other.delete("/questions/q2", 404)
    judge(other, "q2", 0, 4, status=404, documentIdentifier="d2")
    exported = other.get("/questions/_export")
    assert [(one["identifier"], len(one["judgements"])) for one in exported] == [("q1", 1)]
    made = other.post("/questions/_from_answer", json={"question": "Which secret?"})
    assert made["identifier"] != "q2"
    other.post("/questions/_delete_all")
    other.run_jobs()
    assert [one["identifier"] for one in member.get("/questions")["questions"]] == ["q2"]


def test_a_changed_question_stays_in_its_group(grouped: tuple[Corpus, Corpus]) -> None:
    member, other = grouped
    member.patch("/questions/q2", json={"text": "Which secret text?"})
    other.get("/questions/q2", 404)
    member.delete("/questions/q2")
    other.post("/questions/q2/_restore", 404)
    assert member.post("/questions/q2/_restore")["text"] == "Which secret text?"


def test_live_events(grouped: tuple[Corpus, Corpus], emitted_events: list[Any]) -> None:
    """What happens to questions is told to those who may read them."""
    member, _ = grouped
    save(member, "When?", identifier="q3")
    member.patch("/questions/q2", json={"answers": ["x"]})
    judge(member, "q1", 0, 6, 3)
    member.delete("/questions/q3")
    found = [one for one in emitted_events if one.mutation == "questions"]
    assert [(one.arg["type"], one.arg["identifier"]) for one in found] == [
        ("saved", "q3"),
        ("saved", "q2"),
        ("judged", "q1"),
        ("deleted", "q3"),
    ]
    assert [one.about is not None and one.about.group is not None for one in found] == [False, True, True, False]


def test_a_question_that_people_annotated_keeps_its_text(filled: Corpus) -> None:
    """Its text cannot be replaced, because the annotations would be lost; its answers can."""
    save(filled, "Where was Ines born?", identifier="q1")
    filled.add_labels("person")
    filled.annotate("q1", "person", 10, 14)
    refused = filled.patch("/questions/q1", 409, json={"text": "Where was she born?"})
    assert "People have worked on this document" in refused["message"]
    assert filled.patch("/questions/q1", json={"answers": ["Valdivia"]})["answers"] == ["Valdivia"]


def test_the_limit_of_documents_holds(corpus: Corpus, make_project: Any, open_as: Any) -> None:
    from annotarium.db.models import Group

    project = make_project(group="small")
    with open_as("root") as call:
        call.session.query(Group).filter_by(name="small").one().max_docs_per_project = 1
    small = Corpus(corpus.caller, project, corpus.run_jobs)
    save(small, "One?")
    assert "limit" in save(small, "Two?", status=409)["message"]
