"""Limits of the answers that are computed at the same time."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

from annotarium.errors import TooManyRequests
from annotarium_schemas.messages import message

ANSWERS_PER_USER, ANSWERS_AT_ONCE, MAX_WAITING = 2, 16, 8
"""Answers in progress in a process: of one user, of all users; and how many more may wait for one to end."""
WAIT_SECONDS = 20.0


class AnswerSlots:
    """Limits the answers that this process computes at once, so that nobody can occupy all of its threads."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
        self._waiting = 0

    @contextmanager
    def slot(self, username: str, seconds: float = WAIT_SECONDS) -> Iterator[None]:
        """Count an answer of a user while the body runs; wait up to `seconds` while `ANSWERS_AT_ONCE` are running.

        Raises:
            TooManyRequests: the user has `ANSWERS_PER_USER` already, or too many others wait.
        """
        self._enter(username, seconds)
        try:
            yield
        finally:
            with self._changed:
                self._running[username] -= 1
                if not self._running[username]:
                    del self._running[username]
                self._changed.notify()

    def _enter(self, username: str, seconds: float) -> None:
        with self._changed:
            if self._running[username] >= ANSWERS_PER_USER:
                raise _too_many(message("limit.answers", "You are waiting for two answers already"))
            busy = message("limit.allAnswers", "Too many questions are being answered")
            if self._is_full():
                if self._waiting >= MAX_WAITING:
                    raise _too_many(busy)
                self._waiting += 1
                try:
                    if not self._changed.wait_for(lambda: not self._is_full(), seconds):
                        raise _too_many(busy)
                finally:
                    self._waiting -= 1
                if self._running[username] >= ANSWERS_PER_USER:
                    raise _too_many(message("limit.answers", "You are waiting for two answers already"))
            self._running[username] += 1

    def _is_full(self) -> bool:
        return self._running.total() >= ANSWERS_AT_ONCE


@lru_cache(maxsize=1)
def get_answer_slots() -> AnswerSlots:
    """Return the slots of this process."""
    return AnswerSlots()


def _too_many(text: str) -> TooManyRequests:
    refused = TooManyRequests(text, fix=message("fix.answers", "Wait until an answer is complete, then ask again"))
    refused.retry_after = 2
    return refused
