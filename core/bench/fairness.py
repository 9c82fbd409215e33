"""Measures how long one user waits while another one uses the server: `python core/bench/fairness.py [--megabytes 200]
[--quick]`.

Two users with a project each. While one imports a large file, and then trains a tagger for minutes, the other one
repeatedly imports one document, annotates a sentence, imports 1,000 documents and searches. Prints median, 95th
percentile and maximum of each, alone and during that work, and the memory of the whole installation.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
from support.corpus import Corpus
from support.installation import PASSWORD, Installation

MEGABYTE = 1_000_000
_DIFFERENT = 2_000
"""Number of different texts in the large file; they are repeated under other identifiers."""
_SENTENCE = "Marie Curie met Albert Einstein in Brussels and wrote to Paris. "


class HttpUser:
    """A user with a project, calling over HTTP."""

    def __init__(self, installation: Installation, name: str) -> None:
        self.name = name
        self.project = f"/projects/{name}"
        installation.sign_in(name)
        self.client, installation.client = installation.client, httpx.Client()
        self.call("POST", "/projects", json={"label": name, "name": name, "lang": "en"})

    def call(self, method: str, path: str, **arguments: Any) -> Any:
        """Return the JSON response of one call; raises for any status other than success."""
        answer = self.client.request(method, path, **arguments)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text[:300]}")
        return answer.json() if answer.content else None

    def start_import(self, documents: list[dict[str, Any]] | Path) -> str:
        """Import documents, or a file of them; returns the job's id."""
        if isinstance(documents, Path):
            with documents.open("rb") as file:
                upload = self.call("POST", "/uploads", files={"file": ("documents.json", file)})
            job = self.call("POST", f"{self.project}/documents/_load", json=upload)
        else:
            job = self.call("POST", f"{self.project}/documents/_import_documents", json=documents)
        return str(job["id"])

    def job(self, job_id: str) -> dict[str, Any]:
        """Return the current state of the job."""
        found: dict[str, Any] = self.call("GET", f"/jobs/{job_id}")
        return found

    def wait(self, job_id: str, seconds: float = 1800) -> dict[str, Any]:
        """Wait for the end of the job and return it."""
        limit = time.monotonic() + seconds
        while (job := self.job(job_id))["status"] == "STARTED":
            if time.monotonic() > limit:
                raise RuntimeError(f"The job did not end: {job}")
            time.sleep(0.02)
        if job["status"] != "COMPLETED":
            raise RuntimeError(f"The job ended as {job['status']}: {job.get('statusMessage')}")
        return job

    def train(self, iterations: int) -> tuple[str, str]:
        """Start the training of a tagger; returns its name and the job."""
        body = {"engine": "crf", "parameters": {"iterations": iterations}}
        name = self.call("POST", f"{self.project}/experiments", json=body)["name"]
        return str(name), str(self.call("POST", f"{self.project}/experiments/{name}/_launch")["id"])


