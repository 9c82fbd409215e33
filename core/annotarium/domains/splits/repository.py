"""SQL of the training and test split."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.models import Annotation, Category, Document, Label, Project


@dataclass(frozen=True, slots=True)
class SplitCandidate:
    """A live document to assign to a part. `metadata` is empty unless loaded."""

    id: int
    identifier: str
    split: str | None
    metadata: dict[str, Any]


def split_candidates(session: Session, project: Project, *, with_metadata: bool) -> list[SplitCandidate]:
    """Live documents of a project, ordered by identifier."""
    metadata = (Document.metadata_,) if with_metadata else ()
    query = select(Document.id, Document.identifier, Document.split, *metadata).where(
        Document.project_id == project.id, Document.deleted_at.is_(None)
    )
    found = [
        SplitCandidate(row[0], row[1], row[2], (row[3] or {}) if metadata else {}) for row in session.execute(query)
    ]
    return sorted(found, key=lambda one: one.identifier)


def labels_of_documents(session: Session, project: Project) -> dict[int, Counter[str]]:
    """Number of confirmed annotations and categories by label, for each document that has any; keyed by document id."""
    found: dict[int, Counter[str]] = {}
    for table in (Annotation, Category):
        query = (
            select(table.document_id, Label.name, func.count())
            .join(Label, Label.id == table.label_id)
            .where(table.project_id == project.id, confirmed_clause(table))
            .group_by(table.document_id, Label.name)
        )
        for document_id, name, count in session.execute(query):
            found.setdefault(document_id, Counter())[name] += count
    return found


def count_by_split(call: ProjectCall) -> dict[str | None, int]:
    """Number of documents the caller may read by part; None = in no part."""
    query = select(Document.split, func.count()).where(readable_documents(call.access, call.project))
    return {row[0]: row[1] for row in call.session.execute(query.group_by(Document.split))}


def set_split(session: Session, split_by_id: Iterable[tuple[int, str]]) -> None:
    """Store the part (`train` or `test`) of documents, given by id."""
    rows = [{"id": document_id, "split": split} for document_id, split in split_by_id]
    for first in range(0, len(rows), 5_000):
        session.bulk_update_mappings(Document, rows[first : first + 5_000])
