"""Jobs of imports: their lane, a second run, a database that refuses a document or is unavailable, cancellation."""

from __future__ import annotations

import time
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError, OperationalError
from support.document_imports import import_documents, report_lines

from annotarium.db import disconnected
from annotarium.db.models import Job, JobItem
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports import importer, service
from annotarium.jobs import context as context_module
from annotarium.jobs import scheduling
from annotarium.jobs.run import run_job
from annotarium.system.lanes import LANES

GOOD = {"identifier": "good", "title": "Good", "text": "This one is good."}
GONE = OperationalError("INSERT", {}, type("Gone", (Exception,), {"sqlstate": None})("server closed the connection"))


def test_a_long_import_gives_way_to_short_jobs(marie: Any, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(service, "LONG_IMPORT_BYTES", 200)
    with unit_of_work(actor="", write=False) as unit:
        jobs = [import_documents(marie, project, [GOOD | {"text": text}]) for text in ("Short.", "Long. " * 50)]
        queues = [unit.session.get_one(Job, job["id"]).queue for job in jobs]
    assert queues == ["default", "long"]
    assert LANES.index("default") < LANES.index("long")


def test_a_second_run_of_a_job_writes_no_document_twice(
    marie: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A worker was killed between two batches: what it wrote is skipped, the rest is imported."""
    monkeypatch.setattr(importer, "BATCH_DOCUMENTS", 2)
    documents = [GOOD | {"identifier": str(number)} for number in range(7)]
    job = import_documents(marie, project, documents)
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.get_one(Job, job["id"])
        row.state, row.status = "waiting", "STARTED"
        for line in unit.session.scalars(select(JobItem).where(JobItem.job_id == row.id, JobItem.ordinal > 4)):
            unit.session.delete(line)
    run_job(job["id"])
    lines = report_lines(job)
    assert [outcome for _, outcome, _ in lines] == ["imported"] * 4 + ["unchanged"] * 3
    ended = marie.get(f"/api/jobs/{job['id']}").json()
    assert ended["statusMessage"] == "4 imported, 3 unchanged of 7 received"  # the same counts as in the report
    assert len(marie.get(f"/api/projects/{project}/documents").json()) == 7


@pytest.mark.parametrize("lane", ["default", "long"])
def test_a_preempted_import_continues_where_it_stopped(
    marie: Any, project: str, monkeypatch: pytest.MonkeyPatch, lane: str
) -> None:
    """A job waits in the same lane, and the time slice ends after each document: all documents are imported, once
    each."""
    monkeypatch.setattr(importer, "_FIRST_BATCH", 2)
    monkeypatch.setattr(importer, "BATCH_DOCUMENTS", 2)
    monkeypatch.setattr(context_module, "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr(scheduling, "WAITED_MS", 0)
    documents = [GOOD | {"identifier": str(number)} for number in range(7)]
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda *_: None)  # stays queued
    job = import_documents(marie, project, documents, wait="false")
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Job, job["id"]).queue = lane
        for waiting in (lane, "long"):
            row = Job(id=f"other-{waiting}", type="UNSPECIFIED", function="count_seconds", created_by="paul")
            row.queue, row.created_at = waiting, 0
            unit.session.merge(row)
    monkeypatch.setattr(scheduling.TimeSlice, "is_used_up", lambda self: not self._behind)
    runs = 0
    while marie.get(f"/api/jobs/{job['id']}").json()["status"] == "STARTED":
        run_job(job["id"])
        runs += 1
        assert runs < 20
    assert runs == 8
    assert [outcome for _, outcome, _ in report_lines(job)] == ["imported"] * 7
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.get_one(Job, job["id"])
        assert (row.status, row.queue, row.attempts) == ("COMPLETED", "long", 1)
    found = marie.post(f"/api/projects/{project}/documents/_search", params={"query": "good", "size": 50}).json()
    assert found["total"]["value"] == 7


def test_a_slow_file_moves_its_import_to_the_lane_of_long_jobs(
    marie: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The converter yields nothing yet, and another job waits: the import moves to the lane of long jobs."""

    def slow(*_: Any) -> Any:
        time.sleep(600)

    monkeypatch.setattr("annotarium.importing.convert._Child._answer", slow)
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda *_: None)
    monkeypatch.setattr(scheduling, "SHORT_SECONDS", 0.0)
    job = import_documents(marie, project, [GOOD], wait="false")
    with unit_of_work(actor="", write=True) as unit:
        row = Job(id="other", type="UNSPECIFIED", function="count_seconds", created_by="paul", created_at=0)
        row.queue = "default"
        unit.session.add(row)
    run_job(job["id"])
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.get_one(Job, job["id"])
        assert (row.state, row.queue, row.attempts) == ("waiting", "long", 0)


def test_a_document_refused_by_the_database_does_not_affect_others(
    marie: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T05: the batch is rolled back and its documents are written one by one."""
    honest = importer.write_documents

    def write(call: Any, batch: Any, *more: Any) -> Any:
        outcomes = honest(call, batch, *more)
        if any(line.document.identifier == "bad" for line in batch):
            raise IntegrityError("INSERT", {}, Exception("constraint failed"))
        return outcomes

    monkeypatch.setattr(importer, "write_documents", write)
    job = import_documents(marie, project, [GOOD, GOOD | {"identifier": "bad"}, GOOD | {"identifier": "last"}])
    assert [line[1] for line in report_lines(job)] == ["imported", "refused", "imported"]
    assert [one["identifier"] for one in marie.get(f"/api/projects/{project}/documents").json()] == ["good", "last"]


def test_documents_are_not_refused_when_the_database_is_unavailable(
    marie: Any, project: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the batch nor a document that is written alone is reported as refused: the job is retried."""
    monkeypatch.setattr(disconnected.time, "sleep", lambda _: None)
    honest, troubles = importer.write_documents, [IntegrityError("INSERT", {}, Exception("constraint failed")), GONE]

    def write(call: Any, batch: Any, *more: Any) -> Any:
        if troubles:
            raise troubles.pop(0)
        return honest(call, batch, *more)

    monkeypatch.setattr(importer, "write_documents", write)
    job = import_documents(marie, project, [GOOD, GOOD | {"identifier": "last"}])
    assert (job["status"], [line[1] for line in report_lines(job)]) == ("COMPLETED", ["imported"] * 2)
    assert not troubles


def test_cancelled_import_keeps_what_was_written(marie: Any, project: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importer, "BATCH_DOCUMENTS", 10)
    monkeypatch.setattr("annotarium.jobs.context.PROGRESS_SECONDS", 0)
    honest = importer.write_documents

    def write(call: Any, batch: Any, *more: Any) -> Any:
        call.session.get_one(Job, call.job_id).cancel_requested = True
        return honest(call, batch, *more)

    monkeypatch.setattr(importer, "write_documents", write)
    job = import_documents(marie, project, [GOOD | {"identifier": str(number)} for number in range(500)])
    assert job["status"] == "CANCELLED"
    assert len(marie.get(f"/api/projects/{project}/documents").json()) == len(report_lines(job)) == 10
