"""What is stored when a job is started, which events are emitted, and when the queue is notified."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
import structlog

from annotarium.access.repository import find_project
from annotarium.db.database import Database
from annotarium.db.models import Job, JobMail, Project
from annotarium.db.unit_of_work import Event, UnitOfWork, unit_of_work
from annotarium.jobs import job_creation, repository
from annotarium.jobs.job_creation import LONG_STEPS, add_finished_job, start_job
from annotarium.settings import get_settings
from annotarium.system.lanes import Lane
from annotarium_schemas.messages import message

DESCRIPTION = message("job.example", "Training {name}", name="Names")
SAID = {"code": "job.example", "values": {"name": "Names"}}


@pytest.fixture
def pushed(database: Database, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """Collect what was pushed to the queue: job and lane."""
    found: list[tuple[str, str]] = []
    monkeypatch.setattr(job_creation, "push_job", lambda job_id, lane: found.append((job_id, lane)))
    return found


@pytest.fixture
def request_id() -> Iterator[str]:
    """Bind the id of the current request in the log context."""
    structlog.contextvars.clear_contextvars()
    structlog.contextvars.bind_contextvars(request_id="r1")
    yield "r1"
    structlog.contextvars.clear_contextvars()


def films(unit: UnitOfWork) -> Project:
    project = find_project(unit.session, "films")
    assert project is not None
    return project


def start(unit: UnitOfWork, **values: Any) -> Job:
    common: dict[str, Any] = {"type": "DOC_IMPORT", "function": "f", "arguments": {}, "project": None}
    return start_job(unit, **(common | {"created_by": "marie"} | values))


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        job = unit.session.get_one(Job, job_id)
        unit.session.expunge_all()
        return job


def columns(job_id: str, *names: str) -> dict[str, Any]:
    job = read(job_id)
    return {name: getattr(job, name) for name in names}


def test_everything_a_run_needs_is_stored(
    pushed: list[tuple[str, str]], emitted_events: list[Event], request_id: str
) -> None:
    asked: dict[str, Any] = {
        "type": "EXPERIMENT_TRAINING",
        "function": "train",
        "arguments": {"name": "names"},
        "created_by": "marie",
        "total_steps": 7,
        "undoable": True,
        "parameters": {"train": {"iterations": 3}},
        "upload_ids": ["4", "5"],
    }
    with unit_of_work(actor="marie", write=True) as unit:
        unit.restriction = '{"projectAccessMode":"write"}'
        project = films(unit)
        job = start(unit, **asked, project=project, queue="heavy", description=DESCRIPTION)
        assert job.created_at, "the answer to the caller needs it before the commit"
        job_id, project_id = job.id, project.id
    expected = asked | {
        "project_id": project_id,
        "queue": "heavy",
        "description": "Training Names",
        "description_said": SAID,
        "status": "STARTED",
        "state": "waiting",
        "current_step": 0,
        "request_id": request_id,
        "restriction": '{"projectAccessMode":"write"}',
    }
    assert columns(job_id, *expected) == expected
    (event,) = emitted_events
    assert (event.mutation, event.project, event.arg["id"]) == ("job", "films", job_id)
    assert (event.arg["createdAt"], event.arg["totalStepCount"]) == (read(job_id).created_at, 7)


def test_what_is_left_out_has_plain_defaults(pushed: list[tuple[str, str]], emitted_events: list[Event]) -> None:
    structlog.contextvars.clear_contextvars()
    with unit_of_work(actor="marie", write=True) as unit:
        job_id = start(unit).id
        assert start(unit, description="Plain words").description_said is None
    expected = {
        "project_id": None,
        "queue": "default",
        "description": "",
        "description_said": None,
        "total_steps": 0,
        "undoable": False,
        "parameters": None,
        "upload_ids": [],
        "request_id": None,
        "restriction": "",
    }
    assert columns(job_id, *expected) == expected
    assert {(event.user, event.project) for event in emitted_events} == {("marie", None)}


def test_a_job_without_a_user_is_not_restricted_by_its_call(
    pushed: list[tuple[str, str]],
) -> None:
    with unit_of_work(actor="marie", write=True) as unit:
        unit.restriction = '{"projectAccessMode":"read"}'
        job_id = start(unit, created_by="").id
    assert read(job_id).restriction == ""


def test_a_job_is_pushed_after_the_commit(pushed: list[tuple[str, str]]) -> None:
    """A worker that takes the job earlier would not find its row."""
    with unit_of_work(actor="marie", write=True) as unit:
        job_id = start(unit, queue="heavy").id
        assert pushed == []
    assert pushed == [(job_id, "heavy")]


def test_an_unreachable_queue_loses_no_job(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    def down(*_: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(job_creation, "push_job", down)
    with unit_of_work(actor="marie", write=True) as unit:
        job_id = start(unit).id
    assert read(job_id).state == "waiting"


@pytest.mark.parametrize(
    ("asked", "steps", "lane"),
    [
        ("default", LONG_STEPS, "default"),
        ("default", LONG_STEPS + 1, "long"),
        ("long", 0, "long"),
        ("heavy", LONG_STEPS + 1, "heavy"),
        ("interactive", LONG_STEPS + 1, "interactive"),
    ],
)
def test_only_long_jobs_of_the_default_lane_change_their_lane(
    pushed: list[tuple[str, str]], asked: Lane, steps: int, lane: str
) -> None:
    with unit_of_work(actor="marie", write=True) as unit:
        job_id = start(unit, queue=asked, total_steps=steps).id
    assert (read(job_id).queue, pushed) == (lane, [(job_id, lane)])


@pytest.mark.parametrize("given", [None, {"train": 1}])
@pytest.mark.parametrize("language", [None, "fr"])
@pytest.mark.parametrize("host", ["", "mail.example.org"])
def test_an_e_mail_is_stored_if_requested_and_a_mail_server_is_configured(
    pushed: list[tuple[str, str]],
    monkeypatch: pytest.MonkeyPatch,
    host: str,
    language: str | None,
    given: dict[str, Any] | None,
) -> None:
    if host:
        monkeypatch.setenv("ANNOTARIUM_SMTP_HOST", host)
        monkeypatch.setenv("ANNOTARIUM_MAIL_SENDER", "studio@example.org")
        monkeypatch.setenv("ANNOTARIUM_PUBLIC_ADDRESS", "https://studio.example.org")
    get_settings.cache_clear()
    with unit_of_work(actor="marie", write=True) as unit:
        job_id = start(unit, mail_in=language, parameters=given).id
    said = {"email_notification": bool(host)} if language else {}
    assert read(job_id).parameters == ({**(given or {}), **said} if given or said else None)
    with unit_of_work(actor="", write=False) as unit:
        mails = [(mail.job_id, mail.language, mail.due_at) for mail in unit.session.query(JobMail)]
    assert mails == ([(job_id, "fr", None)] if host and language else [])


@pytest.mark.parametrize(("result", "steps"), [({"changes": 3}, 3), ({}, 0)])
def test_work_that_was_done_at_once_is_a_job_that_has_ended(
    pushed: list[tuple[str, str]], emitted_events: list[Event], result: dict[str, Any], steps: int
) -> None:
    """It is listed, announced and undone like any other, and no worker runs it."""
    asked: dict[str, Any] = {"type": "UNSPECIFIED", "function": "retag", "arguments": {"a": 1}, "result": result}
    with unit_of_work(actor="marie", write=True) as unit:
        project = films(unit)
        made = add_finished_job(unit, id="j1", project=project, created_by="marie", description=DESCRIPTION, **asked)
        assert made.id == "j1"
        project_id = project.id
    job = read("j1")
    expected = asked | {
        "project_id": project_id,
        "created_by": "marie",
        "description": "Training Names",
        "description_said": SAID,
        "status": "COMPLETED",
        "state": "done",
        "undoable": True,
        "current_step": steps,
        "total_steps": steps,
        "upload_ids": [],
    }
    assert columns("j1", *expected) == expected
    assert job.created_at == job.started_at == job.completed_at
    assert job.completed_at
    (event,) = emitted_events
    assert (event.project, event.arg["status"], event.arg["undoable"]) == ("films", "COMPLETED", True)
    with unit_of_work(actor="", write=False) as unit:
        assert repository.list_waiting_jobs(unit.session, job.created_at) == []
    assert pushed == []
