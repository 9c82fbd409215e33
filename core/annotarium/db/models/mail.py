"""Mail: notifications about jobs that are still to be sent."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Timestamp


class JobMail(Base):
    """A requested notification by e-mail when a job ends. Written with the job, deleted once sent or given up.

    Recipient and text are determined when it is sent. `due_at` is None until the job has ended. A sender first
    postpones `due_at`, so that the message is sent by another process if the sender dies.
    """

    __tablename__ = "job_mails"

    job_id: Mapped[str] = mapped_column(String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    language: Mapped[str] = mapped_column(String(8), default="en")
    due_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None, index=True)
    attempts: Mapped[int] = mapped_column(default=0)
