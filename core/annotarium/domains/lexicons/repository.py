"""SQL of lexicons, terms and the tree."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, Select, delete, func, select, tuple_, update
from sqlalchemy.orm import Session, aliased

from annotarium.db.bulk_insert import insert_rows
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.identifiers import new_ids
from annotarium.db.models import History, Lexicon, LexiconTerm, TermRelation

BROADER, RELATED = "broader", "related"
RELATION_KINDS = (BROADER, RELATED)
_NAMED = 500
_PURGED_AT_ONCE = 20
_DELETIONS = 1_000
_LIVE = LexiconTerm.deleted_at.is_(None)


# --- lexicons ---------------------------------------------------------------------------------------------------------


def list_lexicons(session: Session, project_id: int) -> Sequence[Lexicon]:
    """Live lexicons in creation order."""
    query = select(Lexicon).where(Lexicon.project_id == project_id, Lexicon.deleted_at.is_(None))
    return session.scalars(query.order_by(Lexicon.created_at, Lexicon.id)).all()


def find_lexicon(session: Session, project_id: int, name: str) -> Lexicon | None:
    """The live lexicon of that name."""
    query = select(Lexicon).where(Lexicon.project_id == project_id, Lexicon.name == name)
    return session.scalar(query.where(Lexicon.deleted_at.is_(None)))


def find_lexicon_by_id(session: Session, project_id: int, lexicon_id: int) -> Lexicon | None:
    """The live lexicon of that id in the project."""
    query = select(Lexicon).where(Lexicon.project_id == project_id, Lexicon.id == lexicon_id)
    return session.scalar(query.where(Lexicon.deleted_at.is_(None)))


def find_restorable_lexicon(session: Session, project_id: int, name: str, since: int) -> Lexicon | None:
    """The lexicon of that name that was deleted last, after a time."""
    query = select(Lexicon).where(Lexicon.project_id == project_id, Lexicon.name == name)
    return session.scalar(query.where(Lexicon.deleted_at >= since).order_by(Lexicon.deleted_at.desc()).limit(1))


def find_cleared_lexicon(session: Session, empty: Lexicon, since: int) -> Lexicon | None:
    """The lexicon that was cleared after a time, so that `empty` is in its place now."""
    query = select(Lexicon).where(Lexicon.project_id == empty.project_id, Lexicon.name == empty.name)
    query = query.where(Lexicon.created_at == empty.created_at, Lexicon.created_by == empty.created_by)
    return session.scalar(query.where(Lexicon.deleted_at >= since).order_by(Lexicon.deleted_at.desc()).limit(1))


def lexicons_deleted_before(session: Session, project_id: int, moment: int) -> Sequence[Lexicon]:
    """Lexicons whose rows are still there though they were deleted before a time."""
    query = select(Lexicon).where(Lexicon.project_id == project_id, Lexicon.deleted_at < moment)
    return session.scalars(query.order_by(Lexicon.id).limit(_PURGED_AT_ONCE)).all()


def deleted_terms(session: Session, project_id: int, since_id: int) -> Sequence[History]:
    """The latest deletions of single terms, newest first."""
    own = (History.project_id == project_id, History.document_id == 0, History.id >= since_id)
    query = select(History).where(*own, History.entity == "term", History.action == "deleted")
    return session.scalars(query.order_by(History.id.desc()).limit(_DELETIONS)).all()


def count_terms(session: Session, lexicon_ids: Sequence[int]) -> dict[int, int]:
    """Number of terms by lexicon."""
    query = select(LexiconTerm.lexicon_id, func.count()).where(LexiconTerm.lexicon_id.in_(lexicon_ids))
    return {lexicon_id: number for lexicon_id, number in session.execute(query.group_by(LexiconTerm.lexicon_id))}


def lexicon_versions(session: Session, project_id: int) -> dict[str, str]:
    """A mark by lexicon name that differs after any change of its terms."""
    query = select(Lexicon.name, Lexicon.id, Lexicon.terms_version)
    found = session.execute(query.where(Lexicon.project_id == project_id, Lexicon.deleted_at.is_(None)))
    return {name: f"{lexicon_id}-{version}" for name, lexicon_id, version in found}


def raise_terms_version(session: Session, lexicon_id: int) -> None:
    """Note that terms of the lexicon changed; done in SQL, so that two changes at once count twice."""
    changed = update(Lexicon).where(Lexicon.id == lexicon_id).values(terms_version=Lexicon.terms_version + 1)
    session.execute(changed, execution_options={"synchronize_session": False})


# --- terms ------------------------------------------------------------------------------------------------------------


def find_term(session: Session, lexicon_id: int, identifier: str) -> LexiconTerm | None:
    """The live term of that identifier."""
    query = select(LexiconTerm).where(LexiconTerm.lexicon_id == lexicon_id, LexiconTerm.identifier == identifier)
    return session.scalar(query.where(_LIVE))


def find_terms(session: Session, pairs: Sequence[tuple[int, str]]) -> Sequence[LexiconTerm]:
    """Live terms by lexicon id and identifier, in no order."""
    found: list[LexiconTerm] = []
    for begin in range(0, len(pairs), _NAMED):
        part = pairs[begin : begin + _NAMED]
        named = tuple_(LexiconTerm.lexicon_id, LexiconTerm.identifier).in_(part)
        found += session.scalars(select(LexiconTerm).where(named, _LIVE))
    return found


def terms_by_id(session: Session, project_id: int, ids: Sequence[int]) -> dict[int, LexiconTerm]:
    """Live terms of the project."""
    query = select(LexiconTerm).where(in_ids_clause(session, LexiconTerm.id, ids), _LIVE)
    return {row.id: row for row in session.scalars(query.where(LexiconTerm.project_id == project_id))}


def page_of_terms(session: Session, lexicon_id: int, after: int, size: int) -> Sequence[LexiconTerm]:
    """Live terms with an id greater than `after`, ascending."""
    query = select(LexiconTerm).where(LexiconTerm.lexicon_id == lexicon_id, LexiconTerm.id > after, _LIVE)
    return session.scalars(query.order_by(LexiconTerm.id).limit(size)).all()


def rows_by_identifier(
    session: Session, lexicon_id: int, identifiers: Sequence[str]
) -> dict[str, tuple[int, int | None, int]]:
    """Id, import and version of the live terms of these identifiers."""
    found: dict[str, tuple[int, int | None, int]] = {}
    columns = (LexiconTerm.identifier, LexiconTerm.id, LexiconTerm.import_id, LexiconTerm.version)
    for begin in range(0, len(identifiers), _NAMED):
        part = identifiers[begin : begin + _NAMED]
        query = select(*columns).where(LexiconTerm.lexicon_id == lexicon_id, LexiconTerm.identifier.in_(part), _LIVE)
        for identifier, term_id, import_id, version in session.execute(query):
            found[identifier] = (term_id, import_id, version)
    return found


def insert_terms(session: Session, columns: tuple[str, ...], rows: Sequence[tuple[Any, ...]]) -> None:
    insert_rows(session, LexiconTerm, columns, rows)


def update_terms(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Write values of terms, each with its `id`."""
    if rows:
        session.execute(update(LexiconTerm), list(rows))


