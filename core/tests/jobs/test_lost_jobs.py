"""Which jobs the reconciler treats as lost, and which it leaves alone because a worker owns them."""

from __future__ import annotations

from typing import Any

import pytest
from support.job_rows import add_running_job as add

from annotarium.db.database import Database
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job, Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import reconciler as module
from annotarium.jobs import repository
from annotarium.jobs.reconciler import CANCEL_SECONDS, TAKEN_SECONDS, Reconciler, settle_ended_run


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        return unit.session.get_one(Job, job_id)


class Queue:
    """A queue as the reconciler sees it: queued jobs, jobs taken by a living worker, pushed jobs."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.queued: set[str] = set()
        self.taken: set[str] = set()
        self.pushed: list[tuple[str, str]] = []
        self.forgotten: list[str] = []
        self.killed: list[str] = []
        monkeypatch.setattr(module, "get_redis", lambda: self)
        monkeypatch.setattr(module, "list_queued", lambda: set(self.queued))
        monkeypatch.setattr(module, "is_taken_by_live_worker", lambda job_id: job_id in self.taken)
        monkeypatch.setattr(module, "push_job", lambda job_id, lane: self.pushed.append((job_id, lane)))
        monkeypatch.setattr(module, "remove_job_from_queue", self.forgotten.append)
        monkeypatch.setattr(module, "kill_job_run", self.killed.append)


@pytest.fixture
def queue(database: Database, monkeypatch: pytest.MonkeyPatch) -> Queue:
    return Queue(monkeypatch)


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = 1_000.0
        monkeypatch.setattr(module.time, "monotonic", lambda: self.now)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def waiting(job_id: str, **columns: Any) -> str:
    values = {"state": "waiting", "lease_until": None, "created_at": now_ms() - 10_000, "queue": "default"}
    return add(job_id, **(values | columns))


def test_a_lease_renewed_in_the_meantime_is_not_revoked(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The run renewed its lease after the lost jobs were listed: it continues."""
    add("slow")
    listed = repository.list_lost_jobs

    def list_and_renew(*arguments: Any) -> list[Job]:
        found = listed(*arguments)
        with unit_of_work(actor="", write=True) as unit:
            assert repository.renew_lease(unit.session, "slow", 1)
        return found

    monkeypatch.setattr(repository, "list_lost_jobs", list_and_renew)
    Reconciler().tick()
    assert (read("slow").state, read("slow").fence, queue.pushed) == ("running", 1, [])


def test_a_lease_ending_exactly_now_is_still_valid(queue: Queue) -> None:
    add("exact", lease_until=5_000)
    Reconciler().requeue_lost(before=5_000)
    assert read("exact").state == "running"
    assert Reconciler().requeue_lost(before=5_001) == 1
    assert (read("exact").state, queue.pushed) == ("waiting", [("exact", "default")])


def test_a_job_taken_by_a_living_worker_is_not_pushed_again(queue: Queue, clock: Clock) -> None:
    """The worker has some time to begin. Then the job is pushed once, and the time starts again."""
    waiting("taken")
    queue.taken.add("taken")
    reconciler = Reconciler()
    for second in range(int(TAKEN_SECONDS)):
        clock.now = 1_000.0 + second
        reconciler.push_missing()
    assert queue.pushed == []
    clock.now = 1_000.0 + TAKEN_SECONDS
    reconciler.push_missing()
    assert (queue.pushed, queue.forgotten) == ([("taken", "default")], ["taken"])
    reconciler.push_missing()
    assert len(queue.pushed) == 1


def test_a_job_absent_from_the_queue_twice_in_a_row_is_pushed(queue: Queue, clock: Clock) -> None:
    waiting("missing", queue="training")
    waiting("queued")
    queue.queued.add("queued")
    reconciler = Reconciler()
    reconciler.push_missing()
    assert queue.pushed == []
    reconciler.push_missing()
    assert queue.pushed == [("missing", "training")]
    reconciler.push_missing()
    assert len(queue.pushed) == 1, "after a push it counts anew"
    reconciler.push_missing()
    assert len(queue.pushed) == 2


def test_a_job_that_reappears_in_the_queue_is_not_pushed(queue: Queue, clock: Clock) -> None:
    waiting("blinking")
    reconciler = Reconciler()
    for present in (False, True, False, True):
        queue.queued = {"blinking"} if present else set()
        reconciler.push_missing()
    assert queue.pushed == []


