"""How long a job may keep its slot while jobs of other users wait in its lane.

A job of the lane `default` that takes longer than short work should moves to the lane `long`. There, functions that go
on where an earlier run stopped give their slot up after a slice of time and wait for their user's next turn. Only what
can be interrupted does either (`job_function(..., interrupted=)`). Such an end is no attempt that failed. Nobody gives
up a slot that nobody waits for.
"""

from __future__ import annotations

import time
from typing import Literal

from sqlalchemy.orm import Session

from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.jobs import repository

Interruption = Literal["resumes", "restarts"]
SHORT_SECONDS = 10.0
"""What a job of the lane `default` may take while others wait."""
SLICE_SECONDS = 20.0
"""New work a job of the lane `long` may do in one turn while others wait."""
WAITED_MS = 1_000
"""Who waits for a shorter time may still be taken by another slot (milliseconds)."""


class Preempted(Exception):
    """The job has to let others go first; let it pass."""


class TimeSlice:
    """The time one run of a job has in its slot."""

    def __init__(self, lane: str, username: str, interruption: Interruption | None) -> None:
        self.lane = lane
        self._username = username
        self._interruption = interruption
        self._started = self._caught_up = time.monotonic()
        self._behind = False

    def start_replay(self) -> None:
        """The run first goes over what an earlier one has done: no turn ends before `end_replay`."""
        self._behind = True

    def end_replay(self) -> None:
        """New work begins. The turn lasts at least as long again as it took to get here, so that a job with a long way
        to its place spends no more than half of its time on it."""
        if self._behind:
            self._behind = False
            self._caught_up = time.monotonic()

    def is_used_up(self) -> bool:
        """Whether the run has had its time; cheap."""
        now = time.monotonic()
        if self.lane == "default" and self._interruption is not None:
            return now - self._started >= SHORT_SECONDS
        if self.lane != "long" or self._interruption != "resumes" or self._behind:
            return False
        return now - self._caught_up >= max(SLICE_SECONDS, self._caught_up - self._started)

    def must_yield(self, session: Session, *, idle: bool = False) -> bool:
        """Whether the run has had its time and somebody else waits for it to end.

        Args:
            idle: something that takes long is under way, and lost if the run ends.
        """
        if idle and self.lane != "default":
            return False
        return self.is_used_up() and repository.others_are_waiting(
            session, self.lane, self._username, now_ms() - WAITED_MS
        )


def lane_after_preemption(job: Job) -> str:
    """Where a job waits for its next turn."""
    return "long" if job.queue == "default" else job.queue