def remove_terms(session: Session, ids: Sequence[int]) -> None:
    """Remove rows of terms with their relations; relations to them stay, without a target."""
    opened = update(TermRelation).where(in_ids_clause(session, TermRelation.target_id, ids)).values(target_id=None)
    session.execute(opened, execution_options={"synchronize_session": False})
    for column, table in ((TermRelation.term_id, TermRelation), (LexiconTerm.id, LexiconTerm)):
        gone = delete(table).where(in_ids_clause(session, column, ids))
        session.execute(gone, execution_options={"synchronize_session": False})


def page_of_term_ids(session: Session, lexicon_id: int, size: int, *, unchanged_since: int) -> Sequence[int]:
    """Ids of terms that were not changed after a time, ascending."""
    query = select(LexiconTerm.id).where(LexiconTerm.lexicon_id == lexicon_id)
    query = query.where(LexiconTerm.modified_at <= unchanged_since)
    return session.scalars(query.order_by(LexiconTerm.id).limit(size)).all()


def remove_lexicon(session: Session, lexicon_id: int) -> None:
    """Remove the row of a lexicon without terms."""
    session.execute(delete(Lexicon).where(Lexicon.id == lexicon_id))


# --- the tree ---------------------------------------------------------------------------------------------------------

Node = tuple[str, str, int, int, bool]
"""Identifier, preferred form, number of narrower and of broader terms, obsolete."""
_NODE = (
    LexiconTerm.identifier,
    LexiconTerm.preferred_form,
    LexiconTerm.narrower_count,
    LexiconTerm.broader_count,
    LexiconTerm.obsolete,
)


