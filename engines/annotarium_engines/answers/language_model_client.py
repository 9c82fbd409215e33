"""Client of an OpenAI-compatible server. Only the administrator sets its address; it is never taken from a request."""

from __future__ import annotations

import json
import math
import os
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.client import HTTPConnection, HTTPException, HTTPResponse, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.question_answerer import Usage

ADDRESS = "ANNOTARIUM_LANGUAGE_MODEL"
"""Environment variable with the server's address, e.g. `https://models.example.org/v1`."""
KEY = "ANNOTARIUM_LANGUAGE_MODEL_KEY"
NAME = "ANNOTARIUM_LANGUAGE_MODEL_NAME"
PRICES = "ANNOTARIUM_LANGUAGE_MODEL_PRICES"
"""Environment variable with the prices of a million tokens of the question and of the answer, e.g. `0.15,0.60`."""
_MOST_BYTES = 4 * 1024 * 1024
_MOST_TRIES = 4
_FIRST_PAUSE = 0.5
_FIX = f"Ask an administrator to look after the server that {ADDRESS} names."


class _Unavailable(ComponentError):
    """A failure that may pass: worth another try while nothing was answered yet."""

    pause: float | None = None
    """Seconds that the server requests to wait."""


def address() -> str:
    """Return the address of the server, empty when it is not set or not a valid address."""
    given = os.environ.get(ADDRESS, "").strip().rstrip("/")
    parts = urlsplit(given)
    return given if parts.scheme in ("http", "https") and parts.hostname else ""


def stream_completion(messages: list[dict[str, str]], seconds: float) -> Iterator[str | Usage]:
    """Yield the parts of the model's response as they arrive, then its usage if the server states it.

    All is done within `seconds`. Before the first part, a server that is too busy (429), not available (503) or not
    reached is tried again, as long as there is time; `Retry-After` is honoured.

    Raises:
        ComponentError: no server is configured, it cannot be reached, refuses, or ends before the response is complete.
    """
    if not address():
        raise ComponentError("There is no language model.", fix=_FIX)
    end = time.monotonic() + seconds
    for number in range(1, _MOST_TRIES + 1):
        answered = False
        try:
            for part in _try(messages, end, seconds):
                answered = True
                yield part
            return
        except _Unavailable as error:
            pause = _FIRST_PAUSE * 2 ** (number - 1) if error.pause is None else error.pause
            if answered or number == _MOST_TRIES or time.monotonic() + pause >= end:
                raise
        time.sleep(pause)


def _try(messages: list[dict[str, str]], end: float, seconds: float) -> Iterator[str | Usage]:
    """Ask once; the connection is shut down at `end`, however slowly the server sends."""
    parts = urlsplit(address())
    kind = HTTPSConnection if parts.scheme == "https" else HTTPConnection
    left = max(0.001, end - time.monotonic())
    connection = kind(parts.hostname or "", parts.port, timeout=left)
    late = threading.Event()
    opened: list[socket.socket] = []  # the connection forgets its socket when the response is the last one

    def interrupt() -> None:
        late.set()
        for one in opened:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    timer = threading.Timer(left, interrupt)
    timer.daemon = True
    timer.start()
    try:
        connection.connect()
        opened.append(connection.sock)
        yield from _parts_of(connection, parts.path + "/chat/completions", messages)
    except (OSError, HTTPException, ValueError, _Unavailable) as error:
        if late.is_set() or isinstance(error, TimeoutError):
            cause = f"It took more than {seconds:g} seconds"
            raise ComponentError("The language model does not answer.", cause=cause, fix=_FIX) from None
        if isinstance(error, _Unavailable):
            raise
        raise _Unavailable("The language model does not answer.", cause=type(error).__name__, fix=_FIX) from None
    finally:
        timer.cancel()
        connection.close()


def _parts_of(connection: HTTPConnection, path: str, messages: list[dict[str, str]]) -> Iterator[str | Usage]:
    body: dict[str, Any] = {"messages": messages, "stream": True, "temperature": 0}
    body["stream_options"] = {"include_usage": True}
    if os.environ.get(NAME):
        body["model"] = os.environ[NAME]
    headers = {"Content-Type": "application/json", "Accept": "text/event-stream"}
    if os.environ.get(KEY):
        headers["Authorization"] = f"Bearer {os.environ[KEY].strip()}"
    connection.request("POST", path, json.dumps(body).encode(), headers)
    with connection.getresponse() as response:
        yield from _events(response)


def _events(response: HTTPResponse) -> Iterator[str | Usage]:
    if response.status != 200:
        raise _refusal(response)
    left = _MOST_BYTES
    while line := response.readline(left + 1):
        left -= len(line)
        if left < 0:
            raise ComponentError("The language model answers too much.", fix=_FIX)
        if not line.startswith(b"data:"):
            continue
        data = line[5:].strip()
        if data == b"[DONE]":
            return
        yield from _content(data)
    raise _Unavailable("The language model stopped in the middle of its answer.", fix=_FIX)


def _refusal(response: HTTPResponse) -> ComponentError:
    cause = f"It answered with the status {response.status}"
    if response.status not in (429, 503):
        return ComponentError("The language model refused the question.", cause=cause, fix=_FIX)
    error = _Unavailable("The language model is too busy or not available.", cause=cause, fix=_FIX)
    error.pause = _pause(response.headers.get("Retry-After", ""))
    return error


def _pause(given: str) -> float | None:
    """Return the seconds of a `Retry-After` header: a number or a date."""
    with suppress(ValueError):
        seconds = float(given)
        return max(0.0, seconds) if math.isfinite(seconds) else None
    with suppress(ValueError, TypeError):
        return max(0.0, (parsedate_to_datetime(given) - datetime.now(UTC)).total_seconds())
    return None


def _content(data: bytes) -> Iterator[str | Usage]:
    try:
        event = json.loads(data)
        choices, usage = event["choices"], event.get("usage")
        found = choices[0]["delta"].get("content") if choices else ""
        used = _usage(usage) if usage else None
    except (ValueError, RecursionError, KeyError, IndexError, TypeError, AttributeError, OverflowError):
        raise ComponentError("The language model answers what cannot be read.", fix=_FIX) from None
    if isinstance(found, str) and found:
        yield found
    if used:
        yield used


def _usage(given: dict[str, Any]) -> Usage:
    asking, answering = (max(0, int(given.get(name) or 0)) for name in ("prompt_tokens", "completion_tokens"))
    per_question, per_answer = _prices()
    return Usage(asking, answering, (asking * per_question + answering * per_answer) / 1_000_000)


def _prices() -> tuple[float, float]:
    """Return the configured prices; 0, 0 if there are none or they are not two numbers from 0."""
    try:
        per_question, per_answer = (float(one) for one in os.environ.get(PRICES, "").split(","))
    except ValueError:
        return 0.0, 0.0
    valid = all(math.isfinite(one) and one >= 0 for one in (per_question, per_answer))
    return (per_question, per_answer) if valid else (0.0, 0.0)
