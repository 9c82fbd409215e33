"""Signals: how a lower floor announces something without knowing who listens.

    labelling_changed = Signal[[ProjectCall, int]]("labelling_changed")   # at module level, where it is sent
    labelling_changed.connect(count_answers)                              # once per process, in a `connect()`
    labelling_changed.send(call, 1)

Listeners run synchronously, in the caller's thread and transaction, in the order in which they were connected.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Generic, ParamSpec, TypeVar

import structlog

log = structlog.get_logger(__name__)
P = ParamSpec("P")
R = TypeVar("R")


class _Registry(Generic[P, R]):
    def __init__(self) -> None:
        self._functions: list[Callable[P, R]] = []

    def connect(self, function: Callable[P, R]) -> None:
        """Call the function from now on; no effect when it is connected already."""
        if function not in self._functions:
            self._functions.append(function)

    def disconnect(self, function: Callable[P, R]) -> None:
        """Stop calling the function; no effect when it is not connected."""
        if function in self._functions:
            self._functions.remove(function)

    @contextmanager
    def listening(self, function: Callable[P, R]) -> Iterator[None]:
        """Connect the function for the duration of the block, after those that are connected."""
        self.connect(function)
        try:
            yield
        finally:
            self.disconnect(function)

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Call nobody for the duration of the block but who is connected in it."""
        before, self._functions[:] = list(self._functions), []
        try:
            yield
        finally:
            self._functions[:] = before


class Signal(_Registry[P, None]):
    """Announces that something happened. `isolated`: a listener that raises is logged and the others still run."""

    def __init__(self, name: str, *, isolated: bool = False) -> None:
        super().__init__()
        self.name = name
        self._isolated = isolated

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call all listeners. Unless the signal is isolated, the first exception of a listener is raised."""
        for listener in tuple(self._functions):
            try:
                listener(*args, **kwargs)
            except Exception:
                if not self._isolated:
                    raise
                log.exception("listener_failed", signal=self.name)


class QuerySignal(_Registry[P, Sequence[R]]):
    """Asks all connected functions for what they know."""

    def ask(self, *args: P.args, **kwargs: P.kwargs) -> list[R]:
        """The answers of all functions, one after the other. Raises what a function raises."""
        return [answer for function in tuple(self._functions) for answer in function(*args, **kwargs)]
