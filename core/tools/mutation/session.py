"""Tests the mutants of one module, in its own process: `python -m mutation.session ORDER.json`, started in the copy.

Heavy packages are imported once. A fork collects the tests once; it forks again for each mutant, replaces the loaded
functions there and runs the tests that reach the changed line. A mutant outside functions takes effect only in a new
import; for it the process forks before the collection. Each result is one JSON line in the file named by the order.
"""

from __future__ import annotations

import gc
import hashlib
import importlib
import json
import mmap
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from mutation.mutants import Mutant
from mutation.swap_functions import CannotSwap, LoadedFunctions

HEAVY = ("numpy", "scipy.sparse", "sklearn.linear_model", "sklearn.feature_extraction.text", "sklearn.decomposition")
HEAVY += ("sklearn.cluster", "fastapi", "sqlalchemy.orm", "alembic.command", "pydantic_settings")
HEAVY += ("uvicorn", "rq", "redis", "orjson", "lxml.html", "pypdfium2", "pycrfsuite", "nh3")
QUIET = ("-q", "-p", "no:cacheprovider", "-p", "no:benchmark", "--hypothesis-seed=0", "--no-header", "--tb=line")
QUIET += ("-W", "ignore::pytest.PytestAssertRewriteWarning")
LONGEST, LEAST = 300.0, 30.0
"""Maximum seconds for one mutant, and the minimum that is always allowed."""


class SessionTask:
    """The work of a session, read from the file that `running._run_session` writes."""

    def __init__(self, path: str) -> None:
        values: dict[str, Any] = json.loads(Path(path).read_text())
        self.module: Path = Path(values["module"]).resolve()
        self.name: str = values["module"]
        self.tests: list[str] = values["tests"]
        self.mutants = [Mutant(**mutant) for mutant in values["mutants"]]
        self.results = Path(values["results"])
        self.reached = Path(values["reached"])
        self.seconds: float = values["seconds"]
        self.other_processes: bool = values["other_processes"]
        self.source = self.module.read_text()

    def report(self, mutant: Mutant, outcome: str, seconds: float, by: str = "") -> None:
        """Append one result to the results file."""
        with self.results.open("a") as file:
            line = {"name": mutant.name, "outcome": outcome, "seconds": round(seconds, 2), "by": by}
            file.write(json.dumps(line) + "\n")


def main() -> None:
    """Process the order named by the first argument."""
    task = SessionTask(sys.argv[1])
    for name in HEAVY:
        try:
            importlib.import_module(name)
        except ImportError:
            continue
    try:
        left = task.mutants
        if any(mutant.in_function for mutant in left):
            status, _ = fork(lambda: _try_after_collection(task), seconds=None)
            if status not in (0, int(pytest.ExitCode.NO_TESTS_COLLECTED)):
                raise SystemExit(f"the session ended with {status}")
            done = _finished_mutants(task)
            left = [mutant for mutant in left if mutant.name not in done]
        for mutant in left:
            _try_with_fresh_import(task, mutant)
    finally:
        task.module.write_text(task.source)


def _finished_mutants(task: SessionTask) -> set[str]:
    if not task.results.exists():
        return set()
    return {json.loads(line)["name"] for line in task.results.read_text().splitlines()}


def fork(work: Callable[[], int], seconds: float | None) -> tuple[int, float]:
    """Run `work` in a fork and return its exit status (-1 when it exceeded `seconds`) and its duration. All processes
    it started are killed.
    """
    begun = time.monotonic()
    child = os.fork()
    if child == 0:
        status = 70
        try:
            os.setsid()
            status = work()
        except BaseException:  # noqa: BLE001 - the status tells it
            import traceback

            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
    status = _wait(child, None if seconds is None else begun + seconds)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    if status is None:
        os.waitpid(child, 0)
    return (-1 if status is None else status), time.monotonic() - begun


