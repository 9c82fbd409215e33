"""SQL of annotations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, and_, bindparam, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import (
    LabellingVisibility,
    labelling_visibility,
    labelling_visibility_clause,
    readable_documents,
    readable_labelling_clause,
    reads_all_documents,
)
from annotarium.content.labelling.fragments import FragmentList
from annotarium.db.compiled_statements import CompiledStatement
from annotarium.db.models import Annotation, Document, Label

# Built once: they are executed for every annotation, and building a statement takes longer than executing it.
_SLICE = func.substr(Document.text, bindparam("first"), bindparam("count"))
_IN_PROJECT = and_(Document.project_id == bindparam("project"), Document.deleted_at.is_(None))
_LABEL = and_(Label.project_id == bindparam("project"), Label.name == bindparam("label"), Label.deleted_at.is_(None))
_TARGET = (
    select(Document.id, Document.identifier, Document.length, _SLICE, Label.id, Label.name)
    .select_from(Document)
    .outerjoin(Label, _LABEL)
    .where(_IN_PROJECT, Document.identifier == bindparam("identifier"))
)
_TARGET_OF_ALL = CompiledStatement(_TARGET)
_SLICE_BY_ID = select(_SLICE).where(Document.id == bindparam("document"))
_DUPLICATES = CompiledStatement(
    select(Annotation.id, Annotation.fragments).where(
        Annotation.document_id == bindparam("document"),
        Annotation.start == bindparam("start"),
        Annotation.end == bindparam("end"),
        Annotation.label_id == bindparam("label"),
        Annotation.created_by == bindparam("creator"),
        Annotation.deleted_at.is_(None),
    )
)
_ROWS = Annotation.__table__
_COLUMNS = tuple(column.name for column in _ROWS.columns)
_READ = (
    select(*_ROWS.columns, Document.identifier, Document.length, Label.name, Label.deleted_at)
    .join(Document, Document.id == Annotation.document_id)
    .join(Label, Label.id == Annotation.label_id)
    .where(Annotation.id == bindparam("annotation"), _IN_PROJECT)
)
_FOUND = _READ.with_for_update(of=_ROWS)
_CHANGING: tuple[str, ...] = ("label_id", "start", "end", "text", "status", "modified_at", "modified_by", "version")
_CHANGING += ("deleted_at", "deleted_by", "fragments", "terms")
_CHANGE = CompiledStatement(
    update(_ROWS)  # type: ignore[arg-type]
    .where(_ROWS.c.id == bindparam("key"))
    .values({name: bindparam(f"new_{name}") for name in _CHANGING})
)


def _find_annotation_statement(deleted: bool, seen: LabellingVisibility, *, locked: bool = True) -> Select[Any]:
    """The statement that finds one annotation, for all callers with the same visibility."""
    there = Annotation.deleted_at.is_not(None) if deleted else Annotation.deleted_at.is_(None)
    return (_FOUND if locked else _READ).where(there, labelling_visibility_clause(seen, Annotation))


@lru_cache(maxsize=512)
def _compiled_find_statement(deleted: bool, seen: LabellingVisibility) -> CompiledStatement:
    return CompiledStatement(_find_annotation_statement(deleted, seen))


@dataclass(frozen=True)
class AnnotationTarget:
    """The document to annotate, the text of the span, and the label (None if there is no such label)."""

    document_id: int
    identifier: str
    length: int
    slice: str
    label_id: int | None
    label_name: str | None


@dataclass(frozen=True)
class FoundAnnotation:
    """An annotation with what the rules need. `length` is the document's length in code points."""

    row: Annotation
    document: str
    length: int
    label: str
    label_deleted: bool


def find_annotation_target(
    call: ProjectCall, identifier: str, label: str, start: int, end: int
) -> AnnotationTarget | None:
    """The readable document with `text[start:end]` cut by the database; None if there is no such document."""
    values = {"first": start + 1, "count": end - start, "identifier": identifier, "label": label}
    values["project"] = call.project.id
    row: Sequence[Any] | None
    if reads_all_documents(call.access):
        row = _TARGET_OF_ALL.first(call.session, values)
    else:
        row = call.session.connection().execute(_TARGET.where(_readable_documents_clause(call)), values).first()
    return AnnotationTarget(*row) if row else None