def _roots(lexicon_id: int) -> tuple[ColumnElement[bool], ...]:
    # Removed terms have no rows: with a look at `deleted_at`, the index would not be enough to count them.
    return (LexiconTerm.lexicon_id == lexicon_id, LexiconTerm.broader_count == 0)


def page_of_roots(session: Session, lexicon_id: int, first: int, size: int) -> list[Node]:
    """Terms without a broader term, in alphabetical order."""
    query = select(*_NODE).where(*_roots(lexicon_id)).order_by(LexiconTerm.sort_key, LexiconTerm.id)
    return list(session.execute(query.offset(first).limit(size)))


def count_roots(session: Session, lexicon_id: int) -> int:
    return session.scalar(select(func.count()).select_from(LexiconTerm).where(*_roots(lexicon_id))) or 0


def page_of_children(session: Session, term_id: int, first: int, size: int) -> list[Node]:
    """Terms that name the term as broader, in alphabetical order."""
    below = select(TermRelation.term_id).where(TermRelation.target_id == term_id, TermRelation.kind == BROADER)
    below = below.order_by(TermRelation.sort_key, TermRelation.term_id).offset(first).limit(size)
    page = list(session.scalars(below))
    query = select(LexiconTerm.id, *_NODE).where(in_ids_clause(session, LexiconTerm.id, page), _LIVE)
    rows = {row[0]: (row[1], row[2], row[3], row[4], row[5]) for row in session.execute(query)}
    return [rows[term_id] for term_id in page if term_id in rows]


def relations_of(session: Session, ids: Sequence[int]) -> Sequence[TermRelation]:
    """Relations from these terms."""
    return session.scalars(
        select(TermRelation).where(in_ids_clause(session, TermRelation.term_id, ids)).order_by(TermRelation.id)
    ).all()


def broader_targets(session: Session, ids: Sequence[int]) -> Sequence[int]:
    """Ids of the terms directly above these."""
    query = select(TermRelation.target_id).where(in_ids_clause(session, TermRelation.term_id, ids))
    query = query.where(TermRelation.kind == BROADER, TermRelation.target_id.is_not(None)).distinct()
    return [target for target in session.scalars(query) if target is not None]


def neighbours(session: Session, term_id: int, kind: str, *, incoming: bool, size: int) -> list[Node]:
    """Terms that a term's relations of a kind lead to, or that lead to it."""
    ends = (TermRelation.term_id, TermRelation.target_id)
    near, far = reversed(ends) if incoming else ends
    query = select(*_NODE).join(TermRelation, LexiconTerm.id == far).where(near == term_id, TermRelation.kind == kind)
    query = query.where(_LIVE).order_by(LexiconTerm.sort_key, LexiconTerm.id).limit(size)
    return list(session.execute(query))


def insert_relations(session: Session, rows: Sequence[tuple[int, int, str, str, str]]) -> None:
    """Insert relations (lexicon id, term id, kind, target identifier, sort key), without a target yet."""
    columns = ("id", "lexicon_id", "term_id", "kind", "target_identifier", "sort_key", "target_id")
    ids = new_ids(len(rows))
    insert_rows(session, TermRelation, columns, [(key, *row, None) for key, row in zip(ids, rows, strict=True)])


def remove_relations_of(session: Session, ids: Sequence[int]) -> None:
    gone = delete(TermRelation).where(in_ids_clause(session, TermRelation.term_id, ids))
    session.execute(gone, execution_options={"synchronize_session": False})


def remove_relations(session: Session, ids: Sequence[int]) -> None:
    gone = delete(TermRelation).where(in_ids_clause(session, TermRelation.id, ids))
    session.execute(gone, execution_options={"synchronize_session": False})


def sources_of(session: Session, term_id: int) -> Sequence[int]:
    """Terms whose relations lead to this one."""
    return session.scalars(select(TermRelation.term_id).where(TermRelation.target_id == term_id).distinct()).all()


def open_relations_to(session: Session, term_ids: Sequence[int]) -> set[int]:
    """Take the target away from relations to these terms; returns the terms that had them."""
    incoming = in_ids_clause(session, TermRelation.target_id, term_ids)
    sources = set(session.scalars(select(TermRelation.term_id).where(incoming)))
    opened = update(TermRelation).where(incoming).values(target_id=None)
    session.execute(opened, execution_options={"synchronize_session": False})
    return sources


def _target_of_relation(lexicon_id: int) -> ScalarSelect[int]:
    """The term that a relation names."""
    named = LexiconTerm.identifier == TermRelation.target_identifier
    query = select(LexiconTerm.id).where(LexiconTerm.lexicon_id == lexicon_id, named, _LIVE)
    return query.correlate(TermRelation).scalar_subquery()


