"""A server with the interface of OpenAI: `from support.language_model_server import Model, served_models`."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from annotarium.registry import get_registry
from annotarium.search.answer_client import get_answer_client

WORDS = ("The lock gates ", "were made ", "of oak. [1] ", "Pirates burned them. [1]")


class Model:
    """What the server answers: `words`, or those that `script` makes from a request; it sends no word without a permit.

    Attributes:
        refusals: (status, Retry-After) of the first requests.
        usage: the stated numbers of tokens.
        asked, asked_at: the requests, and when they came (`time.monotonic`).
    """

    def __init__(self) -> None:
        self.words: Sequence[str] = WORDS
        self.script: Callable[[Any], Sequence[str]] | None = None
        self.permits = threading.Semaphore(0)
        self.asked: list[Any] = []
        self.asked_at: list[float] = []
        self.broken = b""
        self.status, self.complete = 200, True
        self.refusals: tuple[tuple[int, str], ...] = ()
        self.usage: dict[str, int] | None = None

    def allow(self, count: int = 1_000) -> None:
        """Allow so many more words."""
        self.permits.release(count)


def _handler(model: Model) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            model.asked.append(asked)
            model.asked_at.append(time.monotonic())
            if len(model.asked) <= len(model.refusals):
                status, wait = model.refusals[len(model.asked) - 1]
                self.send_response(status)
                self.send_header("Retry-After", wait)
                self.end_headers()
                return
            self.send_response(model.status)
            self.end_headers()
            if model.status != 200:
                return
            for word in model.script(asked) if model.script else model.words:
                model.permits.acquire(timeout=20)
                self._send(json.dumps({"choices": [{"delta": {"content": word}}]}).encode())
            model.permits.acquire(timeout=20)
            if model.usage is not None:
                self._send(json.dumps({"choices": [], "usage": model.usage}).encode())
            if model.broken:
                self._send(model.broken)
            elif model.complete:
                self._send(b"[DONE]")

        def _send(self, data: bytes) -> None:
            with suppress(OSError):
                self.wfile.write(b"data: " + data + b"\n\n")
                self.wfile.flush()

        def log_message(self, *_: object) -> None:
            pass

    return Handler


@contextmanager
def served_models(**environment: str) -> Iterator[list[Model]]:
    """Serve as the language model of the studio; the first model of the list answers.

    Args:
        environment: further variables of the process that asks it.
    """
    models: list[Model] = [Model()]

    class Current(BaseHTTPRequestHandler):
        def __new__(cls, *given: Any) -> Any:
            return _handler(models[0])(*given)

    made = ThreadingHTTPServer(("127.0.0.1", 0), Current)
    made.daemon_threads = True
    thread = threading.Thread(target=made.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANNOTARIUM_LANGUAGE_MODEL", f"http://127.0.0.1:{made.server_address[1]}/v1")
        for name, value in environment.items():
            patch.setenv(name, value)
        get_answer_client().close()
        get_registry.cache_clear()
        yield models
    made.shutdown()
    made.server_close()
    get_answer_client().close()
    get_registry.cache_clear()
