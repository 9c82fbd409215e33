"""Imports that send little and would make the server write much: the stored bytes are bounded by the received bytes.

Counted are the bytes of all files below the data folder after a checkpoint of the database's log: database, index,
uploads.
"""

from __future__ import annotations

import csv
import io
import json
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.document_imports import import_files, report_lines
from support.hostile_test_sizes import hostile_test_size
from support.killed_jobs import kill_job_after

from annotarium.db.database import get_database
from annotarium.importing.report_lines import ERROR_LINES
from annotarium.jobs.run import run_job

MEBIBYTE = 1 << 20
FIXED = 2 * MEBIBYTE
"""What any import may write: its job, its first report lines of each kind, pages of tables and of an empty index."""
RATIO = 3


def stored_bytes(folder: Path) -> int:
    """Return the bytes below the data folder, after a checkpoint of the database's log."""
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
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))


@pytest.fixture
def project(make_project: Any, as_admin: Any) -> str:
    """Create a project owned by the caller."""
    name: str = make_project(owner="root").name
    return name


def counts(job: dict[str, Any]) -> dict[str, int]:
    """Return the figures of the job's result."""
    return {name: value for name, value in (job.get("result") or {}).items() if isinstance(value, int)}


def outcomes(caller: Any, project: str, job: dict[str, Any]) -> dict[str, int]:
    """Return the counts of the report."""
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
    count = hostile_test_size(small, full)
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
def test_millions_of_errors_are_counted_but_not_listed(
    client: Any, as_admin: Any, data_folder: Path, project: str, name: str
) -> None:
    """T03: the disk does not fill with lines about invalid documents, and the counts stay correct."""
    filename, count, content = FAULTS[name]()
    before = stored_bytes(data_folder)
    job = import_files(as_admin, project, {filename: content})
    written = stored_bytes(data_folder) - before
    assert written <= RATIO * len(content) + FIXED, f"{written:,} bytes for {len(content):,}"
    lines = report_lines(job)
    assert len(lines) <= 4 * ERROR_LINES
    refused = {"mixed": 2 * count}.get(name, count)
    assert outcomes(as_admin, project, job)["refused"] == refused


ACCEPTED: dict[str, Callable[[int], str]] = {
    "documents of one word": lambda count: ",".join(['{"text":"a"}'] * count),
    "documents of one long word": lambda count: ",".join([f'{{"text":"{"a" * 400}"}}'] * count),
    "a document of one word each": lambda count: f'{{"text":"{"Word. " * count}"}}',
}
DOCUMENT_BYTES = 1_300
"""Bytes that a document may cost besides its text: its row (180 bytes), its identifier (50) and length (40) for
lookups, its segment (30), its report line (100), and two entries of the search index, with a title and an identifier
that no other document has (430 each). It was 1,580 before unique values were stored in four bytes, identifiers once,
and report lines without an index.
"""
SEGMENT_BYTES = 450


@pytest.mark.parametrize("what", ACCEPTED)
def test_accepted_documents_cost_a_bounded_number_of_bytes(
    client: Any, as_admin: Any, data_folder: Path, project: str, what: str
) -> None:
    """T03: a constant per document, a constant per segment, and three times the bytes of text."""
    count = hostile_test_size(4_000, 200_000)
    content = f"[{ACCEPTED[what](count)}]".encode()
    before = stored_bytes(data_folder)
    job = import_files(as_admin, project, {"a.json": content})
    documents = counts(job)["imported"]
    written = stored_bytes(data_folder) - before
    segments = 0 if documents > 1 else count
    bound = DOCUMENT_BYTES * documents + SEGMENT_BYTES * segments + RATIO * len(content) + MEBIBYTE // 2
    assert written <= bound, f"{written:,} bytes for {documents:,} documents of {len(content):,} bytes"


def _one(**parts: Any) -> bytes:
    return json.dumps([{"text": "a"} | parts, {"identifier": "good", "text": "This one is good."}]).encode()


CROWDED: dict[str, Callable[[], bytes]] = {
    "annotations": lambda: _one(
        annotations=[{"start": 0, "end": 1, "labelName": "a"}] * hostile_test_size(5_000, 400_000)
    ),
    "labels": lambda: _one(categories=[{"labelName": str(one)} for one in range(hostile_test_size(5_000, 500_000))]),
    "categories": lambda: _one(categories=[{"labelName": "a"}] * hostile_test_size(5_000, 500_000)),
    "names of metadata": lambda: _one(metadata={f"k{one}": 1 for one in range(hostile_test_size(5_000, 500_000))}),
    "alternative texts": lambda: _one(
        altTexts=[{"name": str(n), "text": "a"} for n in range(hostile_test_size(5_000, 300_000))]
    ),
    "characters in its title": lambda: _one(title="t" * hostile_test_size(200_000, 10_000_000)),
}


