"""Effects of a cancellation request on a job, by its state, and on the queue."""

from __future__ import annotations

from typing import Any

import pytest
import rq.command
from rq.serializers import JSONSerializer
from support.job_rows import add_running_job as add

from annotarium.db.database import Database
from annotarium.db.models import Job
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.jobs import cancellation
from annotarium.jobs.cancellation import kill_job_run, request_job_cancellation


@pytest.fixture
def removed_from_queue(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Collect the ids of jobs that are removed from the queue."""
    found: list[str] = []
    monkeypatch.setattr(cancellation, "remove_job_from_queue", found.append)
    return found


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        return unit.session.get_one(Job, job_id)


def cancel(job_id: str) -> bool:
    with unit_of_work(actor="", write=True) as unit:
        return request_job_cancellation(unit, job_id)


def test_a_waiting_job_ends_at_once_and_leaves_the_queue(
    emitted_events: list[Event], removed_from_queue: list[str]
) -> None:
    add("waits", state="waiting", created_by="marie")
    assert cancel("waits") is True
    job = read("waits")
    assert (job.state, job.status, job.status_message) == ("done", "CANCELLED", "Cancelled")
    assert job.status_said == {"code": "job.cancelled", "values": {}}
    assert [(event.mutation, event.user, event.arg["status"]) for event in emitted_events] == [
        ("job", "marie", "CANCELLED")
    ]
    assert removed_from_queue == ["waits"]


def test_a_running_job_is_only_requested(emitted_events: list[Event], removed_from_queue: list[str]) -> None:
    add("runs", created_by="marie")
    assert cancel("runs") is True
    assert (read("runs").state, read("runs").status, read("runs").cancel_requested) == ("running", "STARTED", True)
    assert (emitted_events, removed_from_queue) == ([], [])


def test_a_job_that_has_ended_keeps_its_end(emitted_events: list[Event], removed_from_queue: list[str]) -> None:
    add("ended", state="done", status="COMPLETED", created_by="marie")
    assert cancel("ended") is False
    assert (read("ended").status, read("ended").cancel_requested) == ("COMPLETED", False)
    assert cancel("absent") is False
    assert (emitted_events, removed_from_queue) == ([], [])


def test_a_cancellation_rolled_back_leaves_the_job_in_the_queue(
    database: Database, removed_from_queue: list[str]
) -> None:
    add("waits", state="waiting")

    def cancel_and_fail() -> None:
        with unit_of_work(actor="", write=True) as unit:
            assert request_job_cancellation(unit, "waits")
            assert removed_from_queue == [], "the queue hears of it after the commit only"
            raise ValueError

    with pytest.raises(ValueError):
        cancel_and_fail()
    assert (read("waits").state, removed_from_queue) == ("waiting", [])


def test_a_run_is_killed_through_the_queue_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """A queue that fails, or no longer knows the run, is not an error: the fence keeps a surviving run from writing."""
    connection, killed = object(), list[Any]()

    def stop(*arguments: Any, **options: Any) -> None:
        killed.append((*arguments, options))
        if arguments[1] == "gone":
            raise ConnectionError

    monkeypatch.setattr(rq.command, "send_stop_job_command", stop)
    monkeypatch.setattr(cancellation, "get_redis", lambda: None)
    kill_job_run("nowhere")
    assert killed == []
    monkeypatch.setattr(cancellation, "get_redis", lambda: connection)
    kill_job_run("runs")
    kill_job_run("gone")
    options = {"serializer": JSONSerializer}
    assert killed == [(connection, "runs", options), (connection, "gone", options)]
