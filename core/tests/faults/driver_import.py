"""Imports of several thousand documents during annotation: each document is imported once and completely."""

from __future__ import annotations

import json
import random
import threading
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx
from faults.annotating import (
    Annotator,
    check_index,
    check_processes,
    check_temporary_files,
    export,
    story,
)

DOCUMENTS = 3_000


class Driver:
    """See `driver_count`."""

    project = "imports"
    rounds = 15

    def prepare(self, installation: Any) -> None:
        """Create the project and the document that is annotated meanwhile."""
        self.annotator = Annotator(self.project)
        self.annotator.prepare(installation)
        self.batches = 0
        self.jobs: dict[str, range] = {}
        self.numbers: list[range] = []

    def start(self, installation: Any, chance: random.Random) -> str:
        """Upload a file and import it; a second, slow upload is in progress and may be cut off."""
        numbers = range(self.batches * DOCUMENTS, (self.batches + 1) * DOCUMENTS)
        self.batches += 1
        content = json.dumps([story(number) for number in numbers])
        upload = installation.call("POST", "/uploads", tries=20, files={"file": ("stories.json", content)})
        path = f"/projects/{self.project}/documents/_load"
        job_id: str = installation.call("POST", path, json=upload)["id"]
        self.jobs[job_id] = numbers
        threading.Thread(target=_slow_upload, args=(installation.address, installation.token), daemon=True).start()
        return job_id

    def write(self, installation: Any) -> None:
        """Write one annotation."""
        self.annotator.write(installation)

    def check(self, installation: Any, job: dict[str, Any]) -> None:
        """Check that the job completed and its report has one line per document."""
        assert job["status"] == "COMPLETED", job
        numbers = self.jobs[job["id"]]
        path = f"/projects/{self.project}/job/{job['id']}/items?size=1000&from="
        lines: list[dict[str, Any]] = []
        for begin in range(0, DOCUMENTS, 1_000):
            page = installation.call("GET", f"{path}{begin}", tries=20)
            assert page["total"] == DOCUMENTS
            assert page["outcomes"] == {"imported": DOCUMENTS}
            lines += page["items"]
        assert {line["documentIdentifier"] for line in lines} == {f"story-{number}" for number in numbers}
        check_processes(installation)

    def check_all(self, installation: Any) -> None:
        """Check documents, annotations, index and files."""
        documents = export(installation, self.project)
        expected = [number for numbers in self.jobs.values() for number in numbers]
        assert len(expected) == self.batches * DOCUMENTS
        assert documents.keys() == {"base", *(f"story-{number}" for number in expected)}
        for number in expected:
            _compare(documents[f"story-{number}"], story(number))
        self.annotator.check(documents)
        check_index(installation, self.project, len(documents))
        check_temporary_files(installation)
        self.facts = {"annotations kept": len(self.annotator.acknowledged), "slowest": round(self.annotator.longest, 1)}


def _compare(found: dict[str, Any], wanted: dict[str, Any]) -> None:
    assert found["text"] == wanted["text"], wanted["identifier"]
    sentences = [(one["start"], one["end"]) for one in found["sentences"]]
    assert sentences == [(one["start"], one["end"]) for one in wanted["sentences"]], wanted["identifier"]
    keys = ("start", "end", "text", "labelName")
    spans = sorted(tuple(one[key] for key in keys) for one in found["annotations"])
    assert spans == sorted(tuple(one[key] for key in keys) for one in wanted["annotations"]), wanted["identifier"]


def _slow_upload(address: str, token: str) -> None:
    """Send a form slowly over some seconds; no caller waits for it."""

    def body() -> Iterator[bytes]:
        yield b'--x\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\n'
        for _ in range(12):
            yield b"drop " * 300_000
            threading.Event().wait(0.3)
        yield b"\r\n--x--\r\n"

    headers = {"Authorization": f"Bearer {token}", "Content-Type": "multipart/form-data; boundary=x"}
    with suppress(httpx.HTTPError):
        httpx.post(f"{address}/api/uploads", content=body(), headers=headers, timeout=15)
