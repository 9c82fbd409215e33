"""SQL of the indexer, which reads the current state of documents as plain rows."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from sqlalchemy import BindParameter, bindparam, delete, func, or_, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.db.compiled_statements import CompiledInListStatement, CompiledStatement
from annotarium.db.confirmed_labelling import confirmed_clause
from annotarium.db.corruption import parse_raw_json
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.models import (
    Annotation,
    Base,
    Category,
    Document,
    Group,
    InstanceFact,
    Label,
    Lexicon,
    LexiconTerm,
    Outbox,
    Project,
    Relation,
    RelationName,
    Segment,
    Vectorization,
)
from annotarium.search.term_entries import IndexableTerm

LinkedTerm = tuple[str, str, str]
"""Lexicon, identifier and preferred form of a term that an annotation links to."""


@dataclass(slots=True)
class LabellingItem:
    """One annotation or category with the columns that facets need. Document categories have no offsets.

    `terms` are `(lexicon, identifier, preferred form)` of an annotation's terms; the form may be empty.
    """

    label: str
    status: str | None
    mode: str
    creator: str
    modified_at: int
    start: int | None = None
    end: int | None = None
    terms: tuple[LinkedTerm, ...] = ()


@dataclass(slots=True)
class IndexableDocument:
    """A live document with everything its index entries need. `text` is None when only facets are read."""

    id: int
    identifier: str
    title: str
    text: str | None
    metadata: dict[str, Any]
    split: str | None
    origin: str | None
    created_at: int
    modified_at: int
    created_by: str
    reviewed: bool = False
    segments: list[tuple[int, int]] = field(default_factory=list)
    annotations: list[LabellingItem] = field(default_factory=list)
    categories: list[LabellingItem] = field(default_factory=list)
    relations: list[str] = field(default_factory=list)
    """Names of the live relations, each once."""


_PROJECT_COLUMNS = ("id", "name", "lang", "deleted_at")
_PROJECT = CompiledStatement(
    select(*(Project.__table__.c[name] for name in _PROJECT_COLUMNS)).where(Project.id == bindparam("id"))
)


def find_project(session: Session, project_id: int) -> Project | None:
    """Return the columns of a project that the index needs, deleted projects included. The object is not in the
    session.
    """
    row = _PROJECT.first(session, {"id": project_id})
    return None if row is None else Project(**dict(zip(_PROJECT_COLUMNS, row, strict=True)))


def list_projects(session: Session) -> Sequence[Project]:
    """Return all live projects."""
    return session.scalars(select(Project).where(Project.deleted_at.is_(None)).order_by(Project.id)).all()


def projects_with_documents(session: Session) -> set[int]:
    """Return the ids of projects that have at least one live document."""
    holds = select(Document.id).where(Document.project_id == Project.id, Document.deleted_at.is_(None)).exists()
    return set(session.scalars(select(Project.id).where(Project.deleted_at.is_(None), holds)))


def projects_with_terms(session: Session) -> set[int]:
    """Return the ids of projects that have at least one lexicon."""
    holds = select(Lexicon.id).where(Lexicon.project_id == Project.id, Lexicon.deleted_at.is_(None)).exists()
    return set(session.scalars(select(Project.id).where(Project.deleted_at.is_(None), holds)))


def projects_to_rebuild(session: Session) -> set[int]:
    """Return the ids of projects whose index is scheduled to be rebuilt."""
    return set(session.scalars(select(Outbox.project_id).where(Outbox.operation.in_(("project", "rebuild")))))


SHARED_INDEX = "search index"
"""Key of the database entry with the search index that the installation uses (see `find_shared_index`)."""
_FACTS = InstanceFact.__table__
_SHARED_INDEX = CompiledStatement(select(_FACTS.c.value).where(_FACTS.c.key == SHARED_INDEX))


def find_shared_index(session: Session) -> dict[str, Any] | None:
    """Return the search index that the installation uses; None before `annotarium serve` has published it."""
    row = _SHARED_INDEX.first(session, {})
    return None if row is None else dict(row[0])


def find_vectorization(session: Session, project_id: int, name: str) -> Vectorization | None:
    """Return the vectorization of that name in a project."""
    query = select(Vectorization).where(Vectorization.project_id == project_id, Vectorization.name == name)
    return session.scalars(query).one_or_none()


def list_vectorizations(session: Session, project_id: int) -> Sequence[Vectorization]:
    """Return the vectorizations of a project in creation order."""
    query = select(Vectorization).where(Vectorization.project_id == project_id).order_by(Vectorization.id)
    return session.scalars(query).all()


_LABEL_NAMES = CompiledStatement(select(Label.id, Label.name).where(Label.project_id == bindparam("project")))


def label_names(session: Session, project_id: int) -> dict[int, str]:
    """Return the stable names of labels by id, deleted labels included."""
    return dict(_LABEL_NAMES.all(session, {"project": project_id}))


def _columns(table: type[Base], names: str) -> list[Any]:
    return [table.__table__.c[name] for name in names.split()]


# Core tables and statements compiled once, because these run at every change.
_IDS: BindParameter[Any] = bindparam("ids", expanding=True)
_GROUPS, _DOCUMENTS = Group.__table__, Document.__table__
_STATE_ROWS = (
    select(
        *_columns(Document, "id identifier title metadata split"),
        _GROUPS.c.name,
        *_columns(Document, "created_at modified_at created_by reviewed"),
    )
    .select_from(_DOCUMENTS.outerjoin(_GROUPS, _GROUPS.c.id == _DOCUMENTS.c.origin_group_id))
    .where(
        # `+ 0` keeps SQLite from using the index on projects, with which it would read all documents for a handful.
        *(_DOCUMENTS.c.id.in_(_IDS), _DOCUMENTS.c.project_id + 0 == bindparam("project")),
        _DOCUMENTS.c.deleted_at.is_(None),
    )
)
_STATES, _STATES_WITH_TEXT = (
    CompiledInListStatement(_STATE_ROWS),
    CompiledInListStatement(_STATE_ROWS.add_columns(_DOCUMENTS.c.text)),
)
_SEGMENTS = CompiledInListStatement(
    select(*_columns(Segment, "document_id start end"))
    .where(Segment.__table__.c.document_id.in_(_IDS))
    .order_by(*_columns(Segment, "document_id start"))
)
_LABELLED = "document_id label_id status creation_mode created_by modified_at start end"
_LABELLINGS = tuple(
    CompiledInListStatement(
        select(*_columns(table, columns)).where(
            table.__table__.c.document_id.in_(_IDS), table.__table__.c.deleted_at.is_(None)
        )
    )
    for table, columns in ((Annotation, f"{_LABELLED} terms"), (Category, _LABELLED))
)

_SOURCE, _TARGET = Annotation.__table__.alias("source"), Annotation.__table__.alias("target")
_RELATIONS, _NAMES = Relation.__table__, RelationName.__table__
_RELATION_NAMES = CompiledInListStatement(
    select(_RELATIONS.c.document_id, _NAMES.c.name)
    .select_from(
        _RELATIONS.join(_NAMES, _NAMES.c.id == _RELATIONS.c.name_id)
        .join(_SOURCE, _SOURCE.c.id == _RELATIONS.c.source_id)
        .join(_TARGET, _TARGET.c.id == _RELATIONS.c.target_id)
    )
    .where(
        _RELATIONS.c.document_id.in_(_IDS),
        *(table.c.deleted_at.is_(None) for table in (_RELATIONS, _SOURCE, _TARGET)),
    )
    .distinct()
)


def linked_terms(stored: Any) -> tuple[LinkedTerm, ...]:
    """The terms in a stored value of `Annotation.terms`, as JSON text or decoded; invalid ones are left out."""
    terms = parse_raw_json(stored)
    found = []
    for one in terms if isinstance(terms, list) else ():
        if isinstance(one, dict) and isinstance(one.get("identifier"), str) and one["identifier"]:
            lexicon, form = one.get("lexicon"), one.get("preferredForm")
            found.append(
                (
                    lexicon if isinstance(lexicon, str) else "",
                    one["identifier"],
                    form if isinstance(form, str) else "",
                )
            )
    return tuple(found)


def load_indexable_documents(
    session: Session, project_id: int, document_ids: Sequence[int], *, with_text: bool, labels: dict[int, str]
) -> dict[int, IndexableDocument]:
    """Return the live documents among the ids, by id."""
    states = {}
    values = {"ids": list(document_ids), "project": project_id}
    for row in (_STATES_WITH_TEXT if with_text else _STATES).plain(session, values):
        text, metadata = row[10] if with_text else None, parse_raw_json(row[3]) or {}
        states[row[0]] = IndexableDocument(
            row[0], row[1], row[2], text, metadata, row[4], row[5], row[6], row[7], row[8], bool(row[9])
        )
    found = {"ids": list(states)}
    for document_id, start, end in _SEGMENTS.plain(session, found):
        states[document_id].segments.append((start, end))
    for statement, attribute in zip(_LABELLINGS, ("annotations", "categories"), strict=True):
        lists = {document_id: getattr(state, attribute) for document_id, state in states.items()}
        rows = statement.plain(session, found)
        for document_id, label_id, status, mode, creator, modified_at, start, end, *linked in rows:
            terms = linked_terms(linked[0]) if linked and linked[0] else ()
            item = LabellingItem(labels.get(label_id, ""), status, mode, creator, modified_at, start, end, terms)
            lists[document_id].append(item)
    for document_id, name in _RELATION_NAMES.plain(session, found):
        states[document_id].relations.append(name)
    return states


_TEXTS = select(_DOCUMENTS.c.id, _DOCUMENTS.c.text).where(_DOCUMENTS.c.id.in_(_IDS))


def load_texts(session: Session, document_ids: Sequence[int]) -> Sequence[tuple[int, str]]:
    """Return `(id, text)` of documents."""
    if not document_ids:
        return []
    return [(row[0], row[1]) for row in session.connection().execute(_TEXTS, {"ids": list(document_ids)})]


def document_ids(session: Session, project_id: int, after: int, limit: int) -> Sequence[int]:
    """Return ids of live documents after the id `after`, ascending."""
    query = (
        select(Document.id)
        .where(Document.project_id == project_id, Document.deleted_at.is_(None), Document.id > after)
        .order_by(Document.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def labelled_document_ids(session: Session, project_id: int, after: int, limit: int) -> Sequence[int]:
    """Return ids after `after` of live documents that are reviewed or have a confirmed or rejected label, ascending."""
    judged = [
        select(table.id).where(
            table.document_id == Document.id,
            table.deleted_at.is_(None),
            or_(confirmed_clause(table), table.status == "KO"),
        )
        for table in (Annotation, Category)
    ]
    query = (
        select(Document.id)
        .where(Document.project_id == project_id, Document.deleted_at.is_(None), Document.id > after)
        .where(or_(Document.reviewed.is_(True), *(part.exists() for part in judged)))
        .order_by(Document.id)
        .limit(limit)
    )
    return session.scalars(query).all()


def count_documents(session: Session, project_id: int) -> int:
    """Count the live documents of a project."""
    query = select(func.count(Document.id)).where(Document.project_id == project_id, Document.deleted_at.is_(None))
    return session.scalars(query).one()


def list_pending_outbox_rows(session: Session, *, before: int, limit: int) -> Sequence[Outbox]:
    """Return outbox rows created before an id, oldest first."""
    return session.scalars(select(Outbox).where(Outbox.id < before).order_by(Outbox.id).limit(limit)).all()


_OUTBOX = Outbox.__table__
_OUTBOX_COLUMNS = ("id", "project_id", "document_id", "operation", "start", "end", "actor")
_PENDING_ROWS = (
    select(*(_OUTBOX.c[name] for name in _OUTBOX_COLUMNS))
    .where(_OUTBOX.c.project_id == bindparam("project"), _OUTBOX.c.operation != "rebuild")
    .order_by(_OUTBOX.c.id)
    .limit(bindparam("most"))
)
_PENDING = CompiledStatement(_PENDING_ROWS)
_PENDING_FOR = CompiledStatement(
    _PENDING_ROWS.where(or_(_OUTBOX.c.operation != "facets", _OUTBOX.c.actor == bindparam("reader")))
)


def list_pending_outbox_rows_of_project(
    session: Session, project_id: int, limit: int, reader: str | None = None
) -> list[Outbox]:
    """Return outbox rows of a project that searches wait for, oldest first. The objects are not in the session.

    Args:
        reader: only rows for which `is_change_awaited_by_reader` is true.
    """
    values = {"project": project_id, "most": limit}
    rows = _PENDING.all(session, values) if reader is None else _PENDING_FOR.all(session, values | {"reader": reader})
    return [Outbox(**dict(zip(_OUTBOX_COLUMNS, row, strict=True))) for row in rows]


def is_change_awaited_by_reader(row: Outbox, reader: str | None) -> bool:
    """Return whether a search of this user waits for a change: the user's own changes, and all changes of documents.

    Labelling by others becomes visible a little later. None waits for everything.
    """
    return reader is None or row.operation != "facets" or row.actor == reader


def count_segments(session: Session, project_id: int) -> int:
    """Count the segments of a project's live documents."""
    query = select(func.count()).select_from(Segment).join(Document, Document.id == Segment.document_id)
    return session.scalars(query.where(Document.project_id == project_id, Document.deleted_at.is_(None))).one()


