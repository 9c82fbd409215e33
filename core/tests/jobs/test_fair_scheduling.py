"""Fair scheduling: users are served in rotation, and a job that has used its time slice yields to others."""

from __future__ import annotations

from collections import Counter
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import delete

from annotarium.db.database import Database
from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import context as context_module
from annotarium.jobs import job_creation, repository, scheduling
from annotarium.jobs.context import JobContext, job_function
from annotarium.jobs.job_creation import LONG_STEPS, start_job
from annotarium.jobs.run import run_job

_numbers = count()


def add(user: str, lane: str = "default", **columns: Any) -> str:
    """Insert a waiting job; returns its id."""
    moment = next(_numbers)
    values = {
        "type": "UNSPECIFIED",
        "function": "test_preempted_steps",
        "arguments": {"steps": 3},
        "created_at": moment,
    }
    with unit_of_work(actor="", write=True) as unit:
        job_id = f"job{moment}"
        unit.session.add(Job(id=job_id, created_by=user, queue=lane, **(values | columns)))
    return job_id


def next_jobs(lane: str = "default") -> list[str]:
    with unit_of_work(actor="", write=False) as unit:
        return repository.next_waiting_job_of_each_user(unit.session, lane)


def read(job_id: str) -> Job:
    with unit_of_work(actor="", write=False) as unit:
        job = unit.session.get_one(Job, job_id)
        unit.session.expunge_all()
        return job


def serve(job_id: str, *, to_its_end: bool = True) -> str:
    """Run a job, to its end or for one time slice; returns its user."""
    with unit_of_work(actor="", write=True) as unit:
        assert repository.claim_job(unit.session, job_id)
        job = unit.session.get_one(Job, job_id, populate_existing=True)
        if to_its_end:
            repository.finish_job(unit.session, job_id, job.fence, "COMPLETED")
        else:
            repository.revoke_run(unit.session, job_id, job.fence, state="waiting")
        return job.created_by


