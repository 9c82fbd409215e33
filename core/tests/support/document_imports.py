"""Imports in tests: send content, wait for the job, read its report and the stored documents."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import select

from annotarium.db.models import JobItem
from annotarium.db.unit_of_work import unit_of_work


def import_documents(caller: Any, project: str, documents: Any, **options: Any) -> dict[str, Any]:
    """Import JSON documents (or raw bytes) and wait; returns the ended job."""
    path = f"/api/projects/{project}/documents/_import_documents"
    content = documents if isinstance(documents, bytes) else json.dumps(documents).encode()
    answer = caller.post(path, content=content, params={"wait": "true", **options})
    assert answer.status_code == 200, answer.text
    job: dict[str, Any] = answer.json()
    return job


def import_files(caller: Any, project: str, files: dict[str, bytes], **options: Any) -> dict[str, Any]:
    """Import files by one multipart request and wait; returns the ended job."""
    parts = [("file", (name, content)) for name, content in files.items()]
    answer = caller.post(f"/api/projects/{project}/documents", files=parts, params={"wait": "true", **options})
    assert answer.status_code == 200, answer.text
    job: dict[str, Any] = answer.json()
    return job


def report_lines(job: dict[str, Any]) -> list[tuple[str, str, str | None]]:
    """Return the lines of the import report: item, outcome, message."""
    with unit_of_work(actor="", write=False) as unit:
        query = select(JobItem).where(JobItem.job_id == job["id"]).order_by(JobItem.ordinal)
        return [(row.item, row.outcome, row.message) for row in unit.session.scalars(query)]


def read_document(caller: Any, project: str, identifier: str) -> dict[str, Any]:
    """Return a complete document."""
    answer = caller.get(f"/api/projects/{project}/documents/{identifier}")
    assert answer.status_code == 200, answer.text
    document: dict[str, Any] = answer.json()
    return document
