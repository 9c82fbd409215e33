"""SQL that relations share. A relation is live when neither it nor one of its two annotations is deleted."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Select, and_, bindparam, func, or_, select
from sqlalchemy.orm import Session, aliased

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents, readable_labelling_clause, reads_all_labelling
from annotarium.db.compiled_statements import CompiledInListStatement, CompiledStatement
from annotarium.db.models import Annotation, Document, Label, Project, Relation, RelationName

SOURCE, TARGET = aliased(Annotation, name="source"), aliased(Annotation, name="target")
_ENDS = (SOURCE, TARGET)
_ROW = (Relation, RelationName.name, Document.identifier)
_IDS = 400
_EXCERPT_LENGTH = 120
"""Code points of an annotation's text that are shown for an end of a relation."""
# Run for every annotation that is deleted or restored; most have no relations.
_AT_END = tuple(
    CompiledStatement(select(Relation.id).where(end == bindparam("annotation"), Relation.deleted_at.is_(None)).limit(1))
    for end in (Relation.source_id, Relation.target_id)
)
# Run for every document that is read; most have no relations.
_ON_DOCUMENTS = CompiledInListStatement(
    select(Relation.document_id)
    .where(Relation.document_id.in_(bindparam("documents", expanding=True)), Relation.deleted_at.is_(None))
    .limit(1)
)


class RelationWithName(NamedTuple):
    """A relation with its name and the identifier of its document."""

    row: Relation
    name: str
    document: str


class RelationRow(NamedTuple):
    """A live relation, read as columns because documents may have thousands."""

    id: int
    document_id: int
    source_id: int
    target_id: int
    properties: dict[str, Any] | None
    created_by: str
    created_at: int
    modified_at: int
    version: int
    imported_by: str | None
    imported_at: int | None
    name: str
    document: str


_COLUMNS = (
    *("id", "document_id", "source_id", "target_id", "properties", "created_by", "created_at", "modified_at"),
    *("version", "imported_by", "imported_at"),
)


def _relation_query() -> Select[Relation, str, str]:
    return (
        select(*_ROW)
        .join(RelationName, RelationName.id == Relation.name_id)
        .join(Document, Document.id == Relation.document_id)
        .join(SOURCE, SOURCE.id == Relation.source_id)
        .join(TARGET, TARGET.id == Relation.target_id)
    )


def live_relation_clause() -> ColumnElement[bool]:
    """True for live relations, in a query that joins `SOURCE` and `TARGET`."""
    return and_(Relation.deleted_at.is_(None), *(end.deleted_at.is_(None) for end in _ENDS))


def visible_relation_clause(call: ProjectCall) -> ColumnElement[bool]:
    """True for relations that the caller may read."""
    return readable_labelling_clause(call.access, call.project, Relation)


def relations_of_documents(
    call: ProjectCall, document_ids: Sequence[int], *, of: int | None = None
) -> list[RelationRow]:
    """Return the live relations on documents that the caller may read, ordered by document and age.

    The documents themselves must already be checked.

    Args:
        of: only relations of this annotation.
    """
    call.session.flush()
    if not _ON_DOCUMENTS.plain(call.session, {"documents": document_ids}):
        return []
    columns = [getattr(Relation, name) for name in _COLUMNS]
    query = _relation_query().with_only_columns(
        *columns, RelationName.name, Document.identifier, maintain_column_froms=True
    )
    query = query.where(Relation.document_id.in_(document_ids), live_relation_clause())
    if of is not None:
        query = query.where(or_(Relation.source_id == of, Relation.target_id == of))
    if not reads_all_labelling(call.access):
        query = query.where(visible_relation_clause(call))
    rows = call.session.execute(query.order_by(Relation.document_id, Relation.id))
    return [RelationRow._make(row) for row in rows]


def _has_relations(session: Session, annotation_id: int) -> bool:
    session.flush()
    values = {"annotation": annotation_id}
    return any(end.first(session, values) is not None for end in _AT_END)


def relations_of_annotations(session: Session, ids: Sequence[int]) -> list[RelationWithName]:
    """Return the relations that would be live if these annotations of one project were, by age; ignores rights."""
    found: dict[int, RelationWithName] = {}
    if len(ids) == 1 and not _has_relations(session, ids[0]):
        return []
    for begin in range(0, len(ids), _IDS):
        part = ids[begin : begin + _IDS]
        columns = (Relation.source_id, Relation.target_id)
        query = _relation_query().where(or_(*(column.in_(part) for column in columns)), Relation.deleted_at.is_(None))
        for column, end in zip(columns, _ENDS, strict=True):
            query = query.where(or_(column.in_(ids), end.deleted_at.is_(None)))
        for row in session.execute(query):
            found[row[0].id] = RelationWithName(row[0], row[1], row[2])
    return [found[identifier] for identifier in sorted(found)]