@pytest.fixture
def ticking(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each reading of the clock is a millisecond later."""
    monkeypatch.setattr(repository, "now_ms", lambda: 1_000_000 + next(_numbers))


def test_the_least_recently_served_user_is_next(database: Database, ticking: None) -> None:
    jobs = {name: [add(name) for _ in range(3)] for name in ("marie", "paul")}
    late = add("zoe")
    order = []
    while waiting := next_jobs():
        order.append(waiting[0])
        serve(waiting[0])
    marie, paul = jobs["marie"], jobs["paul"]
    assert order == [marie[0], paul[0], late, marie[1], paul[1], marie[2], paul[2]]


def test_fair_order_is_per_lane_and_skips_cancelled_jobs(database: Database, ticking: None) -> None:
    serve(add("marie", "long"))
    first, second = add("marie"), add("paul")
    add("zoe", cancel_requested=True)
    add("zoe", "heavy")
    assert next_jobs() == [first, second]
    assert len(next_jobs("heavy")) == 1


USERS = st.sampled_from("abcde")
ACTS = st.one_of(
    st.tuples(st.just("arrives"), USERS),
    st.tuples(st.just("ends"), st.none()),
    st.tuples(st.just("gives up its turn"), st.none()),
)


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(st.lists(ACTS, max_size=40))
def test_a_user_waits_for_at_most_one_job_of_each_other_user(
    database: Database, ticking: None, acts: list[tuple[str, str | None]]
) -> None:
    """In any order of arrivals, ends and preemptions."""
    with unit_of_work(actor="", write=True) as unit:
        unit.session.execute(delete(Job))
    waiting: Counter[str] = Counter()
    since: dict[str, Counter[str]] = {}
    for act, user in acts:
        if user is not None:
            add(user)
            waiting[user] += 1
            since.setdefault(user, Counter())
            continue
        order = next_jobs()
        assert bool(order) == bool(+waiting)
        if not order:
            continue
        served = serve(order[0], to_its_end=act == "ends")
        waiting[served] -= act == "ends"
        del since[served]
        for others in since.values():
            others[served] += 1
            assert others[served] <= 1
        if waiting[served]:
            since[served] = Counter()


# -- length of a time slice ----------------------------------------------------------------------------------------

_runs: list[int] = []
_done: set[int] = set()


@job_function("test_preempted_steps", interrupted="resumes")
def steps(context: JobContext, steps: int) -> None:
    """Work step by step; a second run resumes where the first stopped."""
    _runs.append(len(_done))
    if _done:
        context.start_replay()
    for number in range(steps):
        if number in _done:
            continue
        context.end_replay()
        _done.add(number)
        context.progress(number, steps, "")
    context.finish(message=f"{len(_done)} steps")


@job_function("test_whole_steps")
def whole_steps(context: JobContext, steps: int) -> None:
    """A job that must not be interrupted."""
    for number in range(steps):
        context.progress(number, steps, "")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every time slice ends immediately, and every progress call checks for waiting jobs."""
    _runs.clear()
    _done.clear()
    for name in ("SHORT_SECONDS", "SLICE_SECONDS"):
        monkeypatch.setattr(scheduling, name, 0.0)
    monkeypatch.setattr(scheduling, "WAITED_MS", -1_000)
    monkeypatch.setattr(context_module, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(scheduling.time, "monotonic", _still)


def _still() -> float:
    return 0.0


def test_a_job_keeps_its_slot_while_no_other_user_waits(database: Database, impatient: None) -> None:
    add("marie")
    mine = add("marie")
    add("paul", "long")
    run_job(mine)
    assert (read(mine).status, read(mine).queue, _runs) == ("COMPLETED", "default", [0])


def test_a_job_too_long_for_the_default_lane_moves_to_the_long_lane(database: Database, impatient: None) -> None:
    mine = add("marie")
    add("paul")
    run_job(mine)
    job = read(mine)
    assert (job.status, job.state, job.queue, job.attempts, job.lease_until) == ("STARTED", "waiting", "long", 0, None)


def test_long_jobs_share_time_slices_and_lose_nothing(database: Database, impatient: None) -> None:
    mine, other = add("marie", "long"), add("paul", "long")
    run_job(mine)
    run_job(mine)
    assert (read(mine).state, read(mine).queue, read(mine).attempts) == ("waiting", "long", 0)
    with unit_of_work(actor="", write=True) as unit:
        assert repository.end_waiting_job(unit.session, other, "CANCELLED")
    run_job(mine)
    job = read(mine)
    assert (job.status, job.attempts, job.status_message) == ("COMPLETED", 1, "3 steps")
    assert _runs == [0, 1, 2]


@pytest.mark.parametrize("lane", ["default", "long"])
def test_an_uninterruptible_job_keeps_its_slot(database: Database, impatient: None, lane: str) -> None:
    mine = add("marie", lane, function="test_whole_steps")
    add("paul", lane)
    run_job(mine)
    assert read(mine).status == "COMPLETED"


@pytest.mark.parametrize("lane", ["interactive", "heavy"])
def test_interactive_and_training_jobs_are_not_preempted(database: Database, impatient: None, lane: str) -> None:
    mine = add("marie", lane)
    add("paul", lane)
    run_job(mine)
    assert read(mine).status == "COMPLETED"


def test_a_time_slice_lasts_at_least_as_long_as_the_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    """So that the replay takes at most half of the time of a job."""
    moment = 0.0
    monkeypatch.setattr(scheduling.time, "monotonic", lambda: moment)
    time_slice = scheduling.TimeSlice("long", "marie", "resumes")
    time_slice.start_replay()
    moment = 100.0
    assert not time_slice.is_used_up()
    time_slice.end_replay()
    moment = 199.0
    time_slice.end_replay()
    assert not time_slice.is_used_up()
    moment = 200.0
    assert time_slice.is_used_up()


def test_a_job_known_to_be_long_starts_in_the_long_lane(database: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(job_creation, "enqueue_job", lambda *_: None)
    lanes = []
    for total in (LONG_STEPS, LONG_STEPS + 1):
        with unit_of_work(actor="", write=True) as unit:
            common: dict[str, Any] = {"type": "UNSPECIFIED", "function": "test_preempted_steps", "arguments": {}}
            job = start_job(unit, project=None, created_by="marie", total_steps=total, **common)
            lanes.append(job.queue)
    assert lanes == ["default", "long"]