def count_pending_outbox_rows(session: Session) -> int:
    """Count the outbox rows of all projects."""
    return session.scalars(select(func.count(Outbox.id))).one()


def filter_readable_documents(call: ProjectCall, document_ids: Collection[int]) -> set[int]:
    """Return those of the documents that exist and that the caller may see."""
    query = select(Document.id).where(readable_documents(call.access, call.project))
    return set(call.session.scalars(query.where(in_ids_clause(call.session, Document.id, list(document_ids)))))


def existing_segment_starts(
    session: Session, document_ids: Collection[int], starts: Collection[int]
) -> dict[int, set[int]]:
    """Return, by document, those of the starts at which it has a segment. A document without segments counts as one
    from 0.
    """
    ids = list(document_ids)
    cut = select(Segment.document_id).where(in_ids_clause(session, Segment.document_id, ids)).distinct()
    found = {identifier: {0} for identifier in document_ids}
    found |= {identifier: set() for identifier in session.scalars(cut)}
    query = select(Segment.document_id, Segment.start).where(in_ids_clause(session, Segment.document_id, ids))
    for identifier, start in session.execute(query.where(in_ids_clause(session, Segment.start, list(starts)))):
        found[identifier].add(start)
    return found


def delete_outbox_rows(session: Session, outbox_ids: Iterable[int]) -> None:
    """Delete applied outbox rows."""
    ids = list(outbox_ids)
    for begin in range(0, len(ids), 500):
        session.execute(delete(Outbox).where(Outbox.id.in_(ids[begin : begin + 500])))


