"""Jobs of bulk operations: batches of documents, one transaction each; a second run skips finished documents."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, islice
from operator import itemgetter
from typing import Any, TypeVar

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling import repository as labelling
from annotarium.content.labelling.bulk_count_and_delete import (
    CLEARED,
    RangesByDocument,
    delete_labelling,
    delete_rows_with_history,
)
from annotarium.db.models import Job
from annotarium.domains.bulk import export, labelling_clearing, repository, segment_ranges, undo
from annotarium.domains.bulk.job_permissions import JOB_PERMISSIONS
from annotarium.domains.categories import service as categories
from annotarium.domains.documents import service as documents
from annotarium.domains.documents.schemas import SimpleMetadata
from annotarium.jobs.context import JobContext, job_function
from annotarium.search import selection as found
from annotarium.search.selection import Selection
from annotarium_schemas.messages import join_messages, message

T = TypeVar("T")
BATCH = 200
UNDO_BATCH = 1_000
"""Number of changes undone in one transaction; all their documents are reindexed."""
LABELLING_BATCH = 50
"""Documents per batch when each may have hundreds of annotations."""


def batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """Lists of `size` items, the last one shorter."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch


@job_function("tag_found")
def tag_found(
    context: JobContext, project_name: str, search: dict[str, Any], total: int, name: str, value: Any
) -> None:
    """Set a metadata value of the documents found; an empty value removes it."""
    body = SimpleMetadata(name=name, value=value)
    _run_on_found_documents(
        context,
        project_name,
        search,
        total,
        "tag_found",
        lambda call, ids: documents.set_metadata_value_of_documents(call, ids, body),
    )


@job_function("categorise_found")
def categorise_found(
    context: JobContext, project_name: str, search: dict[str, Any], total: int, label: str, add: bool
) -> None:
    """Assign a category to the documents found, or remove it."""

    def operation(call: ProjectCall, ids: Sequence[int]) -> int:
        return categories.categorise_documents(call, ids, label, add=add)

    _run_on_found_documents(context, project_name, search, total, "categorise_found", operation)


@job_function("delete_found")
def delete_found(context: JobContext, project_name: str, search: dict[str, Any], total: int) -> None:
    """Delete the documents found."""
    _run_on_found_documents(context, project_name, search, total, "delete_found", documents.delete_by_ids)


@job_function("delete_labelling_found")
def delete_labelling_found(
    context: JobContext,
    project_name: str,
    search: dict[str, Any],
    total: int,
    labels: list[str],
    created_by: list[str],
    on_segments: bool = False,
) -> None:
    """Delete annotations and categories on the documents found, or on the segments found."""
    if on_segments:
        _delete_labelling_on_segments(context, project_name, Selection.from_json(search), total, labels, created_by)
        return

    def operation(call: ProjectCall, ids: Sequence[int]) -> int:
        return delete_labelling(call, ids, labels, created_by)

    _run_on_found_documents(context, project_name, search, total, "delete_labelling_found", operation, LABELLING_BATCH)


def _run_on_found_documents(
    context: JobContext,
    project_name: str,
    search: dict[str, Any],
    total: int,
    function: str,
    operation: Callable[[ProjectCall, Sequence[int]], int],
    size: int = BATCH,
) -> None:
    """Run an operation on the documents found, in batches."""
    chosen = Selection.from_json(search)
    with context.open(project_name, write=False) as call:
        ids = found.document_ids(call, chosen)
    seen = 0
    for batch in batches(ids, size):
        _progress(context, seen, total)
        with context.open(project_name) as call:
            require_permission(call, JOB_PERMISSIONS[function])
            done = repository.documents_changed_by_this_job(call, batch)
            operation(call, [document_id for document_id in batch if document_id not in done])
        seen += len(batch)
    _finish(context, project_name, seen)


def _delete_labelling_on_segments(
    context: JobContext, project_name: str, chosen: Selection, total: int, labels: list[str], creators: list[str]
) -> None:
    with context.open(project_name, write=False) as call:
        by_document = groupby(found.segment_positions(call, chosen), key=itemgetter(0))
    seen = 0
    grouped = ((document_id, [start for _, start in group]) for document_id, group in by_document)
    for batch in batches(grouped, LABELLING_BATCH):
        _progress(context, seen, total)
        starts = dict(batch)
        with context.open(project_name) as call:
            require_permission(call, JOB_PERMISSIONS["delete_labelling_found"])
            done = repository.documents_changed_by_this_job(call, list(starts))
            left = {document_id: starts[document_id] for document_id in starts if document_id not in done}
            places: RangesByDocument = segment_ranges.ranges_of_segments(call, left)
            delete_labelling(call, list(places), labels, creators, places)
        seen += sum(map(len, starts.values()))
    _finish(context, project_name, seen)


