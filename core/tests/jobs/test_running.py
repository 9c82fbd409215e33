"""Jobs without a queue server: rows, runs, ends."""

from __future__ import annotations

import sys
from typing import Any

import pytest
from sqlalchemy.exc import OperationalError

from annotarium.access.repository import find_project
from annotarium.db import disconnected
from annotarium.db.database import Database
from annotarium.db.disconnected import DatabaseUnavailable
from annotarium.db.models import Job, JobItem, Label, LabelSet, Project, User
from annotarium.db.unit_of_work import Event, UnitOfWork, unit_of_work
from annotarium.errors import InvalidInput
from annotarium.jobs import context as context_module
from annotarium.jobs import repository
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.run import run_job
from annotarium.jobs.testing import run_pending_jobs
from annotarium_plugins.base.component import ComponentError


@job_function("test_steps")
def steps(context: JobContext, items: list[str]) -> None:
    done = context.done_items()
    for ordinal, item in enumerate(items):
        context.progress(ordinal, len(items), f"At {item}")
        if item in done:
            continue
        with context.open("films") as call:
            context.report(call, item, "imported", ordinal=ordinal)
    context.finish(message=f"{len(items)} done", result={"new": len(items) - len(done)})


@job_function("test_failure")
def failure(context: JobContext, kind: str) -> None:
    if kind == "known":
        raise InvalidInput("The file is empty", cause="No bytes came", fix="Send a file")
    if kind == "component":
        raise ComponentError("Nothing to learn from", fix="Annotate first")
    if kind == "exit":
        sys.exit(3)
    if kind == "result":
        context.finish(message="Done", result={"text": "half of a \ud83d"})
        return
    raise KeyError("a secret detail")


class ConnectionLost(Exception):
    """What the driver of PostgreSQL raises when there is no connection."""

    sqlstate = None


def start(function: str, user: str = "marie", **arguments: Any) -> str:
    with unit_of_work(actor=user, write=True) as unit:
        project = find_project(unit.session, "films")
        job = start_job(
            unit,
            type="DOC_IMPORT",
            function=function,
            arguments=arguments,
            project=project,
            created_by=user,
            description="Test",
        )
        return job.id


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        found = repository.find_job(unit.session, job_id)
        assert found is not None
        unit.session.expunge_all()  # a reading unit ends with a rollback, which would expire the row
        return found[0]


def test_a_job_is_stored_before_it_runs_and_ends_once(database: Database) -> None:
    """C-083."""
    job_id = start("test_steps", items=["a", "b"])
    waiting = read(job_id)
    assert (waiting.status, waiting.state, waiting.attempts) == ("STARTED", "waiting", 0)
    assert run_pending_jobs() == [job_id]
    job = read(job_id)
    assert (job.status, job.state, job.status_message, job.result) == ("COMPLETED", "done", "2 done", {"new": 2})
    assert job.completed_at is not None and job.attempts == 1 and job.fence == 1
    run_job(job_id)
    assert read(job_id).attempts == 1


def test_nothing_is_started_when_the_transaction_fails(database: Database) -> None:
    def fail_after_start() -> None:
        with unit_of_work(actor="marie", write=True) as unit:
            start_job(unit, type="DOC_IMPORT", function="x", arguments={}, project=None, created_by="marie")
            raise ValueError

    with pytest.raises(ValueError):
        fail_after_start()
    assert run_pending_jobs() == []


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("known", {"code": 400, "message": "The file is empty", "cause": "No bytes came", "fix": "Send a file"}),
        ("component", {"message": "Nothing to learn from", "fix": "Annotate first", "error": "component"}),
        ("unknown", {"code": 500, "error": "unexpected"}),
        ("exit", {"code": 500, "error": "unexpected"}),
        ("result", {"code": 500, "error": "unexpected"}),
    ],
)
def test_a_failure_is_stored_with_a_message(database: Database, kind: str, expected: dict[str, Any]) -> None:
    job_id = start("test_failure", kind=kind)
    run_pending_jobs()
    job = read(job_id)
    assert job.status == "FAILED" and job.error is not None
    assert expected.items() <= job.error.items()
    assert "secret" not in str(job.error)
    assert kind != "unknown" or job.error["errorId"] in job.error["fix"]


def test_an_unknown_function_fails_with_a_message(database: Database) -> None:
    job_id = start("nobody_has_this")
    run_pending_jobs()
    assert "another version" in str(read(job_id).error)


def test_a_second_run_skips_the_steps_of_the_first(database: Database) -> None:
    job_id = start("test_steps", items=["a", "b", "c"])
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(JobItem(job_id=job_id, item="a", outcome="imported"))
    run_pending_jobs()
    assert read(job_id).result == {"new": 2}