def _wait(child: int, until: float | None) -> int | None:
    pause = 0.005
    while True:
        found, status = os.waitpid(child, os.WNOHANG)
        if found:
            return os.waitstatus_to_exitcode(status)
        if until is not None and time.monotonic() > until:
            return None
        time.sleep(pause)
        pause = min(pause * 1.5, 0.1)


def _try_with_fresh_import(task: SessionTask, mutant: Mutant) -> None:
    task.module.write_text(mutant.apply(task.source))
    with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as folder:
        arguments = [*QUIET, "-x", f"--basetemp={folder}/t", *task.tests]
        killer = task.results.with_suffix(".killer")
        killer.write_text("")
        status, seconds = fork(lambda: int(pytest.main(arguments, plugins=[_FailedTestWriter(killer)])), LONGEST)
    task.module.write_text(task.source)
    outcome = {0: "survived", 1: "killed", 2: "killed", 4: "killed", -1: "slow"}.get(status)
    if outcome is None:
        raise RuntimeError(f"pytest ended with {status}")
    task.report(mutant, outcome, seconds, killer.read_text() or "the import")


class _FailedTestWriter:
    """Writes the name of the failed test to a file."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Write the name of a failed test."""
        if report.failed:
            self._file.write_text(report.nodeid)


def _try_after_collection(task: SessionTask) -> int:
    with tempfile.TemporaryDirectory(prefix="m", ignore_cleanup_errors=True) as folder:
        return int(pytest.main([*QUIET, f"--basetemp={folder}/t", *task.tests], plugins=[_Plugin(task)]))