def resolve_relations(session: Session, lexicon_id: int, identifiers: Sequence[str]) -> None:
    """Give relations to these identifiers without a target the term, where it exists."""
    missing = (TermRelation.lexicon_id == lexicon_id, TermRelation.target_id.is_(None))
    for begin in range(0, len(identifiers), _NAMED):
        named = TermRelation.target_identifier.in_(identifiers[begin : begin + _NAMED])
        resolved = update(TermRelation).where(*missing, named).values(target_id=_target_of_relation(lexicon_id))
        session.execute(resolved, execution_options={"synchronize_session": False})


def page_of_open_relations(session: Session, lexicon_id: int, after: int, size: int) -> Sequence[int]:
    """Ids of relations without a target, ascending."""
    query = select(TermRelation.id).where(TermRelation.lexicon_id == lexicon_id, TermRelation.id > after)
    return session.scalars(query.where(TermRelation.target_id.is_(None)).order_by(TermRelation.id).limit(size)).all()


def resolve_relations_by_id(session: Session, lexicon_id: int, ids: Sequence[int]) -> None:
    """Give these relations the term that they name, where it exists."""
    wanted = in_ids_clause(session, TermRelation.id, ids)
    resolved = update(TermRelation).where(wanted).values(target_id=_target_of_relation(lexicon_id))
    session.execute(resolved, execution_options={"synchronize_session": False})


def ids_of_terms(session: Session, lexicon_id: int, after: int, size: int) -> Sequence[int]:
    """Ids of live terms, ascending."""
    query = select(LexiconTerm.id).where(LexiconTerm.lexicon_id == lexicon_id, LexiconTerm.id > after, _LIVE)
    return session.scalars(query.order_by(LexiconTerm.id).limit(size)).all()


def count_open_relations(session: Session, lexicon_id: int) -> int:
    query = select(func.count()).select_from(TermRelation).where(TermRelation.lexicon_id == lexicon_id)
    return session.scalar(query.where(TermRelation.target_id.is_(None))) or 0


def recount_neighbours(session: Session, lexicon_id: int, ids: Sequence[int]) -> None:
    """Count the broader and narrower terms of these terms again."""
    up = (TermRelation.term_id == LexiconTerm.id, TermRelation.target_id.is_not(None))
    above = select(func.count()).select_from(TermRelation).where(*up, TermRelation.kind == BROADER)
    down = (TermRelation.target_id == LexiconTerm.id, TermRelation.kind == BROADER)
    below = select(func.count()).select_from(TermRelation).where(*down)
    counted = (
        update(LexiconTerm)
        .where(LexiconTerm.lexicon_id == lexicon_id, in_ids_clause(session, LexiconTerm.id, ids))
        .values(
            broader_count=above.correlate(LexiconTerm).scalar_subquery(),
            narrower_count=below.correlate(LexiconTerm).scalar_subquery(),
        )
    )
    session.execute(counted, execution_options={"synchronize_session": False})


def _inner_edges(lexicon_id: int) -> Select[int, int, int | None]:
    low, high = aliased(LexiconTerm), aliased(LexiconTerm)
    return (
        select(TermRelation.id, TermRelation.term_id, TermRelation.target_id)
        .join(low, low.id == TermRelation.term_id)
        .join(high, high.id == TermRelation.target_id)
        .where(TermRelation.lexicon_id == lexicon_id, TermRelation.kind == BROADER)
        .where(low.narrower_count > 0, high.broader_count > 0)
    )


def count_inner_edges(session: Session, lexicon_id: int) -> int:
    """How many relations `inner_edges` yields."""
    return session.scalar(select(func.count()).select_from(_inner_edges(lexicon_id).subquery())) or 0


def inner_edges(session: Session, lexicon_id: int) -> Iterator[tuple[int, int, int]]:
    """Relations to broader terms from terms with narrower ones to terms with broader ones, streamed: (relation id, term
    id, target id). Only these can be part of a circle. The counts of the terms must be up to date.
    """
    found = session.execute(_inner_edges(lexicon_id).execution_options(yield_per=5_000))
    yield from ((key, term_id, target) for key, term_id, target in found if target is not None)


def relations_by_id(session: Session, ids: Sequence[int]) -> Sequence[TermRelation]:
    return session.scalars(select(TermRelation).where(in_ids_clause(session, TermRelation.id, ids))).all()