def _readable_documents_clause(call: ProjectCall) -> Any:
    return readable_documents(call.access, call.project)


def read_slice(session: Session, document_id: int, start: int, end: int) -> str:
    """`text[start:end]` of a document, which must exist."""
    values = {"first": start + 1, "count": end - start, "document": document_id}
    return str(session.connection().execute(_SLICE_BY_ID, values).scalar_one())


def find_duplicate(
    call: ProjectCall, document_id: int, label_id: int, start: int, end: int, fragments: FragmentList | None
) -> Annotation | None:
    """The caller's own annotation with the same span, fragments and label, or None."""
    values = {"document": document_id, "start": start, "end": end, "label": label_id, "creator": call.username}
    rows = _DUPLICATES.all(call.session, values)
    found = next((identifier for identifier, own in rows if own == fragments), None)
    return None if found is None else call.session.get(Annotation, found)


def find_annotation(call: ProjectCall, identifier: int, *, deleted: bool = False) -> FoundAnnotation | None:
    """The annotation if the caller may read it; locked in a writing transaction.

    The row is outside the session: save it by `update_annotation_row`.
    """
    seen, values = labelling_visibility(call.access), {"annotation": identifier, "project": call.project.id}
    row: Sequence[Any] | None
    if reads_all_documents(call.access) and call.unit.write:
        row = _compiled_find_statement(deleted, seen).first(call.session, values)
    else:
        statement = _find_annotation_statement(deleted, seen, locked=call.unit.write)
        statement = statement.where(_readable_documents_clause(call))
        row = call.session.connection().execute(statement, values).first()
    if row is None:
        return None
    own = Annotation(**dict(zip(_COLUMNS, row, strict=False)))
    return FoundAnnotation(own, row[-4], row[-3], row[-2], row[-1] is not None)


def update_annotation_row(session: Session, row: Annotation) -> None:
    """Save the changes of a row from `find_annotation` in one statement, without the session's unit of work."""
    values = {f"new_{name}": getattr(row, name) for name in _CHANGING}
    _CHANGE.run(session, [values | {"key": row.id}])


# --- copying ----------------------------------------------------------------------------------------------------------

_PAGE = 200


def texts(call: ProjectCall, document_ids: Sequence[int]) -> Sequence[tuple[int, str, str]]:
    """(id, identifier, text) of the readable documents among the ids, by id."""
    query = select(Document.id, Document.identifier, Document.text).where(
        Document.id.in_(document_ids), _readable_documents_clause(call)
    )
    return [(row[0], row[1], row[2]) for row in call.session.execute(query.order_by(Document.id))]


def readable_ids(call: ProjectCall, document_ids: Sequence[int]) -> set[int]:
    """Those of the documents that are there and that the caller may read."""
    query = select(Document.id).where(Document.id.in_(document_ids), _readable_documents_clause(call))
    return set(call.session.scalars(query))


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """The database id of the readable document with this identifier, or None."""
    query = select(Document.id).where(_readable_documents_clause(call), Document.identifier == identifier)
    return call.session.scalar(query)


def documents_containing(call: ProjectCall, text: str | None) -> Iterator[int]:
    """Ids of readable documents whose text contains another text; None: of all readable documents."""
    query = select(Document.id).where(_readable_documents_clause(call)).order_by(Document.id).limit(_PAGE)
    if text is not None:
        query = query.where(Document.text.contains(text, autoescape=True))
    after = 0
    while ids := call.session.scalars(query.where(Document.id > after)).all():
        yield from ids
        after = ids[-1]


def spans_with_label(call: ProjectCall, document_ids: Sequence[int], label_id: int) -> dict[int, list[tuple[int, int]]]:
    """Spans of readable annotations with this label, rejected ones included, by document id."""
    query = select(Annotation.document_id, Annotation.start, Annotation.end).where(
        Annotation.document_id.in_(document_ids),
        Annotation.label_id == label_id,
        Annotation.deleted_at.is_(None),
        readable_labelling_clause(call.access, call.project, Annotation),
    )
    found: dict[int, list[tuple[int, int]]] = {}
    for document_id, start, end in call.session.execute(query):
        found.setdefault(document_id, []).append((start, end))
    return found