@job_function(labelling_clearing.FUNCTION)
def clear_labelling(
    context: JobContext, project_name: str, unit: str, labels: list[str], created_by: list[str], total: int
) -> None:
    """Delete annotations or categories by label and creator. Others change the record between the batches."""
    table = labelling.LABELLED_TABLES[unit]
    with context.open(project_name, write=False) as call:
        ids = labelling.matching_ids(call, table, labels, created_by)
    for begin in range(0, len(ids), CLEARED):
        _progress(context, begin, total)
        with context.open(project_name) as call:
            require_permission(call, JOB_PERMISSIONS[labelling_clearing.FUNCTION])
            delete_rows_with_history(call, table, ids[begin : begin + CLEARED])
    _finish(context, project_name, len(ids))


def _progress(context: JobContext, seen: int, total: int) -> None:
    # The search may find more than when the job was requested.
    context.progress(
        seen, max(seen, total), message("done.of", "{done:,} of {count:,}", done=seen, count=max(seen, total))
    )


def _finish(context: JobContext, project_name: str, seen: int) -> None:
    """Finish the job. Its result includes the changes of an earlier, interrupted run."""
    with context.open(project_name, write=False) as call:
        changes = labelling.count_job_changes(call.session, context.job_id)
    context.progress(seen, seen, message("done.of", "{done:,} of {count:,}", done=seen, count=seen))
    text = message(
        "done.changed", "{count:,} documents changed", one="{count:,} document changed", count=changes.documents
    )
    context.finish(message=text, result={"found": seen} | changes._asdict())


@job_function("undo_job", interrupted="resumes")
def undo_job(context: JobContext, project_name: str, job_id: str, function: str, total: int) -> None:
    """Undo a job. Items that were changed later stay, and the report lists them."""
    with context.open(project_name, write=False) as call:
        before = repository.oldest_change_handled_by_undo(call.session, context.job_id)
    seen = 0
    while True:
        context.progress(
            seen, max(seen, total), message("done.of", "{done:,} of {count:,}", done=seen, count=max(seen, total))
        )
        with context.open(project_name) as call:
            require_permission(call, JOB_PERMISSIONS[function])
            changes = repository.job_changes_before(call.session, job_id, before, UNDO_BATCH)
            if not changes:
                call.session.get_one(Job, job_id).undone_by = context.job_id
                break
            outcome = undo.undo_changes(call, changes, job_id)
            names = repository.document_identifiers(call.session, (change.document_id for change, _ in outcome.skipped))
            for change, reason in outcome.skipped:
                identifier = names.get(change.document_id)
                context.report(call, str(change.id), "skipped", document_identifier=identifier, message=reason)
            before = changes[-1].id
        seen += len(changes)
    with context.open(project_name, write=False) as call:
        taken = repository.count_job_history_rows(call.session, context.job_id)
    skipped = len(context.done_items())
    words = message("done.takenBack", "{count:,} changes undone", one="{count:,} change undone", count=taken)
    if skipped:
        stayed = message("done.keptChanged", "{count:,} left unchanged because of later changes", count=skipped)
        words = join_messages([words, stayed])
    context.progress(seen, seen, words)
    context.finish(message=words, result={"undone": taken, "kept": skipped, "job": job_id})


@job_function("export_found")
def export_found(
    context: JobContext,
    project_name: str,
    search: dict[str, Any],
    total: int,
    fields: list[str],
    format: str = "",
    parameters: dict[str, Any] | None = None,
) -> None:
    """Write the documents found to a file that the user who requested it can download for some days."""
    with context.open(project_name, write=False) as call:
        require_permission(call, "exportDocuments")
        ids = found.document_ids(call, Selection.from_json(search))
        made = export.ExportFile.of(call, fields, format, parameters or {})

    def counted() -> Iterator[int]:
        for seen, document_id in enumerate(ids):
            _progress(context, seen, total)
            yield document_id

    size = made.write(context.job_id, counted())
    link = f"/api/projects/{project_name}/job/{context.job_id}/_download"
    result = {"file": made.filename, "contentType": made.content_type, "size": size, "download": link}
    context.finish(message=made.filename, result=result)
