"""Deleting all annotations or categories of some labels and creators: few at once, many as a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import bulk, repository
from annotarium.corpus.labelling.repository import Labelled
from annotarium.db.models import Annotation, Category, Job
from annotarium.domains.bulk.schemas import Cleared
from annotarium.domains.jobs.service import job_bean
from annotarium.jobs.queue import start_job
from annotarium_schemas.said import Said, say

FUNCTION = "clear_labelling"
TABLES: dict[str, Labelled] = {"annotation": Annotation, "category": Category}
AT_ONCE = 20_000
"""Rows that go within the call: about a second in which nobody else can write (SQLite)."""


def clear(
    call: ProjectCall, unit: Literal["annotation", "category"], labels: Sequence[str], creators: Sequence[str]
) -> Cleared:
    """Delete all rows with one of the labels and one of the creators (empty = any), each with its history row.

    Up to `AT_ONCE` they are gone when it answers, and that is one act of the caller. Beyond, `count` is what the job
    deletes.
    """
    table = TABLES[unit]
    count = repository.count_matching(call, table, labels, creators)
    if count > AT_ONCE:
        job = _start(call, unit, labels, creators, count)
        return Cleared(count=count, operation="delete", unit=unit, job=job_bean(job, call.project))
    gone = bulk.clear(call, table, repository.matching_ids(call, table, labels, creators))
    return Cleared(count=gone, operation="delete", unit=unit)


def _start(call: ProjectCall, unit: str, labels: Sequence[str], creators: Sequence[str], count: int) -> Job:
    arguments = {"project_name": call.project.name, "unit": unit, "total": count}
    return start_job(
        call.unit,
        type="DELETE_LABELLING",
        function=FUNCTION,
        arguments=arguments | {"labels": list(labels), "created_by": list(creators)},
        project=call.project,
        created_by=call.username,
        description=say("start.delete", "Deleting {on}", on=_number(unit, count)),
        total_steps=count,
        undoable=True,
    )


def _number(unit: str, count: int) -> Said:
    if unit == "annotation":
        return say("number.annotations", "{count:,} annotations", one="{count:,} annotation", count=count)
    return say("number.categories", "{count:,} categories", one="{count:,} category", count=count)
