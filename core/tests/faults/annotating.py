"""Helpers of the drivers: documents with known contents, acknowledged annotations, checks of index, processes and
files.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import httpx

from annotarium.system.lanes import plan_slots
from annotarium.system.serve_options import WORKERS

NAMES = ("Ada", "Grace", "Émile", "Zoë", "Tomáš", "Ngozi", "Søren", "Mei")
TOWNS = ("Lyon", "Łódź", "Accra", "Oslo", "Lima", "Hà Nội", "Graz", "Pune")
VERBS = ("met", "called", "wrote to", "thanked", "paid", "left")
WORD = "word "


def story(number: int, sentences: int = 3) -> dict[str, Any]:
    """Return a document whose text, sentences and annotations are derived from its number (offsets in code points)."""
    text = ""
    found: list[dict[str, Any]] = []
    bounds: list[dict[str, int]] = []

    def add(words: str, label: str | None = None) -> None:
        nonlocal text
        if label is not None:
            found.append({"start": len(text), "end": len(text) + len(words), "text": words, "labelName": label})
        text += words

    for line in range(sentences):
        seed = number * 7 + line * 5
        begin = len(text)
        add(NAMES[seed % 8], "person")
        add(f" {VERBS[seed % 6]} ")
        add(NAMES[(seed // 3 + 1) % 8], "person")
        add(" 😀 in " if seed % 4 == 0 else " in ")
        add(TOWNS[(seed // 2) % 8], "town")
        add(f" on day {number}.")
        bounds.append({"start": begin, "end": len(text)})
        add(" ")
    return {"identifier": f"story-{number}", "text": text, "annotations": found, "sentences": bounds}


def eventually(holds: Callable[[], Any], seconds: float, what: Callable[[], Any]) -> None:
    """Wait until the condition holds; fails with `what()` after so many seconds."""
    limit = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < limit, what()
        time.sleep(0.2)


class Annotator:
    """Annotates one document word by word and records the acknowledged annotations."""

    def __init__(self, project: str) -> None:
        self.project = project
        self.acknowledged: dict[str, int] = {}
        self.tried = 0
        self.longest = 0.0

    def prepare(self, installation: Any) -> None:
        """Create the project, its label and the document."""
        body = {"name": self.project, "label": self.project, "lang": "en", "nature": "sequence_labelling"}
        installation.call("POST", "/projects", json=body)
        installation.call("POST", f"/projects/{self.project}/labels", json={"name": "mark", "label": "Mark"})
        load_stories(installation, self.project, [{"identifier": "base", "text": WORD * 2_000}])

    def write(self, installation: Any) -> None:
        """Annotate the next word; recorded only if the server acknowledged it."""
        start = self.tried * len(WORD)
        self.tried += 1
        body = {"documentIdentifier": "base", "labelName": "mark", "start": start, "end": start + 4, "text": "word"}
        begin = time.monotonic()
        try:
            made = installation.call("POST", f"/projects/{self.project}/annotations", json=body)
        except httpx.HTTPError:
            return
        self.longest = max(self.longest, time.monotonic() - begin)
        self.acknowledged[made["identifier"]] = start

    def check(self, documents: dict[str, dict[str, Any]]) -> None:
        """Check that no acknowledged annotation is lost, no unrequested one exists, and every text slice matches its
        offsets.
        """
        there = {one["identifier"]: one for one in documents["base"]["annotations"]}
        lost = self.acknowledged.keys() - there.keys()
        assert self.acknowledged
        assert not lost, f"acknowledged and lost: {sorted(lost)}"
        starts = [one["start"] for one in there.values()]
        assert len(starts) == len(set(starts)) <= self.tried
        assert all(one["text"] == "word" for one in there.values())


def load_stories(installation: Any, project: str, documents: list[dict[str, Any]]) -> None:
    """Import documents and wait for the end (no process is killed meanwhile)."""
    path = f"/projects/{project}/documents/_import_documents?wait=true"
    job = installation.call("POST", path, json=documents)
    assert job["status"] == "COMPLETED", job


def export(installation: Any, project: str) -> dict[str, dict[str, Any]]:
    """Return all documents by identifier; fails if one occurs twice."""
    found = installation.call("GET", f"/projects/{project}/documents", tries=20)
    documents = {one["identifier"]: one for one in found}
    assert len(documents) == len(found), "a document is there twice"
    return documents


def check_index(installation: Any, project: str, documents: int) -> None:
    """Check that the index agrees with the database, and that the search returns the database's counts."""
    environment = {name: value for name, value in os.environ.items() if "REDIS" not in name}
    data = str(installation.folder / "data")
    command = [sys.executable, "-m", "annotarium.cli", "index", "verify", "--project", project, "--data", data]
    said: list[str] = []

    def agrees() -> bool:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60, check=False)
        said.append(done.stdout + done.stderr)
        return done.returncode == 0 and " 0 waiting: agrees" in done.stdout

    eventually(agrees, 60, lambda: said[-1])
    hits = installation.call("POST", f"/projects/{project}/documents/_search?size=1", tries=20)
    assert hits["total"]["value"] == documents, hits["total"]


def check_processes(installation: Any) -> None:
    """Check that there is one process per role and no other: no child process outlives its job."""
    wanted = {"supervisor": 1, "api": 1, "worker": 1, "queue": 1, "job": 0}
    wanted["slot"] = len(plan_slots(WORKERS.default))

    def counts() -> dict[str, int]:
        return {role: len(installation.processes(role)) for role in wanted}

    eventually(lambda: counts() == wanted, 20, lambda: f"{counts()}\n{installation.describe()}")


def temporary_files(installation: Any) -> list[str]:
    """Return the files and folders left by finished work."""
    data = installation.folder / "data"
    found = [*data.glob("uploads/*.part"), *data.glob("uploads/import-*"), *data.glob("models/**/.new-*")]
    return [str(path.relative_to(data)) for path in found]


def check_temporary_files(installation: Any) -> None:
    """Check that files left by dead processes are removed within a minute."""
    eventually(lambda: not temporary_files(installation), 60, lambda: temporary_files(installation))
