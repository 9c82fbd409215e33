"""Jobs for bulk operations on labels: one transaction per step of documents.

A resumed job continues where it stopped, because changed rows no longer match the filter.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from annotarium.content.labelling.operation_jobs import finish_with_job_changes
from annotarium.content.labels import require_label_writing
from annotarium.domains.labels import bulk_operations
from annotarium.jobs.context import JobContext, job_function
from annotarium_schemas.messages import message


@job_function("delete_labels")
def delete_labels(context: JobContext, project_name: str, labels: Sequence[str], sets: Sequence[str] = ()) -> None:
    """Delete labels with their annotations and categories, and the named sets."""
    _run_label_operation(context, project_name, "delete_labels", labels=labels, sets=sets)


@job_function("merge_labels")
def merge_labels(context: JobContext, project_name: str, keep: str, others: Sequence[str]) -> None:
    """Move the annotations and categories of the other labels to the label `keep`."""
    _run_label_operation(context, project_name, "merge_labels", keep=keep, others=others)


@job_function("move_labelling")
def move_labelling(
    context: JobContext, project_name: str, labels: Sequence[str], target: str, chosen: dict[str, Any]
) -> None:
    """Move the selected annotations and categories to another label."""
    _run_label_operation(context, project_name, "move_labelling", labels=labels, target=target, chosen=chosen)


def _run_label_operation(context: JobContext, project_name: str, function: str, **arguments: Any) -> None:
    left: Iterator[int] = iter(())
    seen, finished = 0, False
    while not finished:
        documents_now = list(islice(left, bulk_operations.STEP))
        with context.open(project_name) as call:
            require_label_writing(call)
            if documents_now:
                bulk_operations.OPERATIONS[function].change(call, documents_now, **arguments)
            else:
                finished = bulk_operations.finish_if_nothing_left(call, function, **arguments)
                left = iter(() if finished else bulk_operations.documents_to_change(call, function, **arguments))
        seen += len(documents_now)
        context.progress(
            seen,
            0,
            message("doing.seen", "{count:,} documents processed", one="{count:,} document processed", count=seen),
        )
    finish_with_job_changes(context, project_name)
