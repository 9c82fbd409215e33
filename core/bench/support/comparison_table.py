"""Prints each figure next to those of two peers, with the ratio to the better of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from statistics import median, quantiles
from time import perf_counter, process_time


@dataclass(frozen=True)
class PeerFigures:
    """Figures of Label Studio 1.23.2 and doccano 1.8.4 for the same work, measured together in one run on two shared
    cores; None where one cannot do it.
    """

    label_studio: float | None
    doccano: float | None
    higher_is_better: bool = False

    @property
    def best(self) -> float | None:
        """Return the better figure, None when there is none."""
        known = [one for one in (self.label_studio, self.doccano) if one is not None]
        return (max if self.higher_is_better else min)(known) if known else None


NOBODY = PeerFigures(None, None)


class ComparisonTable:
    """Prints lines as they are measured; counts the figures that are worse than the better peer."""

    def __init__(self) -> None:
        self.behind: list[str] = []
        self.wrong: list[str] = []
        print(f"{'':52}{'ours':>10}{'Label St.':>11}{'doccano':>10}{'better by':>11}")

    def figure(
        self, name: str, value: float, unit: str, peers: PeerFigures = NOBODY, *, goal: float | None = None
    ) -> None:
        """Print one figure. `goal` is a minimum or a maximum as `peers.higher_is_better` says."""
        best = peers.best
        ratio = "" if best is None else f"{(value / best if peers.higher_is_better else best / value):.2f}x"
        if best is not None and (value < best if peers.higher_is_better else value > best):
            self.behind.append(name)
        missed = goal is not None and (value < goal if peers.higher_is_better else value > goal)
        aim = "" if goal is None else f"  goal {goal:g}{' MISSED' if missed else ''}"
        shown = [_format_figure(value), _format_figure(peers.label_studio), _format_figure(peers.doccano)]
        print(f"{name + ' [' + unit + ']':52}{shown[0]:>10}{shown[1]:>11}{shown[2]:>10}{ratio:>11}{aim}", flush=True)

    def check(self, name: str, right: bool, words: str = "") -> None:
        """Print a check that must hold."""
        print(f"{name:52}{'yes' if right else 'NO':>10}  {words}", flush=True)
        if not right:
            self.wrong.append(name)


def _format_figure(value: float | None) -> str:
    if value is None:
        return "-"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}"


def time_calls(call: Callable[[int], object], count: int, *, warm: int = 3) -> list[float]:
    """Return the milliseconds of each call, after `warm` calls that are not measured."""
    for number in range(warm):
        call(number)
    found = []
    for number in range(warm, warm + count):
        begin = perf_counter()
        call(number)
        found.append((perf_counter() - begin) * 1000)
    return found


def time_calls_cpu_and_wait(
    call: Callable[[int], object], count: int, *, warm: int = 3
) -> tuple[list[float], list[float], list[float]]:
    """Like `time_calls`, with two more lists of milliseconds: processor time of this process, which does not depend on
    other load, and the time for which its threads could run but waited for a processor (0 where Linux does not count
    it).
    """
    used: list[float] = []
    waited: list[float] = []

    def measured(number: int) -> None:
        begin, idle = process_time(), _waited_for_processor()
        call(number)
        used.append((process_time() - begin) * 1000)
        waited.append((_waited_for_processor() - idle) * 1000)

    return time_calls(measured, count, warm=warm), used[warm:], waited[warm:]


def _waited_for_processor() -> float:
    """Seconds for which the threads of this process have waited for a processor."""
    nanoseconds = 0
    for file in Path("/proc/self/task").glob("*/schedstat"):
        with suppress(OSError):  # the thread has ended
            nanoseconds += int(file.read_text().split()[1])
    return nanoseconds / 1e9


def p50(found: list[float]) -> float:
    """Median."""
    return median(found)


def p95(found: list[float]) -> float:
    """95th percentile."""
    return quantiles(found, n=20)[-1]
