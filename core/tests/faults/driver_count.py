"""A job that counts seconds while labels are created: the simplest job and the simplest write.

A driver is a file `driver_*.py` with a class `Driver` like this one; the test finds it by its name.
"""

from __future__ import annotations

import random
from typing import Any

import httpx


class Driver:
    """Starts jobs, writes meanwhile, and checks the expected state afterwards.

    `installation.call(method, path, tries=, **arguments)` sends a request; it raises `httpx.HTTPError` without a
    response.
    """

    project = "faults"
    rounds = 10

    def prepare(self, installation: Any) -> None:
        """Runs once, before the first round."""
        body = {"name": self.project, "label": "Faults", "lang": "en", "nature": "sequence_labelling"}
        installation.call("POST", "/projects", json=body)
        self.labels: list[str] = []
        self.seconds: dict[str, int] = {}
        self.written = 0

    def start(self, installation: Any, chance: random.Random) -> str:
        """Start a job that takes some seconds and return its id. May raise `httpx.HTTPError`: then nothing was
        acknowledged.
        """
        seconds = chance.randint(2, 4)
        job_id: str = installation.call("POST", f"/projects/{self.project}/job?timeout={seconds}")["id"]
        self.seconds[job_id] = seconds
        return job_id

    def write(self, installation: Any) -> None:
        """Write once; recorded only if the server acknowledged it."""
        self.written += 1
        name = f"label_{self.written}"
        try:
            installation.call("POST", f"/projects/{self.project}/labels", json={"name": name, "label": name})
        except httpx.HTTPError:
            return
        self.labels.append(name)

    def check(self, installation: Any, job: dict[str, Any]) -> None:
        """Runs after each job that ended."""
        assert job["status"] == "COMPLETED", job
        seconds = self.seconds[job["id"]]
        report = installation.call("GET", f"/projects/{self.project}/job/{job['id']}/items", tries=20)
        assert [line["item"] for line in report["items"]] == [f"second-{number + 1}" for number in range(seconds)]

    def check_all(self, installation: Any) -> None:
        """Runs after the last round."""
        there = {label["name"] for label in installation.call("GET", f"/projects/{self.project}/labels", tries=20)}
        lost = set(self.labels) - there
        assert self.labels
        assert not lost, f"acknowledged and lost: {sorted(lost)}"
