"""Rules of bulk operations: their effect, starting them, undoing them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby, islice
from operator import itemgetter
from typing import Any

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling import bulk_count_and_delete
from annotarium.content.labelling.bulk_count_and_delete import count_deletable_rows_per_creator
from annotarium.db.models import Annotation, Category, Job
from annotarium.domains.annotators.service import start_corpus_annotation
from annotarium.domains.bulk import repository, segment_ranges
from annotarium.domains.bulk.export import ExportFile
from annotarium.domains.bulk.job_permissions import JOB_PERMISSIONS
from annotarium.domains.bulk.schemas import (
    AnnotateSearch,
    BulkCount,
    BulkSearch,
    CategoryAction,
    CountSearch,
    ExportSearch,
    LabellingSearch,
)
from annotarium.domains.documents.schemas import SimpleMetadata
from annotarium.domains.documents.service import check_metadata
from annotarium.domains.jobs.service import find_project_job, mail_language
from annotarium.domains.labels.service import require_label
from annotarium.errors import AccessDenied, Conflict, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.result_files import result_file_path
from annotarium.search import selection as found
from annotarium.search.selection import Selection
from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.messages import Message, message, restore_message

_BATCH = 400


def count_effect_on_documents(call: ProjectCall, search: CountSearch) -> BulkCount:
    """Count what an operation on the documents would affect."""
    chosen = search.selection()
    answer = BulkCount(documents=found.count_documents(call, chosen))
    if chosen.kind == "segments":
        answer.segments = found.count_hits(call, chosen)
    if search.labelling:
        _add_labelling_counts(answer, *_count_creators_on_documents(call, chosen, search.labels))
    return answer


def count_effect_on_segments(call: ProjectCall, search: CountSearch) -> BulkCount:
    """Count what an operation on the segments would affect."""
    chosen = search.selection("segments")
    answer = BulkCount(documents=found.count_documents(call, chosen), segments=found.count_hits(call, chosen))
    if search.labelling:
        _add_labelling_counts(answer, *_count_creators_on_segments(call, chosen, search.labels))
    return answer


def _count_creators_on_documents(
    call: ProjectCall, chosen: Selection, labels: list[str]
) -> tuple[Counter[str], Counter[str]]:
    if chosen.everything and not chosen.invert and not labels:
        both = (bulk_count_and_delete.count_rows_per_creator(call, table) for table in (Annotation, Category))
        spans, categories = (Counter({one.created_by: one.count for one in made}) for made in both)
        return spans, categories
    spans, categories = Counter(), Counter()
    ids = found.document_ids(call, chosen)
    while batch := list(islice(ids, _BATCH)):
        spans.update(count_deletable_rows_per_creator(call, Annotation, batch, labels))
        categories.update(count_deletable_rows_per_creator(call, Category, batch, labels))
    return spans, categories


def _count_creators_on_segments(
    call: ProjectCall, chosen: Selection, labels: list[str]
) -> tuple[Counter[str], Counter[str]]:
    spans: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    for starts in _segment_starts_by_document(call, chosen):
        places = segment_ranges.ranges_of_segments(call, starts)
        spans.update(count_deletable_rows_per_creator(call, Annotation, list(places), labels, places))
        categories.update(count_deletable_rows_per_creator(call, Category, list(places), labels, places))
    return spans, categories


def _segment_starts_by_document(call: ProjectCall, chosen: Selection) -> Iterator[dict[int, list[int]]]:
    """Starts of the found segments by document, in batches of documents."""
    groups = groupby(found.segment_positions(call, chosen), key=itemgetter(0))
    grouped = ((document_id, [start for _, start in group]) for document_id, group in groups)
    while batch := dict(islice(grouped, _BATCH)):
        yield batch


def _add_labelling_counts(answer: BulkCount, spans: Counter[str], categories: Counter[str]) -> None:
    answer.annotations, answer.categories = spans.total(), categories.total()
    answer.annotation_creators = [CreatorCount(created_by=name, count=count) for name, count in spans.most_common()]
    answer.category_creators = [CreatorCount(created_by=name, count=count) for name, count in categories.most_common()]


# --- starting ---------------------------------------------------------------------------------------------------------


def start_tagging(call: ProjectCall, search: BulkSearch, body: SimpleMetadata) -> Job:
    """Start a job that sets a metadata value of the documents found; an empty or missing one removes it (V-018)."""
    check_metadata(body)
    arguments: dict[str, Any] = {"name": body.name, "value": "" if body.removes else body.value}

    def describe(on: Message) -> Message:
        if body.value:
            return message("start.setValue", "Setting {name} to {value} on {on}", on=on, **arguments)
        return message("start.removeValue", "Removing {name} from {on}", on=on, name=body.name)

    return _start_bulk_job(call, search.selection(), "ADD_METADATA", "tag_found", arguments, describe)


def start_categorising(call: ProjectCall, search: BulkSearch, body: CategoryAction) -> Job:
    """Start a job that assigns a category to the documents found, or removes it."""
    label = require_label(call, body.label_name)
    arguments = {"label": label.name, "add": body.add}

    def describe(on: Message) -> Message:
        if body.add:
            return message("start.addCategory", "Adding the category {label} to {on}", label=label.label, on=on)
        return message("start.removeCategory", "Removing the category {label} from {on}", label=label.label, on=on)

    return _start_bulk_job(call, search.selection(), "ADD_CATEGORY", "categorise_found", arguments, describe)


def start_deletion(call: ProjectCall, search: BulkSearch) -> Job:
    """Start a job that deletes the documents found; it can be undone."""
    return _start_bulk_job(call, search.selection(), "DELETE_DOCS", "delete_found", {}, _deletion_description)


def _deletion_description(on: Message) -> Message:
    return message("start.delete", "Deleting {on}", on=on)


def start_deletion_of_labelling(call: ProjectCall, search: LabellingSearch, *, on_segments: bool = False) -> Job:
    """Start a job that deletes annotations and categories of what was found, by label and creator (empty = any)."""
    arguments = {"labels": search.labels, "created_by": search.created_by, "on_segments": on_segments}
    chosen = search.selection("segments" if on_segments else None)
    unit = "segments" if on_segments else "documents"
    total = found.count_hits(call, chosen) if on_segments else None
    function = "delete_labelling_found"

    def describe(on: Message) -> Message:
        return message("start.deleteLabelling", "Deleting annotations and categories of {on}", on=on)

    return _start_bulk_job(call, chosen, "DELETE_LABELLING", function, arguments, describe, total=total, unit=unit)


def _start_bulk_job(
    call: ProjectCall,
    chosen: Selection,
    type: str,
    function: str,
    arguments: dict[str, Any],
    describe: Callable[[Message], Message],
    *,
    total: int | None = None,
    unit: str = "documents",
) -> Job:
    count = found.count_documents(call, chosen) if total is None else total
    common = {"project_name": call.project.name, "search": chosen.to_json(), "total": count}
    return start_job(
        call.unit,
        type=type,
        function=function,
        arguments=common | arguments,
        project=call.project,
        created_by=call.username,
        description=describe(_count_message(count, unit)),
        total_steps=count,
        undoable=function in JOB_PERMISSIONS,
    )


def _count_message(count: int, unit: str) -> Message:
    if unit == "segments":
        return message("number.segments", "{count:,} segments", one="{count:,} segment", count=count)
    return message("number.documents", "{count:,} documents", one="{count:,} document", count=count)


def start_annotation(call: ProjectCall, search: AnnotateSearch, language: str) -> Job:
    """Start a job that annotates the documents found with an annotator of this or another project.

    If requested, the caller gets an e-mail when it ends.
    """
    chosen = search.selection()
    return start_corpus_annotation(
        call,
        search.annotator,
        overwrite=search.overwrite,
        chosen=chosen,
        total=found.count_documents(call, chosen),
        dataset_only=search.restricted_on_dataset_segments,
        annotator_project=search.annotator_project,
        mail_in=mail_language(language, wanted=search.email_notification),
    )


# --- export -----------------------------------------------------------------------------------------------------------


def export_found(
    call: ProjectCall, search: ExportSearch, parameters: dict[str, Any]
) -> tuple[ExportFile, Iterator[bytes]]:
    """The export of the documents found, and its contents in chunks that are produced lazily."""
    require_permission(call, "exportDocuments")
    file = ExportFile.of(call, search.output_fields, search.format, parameters)
    return file, file.chunks(found.document_ids(call, search.selection()))


def start_export(call: ProjectCall, search: ExportSearch, parameters: dict[str, Any]) -> Job:
    """Start the export as a job; the caller can download the file when it has ended."""
    require_permission(call, "exportDocuments")
    ExportFile.of(call, search.output_fields, search.format, parameters)
    arguments = {"fields": search.output_fields, "format": search.format, "parameters": parameters}
    chosen = search.selection()
    return _start_bulk_job(call, chosen, "UNSPECIFIED", "export_found", arguments, _export_description)


def _export_description(on: Message) -> Message:
    return message("start.export", "Exporting {on}", on=on)


def exported_file(call: ProjectCall, job_id: str) -> tuple[str, str, str]:
    """Path, file name and media type of an export.

    Only the user who requested it may download it, because it contains what that user may read.

    Raises:
        AccessDenied: the export is of another user or of a token with another restriction.
        NotFound: the file does not exist (any more).
    """
    job = find_project_job(call, job_id)
    require_permission(call, "exportDocuments")
    # Tokens of the same user with different restrictions may read different documents.
    if job.created_by != call.username or (call.access.restriction and job.restriction != call.access.restriction_text):
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.export", "Only the user who requested an export can download it"),
        )
    path = result_file_path(job.id)
    if job.function != "export_found" or job.result is None or not path.is_file():
        raise NotFound(
            message("none.export", "The file of this export no longer exists"),
            fix="Export again: files are kept for 7 days",
        )
    return str(path), job.result["file"], job.result["contentType"]


# --- undo -------------------------------------------------------------------------------------------------------------


def start_undo(call: ProjectCall, job_id: str) -> Job:
    """Start a job that undoes another job; items that were changed later stay and are reported.

    Raises:
        Conflict: the job is still running, cannot be undone, or was undone already.
    """
    job = find_project_job(call, job_id)
    if not job.undoable or job.function not in JOB_PERMISSIONS:
        raise Conflict(
            "This job cannot be undone", cause=message("job.noHistory", "It does not record what it changed")
        )
    require_permission(call, JOB_PERMISSIONS[job.function])
    job = repository.lock_job(call.session, job.id)
    if job.state != "done":
        raise Conflict(message("job.running", "The job is still running"), fix="Stop it, or wait until it has ended")
    if job.undone_by is not None or repository.is_undo_running(call, job.id):
        raise Conflict(message("job.undone", "The job has already been undone"))
    total = repository.count_job_history_rows(call.session, job.id)
    arguments = {"project_name": call.project.name, "job_id": job.id, "function": job.function, "total": total}
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="undo_job",
        arguments=arguments,
        project=call.project,
        created_by=call.username,
        description=message("start.undo", "Undoing: {job}", job=restore_message(job.description, job.description_said)),
        total_steps=total,
    )
