"""Trainings during annotation: every training ends, and its model is complete or absent."""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

from faults.annotating import (
    Annotator,
    check_index,
    check_processes,
    check_temporary_files,
    export,
    load_stories,
    story,
)

DOCUMENTS = 600
ITERATIONS = 60


class Driver:
    """See `driver_count`."""

    project = "trainings"
    rounds = 10

    def prepare(self, installation: Any) -> None:
        """Create a project with training examples, and an experiment."""
        self.annotator = Annotator(self.project)
        self.annotator.prepare(installation)
        load_stories(installation, self.project, [story(number, sentences=8) for number in range(DOCUMENTS)])
        body = {"engine": "crf", "label": "Names", "parameters": {"iterations": ITERATIONS}}
        self.experiment = installation.call("POST", f"/projects/{self.project}/experiments", json=body)["name"]
        self.completed = 0

    def _path(self) -> str:
        return f"/projects/{self.project}/experiments/{self.experiment}"

    def start(self, installation: Any, chance: random.Random) -> str:
        """Launch the training."""
        job_id: str = installation.call("POST", f"{self._path()}/_launch")["id"]
        return job_id

    def write(self, installation: Any) -> None:
        """Write one annotation."""
        self.annotator.write(installation)

    def check(self, installation: Any, job: dict[str, Any]) -> None:
        """Check that the job completed with a complete model, or failed with a message, and that the experiment is not
        running.
        """
        assert job["status"] in ("COMPLETED", "FAILED"), job
        experiment = installation.call("GET", self._path(), tries=20)
        assert experiment["running"] is False
        folders = _models(installation.folder / "data" / "models")
        for folder in folders:
            _check_whole(folder)
        if job["status"] == "FAILED":
            assert job["error"]["message"]
            assert job["error"]["fix"]
            return
        self.completed += 1
        assert (experiment["models"], len(folders)) == (1, 1)
        assert experiment["timestamp"] == int(folders[0].name)
        assert experiment["history"][0]["timestamp"] == experiment["timestamp"]
        check_processes(installation)

    def check_all(self, installation: Any) -> None:
        """Check that the model annotates, annotations are stored, and index and files are correct."""
        assert self.completed
        documents = export(installation, self.project)
        assert len(documents) == DOCUMENTS + 1
        self.annotator.check(documents)
        check_index(installation, self.project, len(documents))
        check_temporary_files(installation)
        self.facts = {"annotations kept": len(self.annotator.acknowledged), "slowest": round(self.annotator.longest, 1)}


def _models(folder: Path) -> list[Path]:
    return [path for path in folder.glob("*/experiment-*/[0-9]*") if path.is_dir()]


def _check_whole(folder: Path) -> None:
    files = json.loads((folder / "manifest.annotarium.json").read_bytes())["files"]
    assert files
    for name, digest in files.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, f"{folder}/{name}"