class Bench:
    """Two users and their operations."""

    def __init__(self, installation: Installation, given: argparse.Namespace) -> None:
        self.installation, self.given = installation, given
        self.corpus = Corpus()
        self.number = 0
        self.first = self.second = HttpUser.__new__(HttpUser)
        self.annotator = ""
        self.alone: dict[str, float] = {}

    def run(self) -> None:
        """Run everything."""
        self.installation.start()
        self.installation.sign_in()
        time.sleep(6)
        print(f"idle memory of the installation: {self.installation.memory():.0f} MB")
        for name in ("first", "second"):
            body = {"username": name, "password": PASSWORD, "roles": ["ProjectManager", "ProductionAPIUser"]}
            self.installation.call("POST", "/users", json=body)
        self.first, self.second = HttpUser(self.installation, "first"), HttpUser(self.installation, "second")
        self.second.wait(self.second.start_import([self.corpus.document(number) for number in range(200)]))
        self.annotator, job = self.second.train(5)
        self.second.wait(job)
        count = self.given.calls
        print(f"{'':52}{'p50 s':>9}{'p95 s':>9}{'slowest':>9}{'p95 x':>9}")
        self.measure("alone", count, remember=True)
        if "import" in self.given.parts:
            self.during_import(count)
        if "training" in self.given.parts:
            self.during_training(count)

    def during_import(self, count: int) -> None:
        """Measure the second user while the first one imports a large file."""
        with tempfile.NamedTemporaryFile(suffix=".json") as file:
            documents = self._write(Path(file.name))
            began = time.monotonic()
            job = self.first.start_import(Path(file.name))
        self._await_start(self.first, job)
        self.measure(f"beside an import of {self.given.megabytes} MB", count, thousands=False)
        still = self.first.job(job)["status"] == "STARTED"
        self.first.wait(job)
        seconds = time.monotonic() - began
        print(f"  the large import: {documents:,} documents in {seconds:.0f} s, {'still' if still else 'not'} at work")

    def during_training(self, count: int) -> None:
        """Measure the second user while the first one trains."""
        self.first.call("POST", "/projects", json={"label": "training", "name": "training", "lang": "en"})
        self.first.project = "/projects/training"
        documents = [self.corpus.document(number) for number in range(self.given.training)]
        self.first.wait(self.first.start_import(documents))
        began = time.monotonic()
        _, job = self.first.train(500)
        self._await_start(self.first, job)
        time.sleep(2)
        self.measure("beside a training", count)
        still = self.first.job(job)["status"] == "STARTED"
        print(f"  the training: {'still at work' if still else 'over'} after {time.monotonic() - began:.0f} s")
        print(f"  memory of the installation: {self.installation.memory():.0f} MB")
        if still:
            self.first.call("DELETE", f"/jobs/{job}")

    def measure(self, words: str, count: int, *, remember: bool = False, thousands: bool = True) -> None:
        """Measure each operation of the second user."""
        acts: list[tuple[str, int, Callable[[], object]]] = [
            ("import of one document", count, lambda: self._import(1)),
            ("annotation of a sentence", count, self._annotate),
            ("search", count, self._search),
        ]
        if thousands:
            acts.append(("import of 1,000 documents", max(3, count // 4), lambda: self._import(1_000)))
        if remember or not thousands:
            acts.append(("import of 6 MB", 1, lambda: self._import(2_700)))
        for name, times, operation in acts:
            if remember and times > 1:
                operation()  # warms up caches
            found = sorted(_timed(operation) for _ in range(times))
            p50, p95 = found[len(found) // 2], found[round(0.95 * (len(found) - 1))]
            if remember:
                self.alone[name] = p95
            ratio = p95 / self.alone[name]
            print(f"{name + ', ' + words:52}{p50:9.3f}{p95:9.3f}{found[-1]:9.3f}{ratio:9.1f}", flush=True)

    def _import(self, count: int) -> None:
        documents = []
        for _ in range(count):
            self.number += 1
            documents.append(self.corpus.document(10_000_000 + self.number))
        self.second.wait(self.second.start_import(documents))

    def _annotate(self) -> None:
        path = f"{self.second.project}/annotators/{self.annotator}/_annotate"
        self.number += 1
        text = f"{_SENTENCE}{self.number}"
        self.second.call("POST", path, content=text.encode(), headers={"content-type": "text/plain"})

    def _search(self) -> None:
        self.number += 1
        query = self.corpus.words[30 + self.number % 500]
        self.second.call("POST", f"{self.second.project}/documents/_search", params={"query": query, "size": 25})

    def _await_start(self, person: HttpUser, job: str) -> None:
        while not person.job(job).get("currentStepCount") and person.job(job)["status"] == "STARTED":
            time.sleep(0.1)

    def _write(self, path: Path) -> int:
        """Write the large file and return its number of documents."""
        kept = [self.corpus.document(number) for number in range(_DIFFERENT)]
        written = number = 0
        with path.open("w") as file:
            while written < self.given.megabytes * MEGABYTE:
                document = kept[number % len(kept)] | {"identifier": f"large-{number:07d}", "title": f"Large {number}"}
                written += file.write(f"{',' if number else '['}\n{json.dumps(document)}")
                number += 1
            file.write("]")
        return number


def _timed(operation: Callable[[], object]) -> float:
    began = time.perf_counter()
    try:
        operation()
    except (RuntimeError, httpx.HTTPError) as error:
        print(f"  not done after {time.perf_counter() - began:.1f} s: {str(error)[:120]}", flush=True)
    return time.perf_counter() - began


def main() -> int:
    """Read the options and measure."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="20 MB, 1,000 documents of training, 8 calls each")
    parser.add_argument("--megabytes", type=int, default=0, help="size of the large import (200)")
    parser.add_argument("--training", type=int, default=0, help="documents of the training (4,000)")
    parser.add_argument("--calls", type=int, default=0, help="of the second person, for each kind (20)")
    parser.add_argument("--workers", type=int, default=None, help="as of `annotarium serve`")
    parser.add_argument("--parts", nargs="*", default=["import", "training"])
    given = parser.parse_args()
    given.megabytes = given.megabytes or (20 if given.quick else 200)
    given.training = given.training or (1_000 if given.quick else 4_000)
    given.calls = given.calls or (8 if given.quick else 20)
    if given.workers is not None:
        os.environ["ANNOTARIUM_WORKERS"] = str(given.workers)
    os.environ["ANNOTARIUM_BODY_LIMIT"] = str(1 << 30)
    with tempfile.TemporaryDirectory(prefix="an-", ignore_cleanup_errors=True) as folder:
        installation = Installation(Path(folder))
        try:
            Bench(installation, given).run()
        finally:
            installation.stop()
    print(f"load of the machine (1, 5, 15 minutes): {' '.join(f'{one:.1f}' for one in os.getloadavg())}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
