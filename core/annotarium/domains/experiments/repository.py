"""SQL of experiments."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.models import Document, Experiment, Segment
from annotarium.search.repository import labelled_document_ids

_BATCH = 500

# Executed with every edit of an annotator, therefore compiled once.
_CURRENT = CompiledStatement(
    select(Experiment.id).where(Experiment.project_id == bindparam("project"), Experiment.uptodate.is_(True)).limit(1)
)


@dataclass(frozen=True, slots=True)
class AnnotatedDocumentInfo:
    """A document with training data."""

    identifier: str
    split: str | None
    metadata: dict[str, Any]


def annotated_documents(call: ProjectCall) -> Iterator[AnnotatedDocumentInfo]:
    """Stream the documents with training data that the caller may read (see `domains.trainables.examples`)."""
    after, within = 0, readable_documents(call.access, call.project)
    while ids := labelled_document_ids(call.session, call.project.id, after, _BATCH):
        columns = (Document.identifier, Document.split, Document.metadata_)
        for row in call.session.execute(select(*columns).where(Document.id.in_(ids), within)):
            yield AnnotatedDocumentInfo(row[0], row[1], row[2] or {})
        after = ids[-1]


def count_segments(session: Session, project_id: int) -> int:
    """Number of segments of a project."""
    return session.scalars(select(func.count()).where(Segment.project_id == project_id)).one()


def mark_experiments_outdated(session: Session, project_id: int) -> None:
    """Mark the project's trained models as outdated, because the training data changed."""
    session.flush()
    if _CURRENT.first(session, {"project": project_id}) is None:
        return
    session.execute(
        update(Experiment)
        .where(Experiment.project_id == project_id, Experiment.uptodate.is_(True))
        .values(uptodate=False)
    )
