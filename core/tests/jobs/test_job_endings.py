"""How one run of a job ends: the stored row, what is retried, and which events are emitted."""

from __future__ import annotations

import errno
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest
import structlog
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError, OperationalError, StatementError
from structlog.testing import capture_logs

from annotarium.db import disconnected
from annotarium.db.database import Database
from annotarium.db.disconnected import DatabaseUnavailable
from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import Event, unit_of_work
from annotarium.errors import AnnotariumError, InvalidInput
from annotarium.jobs import context as context_module
from annotarium.jobs import repository, run
from annotarium.jobs.context import JobContext, LeaseLost, job_function
from annotarium.jobs.run import run_job
from annotarium.jobs.scheduling import Preempted
from annotarium_plugins.base.component import Cancelled, ComponentError
from annotarium_schemas.messages import message

Work = Callable[[JobContext], Any]
_work: list[Work] = []


@job_function("test_endings")
def endings(context: JobContext) -> None:
    _work[0](context)


def add(job_id: str = "job", **columns: Any) -> str:
    values: dict[str, Any] = {"type": "UNSPECIFIED", "function": "test_endings", "created_by": "marie"}
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Job(id=job_id, **(values | columns)))
    return job_id


def read(job_id: str = "job") -> Job:
    with unit_of_work(actor="", write=False) as unit:
        job = unit.session.get_one(Job, job_id)
        unit.session.expunge_all()
        return job


def run_with(work: Work, **columns: Any) -> Job:
    """Run a job with this work; returns its row afterwards."""
    _work[:] = [work]
    run_job(add(**columns))
    return read()


def failing(error: BaseException) -> Work:
    def fail(_: JobContext) -> None:
        raise error

    return fail


# -- context of a run ------------------------------------------------------------------------------------------------


