"""Schemas of jobs (contract: SherpaJobBean) and of their reports (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import Header

from annotarium_schemas.shape import Damaged, Shape

Language = Annotated[str, Header(alias="accept-language", include_in_schema=False)]
"""For calls that start a job whose end may be reported by e-mail: the language of that message."""


class SherpaJobBean(Shape):
    """A job. Timestamps are in ms since the Unix epoch. Fields after `uploadIds` are not in the published API."""

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
    """Codes and values of description and status message, for translation; an error carries its own."""
    error: dict[str, Any] | None = None
    result: dict[str, Any] | None = None
    parameters: dict[str, Any] | None = None
    """The options of the request; options of training are under `train`, options of proposing under `suggest`."""
    undoable: bool | None = None
    """Whether the changes of this job can be undone now."""
    undone_by: str | None = None
    """The job that undid it."""
    damaged: Damaged = None


class JobItemRead(Shape):
    """One line of a job's report."""

    item: str
    outcome: str
    document_identifier: str | None = None
    message: str | None = None
    fix: str | None = None
    said: dict[str, Any] | None = None
    """Codes and values of message and fix, for translation."""
    facts: dict[str, Any] | None = None
    """Found by the check of an import: title, start, characters, segments, annotations, categories."""
    count: int | None = None
    """How many items the line represents, if more than one."""
    is_sum: bool | None = None
    """True for a line that counts items without a line: the first thousand errors of a kind are listed."""
    damaged: Damaged = None


class JobItems(Shape):
    """One page of a job's report. `total` counts lines; `outcomes` counts the items of the whole report."""

    total: int
    outcomes: dict[str, int]
    items: list[JobItemRead]