def test_a_run_that_lost_its_job_cannot_write(database: Database) -> None:
    with_label: list[int] = []

    @job_function("test_zombie")
    def zombie(context: JobContext) -> None:
        with context.open("films") as call:
            label_set = LabelSet(project_id=call.project.id, name="s", label="s")
            call.session.add(label_set)
            call.session.flush()
            # Another run takes over the job while this one is in the middle of its work.
            assert repository.revoke_run(call.session, context.job_id, 1, state="waiting")
            with_label.append(label_set.id)

    job_id = start("test_zombie")
    run_job(job_id)
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get(LabelSet, with_label[0]) is None
    assert read(job_id).status == "STARTED"


def test_cancelling_is_noticed_by_progress(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(context_module, "PROGRESS_SECONDS", 0.0)
    seen: list[int] = []

    @job_function("test_cancelled")
    def cancelled(context: JobContext) -> None:
        for step in range(5):
            context.progress(step, 5, "working")
            seen.append(step)
            if step == 2:
                with unit_of_work(actor="", write=True) as unit:
                    repository.request_cancel(unit.session, context.job_id)

    job_id = start("test_cancelled")
    run_job(job_id)
    assert read(job_id).status == "CANCELLED" and seen == [0, 1, 2]


def test_progress_is_throttled_and_sent(emitted_events: list[Event]) -> None:
    @job_function("test_busy")
    def busy(context: JobContext) -> None:
        for step in range(500):
            context.progress(step, 500, f"step {step}")

    job_id = start("test_busy")
    run_job(job_id)
    states = [
        (event.arg["status"], event.arg["currentStepCount"]) for event in emitted_events if event.mutation == "job"
    ]
    assert states[0] == ("STARTED", 0) and states[-1] == ("COMPLETED", 500)
    assert len(states) <= 5
    assert {event.project for event in emitted_events} == {"films"}
    assert read(job_id).total_steps == 500


def test_progress_within_a_writing_transaction_is_deferred(database: Database) -> None:
    @job_function("test_inside")
    def inside(context: JobContext) -> None:
        with context.open("films"):
            context.progress(3, 4, "inside")
        job = read(context.job_id)
        assert (job.current_step, job.status_message) == (3, "inside")

    job_id = start("test_inside")
    run_job(job_id)
    assert read(job_id).status == "COMPLETED", read(job_id).error


@pytest.mark.parametrize("change", ["disabled", "not the owner"])
def test_rights_are_read_again_in_each_transaction(database: Database, change: str) -> None:
    def take_right(unit: UnitOfWork) -> None:
        project = find_project(unit.session, "films")
        assert project is not None
        owner = unit.session.get_one(User, project.owner_id)
        if change == "disabled":
            owner.disabled = True
        else:
            project.owner_id = None

    @job_function("test_rights")
    def rights(context: JobContext) -> None:
        with context.open("films") as call:
            call.session.add(Label(project_id=call.project.id, name="one", label="one", label_set_id=None))
            call.session.rollback()
        with unit_of_work(actor="", write=True) as unit:
            take_right(unit)
        with context.open("films"):
            raise AssertionError("the second transaction must not open")

    job_id = start("test_rights")
    run_job(job_id)
    assert read(job_id).status == "FAILED"
    assert read(job_id).error is not None and read(job_id).error["code"] in (403, 404)  # type: ignore[index]


def test_a_job_without_a_user_may_open_every_project(database: Database) -> None:
    @job_function("test_system")
    def system(context: JobContext) -> None:
        with context.open("films") as call:
            assert isinstance(call.project, Project)

    job_id = start("test_system", user="")
    run_job(job_id)
    assert read(job_id).status == "COMPLETED"


def test_a_job_continues_after_a_database_outage(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(disconnected.time, "sleep", lambda _: None)
    troubles: list[Exception] = [OperationalError("", {}, ConnectionLost()), DatabaseUnavailable()]
    tries: list[int] = []

    @job_function("test_away")
    def goes_on(context: JobContext) -> None:
        tries.append(len(context.done_items()))
        with context.open("films") as call:
            context.report(call, str(len(tries)), "imported")
        if troubles:
            raise troubles.pop()

    honest = JobContext.end

    def end(context: JobContext, status: str, **values: Any) -> bool:
        if len(ends) == 0:
            ends.append(status)
            raise DatabaseUnavailable
        return honest(context, status, **values)

    ends: list[str] = []
    monkeypatch.setattr(JobContext, "end", end)
    job_id = start("test_away")
    run_job(job_id)
    job = read(job_id)
    assert (job.status, job.attempts, tries, ends) == ("COMPLETED", 1, [0, 1, 2], ["COMPLETED"])
