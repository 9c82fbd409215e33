"""Client of the helper process that runs the components that answer questions (`answer_process`).

There is one helper per process. It starts at the first question and ends by itself when it is idle. Several requests
run at once; responses are assigned by their `id`.
"""

from __future__ import annotations

import os
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Generator
from contextlib import closing, suppress
from functools import lru_cache
from typing import Any

import orjson

from annotarium.db.identifiers import new_id
from annotarium.errors import ServiceUnavailable
from annotarium.system.library_threads import thread_limit_variables
from annotarium_schemas.messages import message

ANSWER_SECONDS = 60.0
"""Timeout in seconds of one request, which includes building its component."""


class HelperGone(ServiceUnavailable):
    """The helper ended before it responded."""


class AnswerClient:
    """Client of the helper process. Thread-safe."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._receiver: threading.Thread | None = None
        self._waiting: dict[str, queue.SimpleQueue[dict[str, Any] | None]] = {}

    def first(self, request: dict[str, Any], seconds: float = ANSWER_SECONDS) -> Any:
        """Return the first result of a request; it is sent again if the helper ended meanwhile. Raises as `results`."""
        try:
            return self._first(request, seconds)
        except HelperGone:
            return self._first(request, seconds)

    def _first(self, request: dict[str, Any], seconds: float) -> Any:
        with closing(self.results(request, seconds)) as items:
            for item in items:
                return item
        raise interrupted()

    def results(
        self, request: dict[str, Any], seconds: float = ANSWER_SECONDS, tick: float = ANSWER_SECONDS
    ) -> Generator[Any, None, None]:
        """Yield the results of a request as they come. Closing the iterator stops it in the helper.

        Args:
            tick: None is yielded whenever nothing came for so many seconds, for callers that have other things to do.

        Raises:
            ServiceUnavailable: the component cannot be used, the helper ended, or `seconds` have passed.
        """
        key, found = str(new_id()), queue.SimpleQueue[dict[str, Any] | None]()
        limit, ended = time.monotonic() + seconds, False
        self._send(key, found, request | {"id": key})
        try:
            while True:
                left = limit - time.monotonic()
                try:
                    response = found.get(timeout=max(0.001, min(tick, left)))
                except queue.Empty:
                    if tick < left:
                        yield None
                        continue
                    raise interrupted() from None
                if response is None or "error" in response or "end" in response:
                    ended = True
                    if response is None:
                        raise interrupted(HelperGone)
                    if "error" in response:
                        raise ServiceUnavailable(**response["error"])
                    return
                yield response["item"]
        finally:
            with self._lock:
                self._waiting.pop(key, None)
                if not ended:
                    self._write({"id": key, "stop": True})

    def close(self) -> None:
        """Kill the helper; requests in progress fail."""
        with self._lock:
            process, self._process = self._process, None
            receiver, self._receiver = self._receiver, None
        if process is not None:
            process.kill()
            _close_input(process)
            process.wait()
        if receiver is not None:
            receiver.join(5)

    def _send(self, key: str, found: queue.SimpleQueue[dict[str, Any] | None], request: dict[str, Any]) -> None:
        with self._lock:
            if self._process is None or self._process.poll() is not None:
                self._start()
            self._waiting[key] = found
            if not self._write(request):
                self._start()
                self._waiting[key] = found
                self._write(request)

    def _write(self, request: dict[str, Any]) -> bool:
        process = self._process
        if process is None or process.stdin is None:
            return False
        try:
            process.stdin.write(orjson.dumps(request) + b"\n")
            process.stdin.flush()
        except (OSError, ValueError):
            return False
        return True

    def _start(self) -> None:
        if self._process is not None:
            _close_input(self._process)
        process = subprocess.Popen(
            [sys.executable, "-m", "annotarium.server.launch", "answers"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | thread_limit_variables(os.environ),
        )
        self._process, self._waiting = process, {}
        self._receiver = threading.Thread(target=_receive, args=(process, self._waiting), daemon=True)
        self._receiver.start()


def _receive(process: subprocess.Popen[bytes], waiting: dict[str, Any]) -> None:
    """Distribute responses until the helper ends; then all requests still waiting fail."""
    assert process.stdout is not None
    with suppress(OSError, ValueError):
        for line in process.stdout:
            response = orjson.loads(line)
            found = waiting.get(response["id"])
            if found is not None:
                found.put(response)
    for found in list(waiting.values()):
        found.put(None)
    process.stdout.close()
    process.wait()


def _close_input(process: subprocess.Popen[bytes]) -> None:
    with suppress(OSError):
        if process.stdin is not None:
            process.stdin.close()


def interrupted(kind: type[ServiceUnavailable] = ServiceUnavailable) -> ServiceUnavailable:
    """Return the error of an answer that the helper, or the process that requested it, did not complete."""
    return kind(
        message("answer.interrupted", "The answer was interrupted"),
        cause=message("search.helper", "The auxiliary process does not respond"),
        fix=message("fix.askAgain", "Ask again"),
    )


@lru_cache(maxsize=1)
def get_answer_client() -> AnswerClient:
    """Return the client of this process."""
    return AnswerClient()
