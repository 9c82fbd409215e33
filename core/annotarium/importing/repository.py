"""SQL of the import pipeline: what a project already has, and the report of an import."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy import delete, func, select, update
from sqlalchemy.orm import Session

from annotarium.db.bulk_insert import insert_rows
from annotarium.db.models import (
    Document,
    Group,
    History,
    Job,
    JobItem,
    LabelSet,
    PassageJudgement,
    Project,
    User,
)
from annotarium.importing.outcome import Outcome
from annotarium_schemas.messages import message_of

_MAX_PARAMETERS = 500
"""Values per `IN` list."""
_ITEM_COLUMNS = (
    "job_id",
    "item",
    "ordinal",
    "outcome",
    "document_identifier",
    "message",
    "fix",
    "said",
    "facts",
    "count",
)


@dataclass(frozen=True, slots=True)
class ExistingDocument:
    """A live document whose identifier occurs in the import."""

    id: int
    identifier: str
    fingerprint: str
    origin_group_id: int | None


def find_existing(session: Session, project_id: int, identifiers: Iterable[str]) -> dict[str, ExistingDocument]:
    """Return the live documents of a project by identifier; unknown identifiers are absent."""
    wanted = list(identifiers)
    found: dict[str, ExistingDocument] = {}
    for first in range(0, len(wanted), _MAX_PARAMETERS):
        columns = (Document.id, Document.identifier, Document.fingerprint, Document.origin_group_id)
        query = select(*columns).where(
            Document.project_id == project_id,
            Document.identifier.in_(wanted[first : first + _MAX_PARAMETERS]),
            Document.deleted_at.is_(None),
        )
        for row in session.execute(query):
            found[row[1]] = ExistingDocument(*row)
    return found


def splits_by_identifier(session: Session, document_ids: Sequence[int]) -> dict[str, str]:
    """Return the part of the split of documents by identifier; documents in no part are absent."""
    query = select(Document.identifier, Document.split).where(
        Document.id.in_(document_ids), Document.split.is_not(None)
    )
    return {row[0]: str(row[1]) for row in session.execute(query)}


def existing_usernames(session: Session, names: Collection[str]) -> set[str]:
    """Return those of the names that are names of accounts."""
    return set(session.scalars(select(User.username).where(User.username.in_(names))))


class DuplicateDocument(NamedTuple):
    """A live document with the same text."""

    identifier: str
    origin_group_id: int | None


def find_duplicate(session: Session, project_id: int, text: str) -> DuplicateDocument | None:
    """Return a live document of the project with exactly this text. Uses the index on the length of texts."""
    query = select(Document.identifier, Document.origin_group_id).where(
        Document.project_id == project_id,
        Document.length == len(text),
        Document.deleted_at.is_(None),
        Document.text == text,
    )
    row = session.execute(query.limit(1)).one_or_none()
    return None if row is None else DuplicateDocument(row[0], row[1])


def delete_job_items(session: Session, job_id: str) -> None:
    """Delete the report of a job that starts again."""
    session.execute(delete(JobItem).where(JobItem.job_id == job_id))


def insert_job_items(session: Session, job_id: str, outcomes: Iterable[Outcome]) -> None:
    """Insert report lines, in the transaction that writes the documents they report on."""
    rows = [
        (job_id, one.item, one.ordinal, one.outcome, one.identifier, *_message_columns(one), one.facts, one.count)
        for one in outcomes
    ]
    insert_rows(session, JobItem, _ITEM_COLUMNS, rows)


def write_summary_items(session: Session, job_id: str, sums: Iterable[tuple[str, str, Outcome]]) -> None:
    """Insert or update the summary lines `(kind, item, line)` of a report."""
    for kind, item, line in sums:
        row = session.get(JobItem, (job_id, item)) or JobItem(job_id=job_id, item=item)
        row.kind, row.ordinal, row.outcome, row.count = kind, line.ordinal, line.outcome, line.count
        row.message, row.fix, row.said = _message_columns(line)
        session.add(row)


def _message_columns(one: Outcome) -> tuple[str | None, str | None, dict[str, Any] | None]:
    return one.message and str(one.message), one.fix and str(one.fix), message_of(message=one.message, fix=one.fix)


def mark_undoable(session: Session, job_id: str) -> None:
    """Mark a job as undoable: the history contains what its undo needs."""
    session.execute(update(Job).where(Job.id == job_id, Job.undoable.is_(False)).values(undoable=True))


def document_limit(session: Session, project: Project) -> int:
    """Return the maximum number of documents that the project's group allows per project, -1 = unlimited."""
    if project.group_id is None:
        return -1
    group = session.get(Group, project.group_id)
    return group.max_docs_per_project if group is not None else -1


def count_manual_changes(session: Session, document_ids: Sequence[int]) -> dict[int, int]:
    """Return the number of changes per document since its import; unchanged documents are absent."""
    query = (
        select(History.document_id, func.count())
        .where(
            History.document_id.in_(document_ids),
            History.action.not_in(("deleted", "restored")) | (History.entity != "document"),
        )
        .group_by(History.document_id)
    )
    return {row[0]: row[1] for row in session.execute(query)}


def count_documents(session: Session, project_id: int) -> int:
    """Live documents of a project."""
    query = select(func.count()).select_from(Document)
    return session.scalar(query.where(Document.project_id == project_id, Document.deleted_at.is_(None))) or 0


def find_group_id(session: Session, *, name: str | None = None, identifier: str | None = None) -> int | None:
    """Return the id of a group by its name, else by its identity-provider identifier."""
    if name is not None:
        return session.scalar(select(Group.id).where(Group.name == name))
    return session.scalar(select(Group.id).where(Group.identifier == identifier).limit(1))


def exclusive_label_sets(session: Session, project_id: int) -> Sequence[LabelSet]:
    """Return the label sets of which an item may have at most one label."""
    query = select(LabelSet).where(LabelSet.project_id == project_id, LabelSet.exclusive_classes.is_(True))
    return session.scalars(query).all()


def judgements_of_documents(session: Session, document_ids: Sequence[int]) -> Iterable[tuple[PassageJudgement, str]]:
    """Return the judgements in which one of the documents is the question or has the passage, each with the text of the
    passage.
    """
    passage = func.substr(Document.text, PassageJudgement.start + 1, PassageJudgement.end - PassageJudgement.start)
    found: dict[int, tuple[PassageJudgement, str]] = {}
    for first in range(0, len(document_ids), _MAX_PARAMETERS):
        part = document_ids[first : first + _MAX_PARAMETERS]
        for column in (PassageJudgement.question_id, PassageJudgement.document_id):
            query = select(PassageJudgement, passage).join(Document, Document.id == PassageJudgement.document_id)
            for row, text in session.execute(query.where(column.in_(part))):
                found[row.id] = (row, text)
    return found.values()
