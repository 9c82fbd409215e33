"""How long a run may keep its slot, at each time: `test_fair_scheduling` covers the effect on jobs."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.db.database import Database
from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs import scheduling
from annotarium.jobs.scheduling import (
    SHORT_SECONDS,
    SLICE_SECONDS,
    WAITED_MS,
    Interruption,
    TimeSlice,
    lane_after_preemption,
)

BEGIN = 1_000.0
NOW_MS = 50_000


class Clock:
    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = BEGIN
        monkeypatch.setattr(scheduling.time, "monotonic", lambda: self.now)
        monkeypatch.setattr(scheduling, "now_ms", lambda: NOW_MS)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.mark.parametrize(
    ("lane", "interruption", "seconds", "used_up"),
    [
        ("default", "resumes", SHORT_SECONDS - 0.5, False),
        ("default", "resumes", SHORT_SECONDS, True),
        ("default", "restarts", SHORT_SECONDS, True),
        ("default", None, 10 * SHORT_SECONDS, False),
        ("long", "resumes", SLICE_SECONDS - 0.5, False),
        ("long", "resumes", SLICE_SECONDS, True),
        ("long", "restarts", 10 * SLICE_SECONDS, False),
        ("long", None, 10 * SLICE_SECONDS, False),
        ("interactive", "resumes", 10 * SLICE_SECONDS, False),
        ("heavy", "resumes", 10 * SLICE_SECONDS, False),
    ],
)
def test_a_slice_depends_on_lane_and_kind_of_interruption(
    clock: Clock, lane: str, interruption: Interruption | None, seconds: float, used_up: bool
) -> None:
    time_slice = TimeSlice(lane, "marie", interruption)
    assert not time_slice.is_used_up()
    clock.now = BEGIN + seconds
    assert time_slice.is_used_up() is used_up


def test_new_work_gets_a_whole_slice_after_a_short_replay(clock: Clock) -> None:
    time_slice = TimeSlice("long", "marie", "resumes")
    time_slice.start_replay()
    clock.now = BEGIN + 5
    time_slice.end_replay()
    clock.now = BEGIN + 5 + SLICE_SECONDS - 0.5
    assert not time_slice.is_used_up()
    clock.now = BEGIN + 5 + SLICE_SECONDS
    assert time_slice.is_used_up()


def test_without_a_replay_its_end_does_not_prolong_the_slice(clock: Clock) -> None:
    """Job functions call `end_replay` for each item."""
    time_slice = TimeSlice("long", "marie", "resumes")
    clock.now = BEGIN + SLICE_SECONDS
    time_slice.end_replay()
    assert time_slice.is_used_up()


def test_a_replay_does_not_extend_the_slice_in_the_default_lane(clock: Clock) -> None:
    time_slice = TimeSlice("default", "marie", "resumes")
    time_slice.start_replay()
    clock.now = BEGIN + SHORT_SECONDS
    assert time_slice.is_used_up()


def must_yield(time_slice: TimeSlice, **options: Any) -> bool:
    with unit_of_work(actor="", write=False) as unit:
        return time_slice.must_yield(unit.session, **options)


def add_waiting(user: str, lane: str, created_at: int) -> None:
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(
            Job(id="waits", type="UNSPECIFIED", function="f", created_by=user, queue=lane, created_at=created_at)
        )


@pytest.mark.parametrize(
    ("waited_ms", "yields"), [(WAITED_MS - 1, False), (WAITED_MS, True), (WAITED_MS + 1, True), (-WAITED_MS, False)]
)
def test_only_a_job_that_has_waited_a_while_ends_a_slice(
    database: Database, clock: Clock, waited_ms: int, yields: bool
) -> None:
    time_slice = TimeSlice("long", "marie", "resumes")
    add_waiting("paul", "long", NOW_MS - waited_ms)
    clock.now = BEGIN + SLICE_SECONDS
    assert must_yield(time_slice) is yields


@pytest.mark.parametrize(
    ("user", "lane", "seconds", "yields"),
    [
        ("paul", "long", SLICE_SECONDS, True),
        ("paul", "long", SLICE_SECONDS - 0.5, False),
        ("marie", "long", SLICE_SECONDS, False),
        ("paul", "default", SLICE_SECONDS, False),
        (None, "long", SLICE_SECONDS, False),
    ],
    ids=["somebody waits", "time left", "only own jobs wait", "waits in another lane", "nobody waits"],
)
def test_a_used_up_slice_yields_to_another_users_job(
    database: Database, clock: Clock, user: str | None, lane: str, seconds: float, yields: bool
) -> None:
    time_slice = TimeSlice("long", "marie", "resumes")
    if user is not None:
        add_waiting(user, lane, 0)
    clock.now = BEGIN + seconds
    assert must_yield(time_slice) is yields


@pytest.mark.parametrize(("lane", "yields"), [("default", True), ("long", False)])
def test_work_that_would_be_lost_yields_in_the_default_lane_only(
    database: Database, clock: Clock, lane: str, yields: bool
) -> None:
    """In the lane `long` the same work would start over with each time slice and never end."""
    time_slice = TimeSlice(lane, "marie", "resumes")
    add_waiting("paul", lane, 0)
    clock.now = BEGIN + SLICE_SECONDS
    assert must_yield(time_slice, idle=True) is yields
    assert must_yield(time_slice)


def test_only_a_preempted_job_of_the_default_lane_changes_its_lane() -> None:
    lanes = ("default", "long", "heavy", "interactive")
    assert [lane_after_preemption(Job(queue=lane)) for lane in lanes] == ["long", "long", "heavy", "interactive"]
