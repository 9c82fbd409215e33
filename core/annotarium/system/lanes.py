"""Lanes: which kinds of jobs share a slot of a worker, and how much of the processor they get. Standard library only.

A slot runs one job at a time. Short work, long work and heavy work have slots of their own, so that none of them ever
waits for another; within a lane users are served in turn (`repository.list_next`).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Literal, NamedTuple

Lane = Literal["interactive", "default", "long", "heavy"]
LANES: tuple[Lane, ...] = ("interactive", "default", "long", "heavy")
"""What somebody waits for; short work; work of minutes; training, vectors, archives. A lane is a queue of that name."""
SHORT = ("interactive", "default")
NICENESS = {"long": 5, "heavy": 10}
"""How far jobs of a lane stand back for the API and for short jobs where the processor is busy (see `nice(2)`)."""


class Slot(NamedTuple):
    """A place for one job at a time, and the lanes it serves: the first of them that holds a job."""

    name: str
    lanes: tuple[str, ...]


def plan_slots(workers: int, lanes: Iterable[str] = LANES) -> list[Slot]:
    """The slots of a worker process.

    Args:
        workers: how many short jobs it runs at once, at least 1. Where there are several, the first slot is kept for
            jobs that somebody waits for. Half as many slots, at least one, are there for long and for heavy jobs each.
        lanes: those it serves at all.
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
    """Processor cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
