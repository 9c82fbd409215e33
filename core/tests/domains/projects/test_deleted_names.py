"""The name of a deleted project is free immediately, and the next project of that name inherits nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.events.hub import get_hub
from annotarium.events.presence import Location

_numbers = count(1)


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager", "seeProjectJobs")


@pytest.fixture
def press(marie: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    """A project of Marie's with one document."""
    corpus = Corpus(marie, _made(marie, f"press-{next(_numbers)}"), run_jobs)
    corpus.add(document("d1", "The secret recipe of the old project.", ("recipe", "thing")))
    return corpus


def _made(caller: Any, name: str) -> Any:
    answer = caller.post("/api/projects", json={"label": "Press", "name": name, "lang": "en"})
    assert answer.status_code == 200, answer.text
    with unit_of_work(actor="tests", write=False) as unit:
        project = unit.session.query(Project).filter_by(name=name).one()
        unit.session.expunge_all()
        return project


@contextmanager
def listening(caller: Any) -> Iterator[Any]:
    """A live connection of a caller."""
    token = caller.get("/api/eventbus-login").json()["access_token"]
    with caller.client.websocket_connect(f"/api/events?token={token}") as socket:
        yield socket


def _deleted(corpus: Corpus) -> None:
    assert corpus.caller.delete(corpus.path).json() == {"ok": True}


def test_the_name_is_free_immediately_and_the_new_project_is_empty(press: Corpus) -> None:
    """C-043: also before the index and the files of the old project are removed, which happens later."""
    _deleted(press)
    new = Corpus(press.caller, _made(press.caller, press.project.name), press.run_jobs)
    assert new.project.id != press.project.id
    assert new.get("/_info", params={"computeMetrics": "true"})["documents"] == 0
    assert new.post("/documents/_search", params={"query": "secret"})["total"] == {"value": 0, "relation": "eq"}
    assert new.get("/jobs") == []
    assert [label["name"] for label in new.get("/labels")] == []
    new.add(document("d1", "A new text."))
    assert new.get("/documents/d1")["text"] == "A new text."
    assert [hit["document"]["title"] for hit in new.post("/documents/_search")["hits"]] == ["D1"]


def test_a_job_of_the_old_project_does_not_continue_in_the_new(press: Corpus) -> None:
    """A job has its project's name in its arguments; the project that has the name now is another."""
    body = [document("late", "Sent before the project was deleted.")]
    started = press.post("/documents/_import_documents", json=body)
    _deleted(press)
    new = Corpus(press.caller, _made(press.caller, press.project.name), press.run_jobs)
    press.run_jobs()
    with unit_of_work(actor="tests", write=False) as unit:
        job = unit.session.get_one(Job, started["id"])
        assert (job.status, job.project_id) == ("FAILED", press.project.id)
    assert new.get("/documents/late", 404)["error"]
    assert new.get(f"/job/{started['id']}", 404)["error"]


def test_responses_stored_for_the_old_project_are_not_returned_in_the_new(press: Corpus) -> None:
    headers = {"Idempotency-Key": "one-of-mine"}
    body = {"label": "Place"}
    press.post("/labels", json=body, headers=headers)
    _deleted(press)
    new = Corpus(press.caller, _made(press.caller, press.project.name), press.run_jobs)
    new.post("/labels", json=body, headers=headers)
    assert [label["label"] for label in new.get("/labels")] == ["Place"]


def test_a_permission_on_the_old_project_grants_no_access_to_the_new(press: Corpus, as_user: Any, client: Any) -> None:
    """Permissions contain project names: they are deleted with the project."""
    paul = as_user(client, "paul", f"writeProject:{press.project.name}")
    assert paul.get(f"{press.path}/_info").status_code == 200
    _deleted(press)
    _made(press.caller, press.project.name)
    assert paul.get(f"{press.path}/_info").status_code == 404


def test_only_readers_of_the_old_project_are_notified_of_its_deletion(press: Corpus, as_user: Any, client: Any) -> None:
    """Live events contain project names too: those of the old project do not reach users who can read only the new
    one."""
    with listening(press.caller) as to_marie:
        _deleted(press)
        told = to_marie.receive_json()
        assert (told["mutation"], told["arg"]["type"], told["project"]) == ("project", "deleted", press.project.name)
    zoe = as_user(client, "zoe", "ProjectManager")
    _made(zoe, press.project.name)
    with listening(zoe) as to_zoe:
        with unit_of_work(actor="tests", write=True) as unit:
            unit.emit("project", {"type": "deleted"}, project=press.project.name, project_id=press.project.id)
            unit.emit("project", {"type": "updated"}, project=press.project.name)
        assert to_zoe.receive_json()["arg"] == {"type": "updated"}


def test_presence_ends_with_the_deleted_project(press: Corpus) -> None:
    with listening(press.caller) as socket:
        (connection,) = get_hub()._all()
        connection.location = Location(press.project.name, "d1", "window")
        _deleted(press)
        assert socket.receive_json()["arg"]["type"] == "deleted"
        assert connection.location is None