def iterate_document_ids(session: Session, project_id: int, batch: int = 500) -> Iterator[list[int]]:
    """Yield all live document ids in batches."""
    after = 0
    while ids := document_ids(session, project_id, after, batch):
        yield list(ids)
        after = ids[-1]


# --- terms ------------------------------------------------------------------------------------------------------------

_TERM_ROWS = (
    select(
        LexiconTerm.id,
        LexiconTerm.lexicon_id,
        Lexicon.name,
        LexiconTerm.identifier,
        LexiconTerm.preferred_form,
        LexiconTerm.properties,
        LexiconTerm.obsolete,
        LexiconTerm.created_at,
        LexiconTerm.modified_at,
    )
    .join(Lexicon, Lexicon.id == LexiconTerm.lexicon_id)
    .where(LexiconTerm.deleted_at.is_(None), Lexicon.deleted_at.is_(None))
)


def load_indexable_terms(session: Session, project_id: int, ids: Sequence[int]) -> list[IndexableTerm]:
    """Return the live terms among the ids."""
    query = _TERM_ROWS.where(in_ids_clause(session, LexiconTerm.id, ids), LexiconTerm.project_id == project_id)
    return [IndexableTerm(*row) for row in session.execute(query)]


def term_ids(
    session: Session, project_id: int, *, lexicon_id: int | None = None, after: int, last: int | None = None, limit: int
) -> Sequence[int]:
    """Return ids of terms after `after` (to `last`), ascending: of a live lexicon, or of the whole project."""
    query = select(LexiconTerm.id).where(LexiconTerm.project_id == project_id, LexiconTerm.id > after)
    if lexicon_id is not None:
        live = select(Lexicon.id).where(Lexicon.id == lexicon_id, Lexicon.deleted_at.is_(None))
        query = query.where(LexiconTerm.lexicon_id.in_(live))
    if last is not None:
        query = query.where(LexiconTerm.id <= last)
    return session.scalars(query.order_by(LexiconTerm.id).limit(limit)).all()


def has_lexicons(session: Session, project_id: int) -> bool:
    """Return whether the project has a lexicon."""
    query = select(Lexicon.id).where(Lexicon.project_id == project_id, Lexicon.deleted_at.is_(None)).limit(1)
    return session.scalar(query) is not None
