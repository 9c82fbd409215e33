"""Matches regular expressions of users in a child process with a time limit.

Python's engine backtracks: a short pattern can run practically forever on a short text, and holds the interpreter lock
meanwhile. Only killing a process enforces a limit in every thread.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import weakref
from pathlib import Path
from threading import Lock, Timer

_CHILD = Path(__file__).with_name("_timed_regex_child.py")


class PatternTimeout(Exception):
    """The pattern took longer than allowed; the text is a message for the user."""


class TimedPattern:
    """A pattern with a time limit per text. The child process starts at first use and matches all later texts.

    Args:
        pattern: in Python's syntax; compiled here first, which raises `re.error` when it is invalid.
        flags: of `re`.
        seconds: allowed per text.
    """

    def __init__(self, pattern: str, flags: int = 0, *, seconds: float = 5.0) -> None:
        re.compile(pattern, flags)
        self._order = {"pattern": pattern, "flags": flags}
        self._seconds = seconds
        self._lock = Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def spans(self, text: str) -> list[tuple[int, int]]:
        """Return the ranges of the non-empty matches, in order, in code points.

        Raises:
            PatternTimeout: the time limit was reached.
        """
        with self._lock:
            child = self._running_child()
            expired: list[bool] = []

            def stop() -> None:
                expired.append(True)
                child.kill()

            timer = Timer(self._seconds, stop)
            timer.start()
            try:
                answer = self._ask(child, json.dumps({"text": text}))
            finally:
                timer.cancel()
            if answer is None:
                self._child = None
                child.communicate()
                if expired:
                    raise PatternTimeout(f"The pattern took more than {self._seconds:g} seconds on one text")
                raise PatternTimeout("The pattern needed too much memory on one text")
            return [(start, end) for start, end in json.loads(answer)]

    @staticmethod
    def _ask(child: subprocess.Popen[bytes], line: str) -> bytes | None:
        """Send one line and return the line that the child sends back; None when the child has ended."""
        if child.stdin is None or child.stdout is None:
            return None
        try:
            child.stdin.write(line.encode("ascii") + b"\n")
            child.stdin.flush()
        except BrokenPipeError:
            return None
        answer = child.stdout.readline()
        return answer if answer.endswith(b"\n") else None

    def _running_child(self) -> subprocess.Popen[bytes]:
        if self._child is not None and self._owner == os.getpid() and self._child.poll() is None:
            return self._child
        child = subprocess.Popen(
            [sys.executable, "-I", "-S", str(_CHILD), json.dumps(self._order)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        self._child, self._owner = child, os.getpid()
        weakref.finalize(self, _end_child, child, os.getpid())
        return child


def _end_child(child: subprocess.Popen[bytes], owner: int) -> None:
    if os.getpid() == owner and child.poll() is None:
        child.kill()
        child.communicate()
