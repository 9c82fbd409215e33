"""SQL of terms from the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, delete, func, insert, or_, select
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import readable_documents
from annotarium.content.questions import is_question
from annotarium.db.models import Annotation, Document, Job, Label, TermCandidate

OPEN, ACCEPTED, REFUSED = "open", "accepted", "refused"
_PAGE = 100
_KEYS = 500


def _open_clauses(project_id: int, kind: str | None) -> tuple[ColumnElement[bool], ...]:
    clauses = (TermCandidate.project_id == project_id, TermCandidate.state == OPEN)
    return clauses if kind is None else (*clauses, TermCandidate.kind == kind)


def page_of_candidates(
    session: Session, project_id: int, kind: str | None, first: int, size: int
) -> Sequence[TermCandidate]:
    """Open candidates, the most frequent first."""
    query = select(TermCandidate).where(*_open_clauses(project_id, kind))
    order = (TermCandidate.occurrences.desc(), TermCandidate.key)
    return session.scalars(query.order_by(*order).offset(first).limit(size)).all()


def count_candidates(session: Session, project_id: int, kind: str | None) -> int:
    """Number of open candidates."""
    return session.scalar(select(func.count()).where(*_open_clauses(project_id, kind))) or 0


def latest_job(session: Session, project_id: int, function: str) -> Job | None:
    """The latest job of the project with this function."""
    query = select(Job).where(Job.project_id == project_id, Job.function == function)
    return session.scalar(query.order_by(Job.created_at.desc()).limit(1))


def find_candidate(session: Session, project_id: int, key: str) -> TermCandidate | None:
    return session.scalar(select(TermCandidate).where(TermCandidate.project_id == project_id, TermCandidate.key == key))


def answered_keys(session: Session, project_id: int, keys: Sequence[str]) -> set[str]:
    """Those of the keys that were accepted or refused."""
    found: set[str] = set()
    for begin in range(0, len(keys), _KEYS):
        named = TermCandidate.key.in_(keys[begin : begin + _KEYS])
        query = select(TermCandidate.key).where(TermCandidate.project_id == project_id, TermCandidate.state != OPEN)
        found.update(session.scalars(query.where(named)))
    return found


def replace_open_candidates(session: Session, project_id: int, rows: Sequence[dict[str, Any]]) -> None:
    """Replace the open candidates of the project."""
    session.execute(delete(TermCandidate).where(*_open_clauses(project_id, None)))
    if rows:
        session.execute(insert(TermCandidate), list(rows))


def iterate_texts(call: ProjectCall) -> Iterator[tuple[int, str, str, str]]:
    """(id, identifier, title, text) of the readable documents that are no saved questions, by id."""
    columns = (Document.id, Document.identifier, Document.title, Document.text, Document.metadata_)
    query = select(*columns).where(readable_documents(call.access, call.project)).order_by(Document.id).limit(_PAGE)
    after = 0
    while rows := call.session.execute(query.where(Document.id > after)).all():
        for row in rows:
            if not is_question(row[4]):
                yield row[0], row[1], row[2] or "", row[3]
        after = rows[-1][0]


def iterate_unlinked_annotations(call: ProjectCall) -> Iterator[tuple[str, str, int, int, int]]:
    """(text, label, document id, start, end) of annotations that are not rejected and link to no term."""
    columns = (Annotation.text, Label.name, Annotation.document_id, Annotation.start, Annotation.end, Annotation.terms)
    query = (
        select(*columns)
        .join(Label, Label.id == Annotation.label_id)
        .join(Document, Document.id == Annotation.document_id)
        .where(
            readable_documents(call.access, call.project),
            Annotation.deleted_at.is_(None),
            or_(Annotation.status.is_(None), Annotation.status != "KO"),
        )
    )
    for row in call.session.execute(query.execution_options(yield_per=1_000)):
        if not row[5]:
            yield row[0], row[1], row[2], row[3], row[4]
