"""A real `annotarium serve` with several API processes, and clients that know which of them they are connected to."""

from __future__ import annotations

import http.client
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import orjson
import psutil

PASSWORD = "correct horse battery"


def wait_for(condition: Callable[[], Any], seconds: float = 60.0, what: str = "it did not happen in time") -> None:
    limit = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < limit, what
        time.sleep(0.05)


class UnsuccessfulAnswer(Exception):
    """A response that is not successful."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status} {body[:300]!r}")
        self.status = status


class BrowserTab:
    """A persistent connection with a token."""

    def __init__(self, address: str, token: str = "") -> None:
        self.address, self.token = urlsplit(address), token
        self._connection = http.client.HTTPConnection(self.address.hostname or "", self.address.port, timeout=30)

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """Send a request and return the JSON of the response.

        Raises:
            UnsuccessfulAnswer: a response that is not successful.
            OSError, http.client.HTTPException: no response; the next call opens a new connection.
        """
        if self.token:
            headers["authorization"] = f"Bearer {self.token}"
        headers["content-type"] = "application/json"
        try:
            self._connection.request(method, f"/api{path}", None if body is None else orjson.dumps(body), headers)
            answer = self._connection.getresponse()
            content = answer.read()
        except BaseException:
            self._connection.close()
            raise
        if answer.status >= 300:
            raise UnsuccessfulAnswer(answer.status, content)
        return orjson.loads(content) if content else None

    def refusal(self, method: str, path: str, body: Any = None, **headers: str) -> int:
        """Return the status of an error response; 0 for a success."""
        try:
            self.call(method, path, body, **headers)
        except UnsuccessfulAnswer as refused:
            return refused.status
        return 0

    @property
    def own_port(self) -> int:
        """The local port of the open connection; 0 when it is closed."""
        return int(self._connection.sock.getsockname()[1]) if self._connection.sock else 0

    def close(self) -> None:
        self._connection.close()


class ServeProcess:
    """A running `annotarium serve` with its data folder."""

    def __init__(self, folder: Path, processes: int = 2, workers: int = 1) -> None:
        self.folder, self.count = folder, processes
        self.log = folder / "serve.log"
        self.token = ""
        environment = {name: value for name, value in os.environ.items() if "REDIS" not in name}
        environment |= {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD, "ANNOTARIUM_LOG_LEVEL": "warning"}
        options = ["--port", "0", "--data", str(folder / "data"), "--workers", str(workers)]
        command = [sys.executable, "-m", "annotarium.cli", "serve", *options, "--api-processes", str(processes)]
        with self.log.open("wb") as log:
            self.supervisor = subprocess.Popen(command, stdout=log, stderr=log, env=environment, start_new_session=True)
        try:
            wait_for(self._is_ready, 60, "it did not start")
        except AssertionError:
            self.supervisor.kill()
            self.supervisor.wait()
            raise
        found = re.search(r"ready: (http://\S+)", self.log.read_text())
        assert found
        self.address = found[1]
        self.token = self.sign_in("admin")

    def _is_ready(self) -> bool:
        assert self.supervisor.poll() is None, self.log.read_text()
        return "ready: http" in self.log.read_text()

    def sign_in(self, name: str) -> str:
        """Sign in and return the token."""
        answer = self.call("POST", "/auth/login", {"email": name, "password": PASSWORD})
        return str(answer["access_token"])

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """Send a request as the administrator over a new connection."""
        with closing(BrowserTab(self.address, self.token)) as window:
            return window.call(method, path, body)

    # -- processes ---------------------------------------------------------------------------------------------------

    def preparing(self) -> psutil.Process:
        """The process that forks the API processes; waits while it is being restarted."""
        found: list[psutil.Process] = []

        def look() -> bool:
            with suppress(psutil.NoSuchProcess):
                children = psutil.Process(self.supervisor.pid).children()
                found[:] = [one for one in children if "annotarium.server.launch api" in " ".join(one.cmdline())]
            return len(found) == 1

        wait_for(look)
        return found[0]

    def serving(self) -> list[psutil.Process]:
        """The API processes, the oldest first."""
        with suppress(psutil.NoSuchProcess):
            found = [one for one in self.preparing().children() if one.status() != psutil.STATUS_ZOMBIE]
            return sorted(found, key=lambda one: (one.create_time(), one.pid))
        return []

    def process_of(self, window: BrowserTab) -> int:
        """Return the id of the process that serves an open connection."""
        for process in self.serving():
            for one in process.net_connections(kind="tcp"):
                if one.status == psutil.CONN_ESTABLISHED and one.raddr and one.raddr.port == window.own_port:
                    return process.pid
        return 0

    def window(self, token: str | None = None) -> BrowserTab:
        """Open a new connection."""
        window = BrowserTab(self.address, self.token if token is None else token)
        window.refusal("GET", "/auth/login")
        return window

    @contextmanager
    def windows(self, *tokens: str | None) -> Iterator[list[BrowserTab]]:
        """Open one connection to each process, with the given tokens, by default the administrator's."""
        limit = time.monotonic() + 60
        while True:
            found = [self.window(token) for token in tokens or (None,) * self.count]
            processes = {self.process_of(one) for one in found} - {0}
            if len(processes) == len(found):
                break
            for one in found:
                one.close()
            assert time.monotonic() < limit, "one process takes all connections"
            time.sleep(0.2)
        try:
            yield found
        finally:
            for one in found:
                one.close()

    def stop(self) -> int:
        """Stop in an orderly way and return the exit status. Remaining processes are killed."""
        left = []
        with suppress(psutil.NoSuchProcess):
            left = psutil.Process(self.supervisor.pid).children(recursive=True)
        self.supervisor.send_signal(signal.SIGINT)
        try:
            return self.supervisor.wait(60)
        finally:
            for one in left:
                with suppress(psutil.NoSuchProcess):
                    one.kill()

    # -- content -----------------------------------------------------------------------------------------------------

    def make_project(self, name: str, documents: int, text: str, labels: int) -> str:
        """Create a project with equal documents `d0`, `d1`, ... and labels `l0`, ...; returns its path."""
        self.call("POST", "/projects", {"name": name, "label": name, "lang": "en", "nature": "sequence_labelling"})
        path = f"/projects/{name}"
        for number in range(labels):
            self.call("POST", f"{path}/labels", {"name": f"l{number}", "label": f"l{number}"})
        given = [{"identifier": f"d{number}", "title": f"d{number}", "text": text} for number in range(documents)]
        job = self.call("POST", f"{path}/documents/_import_documents?wait=true", given)
        assert job["status"] == "COMPLETED", job
        return path


