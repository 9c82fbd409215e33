"""SQL of the knowledge base."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from sqlalchemy import delete, func, insert, select
from sqlalchemy.orm import Session, defer

from annotarium.db.models import Concept


def find_concept(session: Session, reference: str) -> tuple[Concept, bool] | None:
    """The concept with that identifier, else with that page, and whether it has a picture (which is not loaded)."""
    query = select(Concept, Concept.image.is_not(None)).options(defer(Concept.image))
    for column in (Concept.identifier, Concept.page):
        row = session.execute(query.where(column == reference).order_by(Concept.identifier).limit(1)).one_or_none()
        if row is not None:
            return row[0], row[1]
    return None


def read_image(session: Session, identifier: str) -> bytes | None:
    return session.scalar(select(Concept.image).where(Concept.identifier == identifier))


def count_concepts(session: Session) -> int:
    return session.scalar(select(func.count()).select_from(Concept)) or 0


def has_concepts(session: Session, *, with_image: bool = False) -> bool:
    """Whether the knowledge base has any concept (with a picture)."""
    query = select(Concept.identifier).limit(1)
    return session.scalar(query.where(Concept.image.is_not(None)) if with_image else query) is not None


def upsert_concepts(session: Session, rows: Sequence[dict[str, object]]) -> None:
    """Insert concepts, replacing those with the same identifiers."""
    delete_concepts(session, [str(row["identifier"]) for row in rows])
    session.execute(insert(Concept), list(rows))


def delete_concepts(session: Session, identifiers: Collection[str] | None = None) -> None:
    """Delete concepts; all of them if `identifiers` is None."""
    query = delete(Concept)
    session.execute(query if identifiers is None else query.where(Concept.identifier.in_(identifiers)))
