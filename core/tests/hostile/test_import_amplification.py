"""Imports that send little and would have the server write much: what is stored is bounded by what was received.

Bytes are those of everything below the data folder once the database's log is written back: database, index, uploads.
"""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from imports import report, send
from scale import scale

from annotarium.corpus.report_lines import FAULT_LINES
from annotarium.db.engine import get_database
from annotarium.jobs.run import run_job

MEBIBYTE = 1 << 20
FIXED = 2 * MEBIBYTE
"""What any import may write: its job, its first lines of each kind, pages of tables and of an empty index."""
RATIO = 3


def bytes_kept(folder: Path) -> int:
    """Bytes below the data folder, after the database's log has been written back."""
    database = get_database()
    if database.is_sqlite:
        with database.write_engine.connect() as connection:
            connection.exec_driver_sql("COMMIT")
            connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    return sum(
        (Path(root) / name).stat().st_size
        for root, _, names in os.walk(folder)
        for name in names
        if name != "queue.log"
    )


@pytest.fixture(autouse=True)
def _jobs_run_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.jobs.queue.push", lambda job_id, queue: run_job(job_id))


@pytest.fixture
def project(make_project: Any, as_admin: Any) -> str:
    """A project of the caller's own."""
    name: str = make_project(owner="root").name
    return name


def counts(job: dict[str, Any]) -> dict[str, int]:
    """Figures of the job: its result, or those its failure tells."""
    return {name: value for name, value in (job.get("result") or {}).items() if isinstance(value, int)}


def outcomes(caller: Any, project: str, job: dict[str, Any]) -> dict[str, int]:
    """What the report counts."""
    answer = caller.get(f"/api/projects/{project}/job/{job['id']}/items", params={"size": 0})
    found: dict[str, int] = answer.json()["outcomes"]
    return found


def _zip(files: dict[str, bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_STORED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return packed.getvalue()


def _many(small: int, full: int, one: str, join: str, ends: tuple[str, str] = ("", "")) -> tuple[int, bytes]:
    count = scale(small, full)
    return count, (ends[0] + join.join([one] * count) + ends[1]).encode()


LIST = ("[", "]")
FAULTS: dict[str, Callable[[], tuple[str, int, bytes]]] = {
    "lists": lambda: ("a.json", *_many(120_000, 6_000_000, "[]", ",", LIST)),
    "numbers": lambda: ("a.json", *_many(120_000, 6_000_000, "0", ",", LIST)),
    "nested_lists": lambda: ("a.json", *_many(60_000, 1_000_000, "[[1,[2]],{}]", ",", LIST)),
    "empty_objects": lambda: ("a.json", *_many(20_000, 1_000_000, "{}", ",", LIST)),
    "mixed": lambda: ("a.json", *_many(20_000, 1_000_000, '[],{"text":7}', ",", LIST)),
    "lines_that_are_no_json": lambda: ("a.jsonl", *_many(60_000, 3_000_000, "x", "\n")),
    "lines_without_text": lambda: ("a.jsonl", *_many(20_000, 1_000_000, "{}", "\n")),
    "csv_rows_without_text": lambda: ("a.csv", *_many(20_000, 1_000_000, ",x", "\n", ("text,b\ngood,x\n", "\n"))),
    "csv_rows_of_other_width": lambda: ("a.csv", *_many(20_000, 1_000_000, "a,b,c", "\n", ("text,b\ngood,x\n", "\n"))),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_by_the_million_are_counted_not_listed(
    client: Any, as_admin: Any, data_folder: Path, project: str, name: str
) -> None:
    """T03: the disk does not fill with lines about what cannot be a document; the figures stay true."""
    filename, count, content = FAULTS[name]()
    before = bytes_kept(data_folder)
    job = send(as_admin, project, {filename: content})
    written = bytes_kept(data_folder) - before
    assert written <= RATIO * len(content) + FIXED, f"{written:,} bytes for {len(content):,}"
    lines = report(job)
    assert len(lines) <= 4 * FAULT_LINES
    refused = {"mixed": 2 * count}.get(name, count)
    assert outcomes(as_admin, project, job)["refused"] == refused
