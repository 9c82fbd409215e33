"""SQL of bulk operations: the changes of a job, read from the history, and the rows that it changed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

from sqlalchemy import func, or_, select, update
from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import visible_documents_with_deleted
from annotarium.content.labelling.repository import Labelled, readable_document_clause
from annotarium.content.labelling.restoring import effective_changes
from annotarium.db.id_clauses import in_ids_clause
from annotarium.db.models import (
    CLASSIFICATION,
    Annotation,
    Category,
    Document,
    History,
    Job,
    JobItem,
    Label,
    LabelSet,
    Relation,
    RelationName,
    Segment,
)


def documents_changed_by_this_job(call: ProjectCall, document_ids: Sequence[int]) -> set[int]:
    """The subset of the documents that an earlier run of this job has changed already."""
    query = select(History.document_id).where(History.document_id.in_(document_ids), History.job_id == call.job_id)
    return set(call.session.scalars(query.distinct()))


def document_identifiers(session: Session, document_ids: Iterable[int]) -> dict[int, str]:
    """Identifier by id, deleted documents included."""
    query = select(Document.id, Document.identifier).where(Document.id.in_(list(document_ids)))
    return {row[0]: row[1] for row in session.execute(query)}


def segment_ends(call: ProjectCall, document_ids: Sequence[int]) -> dict[int, tuple[int, dict[int, int]]]:
    """`(length, segment ends by start)` of readable documents, by document id."""
    lengths = select(Document.id, Document.length).where(Document.id.in_(document_ids), readable_document_clause(call))
    found: dict[int, tuple[int, dict[int, int]]] = {row[0]: (row[1], {}) for row in call.session.execute(lengths)}
    segments = select(Segment.document_id, Segment.start, Segment.end).where(Segment.document_id.in_(list(found)))
    for document_id, start, end in call.session.execute(segments):
        found[document_id][1][start] = end
    return found


# --- undo -------------------------------------------------------------------------------------------------------------


def lock_job(session: Session, job_id: str) -> Job:
    """Lock a job, which must exist, so that only one process can start to undo it."""
    return session.scalars(select(Job).where(Job.id == job_id).with_for_update()).one()


def is_undo_running(call: ProjectCall, job_id: str) -> bool:
    """Whether a job that undoes this job is waiting or running."""
    query = select(Job).where(Job.project_id == call.project.id, Job.function == "undo_job", Job.state != "done")
    return any(job.arguments.get("job_id") == job_id for job in call.session.scalars(query))


def count_job_history_rows(session: Session, job_id: str) -> int:
    """Number of history rows of a job."""
    return session.scalars(select(func.count(History.id)).where(History.job_id == job_id)).one()


def job_changes_before(session: Session, job_id: str, before: int | None, limit: int) -> Sequence[History]:
    """Changes of a job, newest first, with ids smaller than `before`."""
    query = select(History).where(History.job_id == job_id)
    if before is not None:
        query = query.where(History.id < before)
    return session.scalars(query.order_by(History.id.desc()).limit(limit)).all()


def oldest_change_handled_by_undo(session: Session, undo_id: str) -> int | None:
    """Id of the oldest change that an undo job has handled so far: undone, or reported as not undone."""
    taken = session.scalar(select(func.min(History.batch_id)).where(History.job_id == undo_id))
    items = session.scalars(select(JobItem.item).where(JobItem.job_id == undo_id))
    dealt = [int(item) for item in items if item.isdecimal()] + ([taken] if taken is not None else [])
    return min(dealt, default=None)


def find_later_changes(
    session: Session, entity: str, changes: dict[int, int], own: tuple[str, str | None]
) -> dict[int, tuple[str, int]]:
    """`(user name, timestamp)` of the first later change of each entity, without those of the jobs in `own`.

    Args:
        changes: by entity id, the id of the history row to undo.
    """
    if not changes:
        return {}
    query = select(History.entity_id, History.id, History.actor, History.at, History.batch_id).where(
        History.entity_id.in_(list(changes)),
        History.entity == entity,
        History.id > min(changes.values()),
        History.action != "kept",
        func.coalesce(History.job_id, "").not_in([job for job in own if job]),
    )
    rows = session.execute(query.order_by(History.id.desc())).all()
    left = effective_changes(((row.id, row.entity_id, row.batch_id) for row in rows), changes)
    authors = {row.id: (row.actor, row.at) for row in rows}
    return {entity_id: authors[ids[-1]] for entity_id, ids in left.items()}


def labelling_rows_by_id(call: ProjectCall, table: Labelled, ids: Sequence[int]) -> dict[int, Annotation | Category]:
    """Annotations or categories by id, deleted ones included; locks the rows."""
    query = select(table).where(table.id.in_(ids), table.project_id == call.project.id).order_by(table.id)
    rows = cast("Sequence[Annotation | Category]", call.session.scalars(query.with_for_update()).all())
    return {row.id: row for row in rows}


def relation_rows(call: ProjectCall, ids: Sequence[int]) -> dict[int, Relation]:
    """Relations by id, deleted ones included; locks the rows."""
    query = select(Relation).where(Relation.id.in_(ids), Relation.project_id == call.project.id).order_by(Relation.id)
    return {row.id: row for row in call.session.scalars(query.with_for_update())}


def find_relation_name(call: ProjectCall, identifier: int) -> RelationName | None:
    """A relation name by id, deleted or not; locks the row."""
    query = select(RelationName).where(RelationName.id == identifier, RelationName.project_id == call.project.id)
    return call.session.scalar(query.with_for_update())


def is_relation_name_taken(call: ProjectCall, name: str) -> bool:
    """Whether the project has a relation name with this text."""
    query = select(RelationName.id).where(RelationName.project_id == call.project.id, RelationName.name == name)
    return call.session.scalar(query.where(RelationName.deleted_at.is_(None))) is not None


def document_rows(call: ProjectCall, ids: Sequence[int]) -> dict[int, Any]:
    """Id, identifier, metadata, version, deleted_at and deleted_by of readable documents, by id; locks the rows.

    Deleted documents are included.
    """
    columns = (
        Document.id,
        Document.identifier,
        Document.metadata_,
        Document.version,
        Document.deleted_at,
        Document.deleted_by,
    )
    query = select(*columns).where(Document.id.in_(ids), visible_documents_with_deleted(call.access, call.project))
    query = query.order_by(Document.id)
    return {row.id: row for row in call.session.execute(query.with_for_update())}


def update_document_rows(session: Session, rows: Sequence[dict[str, Any]]) -> None:
    """Update documents by id; all rows must have the same columns."""
    if rows:
        session.execute(update(Document).execution_options(synchronize_session=False), list(rows))


def live_identifiers(call: ProjectCall, identifiers: Sequence[str]) -> set[str]:
    """The subset of the identifiers that documents of the project have, without deleted documents."""
    query = select(Document.identifier).where(
        Document.project_id == call.project.id, Document.identifier.in_(identifiers), Document.deleted_at.is_(None)
    )
    return set(call.session.scalars(query))


def label_sets_of_live_labels(call: ProjectCall) -> dict[int, tuple[int | None, bool]]:
    """`(label set id, whether it is exclusive)` by label id, without deleted labels (S-035)."""
    query = (
        select(Label.id, Label.label_set_id, LabelSet.exclusive_classes)
        .join(LabelSet, LabelSet.id == Label.label_set_id, isouter=True)
        .where(Label.project_id == call.project.id, Label.deleted_at.is_(None))
    )
    project = call.project.nature == CLASSIFICATION and call.project.exclusive_classes
    return {row[0]: (row[1], bool(row[2]) or project) for row in call.session.execute(query)}


def label_rows(call: ProjectCall, ids: Iterable[int]) -> dict[int, Label]:
    """Labels by id, deleted ones included."""
    query = select(Label).where(Label.id.in_(list(ids)), Label.project_id == call.project.id).with_for_update()
    return {row.id: row for row in call.session.scalars(query)}


def short_names_of_others(call: ProjectCall, label: Label) -> set[str]:
    """The short names of the other live labels, in one case."""
    query = select(Label.short_name).where(
        Label.project_id == call.project.id, Label.deleted_at.is_(None), Label.id != label.id
    )
    return {name.casefold() for name in call.session.scalars(query) if name is not None}


def label_sets(call: ProjectCall) -> Sequence[LabelSet]:
    """The label sets of the project."""
    return call.session.scalars(select(LabelSet).where(LabelSet.project_id == call.project.id)).all()


def live_labelling(
    call: ProjectCall, table: Labelled, document_ids: Iterable[int], starts: Iterable[int | None]
) -> Sequence[Annotation | Category]:
    """Annotations or categories of any creator that start at one of the starts; None: those of whole documents."""
    known = set(starts)
    begins = in_ids_clause(call.session, table.start, [start for start in known if start is not None])
    query = select(table).where(table.document_id.in_(list(document_ids)), table.deleted_at.is_(None))
    query = query.where(or_(begins, table.start.is_(None)) if None in known else begins)
    return cast("Sequence[Annotation | Category]", call.session.scalars(query).all())


def reachable_document_ids(call: ProjectCall, ids: Iterable[int]) -> set[int]:
    """The readable documents among the ids. Deleted ones are included, because their labelling is restored as well."""
    within = visible_documents_with_deleted(call.access, call.project)
    return set(call.session.scalars(select(Document.id).where(Document.id.in_(list(ids)), within)))
