"""Measures what an operation costs this process and its database: statements, processor time, memory, scanned rows."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from sqlalchemy import Engine, event

MEGABYTE = 1 << 20


@dataclass
class Cost:
    """Cost of one operation. `seconds` and `record` are processor time: of this process, and of a PostgreSQL server on
    this machine.

    `grown` = peak growth of memory in MB. `scanned` = rows that PostgreSQL read without an index. `slowest` = seconds
    waited for each statement.
    """

    seconds: float = 0.0
    record: float = 0.0
    statements: int = 0
    grown: float = 0.0
    scanned: int = 0
    slowest: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)


class Meter:
    """Counts the statements of the engines from its creation on."""

    def __init__(self, *engines: Engine) -> None:
        self._cost = Cost()
        self._begun = 0.0
        self._engine = engines[0]
        self._server: psutil.Process | None = None
        for engine in {id(one): one for one in engines}.values():
            event.listen(engine, "before_cursor_execute", self._before)
            event.listen(engine, "after_cursor_execute", self._after)
        if self._engine.dialect.name == "postgresql":
            self._find_server()

    def _find_server(self) -> None:
        with self._engine.connect() as connection:
            backend = connection.exec_driver_sql("SELECT pg_backend_pid()").scalar_one()
        with contextlib.suppress(psutil.Error):  # the server runs on another machine
            process = psutil.Process(backend)
            if "postgres" in process.name():
                self._server = process.parent()

    def _before(self, _connection: Any, _cursor: Any, statement: str, *_given: Any) -> None:
        self._begun = time.perf_counter()
        if statement.startswith("BEGIN"):  # SQLite's statement; that of PostgreSQL does not pass through the engine
            return
        self._cost.statements += 1
        self._cost.times[_shorten_statement(statement)] += 1

    def _after(self, _connection: Any, _cursor: Any, statement: str, *_given: Any) -> None:
        self._cost.slowest[_shorten_statement(statement)] += time.perf_counter() - self._begun

    @contextlib.contextmanager
    def measured(self) -> Iterator[Cost]:
        """Yield a `Cost` that is filled at the end of the context."""
        cost = self._cost = Cost()
        Path("/proc/self/clear_refs").write_text("5")  # resets the peak memory
        memory, record, scanned, used = _memory(), self._database_seconds(), self._scanned(), _processor_seconds()
        cost.statements, cost.slowest, cost.times = 0, Counter(), Counter()
        yield cost
        cost.seconds = _processor_seconds() - used
        self._cost = Cost()
        cost.record = self._database_seconds() - record
        cost.grown = max(0.0, _memory("VmHWM") - memory)
        cost.scanned = self._scanned() - scanned

    def _database_seconds(self) -> float:
        total = 0.0
        for process in self._server.children() if self._server else ():
            with contextlib.suppress(psutil.Error):
                spent = process.cpu_times()
                total += spent.user + spent.system
        return total

    def _scanned(self) -> int:
        if self._engine.dialect.name != "postgresql":
            return 0
        with self._engine.connect() as connection:
            connection.exec_driver_sql("SELECT pg_stat_force_next_flush()")
            query = "SELECT coalesce(sum(seq_tup_read), 0) FROM pg_stat_user_tables"
            return int(connection.exec_driver_sql(query).scalar_one())


def _shorten_statement(statement: str) -> str:
    return re.sub(r"\((%\([^)]*\)s(::\w+)?|\?)(, (%\([^)]*\)s(::\w+)?|\?))+\)", "(...)", statement)


def _processor_seconds() -> float:
    own = time.process_time()
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return own + children.ru_utime + children.ru_stime


def _memory(name: str = "VmRSS") -> float:
    """Return a memory figure of this process in MB."""
    found = re.search(rf"{name}:\s+(\d+) kB", Path(f"/proc/{os.getpid()}/status").read_text())
    return int(found[1]) / 1024 if found else 0.0
