"""Mail: messages about jobs that still have to be sent."""

from __future__ import annotations

from sqlalchemy import BigInteger, ForeignKey, String
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Timestamp


class JobMail(Base):
    """Somebody wants to hear by e-mail how a job ended. Written with the job, deleted once sent or given up.

    To whom and what is read when it is sent. `due_at` is None until the job has ended; who sends it moves `due_at` on
    first, so that a message whose sender died is taken up again.
    """

    __tablename__ = "job_mails"

    job_id: Mapped[str] = mapped_column(String(32), ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True)
    language: Mapped[str] = mapped_column(String(8), default="en")
    due_at: Mapped[Timestamp | None] = mapped_column(BigInteger, default=None, index=True)
    attempts: Mapped[int] = mapped_column(default=0)
