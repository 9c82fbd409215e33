"""Shapes of jobs (contract: SherpaJobBean) and of their reports (ours)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Header

from annotarium_schemas.shape import Damaged, Shape

Language = Annotated[str, Header(alias="accept-language", include_in_schema=False)]
"""Of calls that start a job whose end somebody may hear of by e-mail."""


class SherpaJobBean(Shape):
    """A job; moments are milliseconds since the Unix epoch. What comes after the uploads is ours."""

    id: str
    type: str
    status: Literal["STARTED", "PAUSED", "COMPLETED", "CANCELLED", "FAILED"]
    description: str
    project: str
    project_label: str
    created_by: str
    created_at: int
    completed_at: int | None = None
    current_step_count: int
    total_step_count: int
    status_message: str | None = None
    upload_ids: list[str]
    said: dict[str, Any] | None = None
    """Codes and values of description and status message, for other languages; an error carries its own."""
    error: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    parameters: dict[str, Any] | None = None
    """What was asked for; options of training stand under `train`, of proposing under `suggest`."""
    undoable: bool | None = None
    """Whether what it did can be taken back now."""
    undone_by: str | None = None
    """The job that took it back."""
    damaged: Damaged = None


class JobItemRead(Shape):
    """One line of a job's report."""

    item: str
    outcome: str
    document_identifier: str | None = None
    message: str | None = None
    fix: str | None = None
    said: dict[str, Any] | None = None
    """Codes and values of message and fix, for other languages."""
    facts: dict[str, Any] | None = None
    """From the check of an import: title, start, characters, segments, annotations, categories."""
    count: int | None = None
    """Items that the line stands for, where it is not one."""
    is_sum: bool | None = None
    """The line counts what has no line of its own: a report lists the first thousand of a kind of error."""
    damaged: Damaged = None


class JobItems(Shape):
    """A page of a job's report: `total` counts lines, `outcomes` the items of the whole report."""

    total: int
    outcomes: dict[str, int]
    items: list[JobItemRead]
