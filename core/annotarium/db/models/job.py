"""Jobs: stored in SQL first, queued second. Losing the queue loses no job."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, false
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.identifiers import now_ms
from annotarium.db.models.base import Base, BigInt, Json, JsonList, JsonObject, LongText, Name, Timestamp


class Job(Base):
    """A background job. `status` is what clients see; `state` is the internal state.

    state: `waiting` (queued or to be queued: the database does not distinguish them, so that losing the queue changes
    nothing) -> `running` -> `done`. `queued` is treated like `waiting` and never written. A running job renews
    `lease_until`; when the lease expires the reconciler queues it again (`attempts` + 1) or fails it. `fence` increases
    with each start, so that a worker that lost its lease cannot write any more. Jobs of the queue `interactive` only
    deliver a response to a waiting client: they are not listed, cause no events, and are deleted after an hour.
    """

    __tablename__ = "jobs"
    __table_args__ = (
        Index("ix_jobs_project_id_created_at", "project_id", "created_at"),
        Index("ix_jobs_queue_created_by_started_at", "queue", "created_by", "started_at"),
    )

    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    type: Mapped[str] = mapped_column(String(32))
    status: Mapped[str] = mapped_column(String(16), default="STARTED")
    state: Mapped[str] = mapped_column(String(16), default="waiting", index=True)
    description: Mapped[LongText] = mapped_column(default="")
    description_said: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    """The description as code and values, for translation (`annotarium_schemas.messages`)."""
    project_id: Mapped[int | None] = mapped_column(BigInt, ForeignKey("projects.id", ondelete="CASCADE"), default=None)
    created_by: Mapped[Name] = mapped_column(default="")
    created_at: Mapped[Timestamp] = mapped_column(default=now_ms)
    started_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    completed_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    current_step: Mapped[int] = mapped_column(default=0)
    total_steps: Mapped[int] = mapped_column(default=0)
    status_message: Mapped[LongText | None] = mapped_column(default=None)
    status_said: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    error: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    result: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    upload_ids: Mapped[JsonList] = mapped_column(default=list)
    function: Mapped[Name]
    arguments: Mapped[JsonObject] = mapped_column(default=dict)
    parameters: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    """The request's options, for display (B-004): training options under `train`, suggestion options under `suggest`.
    None if the description contains everything.
    """
    queue: Mapped[str] = mapped_column(String(16), default="default")
    """Its lane (`system.lanes`). A job too slow for its short lane moves to the lane `long` while others wait."""
    attempts: Mapped[int] = mapped_column(default=0)
    fence: Mapped[int] = mapped_column(default=0)
    lease_until: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None)
    cancel_requested: Mapped[bool] = mapped_column(default=False)
    request_id: Mapped[Name | None] = mapped_column(default=None)
    restriction: Mapped[LongText] = mapped_column(default="", server_default="")
    """Restriction of the token or key it was started with (`access.restriction`); it applies to the job too."""
    undoable: Mapped[bool] = mapped_column(default=False, server_default=false())
    """The job's changes are in the history row by row, so that another job can undo them."""
    undone_by: Mapped[str | None] = mapped_column(String(32), default=None)
    """The job that undid it, set when that job has succeeded."""


class JobItem(Base):
    """One line of a job's report, which also marks the item as done: a second run skips it."""

    __tablename__ = "job_items"
    __table_args__ = ({"sqlite_with_rowid": False},)

    job_id: Mapped[str] = mapped_column(String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    item: Mapped[str] = mapped_column(String(512), primary_key=True)
    ordinal: Mapped[int] = mapped_column(default=0)
    outcome: Mapped[str] = mapped_column(String(16))
    """imported, replaced, unchanged, refused, skipped."""
    document_identifier: Mapped[Name | None] = mapped_column(default=None)
    message: Mapped[LongText | None] = mapped_column(default=None)
    fix: Mapped[LongText | None] = mapped_column(default=None)
    said: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    """Codes and values of `message` and `fix`, for translation."""
    facts: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)
    """What the validation of an import found in the document: title, counts, beginning of the text."""
    count: Mapped[int] = mapped_column(BigInteger, default=1, server_default="1")
    """Number of items the line stands for."""
    kind: Mapped[str | None] = mapped_column(String(64), default=None)
    """Set on a summary line, which counts items of this kind that have no line of their own."""
