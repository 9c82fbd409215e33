"""SQL of relations."""

from __future__ import annotations

from collections.abc import Sequence

from sqlalchemy import ColumnElement, func, not_, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents, readable_labelling_clause, reads_all_labelling
from annotarium.content.relations.repository import (
    SOURCE,
    TARGET,
    RelationWithName,
    live_relation_clause,
    visible_relation_clause,
)
from annotarium.db.models import Annotation, Document, Label, Relation, RelationName


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """The id of the document with that identifier, if the caller may read it."""
    query = select(Document.id).where(readable_documents(call.access, call.project), Document.identifier == identifier)
    return call.session.scalar(query)


def find_relation(call: ProjectCall, identifier: int, *, deleted: bool) -> RelationWithName | None:
    """A relation, locked until the end of the transaction, if the caller may read its document and both annotations.

    Args:
        deleted: find a relation that was itself deleted, even if its annotations were deleted too; otherwise a live
            one.
    """
    query = (
        select(Relation, RelationName.name, Document.identifier)
        .join(RelationName, RelationName.id == Relation.name_id)
        .join(Document, Document.id == Relation.document_id)
        .join(SOURCE, SOURCE.id == Relation.source_id)
        .join(TARGET, TARGET.id == Relation.target_id)
        .where(
            Relation.id == identifier,
            Relation.deleted_at.is_not(None) if deleted else live_relation_clause(),
            readable_documents(call.access, call.project),
            visible_relation_clause(call),
        )
    )
    row = call.session.execute(query.with_for_update(of=Relation)).first()
    return None if row is None else RelationWithName(*row)


def find_end_annotation(call: ProjectCall, identifier: int, *, lock: bool) -> Annotation | None:
    """An annotation, deleted or not, if the caller may read it and its document.

    Args:
        lock: lock it until the end of the transaction, so that no other transaction adds the same relation from it.
    """
    query = (
        select(Annotation)
        .join(Document, Document.id == Annotation.document_id)
        .where(
            Annotation.id == identifier,
            readable_documents(call.access, call.project),
            readable_labelling_clause(call.access, call.project, Annotation),
        )
    )
    # `key_share` allows others to add relations to it meanwhile: their foreign key takes a compatible lock.
    return call.session.scalars(query.with_for_update(of=Annotation, key_share=True) if lock else query).first()


# --- names ------------------------------------------------------------------------------------------------------------


def list_names(session: Session, project_id: int) -> Sequence[RelationName]:
    """Names of a project in creation order, including deleted ones."""
    query = select(RelationName).where(RelationName.project_id == project_id)
    return session.scalars(query.order_by(RelationName.id)).all()


def find_name(session: Session, project_id: int, name: str) -> RelationName | None:
    """The name, unless deleted; locked until the end of the transaction."""
    query = select(RelationName).where(RelationName.project_id == project_id, RelationName.name == name)
    return session.scalar(query.where(RelationName.deleted_at.is_(None)).with_for_update())


def lock_relations_of_name(call: ProjectCall, name_id: int, limit: int) -> Sequence[Relation]:
    """The first live relations of a name, of all users, locked until the end of the transaction."""
    query = select(Relation).join(SOURCE, SOURCE.id == Relation.source_id).join(TARGET, TARGET.id == Relation.target_id)
    query = query.join(Document, Document.id == Relation.document_id).where(*_has_name_clauses(name_id))
    return call.session.scalars(query.order_by(Relation.id).limit(limit).with_for_update(of=Relation)).all()


def documents_with_relation_name(call: ProjectCall, name_id: int) -> Sequence[int]:
    """Ids of the documents with relations of a name, of all users, unless the relations themselves are deleted."""
    query = select(Relation.document_id).where(Relation.name_id == name_id, Relation.deleted_at.is_(None))
    return call.session.scalars(query.distinct().order_by(Relation.document_id)).all()


def count_documents_with_name(call: ProjectCall, name_id: int) -> int:
    """Number of documents with live relations of a name that the caller may read."""
    query = select(func.count(func.distinct(Relation.document_id))).select_from(Relation)
    query = query.join(SOURCE, SOURCE.id == Relation.source_id).join(TARGET, TARGET.id == Relation.target_id)
    query = query.join(Document, Document.id == Relation.document_id).where(*_has_name_clauses(name_id))
    return call.session.scalars(
        query.where(readable_documents(call.access, call.project), visible_relation_clause(call))
    ).one()


def count_creators(call: ProjectCall, name_id: int) -> Sequence[tuple[str, int]]:
    """Number of live relations of a name that the caller may read, by creator, most first."""
    count = func.count()
    query = select(Relation.created_by, count).join(SOURCE, SOURCE.id == Relation.source_id)
    query = query.join(TARGET, TARGET.id == Relation.target_id).join(Document, Document.id == Relation.document_id)
    query = query.where(
        *_has_name_clauses(name_id), readable_documents(call.access, call.project), visible_relation_clause(call)
    )
    query = query.group_by(Relation.created_by).order_by(count.desc(), Relation.created_by)
    return [(who, number) for who, number in call.session.execute(query)]


def _has_name_clauses(name_id: int) -> tuple[ColumnElement[bool], ...]:
    return Relation.name_id == name_id, live_relation_clause(), Document.deleted_at.is_(None)


def count_name_uses(call: ProjectCall, *, name_id: int | None = None, of_everyone: bool = False) -> dict[int, int]:
    """Number of live relations by id of their name: those the caller may read, or with `of_everyone` all."""
    names = select(RelationName.id).where(RelationName.project_id == call.project.id)
    query = select(Relation.name_id, func.count()).where(Relation.name_id.in_(names)).group_by(Relation.name_id)
    if name_id is not None:
        query = query.where(Relation.name_id == name_id)
    if call.unit.database.is_sqlite and (of_everyone or reads_all_labelling(call.access)):
        query = query.where(*_live_clauses(call, of_everyone=of_everyone))
    else:
        query = query.join(SOURCE, SOURCE.id == Relation.source_id).join(TARGET, TARGET.id == Relation.target_id)
        query = query.join(Document, Document.id == Relation.document_id).where(
            live_relation_clause(), Document.deleted_at.is_(None)
        )
        if not of_everyone:
            query = query.where(readable_documents(call.access, call.project), visible_relation_clause(call))
    return {row[0]: row[1] for row in call.session.execute(query)}


def _live_clauses(call: ProjectCall, *, of_everyone: bool) -> tuple[ColumnElement[bool], ...]:
    """Conditions for live relations that SQLite can check with indexes alone: it computes the few deleted annotations
    and documents once, instead of looking up those of each relation. PostgreSQL is faster with joins.
    """
    labels = select(Label.id).where(Label.project_id == call.project.id)
    deleted_annotations = select(Annotation.id).where(
        Annotation.label_id.in_(labels), Annotation.deleted_at.is_not(None)
    )
    lost = Document.deleted_at.is_not(None) if of_everyone else not_(readable_documents(call.access, call.project))
    return (
        Relation.deleted_at.is_(None),
        Relation.source_id.not_in(deleted_annotations),
        Relation.target_id.not_in(deleted_annotations),
        Relation.document_id.not_in(select(Document.id).where(Document.project_id == call.project.id, lost)),
    )
