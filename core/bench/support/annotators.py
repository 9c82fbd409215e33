"""Eight users who annotate the same documents at the same time, each in a process with its own connection."""

from __future__ import annotations

import http.client
import json
import random
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from multiprocessing import get_context
from typing import Any
from urllib.parse import urlsplit

import psutil

State = tuple[str, int, int, str, str | None]
"""Document, start, end, label and status of a span."""


@dataclass(frozen=True)
class AnnotatorTask:
    """The work of one annotator. `texts` are the documents by identifier."""

    address: str
    token: str
    project: str
    texts: dict[str, str]
    seconds: float
    start_at: float
    seed: int


@dataclass
class AnnotatorResult:
    """What the server acknowledged: spans by identifier, as they must be found afterwards; times in ms."""

    saved: dict[str, State] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)
    times: list[float] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    processor: float = 0.0


class Annotator:
    """Creates spans; reviews every third and deletes every fourth of its own."""

    def __init__(self, work: AnnotatorTask) -> None:
        self.work, self.done = work, AnnotatorResult()
        self._random = random.Random(work.seed)
        address = urlsplit(work.address)
        self._connection = http.client.HTTPConnection(address.hostname or "", address.port or 80, timeout=60)
        self._headers = {"authorization": f"Bearer {work.token}", "content-type": "application/json"}
        self._path = f"/api/projects/{work.project}/annotations"

    def run(self) -> AnnotatorResult:
        """Work until the time is over."""
        names = sorted(self.work.texts)
        time.sleep(max(0.0, self.work.start_at - time.time()))
        until = time.perf_counter() + self.work.seconds
        number = 0
        while time.perf_counter() < until:
            number += 1
            own = list(self.done.saved) if number % 12 in (3, 4, 7, 8, 11) else []
            if own and number % 4 == 3:
                self._judge(self._random.choice(own))
            elif own and number % 4 == 0:
                self._delete(self._random.choice(own))
            else:
                self._create(self._random.choice(names))
        self.done.processor = sum(psutil.Process().cpu_times()[:2])
        return self.done

    def _create(self, document: str) -> None:
        text = self.work.texts[document]
        start = self._random.randrange(len(text) - 12)
        end, label = start + self._random.randint(1, 12), f"label{self._random.randrange(12)}"
        body = {"documentIdentifier": document, "labelName": label, "start": start, "end": end, "status": "OK"}
        answer = self._call("POST", self._path, body | {"text": text[start:end]})
        if answer is not None:
            self.done.saved[answer["identifier"]] = (document, start, end, label, "OK")

    def _judge(self, identifier: str) -> None:
        document, start, end, label, status = self.done.saved[identifier]
        changed = "KO" if status == "OK" else "OK"
        if self._call("PATCH", f"{self._path}/{identifier}", {"status": changed}) is not None:
            self.done.saved[identifier] = (document, start, end, label, changed)

    def _delete(self, identifier: str) -> None:
        if self._call("DELETE", f"{self._path}/{identifier}", None) is not None:
            del self.done.saved[identifier]
            self.done.deleted.add(identifier)

    def _call(self, method: str, path: str, body: dict[str, Any] | None) -> dict[str, Any] | None:
        begin = time.perf_counter()
        content = None if body is None else json.dumps(body)
        self._connection.request(method, path, content, self._headers)
        answer = self._connection.getresponse()
        data = answer.read()
        self.done.times.append((time.perf_counter() - begin) * 1000)
        if answer.status >= 300:
            self.done.failures.append(f"{method} {answer.status} {data[:200]!r}")
            return None
        found: dict[str, Any] = json.loads(data)
        return found


def _run(work: AnnotatorTask) -> AnnotatorResult:
    return Annotator(work).run()


def annotate_together(works: list[AnnotatorTask]) -> list[AnnotatorResult]:
    """Run all tasks at the same time."""
    with ProcessPoolExecutor(len(works), mp_context=get_context("forkserver")) as pool:
        return list(pool.map(_run, works))
