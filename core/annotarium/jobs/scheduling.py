"""How long a job may keep its slot while jobs of other users wait in its lane.

A job of the lane `default` that runs longer than a short job should moves to the lane `long`. There, functions that can
resume are preempted after a time slice and wait until it is their user's turn again. Both apply only to functions that
may be interrupted (`job_function(..., interrupted=)`). A preemption does not count as a failed attempt. A slot is only
given up if another user waits.
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
"""Maximum time of a job in the lane `default` while others wait."""
SLICE_SECONDS = 20.0
"""Time for new work of a job in the lane `long` per time slice, while others wait."""
WAITED_MS = 1_000
"""Jobs that have waited for less than this (milliseconds) may still get another slot."""


class Preempted(Exception):
    """The job must give up its slot for others; job functions do not catch it."""


class TimeSlice:
    """The time that one run of a job has in its slot."""

    def __init__(self, lane: str, username: str, interruption: Interruption | None) -> None:
        self.lane = lane
        self._username = username
        self._interruption = interruption
        self._started = self._caught_up = time.monotonic()
        self._behind = False

    def start_replay(self) -> None:
        """The run repeats what an earlier one did: it is not preempted before `end_replay`."""
        self._behind = True

    def end_replay(self) -> None:
        """Start of new work. The slice lasts at least as long as the replay took, so that a job with a long replay
        spends at most half of its time on it.
        """
        if self._behind:
            self._behind = False
            self._caught_up = time.monotonic()

    def is_used_up(self) -> bool:
        """Whether the run has used up its time. Costs no query."""
        now = time.monotonic()
        if self.lane == "default" and self._interruption is not None:
            return now - self._started >= SHORT_SECONDS
        if self.lane != "long" or self._interruption != "resumes" or self._behind:
            return False
        return now - self._caught_up >= max(SLICE_SECONDS, self._caught_up - self._started)

    def must_yield(self, session: Session, *, idle: bool = False) -> bool:
        """Whether the run has used up its time and a job of another user waits.

        Args:
            idle: a slow operation is in progress, which is lost if the run ends.
        """
        if idle and self.lane != "default":
            return False
        return self.is_used_up() and repository.others_are_waiting(
            session, self.lane, self._username, now_ms() - WAITED_MS
        )


def lane_after_preemption(job: Job) -> str:
    """The lane in which a preempted job waits."""
    return "long" if job.queue == "default" else job.queue
