"""The report of a job: page by page, or all of it as CSV."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import groups_of_visible_documents, may_read_document_of_group
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Job, JobItem
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.jobs import repository
from annotarium.domains.jobs.repository import ReportFilter
from annotarium.domains.jobs.schemas import JobItemRead, JobItems
from annotarium.domains.jobs.service import find_project_job
from annotarium.errors import AccessDenied
from annotarium_plugins.base.spreadsheet import BOM, csv_rows
from annotarium_schemas.messages import message

BATCH = 5_000
"""Lines of a report read per transaction for the CSV."""
_COLUMNS = ("item", "outcome", "document", "message", "fix")
_COUNT = "count"
_FACTS = ("title", "characters", "segments", "annotations", "categories", "start")
CHECK = "check_import"
"""The job function whose report lines have `facts`."""


def parse_report_filter(outcome: str | None, text: str) -> ReportFilter:
    """Parse the query parameters: outcomes separated by commas, and the text to search for (at most 200 characters)."""
    return ReportFilter([part.strip() for part in (outcome or "").split(",") if part.strip()], text.strip()[:200])


def read_report_page(call: ProjectCall, job_id: str, lines: ReportFilter, start: int, size: int) -> JobItems:
    job, lines = _open_report(call, job_id, lines)
    return JobItems(
        total=repository.count_report_items(call.session, job.id, lines),
        outcomes=repository.count_report_outcomes(call.session, job.id),
        items=convert_readable_rows(
            repository.list_report_items(call.session, job.id, lines, start, size),
            lambda row: JobItemRead(
                item=row.item,
                outcome=row.outcome,
                document_identifier=row.document_identifier,
                message=row.message,
                fix=row.fix,
                said=row.said,
                facts=row.facts,
                count=row.count if row.count != 1 else None,
                is_sum=True if row.kind is not None else None,
            ),
        ),
    )


def _open_report(call: ProjectCall, job_id: str, lines: ReportFilter) -> tuple[Job, ReportFilter]:
    """The job, and the filter restricted to lines about documents the caller may read; unrestricted for the caller's
    own job.

    Raises:
        AccessDenied: the job imported, or checked, documents of a group the caller is not in.
    """
    job = find_project_job(call, job_id)
    if job.created_by == call.username:
        return job, lines
    if not may_read_document_of_group(call.access, job.arguments.get("origin_group_id")):
        raise AccessDenied(
            "The report is for the group of these documents.",
            cause=message("denied.otherGroup", "They came from a group you are not in"),
        )
    return job, replace(lines, project_id=call.project.id, groups=groups_of_visible_documents(call.access))


def report_as_csv(call: ProjectCall, job_id: str, lines: ReportFilter) -> Iterator[bytes]:
    """The report as CSV in UTF-8. Each batch is read in a transaction of its own; no cell is interpreted as a formula.

    Raises:
        NotFound, AccessDenied: the caller may not see the job. Raised by the call itself, before the first row is read.
    """
    job, lines = _open_report(call, job_id, lines)
    return _csv_batches(job.id, lines, _FACTS if job.function == CHECK else ())


def _csv_batches(job_id: str, lines: ReportFilter, facts: tuple[str, ...]) -> Iterator[bytes]:
    yield BOM + b"".join(csv_rows([(*_COLUMNS, *facts, _COUNT)]))
    after = (-1, "")
    while True:
        with unit_of_work(actor="", write=False) as unit:
            batch = repository.list_report_items_after(unit.session, job_id, lines, after, BATCH)
            body = b"".join(csv_rows(_csv_cells(row, facts) for row in batch))
        if not batch:
            return
        after = (batch[-1].ordinal, batch[-1].item)
        yield body


def _csv_cells(row: JobItem, facts: tuple[str, ...]) -> tuple[object, ...]:
    known = row.facts or {}
    item = row.item if row.kind is None else "\u2026"
    own = (item, row.outcome, row.document_identifier, row.message, row.fix)
    return (*own, *(known.get(name) for name in facts), row.count)