def count_with_labels(call: ProjectCall, label_ids: Sequence[int]) -> int:
    """Count the live relations that the caller may read and that are deleted with the annotations of these labels."""
    query = select(func.count(Relation.id)).join(SOURCE, SOURCE.id == Relation.source_id)
    query = query.join(TARGET, TARGET.id == Relation.target_id).join(Document, Document.id == Relation.document_id)
    ends = or_(*(end.label_id.in_(label_ids) for end in _ENDS))
    within = readable_documents(call.access, call.project), visible_relation_clause(call)
    return call.session.scalars(query.where(ends, live_relation_clause(), *within)).one()


def lock_relations_of(session: Session, ids: Sequence[int]) -> Sequence[Relation]:
    """Return the undeleted relations of the annotations by age, and lock them until the end of the transaction."""
    found: dict[int, Relation] = {}
    for begin in range(0, len(ids), _IDS):
        part = ids[begin : begin + _IDS]
        ends = or_(Relation.source_id.in_(part), Relation.target_id.in_(part))
        query = select(Relation).where(ends, Relation.deleted_at.is_(None)).order_by(Relation.id)
        found |= {row.id: row for row in session.scalars(query.with_for_update())}
    return [found[identifier] for identifier in sorted(found)]


def duplicate_of(session: Session, row: Relation) -> Relation | None:
    """Return another undeleted relation with the same name, source and target."""
    query = select(Relation).where(
        Relation.source_id == row.source_id,
        Relation.target_id == row.target_id,
        Relation.name_id == row.name_id,
        Relation.deleted_at.is_(None),
        Relation.id != row.id,
    )
    return session.scalars(query.limit(1)).first()


def annotations_by_id(session: Session, ids: Iterable[int]) -> dict[int, Annotation]:
    """Return annotations by id, deleted ones included."""
    query = select(Annotation).where(Annotation.id.in_(set(ids)))
    return {row.id: row for row in session.scalars(query)}


def annotation_texts_by_id(session: Session, ids: Iterable[int]) -> dict[int, str]:
    """Return the texts of annotations by id, deleted ones included."""
    query = select(Annotation.id, Annotation.text).where(Annotation.id.in_(set(ids)))
    return {row[0]: row[1] for row in session.execute(query)}


def annotation_excerpts(session: Session, ids: Iterable[int]) -> dict[int, tuple[int, str]]:
    """Return the start offset and the first characters of annotations, by id."""
    annotation_ids, found = sorted(set(ids)), dict[int, tuple[int, str]]()
    for begin in range(0, len(annotation_ids), _IDS):
        query = select(Annotation.id, Annotation.start, func.substr(Annotation.text, 1, _EXCERPT_LENGTH))
        for row in session.execute(query.where(Annotation.id.in_(annotation_ids[begin : begin + _IDS]))):
            found[row[0]] = row[1], row[2]
    return found


# --- names ------------------------------------------------------------------------------------------------------------


def lock_project(session: Session, project_id: int) -> None:
    """Lock a project's row against other transactions that do the same, until the end of the transaction."""
    session.execute(select(Project.id).where(Project.id == project_id).with_for_update(key_share=True))


def find_names(session: Session, project_id: int, names: Sequence[str]) -> Sequence[RelationName]:
    """Return rows of these names in a project, deleted ones too; for each name the live row comes last."""
    query = select(RelationName).where(RelationName.project_id == project_id, RelationName.name.in_(names))
    return session.scalars(query.order_by(RelationName.deleted_at.is_(None), RelationName.deleted_at)).all()


def name_of(session: Session, name_id: int) -> str:
    """Return the text of a relation name."""
    return session.scalars(select(RelationName.name).where(RelationName.id == name_id)).one()


def names_by_id(session: Session, project_id: int) -> dict[int, str]:
    """Return the texts of a project's relation names by id, deleted ones included."""
    query = select(RelationName.id, RelationName.name).where(RelationName.project_id == project_id)
    return {row[0]: row[1] for row in session.execute(query)}


def used_label_and_relation_colors(session: Session, project_id: int) -> list[str]:
    """Return the colours of a project's live labels and relation names."""
    found: list[str] = []
    for table in (Label, RelationName):
        query = select(table.color).where(table.project_id == project_id, table.deleted_at.is_(None))
        found += session.scalars(query)
    return found
