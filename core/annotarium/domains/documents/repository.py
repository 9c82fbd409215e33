"""SQL of documents."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from operator import itemgetter
from typing import Any, NamedTuple

from sqlalchemy import BindParameter, ColumnElement, and_, bindparam, case, func, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import (
    LabellingVisibility,
    groups_of_visible_documents,
    labelling_visibility,
    labelling_visibility_clause,
    readable_documents,
    readable_documents_by_id_clause,
    reads_all_documents,
)
from annotarium.db.compiled_statements import CompiledInListStatement, CompiledStatement
from annotarium.db.confirmed_labelling import counted_clause
from annotarium.db.corruption import json_object_or_empty, parse_raw_json
from annotarium.db.models import AltText, Annotation, Category, Document, Group, Label, Segment

# Built once, because building a statement takes longer than executing it for a short document.
_IN_PROJECT = and_(Document.project_id == bindparam("project"), Document.deleted_at.is_(None))
_DOCUMENTS: BindParameter[Any] = bindparam("documents", expanding=True)
_BY_IDENTIFIER = select(Document.id).where(_IN_PROJECT, Document.identifier == bindparam("identifier"))
_BY_IDENTIFIER_OF_ALL = CompiledStatement(_BY_IDENTIFIER)


def readable_document_clause(call: ProjectCall) -> ColumnElement[bool]:
    """True for documents of the project that are not deleted and that the caller may read (origin groups)."""
    return readable_documents(call.access, call.project)


def find_document(call: ProjectCall, identifier: str) -> Document | None:
    """The readable document with this identifier, or None."""
    return call.session.scalar(
        select(Document).where(readable_document_clause(call), Document.identifier == identifier)
    )


def find_document_id(call: ProjectCall, identifier: str) -> int | None:
    """The database id of the readable document with this identifier, or None."""
    values = {"project": call.project.id, "identifier": identifier}
    if reads_all_documents(call.access):
        row = _BY_IDENTIFIER_OF_ALL.first(call.session, values)
        return row[0] if row else None
    return call.session.connection().execute(_BY_IDENTIFIER.where(readable_document_clause(call)), values).scalar()


def page_of_ids(call: ProjectCall, after: int, limit: int) -> Sequence[int]:
    """Ids of readable documents greater than `after`, ascending."""
    query = (
        select(Document.id)
        .where(readable_document_clause(call), Document.id > after)
        .order_by(Document.id)
        .limit(limit)
    )
    return call.session.scalars(query).all()


def iterate_ids(call: ProjectCall, *, limit: int, batch: int) -> Iterator[Sequence[int]]:
    """Ids of readable documents, ascending, in batches; `limit` 0 = all."""
    after, left = 0, limit if limit > 0 else -1
    while left:
        ids = page_of_ids(call, after, min(batch, left) if left > 0 else batch)
        if not ids:
            return
        yield ids
        after = ids[-1]
        left -= len(ids) if left > 0 else 0


def random_ids(call: ProjectCall, count: int) -> Sequence[int]:
    """Ids of up to `count` readable documents, drawn at random."""
    return call.session.scalars(
        select(Document.id).where(readable_document_clause(call)).order_by(func.random()).limit(count)
    ).all()


_COLUMNS = (
    *(Document.id, Document.identifier, Document.title, Document.metadata_, Document.created_by),
    *(Document.created_at, Document.modified_at, Document.version, Document.reviewed),
    *(Document.imported_by, Document.imported_at, Group.name, Document.length),
)


class DocumentRow(NamedTuple):
    """A document without its parts; `text` is None if it was not requested."""

    id: int
    identifier: str
    title: str
    metadata: dict[str, Any]
    created_by: str
    created_at: int
    modified_at: int
    version: int
    reviewed: bool
    imported_by: str | None
    imported_at: int | None
    group: str | None
    length: int
    text: str | None = None


@lru_cache(maxsize=256)
def _document_rows_statement(with_text: bool, groups: frozenset[int] | None) -> CompiledInListStatement:
    """Select documents by id, restricted to these origin groups; None = no restriction."""
    columns = (*_COLUMNS, Document.text) if with_text else _COLUMNS
    query = select(*columns).outerjoin(Group, Group.id == Document.origin_group_id)
    return CompiledInListStatement(query.where(readable_documents_by_id_clause(groups), Document.id.in_(_DOCUMENTS)))


def document_rows(call: ProjectCall, ids: Sequence[int], *, with_text: bool) -> Iterator[DocumentRow]:
    """The readable documents among the ids."""
    found = _document_rows_statement(with_text, groups_of_visible_documents(call.access))
    for row in found.plain(call.session, {"project": call.project.id, "documents": ids}):
        own = DocumentRow(*row)
        yield own._replace(metadata=json_object_or_empty(parse_raw_json(own.metadata)), reviewed=bool(own.reviewed))


def metadata_rows(call: ProjectCall, ids: Sequence[int]) -> Sequence[Any]:
    """Id, identifier, metadata and version of the readable documents among the ids; locks the rows for an update."""
    columns = (Document.id, Document.identifier, Document.metadata_, Document.version)
    query = select(*columns).where(readable_document_clause(call), Document.id.in_(ids)).order_by(Document.id)
    return call.session.execute(query.with_for_update()).all()


def update_documents(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Update documents by id; all rows must have the same columns."""
    if rows:
        session.execute(update(Document).execution_options(synchronize_session=False), list(rows))


