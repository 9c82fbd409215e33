"""Deletion of all annotations or categories of some labels and creators: small numbers immediately, others as a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import bulk_count_and_delete, repository
from annotarium.db.models import Job
from annotarium.domains.bulk.schemas import Cleared
from annotarium.jobs.job_creation import start_job
from annotarium.jobs.serializers import job_to_json
from annotarium_schemas.messages import Message, message

FUNCTION = "clear_labelling"
DIRECT_MAX = 20_000
"""Maximum number of rows deleted in the request: on SQLite it blocks other writers for about a second."""


def clear_labelling_or_start_job(
    call: ProjectCall, unit: Literal["annotation", "category"], labels: Sequence[str], creators: Sequence[str]
) -> Cleared:
    """Delete all rows with one of the labels and one of the creators (empty = any), with history.

    Up to `DIRECT_MAX` rows are deleted before it returns, as one operation of the caller. Otherwise a job is started,
    and `count` is the number of rows it will delete.
    """
    table = repository.LABELLED_TABLES[unit]
    count = repository.count_matching(call, table, labels, creators)
    if count > DIRECT_MAX:
        job = _start_clearing_job(call, unit, labels, creators, count)
        return Cleared(count=count, operation="delete", unit=unit, job=job_to_json(job, call.project))
    deleted = bulk_count_and_delete.delete_rows_with_history(
        call, table, repository.matching_ids(call, table, labels, creators)
    )
    return Cleared(count=deleted, operation="delete", unit=unit)


def _start_clearing_job(
    call: ProjectCall, unit: str, labels: Sequence[str], creators: Sequence[str], count: int
) -> Job:
    arguments = {"project_name": call.project.name, "unit": unit, "total": count}
    return start_job(
        call.unit,
        type="DELETE_LABELLING",
        function=FUNCTION,
        arguments=arguments | {"labels": list(labels), "created_by": list(creators)},
        project=call.project,
        created_by=call.username,
        description=message("start.delete", "Deleting {on}", on=_labelling_count_message(unit, count)),
        total_steps=count,
        undoable=True,
    )


def _labelling_count_message(unit: str, count: int) -> Message:
    if unit == "annotation":
        return message("number.annotations", "{count:,} annotations", one="{count:,} annotation", count=count)
    return message("number.categories", "{count:,} categories", one="{count:,} category", count=count)