def annotation_body(document: str, label: str, start: int) -> dict[str, Any]:
    return {"documentIdentifier": document, "labelName": label, "start": start, "end": start + 4, "text": "word"}


class ConcurrentAnnotators:
    """Threads that annotate until they are stopped; each acknowledged change is recorded."""

    def __init__(self, server: ServeProcess, path: str, people: int, documents: int) -> None:
        self.server, self.path, self.documents = server, path, documents
        self.over = threading.Event()
        self.kept: dict[str, tuple[str, int]] = {}
        self.deleted: set[str] = set()
        self.unknown: set[tuple[str, int]] = set()
        self.answered_at: list[float] = []
        self._lock = threading.Lock()
        self._threads = [threading.Thread(target=self._annotate, args=(number,)) for number in range(people)]

    def __enter__(self) -> ConcurrentAnnotators:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.over.set()
        for thread in self._threads:
            thread.join()

    def _annotate(self, number: int) -> None:
        window, mine, tried = BrowserTab(self.server.address, self.server.token), [], 0
        while not self.over.is_set():
            tried += 1
            place = f"d{number}", tried % 400 * 5
            gone = mine.pop(0) if len(mine) > 20 else None
            try:
                if gone is not None:
                    window.call("DELETE", f"{self.path}/annotations/{gone}")
                made = window.call("POST", f"{self.path}/annotations", annotation_body(place[0], "l0", place[1]))
            except (OSError, http.client.HTTPException):  # its process died: whether the change was stored is unknown
                with self._lock:
                    self.unknown.add(place)
                    if gone is not None:
                        self.deleted.add(gone)
                continue
            with self._lock:
                self.answered_at.append(time.monotonic())
                if gone is not None:
                    self.deleted.add(gone)
                self.kept[made["identifier"]] = place
            mine.append(made["identifier"])
        window.close()

    def count_since(self, moment: float) -> int:
        """Count the responses since `moment` (monotonic seconds)."""
        with self._lock:
            return sum(one > moment for one in self.answered_at)

    def check(self) -> None:
        """Check that no acknowledged change is lost, no unrequested annotation exists, and the search agrees."""
        found: dict[str, tuple[str, int]] = {}
        for number in range(self.documents):
            document = self.server.call("GET", f"{self.path}/documents/d{number}")
            found |= {one["identifier"]: (f"d{number}", one["start"]) for one in document["annotations"]}
        wanted = {key: place for key, place in self.kept.items() if key not in self.deleted}
        assert wanted.keys() <= found.keys(), "acknowledged and lost"
        assert {found[key] for key in found.keys() - self.kept.keys()} <= self.unknown
        with_spans = len({place[0] for place in found.values()})
        hits = self.server.call("POST", f"{self.path}/documents/_search?size=0&selectedFacets=label:l0")
        assert hits["total"]["value"] == with_spans
