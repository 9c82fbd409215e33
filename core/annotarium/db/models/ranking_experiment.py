"""Experiments that measure searches or answers on saved questions."""

from __future__ import annotations

from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Index, String, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from annotarium.db.models.base import Base, Identifier, Json, JsonList, JsonObject, Name, Reference, Timestamp, Tracked


class RankingExperiment(Tracked, Base):
    """A comparison of ways to search (kind `ranking`) or to answer (`answers`), with the report of its last run."""

    __tablename__ = "ranking_experiments"
    __table_args__ = (UniqueConstraint("project_id", "name"),)

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[Name]
    label: Mapped[Name]
    kind: Mapped[str] = mapped_column(String(16))
    parameters: Mapped[JsonObject] = mapped_column(default=dict)
    job_id: Mapped[str | None] = mapped_column(String(32), default=None)
    uptodate: Mapped[bool] = mapped_column(default=False)
    timestamp: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    """When the report was made (ms); 0 = never."""
    duration: Mapped[Timestamp] = mapped_column(BigInteger, default=0)
    favorite: Mapped[bool] = mapped_column(default=False)
    email_notification: Mapped[bool] = mapped_column(default=False)
    report: Mapped[dict[str, Any] | None] = mapped_column(Json, default=None)


class RankingResult(Base):
    """The figures of one question in the report of an experiment."""

    __tablename__ = "ranking_results"
    __table_args__ = (
        Index("ix_ranking_results_quality", "experiment_id", "quality"),
        Index("ix_ranking_results_difference", "experiment_id", "difference"),
    )

    id: Mapped[Identifier]
    project_id: Mapped[Reference] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"), index=True)
    experiment_id: Mapped[Reference] = mapped_column(ForeignKey("ranking_experiments.id", ondelete="CASCADE"))
    question_id: Mapped[Reference] = mapped_column(ForeignKey("documents.id", ondelete="CASCADE"), index=True)
    figures: Mapped[JsonList] = mapped_column(default=list)
    """Per configuration in the order of the report: its figures in ten thousandths, in the order of the kind."""
    answers: Mapped[JsonList] = mapped_column(default=list)
    """Per configuration, the beginning of its answer; empty for the kind `ranking`."""
    quality: Mapped[int] = mapped_column(default=0)
    """Main figure of the best configuration, in ten thousandths."""
    difference: Mapped[int] = mapped_column(default=0)
    """Main figure of the best configuration minus that of the baseline, in ten thousandths."""
