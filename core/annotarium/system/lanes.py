"""Lanes: which kinds of jobs share worker slots, and their CPU priority. Standard library only.

A slot runs one job at a time. Short, long and heavy jobs have separate slots, so that none of them ever waits for
another kind; within a lane, users are served fairly (`jobs.repository.list_next`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, NamedTuple

Lane = Literal["interactive", "default", "long", "heavy"]
LANES: tuple[Lane, ...] = ("interactive", "default", "long", "heavy")
"""Jobs a user waits for; short jobs; jobs of minutes; training, vectors, archives. Each has its own queue."""
SHORT = ("interactive", "default")
NICENESS = {"long": 5, "heavy": 10}
"""`nice(2)` increments by which long and heavy jobs yield the CPU to the API and to short jobs."""


class Slot(NamedTuple):
    """Runs one job at a time, from the first of its lanes that has one waiting."""

    name: str
    lanes: tuple[str, ...]


def plan_slots(workers: int, lanes: Iterable[str] = LANES) -> list[Slot]:
    """The slots of a worker process.

    Args:
        workers: number of short jobs it runs at the same time, at least 1. If there are several slots for short jobs,
            the first is reserved for jobs that a user waits for. Long and heavy jobs each get half as many slots, at
            least one.
        lanes: the lanes it serves.
    """
    served = set(lanes)
    short = tuple(lane for lane in SHORT if lane in served)
    slots: list[tuple[str, ...]] = []
    if len(short) == 2 and workers > 1:
        slots = [SHORT[:1]] + [short] * (workers - 1)
    elif short:
        slots = [short] * workers
    found = [Slot(f"short-{number}", kind) for number, kind in enumerate(slots, 1)]
    for lane in ("long", "heavy"):
        if lane in served:
            found += [Slot(f"{lane}-{number}", (lane,)) for number in range(1, max(1, workers // 2) + 1)]
    return found


def count_cores() -> int:
    """Number of CPU cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