def test_a_run_gets_its_context_and_arguments_from_the_row(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    """The user, project, request and restriction, and the arguments by keyword."""
    seen: dict[str, Any] = {}

    @job_function("test_given", interrupted="resumes")
    def given(context: JobContext, first: int, second: str) -> None:
        with context.open("films") as call:
            seen.update(request=call.request_id, restriction=call.access.restriction_text, job=call.job_id)
        seen.update(arguments=(first, second), user=context.username, project=context.project_name)
        assert context.time_slice is not None
        seen.update(lane=context.time_slice.lane, log=structlog.contextvars.get_contextvars())
        monkeypatch.setattr(context_module.time, "monotonic", lambda: 1e9)
        seen["used up"] = context.time_slice.is_used_up()

    fences: list[int] = []
    monkeypatch.setattr(run, "on_claim", fences.append)
    with unit_of_work(actor="", write=False) as unit:
        project_id = unit.session.query(Project.id).scalar()
    restriction = '{"projectAccessMode":"write"}'
    columns = {"project_id": project_id, "request_id": "r1", "restriction": restriction, "queue": "long", "fence": 4}
    run_job(add("job", function="test_given", arguments={"first": 1, "second": "b"}, **columns))
    assert read().status == "COMPLETED", read().error
    assert seen == {
        "request": "r1",
        "restriction": restriction,
        "job": "job",
        "arguments": (1, "b"),
        "user": "marie",
        "project": "films",
        "lane": "long",
        "log": {"job_id": "job", "request_id": "r1"},
        "used up": True,
    }
    assert fences == [5]


def test_log_lines_of_a_run_carry_only_its_job_id(database: Database) -> None:
    seen: list[Any] = []
    structlog.contextvars.bind_contextvars(request_id="of another", left="over")
    run_with(lambda _: seen.append(structlog.contextvars.get_contextvars()))
    assert seen == [{"job_id": "job"}]
    assert structlog.contextvars.get_contextvars() == {}


def test_job_functions_are_loaded_on_first_use(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    loads: list[str] = []

    def load() -> None:
        loads.append("load")
        job_function("test_loaded_late")(lambda context: context.finish("late"))

    monkeypatch.setattr(run, "load_job_functions", load)
    assert (run_with(lambda _: None).status, loads) == ("COMPLETED", [])
    run_job(add("late", function="test_loaded_late"))
    assert (read("late").status_message, loads) == ("late", ["load"])


# -- which jobs are claimed ------------------------------------------------------------------------------------------


def test_a_waiting_job_that_was_cancelled_ends_and_is_announced(emitted_events: list[Event]) -> None:
    job = run_with(failing(AssertionError("it must not run")), cancel_requested=True)
    assert (job.state, job.status, job.attempts) == ("done", "CANCELLED", 0)
    assert [event.arg["status"] for event in emitted_events] == ["CANCELLED"]


@pytest.mark.parametrize("cancelled", [False, True])
@pytest.mark.parametrize(("state", "status"), [("running", "STARTED"), ("done", "COMPLETED")])
def test_a_job_that_runs_or_has_ended_is_left_alone(
    emitted_events: list[Event], state: str, status: str, cancelled: bool
) -> None:
    work = failing(AssertionError("it must not run"))
    job = run_with(work, state=state, status=status, cancel_requested=cancelled, fence=3)
    assert (job.state, job.status, job.fence, emitted_events) == (state, status, 3, [])


def test_a_job_that_another_run_gave_back_meanwhile_goes_on_waiting(
    emitted_events: list[Event], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It could not be taken, and when its row is read it waits again: nobody cancelled it."""
    monkeypatch.setattr(repository, "claim_job", lambda *_: False)
    job = run_with(failing(AssertionError("it must not run")))
    assert (job.state, job.status, emitted_events) == ("waiting", "STARTED", [])


def test_running_a_deleted_job_does_nothing(database: Database) -> None:
    run_job("absent")


# -- ends of a run ---------------------------------------------------------------------------------------------------


def test_a_good_end_has_result_and_sentence(emitted_events: list[Event]) -> None:
    sentence = message("job.example", "{count} done", count=2)
    with capture_logs() as logged:
        job = run_with(lambda context: context.finish(sentence, {"new": 2}))
    assert (job.state, job.status, job.status_message, job.result) == ("done", "COMPLETED", "2 done", {"new": 2})
    assert job.status_said == {"code": "job.example", "values": {"count": 2}}
    assert (job.error, [event.arg["status"] for event in emitted_events]) == (None, ["COMPLETED"])
    assert [line["status"] for line in logged if line["event"] == "job_ended"] == ["COMPLETED"]


def test_a_run_without_a_final_message_keeps_the_last_progress(database: Database) -> None:
    job = run_with(lambda context: context.progress(3, 3, "Reading the last file"))
    assert (job.status, job.status_message) == ("COMPLETED", "Reading the last file")


def test_a_cancelled_run_has_status_and_message(database: Database) -> None:
    job = run_with(failing(Cancelled()))
    assert (job.state, job.status, job.status_message, job.error) == ("done", "CANCELLED", "Cancelled", None)
    assert job.status_said == {"code": "job.cancelled", "values": {}}


def test_a_run_that_lost_its_job_writes_no_end(emitted_events: list[Event]) -> None:
    with capture_logs() as logged:
        job = run_with(failing(LeaseLost()))
    assert (job.state, job.status, job.completed_at, emitted_events) == ("running", "STARTED", None, [])
    assert {"job_lost", "job_ended"} & {line["event"] for line in logged} == {"job_lost"}


def test_the_end_of_a_run_whose_job_was_taken_away_is_not_written(emitted_events: list[Event]) -> None:
    def lose(context: JobContext) -> None:
        with unit_of_work(actor="", write=True) as unit:
            assert repository.revoke_run(unit.session, context.job_id, 1, state="waiting")

    with capture_logs() as logged:
        job = run_with(lose)
    assert (job.state, job.status, emitted_events) == ("waiting", "STARTED", [])
    assert {"job_lost", "job_ended"} & {line["event"] for line in logged} == {"job_lost"}


@pytest.mark.parametrize(("earlier", "attempts"), [(0, 0), (1, 1), (2, 2)])
def test_assigning_up_the_slot_is_no_failed_attempt(emitted_events: list[Event], earlier: int, attempts: int) -> None:
    """After three failed attempts a job is given up: turns must not count as such, and must not forgive any."""
    with capture_logs() as logged:
        job = run_with(failing(Preempted()), attempts=earlier)
    assert (job.state, job.status, job.queue, job.attempts) == ("waiting", "STARTED", "long", attempts)
    assert (emitted_events, [line["lane"] for line in logged if line["event"] == "job_preempted"]) == ([], ["long"])


@pytest.mark.parametrize(
    ("error", "expected"),
    [
        (
            InvalidInput(
                message("job.bad", "{name} is empty", name="a.txt"),
                cause="No bytes came",
                fix="Send a file",
                details=[{"field": "file", "message": "empty"}],
            ),
            {
                "code": 400,
                "error": "invalid_input",
                "message": "a.txt is empty",
                "cause": "No bytes came",
                "fix": "Send a file",
                "details": [{"field": "file", "message": "empty"}],
                "said": {"message": {"code": "job.bad", "values": {"name": "a.txt"}}},
            },
        ),
        (
            ComponentError("Nothing to learn from", cause="No labels", fix="Annotate first"),
            {
                "code": 422,
                "error": "component",
                "message": "Nothing to learn from",
                "cause": "No labels",
                "fix": "Annotate first",
            },
        ),
        (
            ComponentError("Nothing to learn from"),
            {"code": 422, "error": "component", "message": "Nothing to learn from", "cause": "Nothing to learn from"},
        ),
    ],
    ids=["refused", "component", "without advice"],
)
def test_a_refusal_is_stored_whole(emitted_events: list[Event], error: Exception, expected: dict[str, Any]) -> None:
    job = run_with(failing(error))
    assert (job.state, job.status, job.error) == ("done", "FAILED", expected)
    assert (job.status_message, [event.arg["error"] for event in emitted_events]) == (expected["message"], [expected])
    assert (job.status_said is not None) is ("said" in expected)


def test_an_unexpected_failure_has_an_error_id_that_is_logged(database: Database) -> None:
    with capture_logs() as logged:
        job = run_with(failing(KeyError("internals")))
    assert job.error is not None
    assert re.fullmatch("[0-9a-f]{16}", job.error["errorId"])
    assert (job.status, job.error["code"], job.error["error"]) == ("FAILED", 500, "unexpected")
    assert job.error["errorId"] in job.error["fix"]
    (line,) = [line for line in logged if line["event"] == "job_failed_unexpectedly"]
    assert (line["error_id"], type(line["exc_info"])) == (job.error["errorId"], KeyError)


def test_a_full_disk_has_its_own_message(database: Database) -> None:
    job = run_with(failing(OSError(errno.ENOSPC, "no space left")))
    assert job.error is not None
    assert (job.status, job.error["code"], job.error["error"]) == ("FAILED", 503, "unavailable")
    assert job.error["said"]["message"]["code"] == "server.full"
    assert set(job.error) == {"code", "error", "message", "cause", "fix", "said"}


def test_a_job_timeout_names_the_setting(database: Database) -> None:
    """The queue raises its timeout wherever the function is; the exception is recognised by the name of its class."""
    job = run_with(failing(type("JobTimeoutException", (Exception,), {})()))
    assert job.error is not None
    assert (job.status, job.error["code"], job.error["error"]) == ("FAILED", 504, "timeout")
    assert "ANNOTARIUM_JOB_TIMEOUT" in job.error["fix"]
    assert "errorId" not in job.error


# -- serialization failures, outages and refusals of the database -----------------------------------------------------


def postgresql_error(state: str | None, kind: type[DBAPIError] = OperationalError) -> DBAPIError:
    """Return an error as the driver of PostgreSQL raises it, with its code; None when there is no connection."""
    return kind("", {}, type("OfDriver", (Exception,), {"sqlstate": state})())


class Failures:
    """Work that raises this error in its first attempts."""

    def __init__(self, error: Callable[[], Exception], times: int) -> None:
        self._error, self._times, self.tries = error, times, 0

    def __call__(self, context: JobContext) -> None:
        self.tries += 1
        if self.tries > 20:
            raise AssertionError("it is tried for ever")
        if self.tries <= self._times:
            raise self._error()


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Replace waiting by recording the seconds."""
    found: list[float] = []
    monkeypatch.setattr(disconnected.time, "sleep", found.append)
    return found


@pytest.mark.parametrize(
    ("chance", "expected"), [(lambda _: 0, [0.1, 0.5, 2.0]), (lambda below: below - 1, [0.199, 0.995, 3.98])]
)
def test_serialization_failures_are_retried_with_growing_pauses(
    database: Database,
    pauses: list[float],
    monkeypatch: pytest.MonkeyPatch,
    chance: Callable[[int], int],
    expected: list[float],
) -> None:
    """Each pause is randomly up to twice as long, so that two jobs do not collide again at the same time."""
    monkeypatch.setattr(run.secrets, "randbelow", chance)
    work = Failures(lambda: postgresql_error("40001"), 3)
    assert (run_with(work).status, work.tries) == ("COMPLETED", 4)
    assert pauses == pytest.approx(expected)


def test_repeated_serialization_failures_fail_the_job_with_the_database_error(
    database: Database, pauses: list[float]
) -> None:
    work = Failures(lambda: postgresql_error("40P01"), 100)
    with capture_logs() as logged:
        job = run_with(work)
    assert (job.status, work.tries, len(pauses)) == ("FAILED", 4, 3)
    (line,) = [line for line in logged if line["event"] == "job_failed_unexpectedly"]
    assert isinstance(line["exc_info"], OperationalError)


def test_permanent_database_errors_are_not_retried(database: Database, pauses: list[float]) -> None:
    work = Failures(lambda: postgresql_error("23505", IntegrityError), 100)
    assert (run_with(work).status, work.tries, pauses) == ("FAILED", 1, [])


class Outage:
    """A database outage while the runner waits."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers: list[Exception] = []
        self.asked = 0
        honest = run.unit_of_work

        @contextmanager
        def unit(*, actor: str, write: bool) -> Iterator[Any]:
            if write:
                with honest(actor=actor, write=write) as opened:
                    yield opened
            else:
                yield SimpleNamespace(session=SimpleNamespace(connection=self._connect))

        monkeypatch.setattr(run, "unit_of_work", unit)

    def _connect(self) -> None:
        self.asked += 1
        if self.answers:
            raise self.answers.pop(0)


@pytest.fixture
def outage(database: Database, pauses: list[float], monkeypatch: pytest.MonkeyPatch) -> Outage:
    return Outage(monkeypatch)


def test_a_job_resumes_when_the_database_is_available_again(outage: Outage, pauses: list[float]) -> None:
    outage.answers = [postgresql_error("57P03"), DatabaseUnavailable()]
    work = Failures(DatabaseUnavailable, 1)
    assert (run_with(work).status, work.tries) == ("COMPLETED", 2)
    assert (outage.asked, len(pauses)) == (3, 3)


def test_a_database_that_refuses_connections_is_not_waited_for(outage: Outage) -> None:
    """For example after a password change: waiting does not help."""
    outage.answers = [postgresql_error("28P01")]
    work = Failures(DatabaseUnavailable, 1)
    assert (run_with(work).status, work.tries, outage.asked) == ("FAILED", 1, 1)


def test_repeated_outages_fail_the_job(outage: Outage) -> None:
    work = Failures(DatabaseUnavailable, 100)
    job = run_with(work)
    assert job.error is not None
    assert (job.status, job.error["code"], work.tries) == ("FAILED", 503, run._OUTAGES + 1)


def test_a_long_outage_fails_the_job(outage: Outage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_OUTAGE_SECONDS", -1.0)
    work = Failures(DatabaseUnavailable, 100)
    assert (run_with(work).status, work.tries, outage.asked) == ("FAILED", 1, 0)


class Ends:
    """The end of a job, which cannot be written in the first attempts."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.errors: list[Exception] = []
        self.tried: list[str] = []
        honest = JobContext.end

        def end(context: JobContext, status: str, **values: Any) -> bool:
            self.tried.append(status)
            if self.errors:
                raise self.errors.pop(0)
            return honest(context, status, **values)

        monkeypatch.setattr(JobContext, "end", end)


@pytest.fixture
def ends(database: Database, monkeypatch: pytest.MonkeyPatch) -> Ends:
    return Ends(monkeypatch)


def test_the_end_of_a_job_is_written_after_an_outage(ends: Ends, outage: Outage) -> None:
    """The work is done: it must not be repeated because of a short outage."""
    ends.errors = [DatabaseUnavailable(), postgresql_error("57P01")]
    runs: list[int] = []
    job = run_with(lambda _: runs.append(1))
    assert (job.status, ends.tried, runs) == ("COMPLETED", ["COMPLETED"] * 3, [1])
    assert outage.asked == 2


def test_an_end_that_cannot_be_written_is_left_to_the_reconciler(ends: Ends, outage: Outage) -> None:
    ends.errors = [DatabaseUnavailable() for _ in range(20)]
    with pytest.raises(DatabaseUnavailable):
        run_with(lambda _: None)
    assert (read().state, read().status) == ("running", "STARTED")
    assert len(ends.tried) == run._OUTAGES + 1


@pytest.mark.parametrize(
    "error",
    [
        postgresql_error("22P05", DataError),
        StatementError("not to be written as JSON", "", {}, None),
        ValueError("a lone surrogate"),
        TypeError("no JSON"),
    ],
    ids=lambda error: type(error).__name__,
)
def test_a_result_that_cannot_be_stored_fails_the_job(ends: Ends, error: Exception) -> None:
    """Otherwise the job would run again and again with the same error."""
    ends.errors = [error]
    job = run_with(lambda context: context.finish("Done", {"new": 1}))
    assert (job.state, job.status, job.result, ends.tried) == ("done", "FAILED", None, ["COMPLETED", "FAILED"])
    assert job.error is not None and job.error["code"] == 500


def test_other_database_errors_on_the_end_leave_the_job_to_the_reconciler(ends: Ends, outage: Outage) -> None:
    """The result is valid: another run may store it."""
    ends.errors = [postgresql_error("42501")]
    with pytest.raises(OperationalError):
        run_with(lambda _: None)
    assert (read().state, ends.tried, outage.asked) == ("running", ["COMPLETED"], 0)
    assert structlog.contextvars.get_contextvars() == {}


def test_an_application_error_is_not_an_unexpected_failure(database: Database) -> None:
    """An error of the application keeps its own status, whatever its class."""
    job = run_with(failing(AnnotariumError("Broken", cause="x", fix="y")))
    assert job.error == {"code": 500, "error": "unexpected", "message": "Broken", "cause": "x", "fix": "y"}