def identifier_of(session: Session, document_id: int) -> str:
    """The identifier of a document, which must exist."""
    return session.scalars(select(Document.identifier).where(Document.id == document_id)).one()


_LABEL_NAMES = CompiledStatement(select(Label.id, Label.name).where(Label.project_id == bindparam("project")))


def label_names(call: ProjectCall) -> dict[int, str]:
    """Label id -> stable name, deleted labels included."""
    return dict(_LABEL_NAMES.all(call.session, {"project": call.project.id}))


LABELLED_COLUMNS = (
    *("id", "document_id", "label_id", "start", "end", "status", "creation_mode", "score", "properties"),
    *("created_by", "created_at", "modified_at", "version", "imported_by", "imported_at"),
)
"""The columns that annotations and categories share, in the order of the rows below."""


def _labelled_columns(table: type[Annotation] | type[Category]) -> list[Any]:
    return [getattr(table, name) for name in LABELLED_COLUMNS]


@lru_cache(maxsize=512)
def _annotations_statement(seen: LabellingVisibility) -> CompiledInListStatement:
    columns = (*_labelled_columns(Annotation), Annotation.text, Annotation.terms, Annotation.fragments)
    query = select(*columns).where(Annotation.deleted_at.is_(None), labelling_visibility_clause(seen, Annotation))
    query = query.order_by(Annotation.document_id)
    return CompiledInListStatement(query.where(Annotation.document_id.in_(_DOCUMENTS)))


@lru_cache(maxsize=512)
def _categories_statement(seen: LabellingVisibility) -> CompiledInListStatement:
    query = select(*_labelled_columns(Category)).where(
        Category.deleted_at.is_(None), labelling_visibility_clause(seen, Category)
    )
    query = query.order_by(Category.document_id, Category.start, Category.id)
    return CompiledInListStatement(query.where(Category.document_id.in_(_DOCUMENTS)))


def annotation_rows(call: ProjectCall, document_ids: Sequence[int]) -> list[Any]:
    """`LABELLED_COLUMNS`, text, terms, fragments of the readable annotations, sorted by document, start, end, id."""
    rows = _annotations_statement(labelling_visibility(call.access)).plain(call.session, {"documents": document_ids})
    rows.sort(key=_PLACE)
    return rows


_PLACE = itemgetter(*(LABELLED_COLUMNS.index(name) for name in ("document_id", "start", "end", "id")))


def category_rows(call: ProjectCall, document_ids: Sequence[int]) -> list[Any]:
    """`LABELLED_COLUMNS` of the readable categories, sorted by document, start and id."""
    return _categories_statement(labelling_visibility(call.access)).plain(call.session, {"documents": document_ids})


_SEGMENTS = CompiledInListStatement(
    select(Segment.document_id, Segment.start, Segment.end, Segment.metadata_)
    .where(Segment.document_id.in_(_DOCUMENTS))
    .order_by(Segment.document_id, Segment.start)
)
_ALT_TEXTS = CompiledInListStatement(
    select(AltText.document_id, AltText.name, AltText.text)
    .where(AltText.document_id.in_(_DOCUMENTS))
    .order_by(AltText.document_id, AltText.name)
)


def segment_rows(call: ProjectCall, document_ids: Sequence[int]) -> list[Any]:
    """`(document id, start, end, metadata)` of segments, in order."""
    return _SEGMENTS.plain(call.session, {"documents": document_ids})


def alt_text_rows(call: ProjectCall, document_ids: Sequence[int]) -> list[Any]:
    """`(document id, name, text)` of alternative texts."""
    return _ALT_TEXTS.plain(call.session, {"documents": document_ids})


# --- state of the work ------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _annotation_counts_statement(seen: LabellingVisibility) -> CompiledInListStatement:
    query = select(Annotation.document_id, func.count(Annotation.id)).where(
        counted_clause(Annotation), labelling_visibility_clause(seen, Annotation)
    )
    return CompiledInListStatement(query.where(Annotation.document_id.in_(_DOCUMENTS)).group_by(Annotation.document_id))


def annotation_counts(call: ProjectCall, document_ids: Sequence[int]) -> dict[int, int]:
    """Number of readable annotations that are not rejected, by document id; documents without any are left out."""
    found = _annotation_counts_statement(labelling_visibility(call.access))
    return {row[0]: row[1] for row in found.plain(call.session, {"documents": document_ids})}


def review_row(call: ProjectCall, identifier: str) -> Any:
    """Id, identifier, version and `reviewed` of a readable document, or None; locks the row for an update."""
    columns = (Document.id, Document.identifier, Document.version, Document.reviewed)
    query = select(*columns).where(readable_document_clause(call), Document.identifier == identifier)
    return call.session.execute(query.with_for_update()).first()


def next_unreviewed_document(call: ProjectCall, after: int) -> tuple[str, str] | None:
    """Identifier and title of the first readable document after an id that is not reviewed, in import order."""
    query = select(Document.identifier, Document.title).where(
        readable_document_clause(call), Document.reviewed.is_(False), Document.id > after
    )
    row = call.session.execute(query.order_by(Document.id).limit(1)).first()
    return None if row is None else (row[0], row[1])


def count_reviewed_documents(call: ProjectCall) -> tuple[int, int]:
    """Number of reviewed documents and of all documents that the caller may read."""
    reviewed = func.count(case((Document.reviewed.is_(True), Document.id)))
    row = call.session.execute(select(reviewed, func.count(Document.id)).where(readable_document_clause(call))).one()
    return row[0], row[1]