class _Plugin:
    def __init__(self, task: SessionTask) -> None:
        self.task = task
        self._failed = False
        self._alone: dict[str, bool] = {}

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests once to record the lines they reach, then for each mutant. Replaces pytest's own loop."""
        if session.testsfailed:
            raise RuntimeError("the tests cannot be collected")
        self._prepare(session)
        # A module that only jobs import is not imported by the collection.
        importlib.import_module(".".join(Path(self.task.name).with_suffix("").parts[1:]))
        self.loaded = LoadedFunctions(str(self.task.module), self.task.source)
        gc.freeze()
        print(f"{len(session.items)} tests, {len(self.loaded)} functions", flush=True)
        self.reached = self._reached(session)
        for mutant in self.task.mutants:
            if mutant.in_function:
                self._try(session, mutant)
        return True

    @staticmethod
    def _prepare(session: pytest.Session) -> None:
        """Create fixtures that all tests of the server share before forking."""
        for plugin in session.config.pluginmanager.get_plugins():
            made = getattr(plugin, "_made_app", None)
            if made:
                made()
        state = session._setupstate
        for item in session.items:
            if "sqlite_template" in getattr(item, "fixturenames", ()):
                state.setup(item)
                item._request.getfixturevalue("sqlite_template")  # type: ignore[attr-defined]
                state.teardown_exact(session)  # type: ignore[arg-type]
                item._initrequest()  # type: ignore[attr-defined]
                return

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Remember that a test failed."""
        if report.failed:
            self._failed = True

    # Which tests reach which line

    def _reached(self, session: pytest.Session) -> dict[str, Any]:
        texts = [Path(test.split("::")[0]) for test in self.task.tests]
        files = sorted({file for path in texts for file in ([path] if path.is_file() else path.rglob("*.py"))})
        digest = hashlib.sha256("\0".join([self.task.source, *(file.read_text() for file in files)]).encode())
        name = digest.hexdigest()
        if self.task.reached.exists():
            known: dict[str, Any] = json.loads(self.task.reached.read_text())
            if known["of"] == name:
                return known["items"]
        fork(lambda: self._count(session, name), seconds=None)
        counted: dict[str, Any] = json.loads(self.task.reached.read_text())
        broken = [item for item, seen in counted["items"].items() if seen["failed"]]
        print("fail without a mutant:", broken, flush=True)
        return counted["items"]

    def _count(self, session: pytest.Session, name: str) -> int:
        size = self.task.source.count("\n") + 2
        hits = mmap.mmap(-1, size)  # shared with processes that the tests fork
        self.loaded.count_lines(lambda line: hits.__setitem__(line, 1))
        items = {}
        for item, following in zip(session.items, [*session.items[1:], None], strict=True):
            hits[:] = bytes(size)
            self._failed = False
            begun = time.monotonic()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            seconds = time.monotonic() - begun
            items[item.nodeid] = {
                "seconds": seconds,
                "failed": self._failed,
                "lines": [line for line, hit in enumerate(hits[:]) if hit],
            }
        self.task.reached.write_text(json.dumps({"of": name, "items": items}))
        return 0

    # One mutant

    def _select_tests(self, session: pytest.Session, mutant: Mutant) -> list[pytest.Item]:
        lines = set(range(mutant.line, mutant.last + 1))
        sound = {
            name: seen for name, seen in self.reached.items() if not seen["failed"] and self._alone.get(name, True)
        }
        names = {name for name, seen in sound.items() if lines & set(seen["lines"])}
        if not names and self.task.other_processes:
            names = set(sound)
        files: dict[str, tuple[int, float]] = {}
        for name in names:
            file = name.split("::")[0]
            rank, seconds = files.get(file, (self._rank(file), 0.0))
            files[file] = rank, seconds + self.reached[name]["seconds"]
        found = [item for item in session.items if item.nodeid in names]
        found.sort(key=lambda item: (files[item.nodeid.split("::")[0]], item.nodeid.split("::")[0]))
        chosen: list[pytest.Item] = []
        spent = 0.0
        for item in found:
            seconds = self.reached[item.nodeid]["seconds"]
            if not chosen or spent + seconds <= self.task.seconds:
                chosen.append(item)
                spent += seconds
        return chosen

    def _rank(self, file: str) -> int:
        """Return the position of the first test path of the table that contains the file."""
        return next((at for at, test in enumerate(self.task.tests) if file.startswith(test)), 0)

    def _try(self, session: pytest.Session, mutant: Mutant) -> None:
        while True:
            chosen = self._select_tests(session, mutant)
            if not chosen:
                self.task.report(mutant, "not reached", 0.0)
                return
            allowed = sum(self.reached[item.nodeid]["seconds"] for item in chosen) * 4 + LEAST
            killer = self.task.results.with_suffix(".killer")
            killer.write_text("")
            self.task.module.write_text(mutant.apply(self.task.source))
            status, seconds = self._forked(chosen, mutant, killer, min(allowed, LONGEST))
            self.task.module.write_text(self.task.source)
            by = killer.read_text()
            if status == 1 and not self._passes_alone(session, by):
                continue  # the test fails without the mutant when run alone, so it proves nothing
            break
        outcome = {0: "survived", 1: "killed", 2: "", -1: "slow"}.get(status, "killed")
        if outcome:
            self.task.report(mutant, outcome, seconds, by)

    def _passes_alone(self, session: pytest.Session, name: str) -> bool:
        if name not in self._alone:
            items = [item for item in session.items if item.nodeid == name]
            self._alone[name] = self._forked(items, None, None, LONGEST)[0] == 0
        return self._alone[name]

    def _forked(
        self, items: list[pytest.Item], mutant: Mutant | None, killer: Path | None, seconds: float
    ) -> tuple[int, float]:
        with tempfile.TemporaryDirectory(prefix="t", ignore_cleanup_errors=True) as folder:
            items[0].session.config._tmp_path_factory._basetemp = Path(folder)  # type: ignore[attr-defined]
            return fork(lambda: self._run(items, mutant, killer), seconds)

    def _run(self, items: list[pytest.Item], mutant: Mutant | None, killer: Path | None) -> int:
        if mutant is not None:
            try:
                self.loaded.swap(mutant.apply(self.task.source))
            except CannotSwap:
                return 2
        for item, following in zip(items, [*items[1:], None], strict=True):
            self._failed = False
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            if self._failed:
                if killer:
                    killer.write_text(item.nodeid)
                signal.alarm(10)
                item.session._setupstate.teardown_exact(None)
                return 1
        return 0


if __name__ == "__main__":
    main()
