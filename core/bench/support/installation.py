"""A real `annotarium serve` in a folder of its own, called over HTTP, and what it costs."""

from __future__ import annotations

import compileall
import contextlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import httpx
import psutil

PASSWORD = "correct horse battery"
MEGABYTE = 1_000_000
UPLOAD_DOCUMENTS = """\
client = TestClient(create_app(), base_url="http://bench.test")
answer = client.post("/api/auth/login", json={"email": "admin", "password": sys.argv[1]})
headers = {"authorization": "Bearer " + answer.json()["access_token"]}
client.post("/api/projects", json={"label": "bench", "name": "bench", "lang": "en"}, headers=headers)
with open(sys.argv[2], "rb") as file:
    upload = client.post("/api/uploads", files={"file": ("documents.json", file)}, headers=headers).json()
"""
"""Part of scripts that prepare a data folder: a project, and the file of documents `upload`."""


def compile_packages() -> None:
    """What pip does when it installs. Modules of an editable installation are compiled when they are first loaded, and
    at every start where PYTHONDONTWRITEBYTECODE is set."""
    for name in ("annotarium", "annotarium_plugins", "annotarium_engines", "annotarium_schemas"):
        spec = find_spec(name)
        for folder in (spec.submodule_search_locations or []) if spec else []:
            compileall.compile_dir(folder, quiet=2)


class Installation:
    """One data folder with its server. `start` may be called again after `stop`."""

    def __init__(self, folder: Path, api_processes: int = 1) -> None:
        self.folder = folder
        self.api_processes = api_processes
        self.address = ""
        self.client = httpx.Client()
        self.token = ""
        self._serve: subprocess.Popen[bytes] | None = None

    def start(self) -> float:
        """Start the server; seconds until it answers a request."""
        compile_packages()
        environment = {name: value for name, value in os.environ.items() if "REDIS" not in name}
        environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_LOG_LEVEL": "warning"}
        command = [sys.executable, "-m", "annotarium.cli", "serve", "--port", "0"]
        command += ["--api-processes", str(self.api_processes)]
        log = self.folder / "serve.log"
        started = time.perf_counter()
        with log.open("wb") as out:
            self._serve = subprocess.Popen(
                [*command, "--data", str(self.folder / "data")],
                stdout=out,
                stderr=out,
                env=environment,
                start_new_session=True,
            )
        while not (found := re.search(r"ready: (http://\S+)", log.read_text())):
            if self._serve.poll() is not None or time.perf_counter() - started > 120:
                raise RuntimeError(f"The server did not start:\n{log.read_text()}")
            time.sleep(0.01)
        self.address = found[1]
        httpx.get(f"{self.address}/api/openapi.json").raise_for_status()
        return time.perf_counter() - started

    def stop(self) -> None:
        """Stop it in order, then whatever is left."""
        self.client.close()
        if self._serve is None:
            return
        parts = self.processes()
        self._serve.send_signal(signal.SIGINT)
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._serve.wait(20)
        for part in parts:
            with contextlib.suppress(psutil.NoSuchProcess):
                part.kill()
        self._serve.wait(5)
        self._serve = None

    def processes(self) -> list[psutil.Process]:
        """The supervisor and everything it started."""
        assert self._serve is not None
        try:
            top = psutil.Process(self._serve.pid)
            return [top, *top.children(recursive=True)]
        except psutil.NoSuchProcess:
            return []

    def memory(self) -> float:
        """Proportional memory of all processes, MB."""
        total = 0
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess, psutil.AccessDenied):
                total += process.memory_full_info().pss
        return total / MEGABYTE

    def processor_seconds(self) -> float:
        """Processor time used by the living processes so far."""
        total = 0.0
        for process in self.processes():
            with contextlib.suppress(psutil.NoSuchProcess):
                times = process.cpu_times()
                total += times.user + times.system
        return total

    @contextlib.contextmanager
    def watched(self) -> Iterator[list[float]]:
        """Samples of `memory`, two a second: each takes the processor from what is measured."""
        samples: list[float] = []
        over = threading.Event()

        def watch() -> None:
            while not over.wait(0.5):
                samples.append(self.memory())

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield samples
        finally:
            over.set()
            thread.join()

    def sign_in(self, username: str = "admin") -> str:
        """A token; the client calls as that user from here on."""
        answer = httpx.post(f"{self.address}/api/auth/login", json={"email": username, "password": PASSWORD})
        answer.raise_for_status()
        self.token = answer.json()["access_token"]
        self.client = httpx.Client(
            base_url=f"{self.address}/api", headers={"authorization": f"Bearer {self.token}"}, timeout=600
        )
        return self.token

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        """The JSON answer of one call; anything but a success raises."""
        answer = self.client.request(method, path, **arguments)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:500]}")
        return answer.json() if answer.content else None