def test_missing_jobs_are_forgotten_when_no_job_waits(queue: Queue, clock: Clock) -> None:
    waiting("one")
    reconciler = Reconciler()
    reconciler.push_missing()
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Job, "one").state = "done"
    reconciler.push_missing()
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Job, "one").state = "waiting"
    reconciler.push_missing()
    assert queue.pushed == []


def test_a_young_job_is_not_pushed_again(queue: Queue, clock: Clock) -> None:
    waiting("young", created_at=now_ms() + 60_000)  # stays young however slow the machine is
    reconciler = Reconciler()
    for _ in range(3):
        reconciler.push_missing()
    assert queue.pushed == []


def test_recovery_pushes_every_waiting_job(queue: Queue) -> None:
    waiting("old")
    waiting("young", created_at=now_ms())
    add("alive", lease_until=now_ms() + 60_000)
    assert Reconciler().recover() == 1
    assert {job_id for job_id, _ in queue.pushed} == {"old", "young", "alive"}


def test_a_cancelled_job_is_killed_after_a_grace_period(
    queue: Queue, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    alive = now_ms() + 60_000
    with unit_of_work(actor="", write=True) as unit:
        project = unit.session.query(Project).one()
    add("deaf", cancel_requested=True, lease_until=alive, project_id=project.id)
    add("working", lease_until=alive)
    told: list[tuple[str, Any]] = []
    monkeypatch.setattr(module, "emit_job", lambda _unit, job, of: told.append((job.id, of and of.name)))
    reconciler = Reconciler()
    reconciler.kill_unresponsive()
    clock.now += CANCEL_SECONDS - 0.1
    reconciler.kill_unresponsive()
    assert (queue.killed, read("deaf").state) == ([], "running")
    clock.now += 0.1
    reconciler.kill_unresponsive()
    assert (queue.killed, read("deaf").state, read("deaf").status) == (["deaf"], "done", "CANCELLED")
    assert (read("deaf").fence, told) == (2, [("deaf", "films")])
    assert read("deaf").completed_at
    assert read("working").state == "running"
    reconciler.kill_unresponsive()
    assert queue.killed == ["deaf"]


@pytest.mark.parametrize(
    ("fence", "columns", "state", "pushed"),
    [
        (1, {}, "waiting", True),
        (None, {}, "waiting", True),
        (2, {}, "running", False),
        (1, {"cancel_requested": True}, "done", False),
        (1, {"attempts": repository.ATTEMPTS_MAX}, "done", False),
        (1, {"attempts": repository.ATTEMPTS_MAX - 1}, "waiting", True),
        (1, {"state": "waiting"}, "waiting", True),
        (1, {"state": "done"}, "done", False),
    ],
    ids=["its run", "any run", "an earlier run", "cancelled", "last attempt", "one left", "waits", "done"],
)
def test_a_run_whose_process_ended_is_settled_immediately(
    queue: Queue, fence: int | None, columns: dict[str, Any], state: str, pushed: bool
) -> None:
    """Whatever its lease: no process is left to renew it."""
    add("job", **({"lease_until": now_ms() + 60_000} | columns))
    settle_ended_run("job", fence)
    assert (read("job").state, queue.pushed) == (state, [("job", "default")] if pushed else [])


def test_settling_an_absent_job_does_nothing(queue: Queue) -> None:
    settle_ended_run("absent", None)
    assert queue.pushed == []


def test_an_unresponsive_queue_is_retried(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    """The state is stored in the database: a job that could not be pushed is found missing later."""

    def down(*_: Any) -> None:
        raise ConnectionError

    monkeypatch.setattr(module, "push_job", down)
    add("lost")
    Reconciler().tick()
    assert read("lost").state == "waiting"


def test_each_tick_pushes_missing_jobs(queue: Queue, clock: Clock) -> None:
    waiting("missing")
    reconciler = Reconciler()
    reconciler.tick()
    reconciler.tick()
    assert queue.pushed == [("missing", "default")]


def test_a_job_deleted_in_the_meantime_is_not_pushed(queue: Queue, monkeypatch: pytest.MonkeyPatch) -> None:
    add("deleted")
    listed = repository.list_lost_jobs

    def list_and_delete(*arguments: Any) -> list[Job]:
        found = listed(*arguments)
        with unit_of_work(actor="", write=True) as unit:
            unit.session.delete(unit.session.get_one(Job, "deleted"))
        return found

    monkeypatch.setattr(repository, "list_lost_jobs", list_and_delete)
    Reconciler().tick()
    assert queue.pushed == []
