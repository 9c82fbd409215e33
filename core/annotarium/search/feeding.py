"""Indexes what a long import writes while the import goes on, in a process of its own.

The import commits a batch, hands its outbox rows over and writes the next one. The helper is a new interpreter, not a
fork: SQLite forbids to fork with connections open. It reads documents from the record, as every indexer does, so it may
die at any time: what it did not acknowledge is applied by the importing process, or later by whoever finds the rows.
"""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections import deque
from collections.abc import Sequence
from contextlib import suppress
from typing import IO

import orjson
import structlog

from annotarium.db.models import Outbox
from annotarium.search import indexer
from annotarium.search.locks import feed_mark

log = structlog.get_logger(__name__)

ALONE_UP_TO = 500
"""Documents that the importing process indexes itself: less work than starting a helper."""
_AHEAD = 2
"""Batches the import may be ahead of the index; bounds how much is invisible and how much waits in the pipe."""


class IndexFeed:
    """Takes outbox rows of one project after their commit. `finish` returns when all of it is found by searches."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._waiting: list[Outbox] = []
        self._sent: deque[list[Outbox]] = deque()
        self._applied: list[int] = []
        self._lock: IO[bytes] | None = None

    def take(self, rows: Sequence[Outbox]) -> None:
        """Have committed rows applied; waits when the index is too far behind."""
        if not rows:
            return
        if self._lock is None:
            self._hold(rows[0].project_id)
        self._waiting += rows
        if self._process is None and len(self._waiting) > ALONE_UP_TO:
            self._start()
        if self._process is not None:
            self._send()
            while len(self._sent) > _AHEAD:
                self._await_one()

    def applied(self) -> list[int]:
        """Rows that are in the index since the last call; whoever asks deletes them."""
        done, self._applied = self._applied, []
        return done

    def finish(self) -> None:
        """Wait until everything taken is found by searches; ends the helper."""
        while self._sent:
            self._await_one()
        if self._waiting:
            indexer.get_relay().apply(self._waiting)
            self._waiting = []
        self.close()

    def close(self) -> None:
        """End the helper; rows that are not applied yet stay in the outbox."""
        self._end_helper(10)
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def _end_helper(self, seconds: float) -> None:
        if self._process is None:
            return
        process, self._process = self._process, None
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        try:
            process.wait(seconds)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    def _hold(self, project_id: int) -> None:
        path = feed_mark(project_id)
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = path.open("wb")
        with suppress(BlockingIOError):  # two imports into one project: either sees to its own rows
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)

    def _start(self) -> None:
        command = [sys.executable, "-m", "annotarium.process", "index"]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _send(self) -> None:
        assert self._process is not None and self._process.stdin is not None
        rows, self._waiting = self._waiting, []
        self._sent.append(rows)
        request = {"project": rows[0].project_id, "documents": [row.document_id for row in rows]}
        try:
            self._process.stdin.write(orjson.dumps(request) + b"\n")
            self._process.stdin.flush()
        except OSError:
            self._take_back()

    def _await_one(self) -> None:
        answer = b""
        if self._process is not None and self._process.stdout is not None:
            answer = self._process.stdout.readline()
        if answer == b"done\n":
            self._applied += [row.id for row in self._sent.popleft()]
        else:
            self._take_back()

    def _take_back(self) -> None:
        """The helper is gone: this process goes on alone."""
        log.warning("index_helper_ended")
        rows = [row for batch in self._sent for row in batch]
        self._sent.clear()
        self._end_helper(0)
        indexer.get_relay().apply(rows)


def serve_feed() -> None:
    """The helper: index batches read from standard input, acknowledge each, until the input ends."""
    answers = sys.stdout.buffer
    sys.stdout = sys.stderr  # whatever prints must not be taken for an answer
    for line in sys.stdin.buffer:
        request = orjson.loads(line)
        indexer.index_documents(request["project"], request["documents"])
        answers.write(b"done\n")
        answers.flush()