@pytest.mark.parametrize("what", CROWDED)
def test_a_document_with_too_many_rows_is_refused(
    client: Any, as_admin: Any, data_folder: Path, project: str, what: str
) -> None:
    """T03: the rows of one document are bounded by those of a real one; the other documents are imported."""
    content = CROWDED[what]()
    before = stored_bytes(data_folder)
    job = import_files(as_admin, project, {"a.json": content})
    assert counts(job) == {"imported": 1, "refused": 1}
    message = report_lines(job)[0][2] or ""
    assert "too many" in message
    assert stored_bytes(data_folder) - before <= RATIO * len(content) + FIXED


def test_the_number_of_labels_created_by_an_import_is_bounded(
    client: Any, as_admin: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An import creates labels up to a bound of the project; documents that need no new label are imported."""
    monkeypatch.setattr("annotarium.content.labels.LABELS_MAX", 30)
    monkeypatch.setattr("annotarium.importing.writer.LABELS_MAX", 30)
    path = f"/api/projects/{project}/labels"
    marked = [{"identifier": f"d{n}", "text": "a", "categories": [{"labelName": f"l{n}"}]} for n in range(100)]
    plain = [{"identifier": f"p{n}", "text": "a", "categories": [{"labelName": "l0"}]} for n in range(20)]
    job = import_files(as_admin, project, {"a.json": json.dumps([*marked, *plain]).encode()})
    assert counts(job) == {"imported": 50, "refused": 70}
    assert len(as_admin.get(path).json()) == 30
    again = [{"identifier": "d0", "text": "b", "categories": [{"labelName": "new"}]}]
    again += [{"identifier": "d1", "text": "b", "categories": [{"labelName": "l1"}]}]
    assert counts(import_files(as_admin, project, {"b.json": json.dumps(again).encode()})) == {
        "replaced": 1,
        "refused": 1,
    }
    assert as_admin.get(f"/api/projects/{project}/documents/d0").json()["text"] == "a"


def test_the_report_counts_unlisted_items(client: Any, as_admin: Any, project: str) -> None:
    """Received = imported + replaced + unchanged + skipped + refused, in the job, the report and its table."""
    good = [{"identifier": f"g{n}", "text": f"Good {n}."} for n in range(20)]
    mixed = [part for one in good for part in (one, *[{}] * 60, *[[]] * 5, {"text": 7})]
    content = json.dumps(mixed).encode()
    job = import_files(as_admin, project, {"a.json": content})
    assert counts(job) == {"imported": 20, "refused": 20 * 66}
    items = f"/api/projects/{project}/job/{job['id']}/items"
    page = as_admin.get(items, params={"size": 1_000, "outcome": "refused"}).json()
    assert page["outcomes"] == {"imported": 20, "refused": 1_320}
    sums = [one for one in as_admin.get(items, params={"from": 1_000}).json()["items"] if one.get("isSum")]
    assert [(one["outcome"], one["count"]) for one in sums] == [("refused", 200)]
    assert sums[0]["message"].startswith("and 200 more of this kind: ")
    assert sums[0]["said"]["message"]["code"] == "report.more"
    table = list(csv.DictReader(io.StringIO(as_admin.get(f"{items}/_export").content.decode("utf-8-sig"))))
    assert sum(int(row["count"]) for row in table) == 20 * 67
    again = counts(import_files(as_admin, project, {"a.json": content}))
    assert again == {"unchanged": 20, "refused": 1_320}


def test_the_report_of_a_dry_run_is_bounded_too(client: Any, as_admin: Any, data_folder: Path, project: str) -> None:
    """A dry run stores no documents: its report is bounded like that of an import."""
    count = hostile_test_size(6_000, 200_000)
    content = b"[" + b",".join(b'{"text":"a","title":"%d"}' % one for one in range(count)) + b"]"
    before = stored_bytes(data_folder)
    job = import_files(as_admin, project, {"a.json": content}, dryRun="true")
    assert job["result"]["imported"] == count
    assert len(report_lines(job)) <= ERROR_LINES + 1
    assert stored_bytes(data_folder) - before <= RATIO * len(content) + FIXED


def test_a_second_run_of_an_import_counts_the_same(
    client: Any, as_admin: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If a worker dies in the middle, the next run starts its counts anew."""
    good = [{"identifier": f"g{n}", "text": f"Good {n}."} for n in range(300)]
    content = json.dumps([part for one in good for part in (one, *[{}] * 10)]).encode()
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: None)
    path = f"/api/projects/{project}/documents"
    job_id = as_admin.post(path, files=[("file", ("a.json", content))]).json()["id"]
    kill_job_after(monkeypatch, job_id, 1_200)
    run_job(job_id)
    job = as_admin.get(f"/api/projects/{project}/job/{job_id}").json()
    assert counts(job) == {"imported": 300, "refused": 3_000}
    assert outcomes(as_admin, project, job) == {"imported": 300, "refused": 3_000}
