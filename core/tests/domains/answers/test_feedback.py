"""Verdicts on answers: right, wrong, something is missing."""

from __future__ import annotations

import json
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.unit_of_work import Event
from annotarium.domains.answers import repository, service
from annotarium.domains.answers.schemas import LONGEST_ANSWER, LONGEST_COMMENT, LONGEST_QUESTION

PATH = "/answers/_feedback"
PASSAGE = {"documentIdentifier": "canal", "start": 0, "end": 9, "cited": True}
VERDICT = {
    "question": "What were the gates made of?",
    "answer": "Oak.",
    "verdict": "right",
    "answerer": "extractive_answerer",
    "comment": " Good ",
    "passages": [PASSAGE],
}


@pytest.fixture
def canal(corpus: Corpus) -> Corpus:
    corpus.add(
        document("canal", "The canal has gates of oak."), document("question", "Oak?", metadata={"question": True})
    )
    return corpus


def test_a_verdict_is_kept_changed_and_withdrawn(canal: Corpus, emitted_events: list[Event]) -> None:
    made = canal.post(PATH, json=VERDICT)
    assert made["verdict"] == "right" and made["comment"] == "Good" and made["mine"] and made["passages"] == [PASSAGE]
    changed = canal.patch(f"{PATH}/{made['id']}", json={"verdict": "missing", "comment": "And the iron?"})
    assert changed["verdict"] == "missing" and changed["comment"] == "And the iron?"
    named = canal.patch(f"{PATH}/{made['id']}", json={"questionIdentifier": "question"})
    assert named["questionIdentifier"] == "question" and named["verdict"] == "missing"
    found = canal.get(PATH)
    assert found == {"feedback": [named], "total": 1}
    canal.delete(f"{PATH}/{made['id']}", 204)
    assert canal.get(PATH) == {"feedback": [], "total": 0}
    canal.delete(f"{PATH}/{made['id']}", 404)
    told = [(event.arg["type"], event.project) for event in emitted_events if event.mutation == "answer_feedback"]
    assert told == [(kind, canal.project.name) for kind in ("created", "changed", "changed", "deleted")]


def test_the_newest_verdicts_come_first(canal: Corpus) -> None:
    ids = [canal.post(PATH, json=VERDICT | {"comment": str(number)})["id"] for number in range(3)]
    page = canal.get(PATH, params={"from": 1, "size": 1})
    assert [one["id"] for one in page["feedback"]] == [ids[1]] and page["total"] == 3
    canal.get(PATH, 400, params={"size": 5_000})


def test_a_question_that_is_deleted_is_not_named_any_more(canal: Corpus) -> None:
    made = canal.post(PATH, json=VERDICT)
    canal.patch(f"{PATH}/{made['id']}", json={"questionIdentifier": "question"})
    canal.delete("/documents/question")
    (found,) = canal.get(PATH)["feedback"]
    assert found["questionIdentifier"] is None and found["verdict"] == "right"


@pytest.mark.parametrize(
    "wrong",
    [
        {"verdict": "great"},
        {"question": " "},
        {"question": "a" * (LONGEST_QUESTION + 1)},
        {"answer": "a" * (LONGEST_ANSWER + 1)},
        {"comment": "a" * (LONGEST_COMMENT + 1)},
        {"question": "a\x00b"},
        {"comment": "\ud800"},
        {"passages": [PASSAGE] * 101},
        {"passages": [PASSAGE | {"start": 9}]},
        {"passages": [PASSAGE | {"end": -1}]},
        {"passages": [PASSAGE | {"documentIdentifier": "none"}]},
    ],
)
def test_wrong_verdicts_are_refused(canal: Corpus, wrong: dict[str, Any]) -> None:
    body = json.dumps(VERDICT | wrong).encode()
    refused = canal.post(PATH, 400, content=body, headers={"Content-Type": "application/json"})
    assert refused["message"]
    assert canal.get(PATH)["total"] == 0


def test_wrong_changes_are_refused(canal: Corpus) -> None:
    made = canal.post(PATH, json=VERDICT)
    path = f"{PATH}/{made['id']}"
    canal.patch(path, 400, json={"questionIdentifier": "none"})
    canal.patch(path, 400, json={"verdict": ""})
    canal.patch(path, 412, json={"comment": "x"}, headers={"If-Match": "7"})
    canal.patch(f"{PATH}/1", 404, json={})
    assert canal.get(PATH)["feedback"] == [made]


def test_their_number_is_limited(canal: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "MAX_FEEDBACK", 1)
    canal.post(PATH, json=VERDICT)
    assert canal.post(PATH, 409, json=VERDICT)["fix"]


def test_rights(client: Any, as_user: Any, make_project: Any, run_jobs: Any) -> None:
    """Readers see their own verdicts, writers all; strangers and callers who may not search nothing."""
    project = make_project(owner="ada", readers=("grace", "lister"), writers=("bob",), group="press")
    people = {
        name: Corpus(as_user(client, name, "useSearch", groups=("press",)), project, run_jobs)
        for name in ("ada", "grace", "bob")
    }
    body = {key: value for key, value in VERDICT.items() if key != "passages"}
    of_grace, of_bob = (people[name].post(PATH, json=body)["id"] for name in ("grace", "bob"))
    assert [one["id"] for one in people["grace"].get(PATH)["feedback"]] == [of_grace]
    assert {one["id"] for one in people["ada"].get(PATH)["feedback"]} == {of_grace, of_bob}
    assert [one["mine"] for one in people["bob"].get(PATH)["feedback"]] == [True, False]
    people["grace"].patch(f"{PATH}/{of_bob}", 404, json={})
    people["grace"].delete(f"{PATH}/{of_bob}", 404)
    people["ada"].patch(f"{PATH}/{of_grace}", 403, json={"verdict": "wrong"})
    people["ada"].delete(f"{PATH}/{of_grace}", 204)
    path = f"/api/projects/{project.name}{PATH}"
    lister = as_user(client, "lister", "seeExplore", groups=("press",))
    assert lister.post(path, json=body).status_code == 403 and lister.get(path).status_code == 403
    stranger = as_user(client, "stranger", "useSearch", groups=("elsewhere",))
    assert stranger.post(path, json=body).status_code == 404 and stranger.get(path).status_code == 404
    assert client.post(path, json=body).status_code == 401 and client.get(path).status_code == 401


def test_an_answer_from_documents_that_the_reader_may_not_see_is_hidden(
    canal: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any
) -> None:
    canal.post(PATH, json=VERDICT)
    other = Corpus(
        as_user(client, "second", *("useSearch", "writeProject:*", "readProject:*")), canal.project, lambda: []
    )
    (seen,) = other.get(PATH)["feedback"]
    assert seen["answer"] == "Oak." and not seen["hidden"]
    monkeypatch.setattr(repository, "readable_identifiers", lambda *_: set())
    (seen,) = other.get(PATH)["feedback"]
    assert seen["hidden"] and seen["answer"] == "" and seen["passages"] == []
    (own,) = canal.get(PATH)["feedback"]
    assert own["answer"] == "Oak." and not own["hidden"]
