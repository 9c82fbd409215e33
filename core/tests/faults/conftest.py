"""An installation for fault injection: `annotarium serve` in its own folder, its processes by role, an API client.

These tests run only on request: `make test-faults`, which is `pytest -m faults core/tests/faults`.
`ANNOTARIUM_FAULT_ROUNDS` is the number of rounds (by default that of each driver), `ANNOTARIUM_FAULT_SEED` repeats a
run.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import psutil
import pytest

PASSWORD = "correct horse battery"
ROLES = ("api", "worker", "slot", "job", "queue", "supervisor")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if "faults" in (config.option.markexpr or ""):
        return
    left_out = [item for item in items if item.get_closest_marker("faults")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


class Installation:
    """One data folder with a supervisor that can be started, killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.log = folder / "serve.log"
        self.address = ""
        self.token = ""
        self.serve: subprocess.Popen[bytes] | None = None

    # -- processes ---------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Start the supervisor and wait until it is ready."""
        environment = {name: value for name, value in os.environ.items() if "REDIS" not in name}
        environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "annotarium.cli", "serve", "--port", "0", "--data", str(self.folder / "data")]
        begin = self.log.stat().st_size if self.log.exists() else 0
        with self.log.open("ab") as log:
            self.serve = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)

        def ready() -> bool:
            assert self.serve is not None
            assert self.serve.poll() is None, self.log.read_text()
            found = re.search(r"ready: (http://\S+)", self.log.read_bytes()[begin:].decode())
            if found:
                self.address = found[1]
            return bool(found)

        wait_for(ready, 60, "it did not start")

    def stop(self) -> None:
        """Stop the supervisor in an orderly way."""
        if self.serve is not None and self.serve.poll() is None:
            self.serve.send_signal(signal.SIGINT)
            self.serve.wait(20)

    def processes(self, role: str | None = None) -> list[psutil.Process]:
        """Return the living processes of this installation, by role (`ROLES`)."""
        found = []
        for process in psutil.process_iter():
            try:
                mine = str(self.folder) in " ".join(process.cmdline()) or process.environ().get(
                    "ANNOTARIUM_DATA", ""
                ).startswith(str(self.folder))
                if mine and process.status() != psutil.STATUS_ZOMBIE and role in (None, role_of(process)):
                    found.append(process)
            except (psutil.NoSuchProcess, psutil.AccessDenied):
                continue
        return found

    def describe(self) -> str:
        """Describe the state for a failure: the processes, the stack traces of the Python processes, the end of the
        log.
        """
        lines = [f"{process.pid} {role_of(process)} {process.status()}" for process in self.processes()]
        for process in self.processes("api") + self.processes("worker") + self.processes("job"):
            process.send_signal(signal.SIGUSR1)
        time.sleep(1)
        return "\n".join(lines) + "\n" + self.log.read_text()[-12_000:]

    def kill(self, role: str) -> bool:
        """Kill the processes of a role (SIGKILL); returns False if there was none."""
        hit = False
        for process in self.processes(role):
            try:
                process.kill()
                hit = True
            except psutil.NoSuchProcess:
                continue
        if role == "supervisor" and self.serve is not None:
            self.serve.wait(10)
        return hit

    # -- calls -------------------------------------------------------------------------------------------------------

    def call(self, method: str, path: str, *, tries: int = 1, **arguments: Any) -> Any:
        """Send one request and return the JSON of the response. With `tries`, requests that met a dying server are
        repeated.

        Raises:
            httpx.HTTPError: no response, or one that is not successful.
        """
        for attempt in range(tries):
            try:
                answer = httpx.request(
                    method,
                    f"{self.address}/api{path}",
                    headers={"Authorization": f"Bearer {self.token}"} if self.token else {},
                    timeout=15,
                    **arguments,
                )
                answer.raise_for_status()
                return answer.json() if answer.content else None
            except httpx.HTTPError:
                if attempt == tries - 1:
                    raise
                time.sleep(0.5)
        return None

    def sign_in(self) -> None:
        """Sign in as the first administrator."""
        answer = self.call("POST", "/auth/login", tries=20, json={"email": "admin", "password": PASSWORD})
        self.token = answer["access_token"]


def role_of(process: psutil.Process) -> str:
    """Return the role of a process of an installation."""
    line = " ".join(process.cmdline())
    if "annotarium.server.supervisor" in line or "annotarium.cli" in line:
        return "supervisor"
    if "annotarium.server.launch api" in line:
        return "api"
    if "annotarium.server.launch worker" in line:
        above = sum("annotarium.server.launch worker" in " ".join(one.cmdline()) for one in process.parents())
        return ("worker", "slot")[above] if above < 2 else "job"
    return "queue"


def wait_for(condition: Callable[[], Any], seconds: float, what: str) -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, what
        time.sleep(0.1)


@pytest.fixture
def installation() -> Iterator[Installation]:
    with TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as name:
        installation = Installation(Path(name))
        installation.start()
        try:
            installation.sign_in()
            yield installation
        finally:
            installation.stop()
            for process in installation.processes():
                process.kill()
