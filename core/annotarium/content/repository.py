"""SQL that several parts of `content` share: labels, documents, uploads, names and terms of a project."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Text, cast, delete, func, or_, select, true, update
from sqlalchemy.orm import Session

from annotarium.db.bulk_insert import insert_rows
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import new_ids
from annotarium.db.models import (
    Document,
    IdempotencyKey,
    Job,
    Label,
    LabelSet,
    Lexicon,
    LexiconTerm,
    Outbox,
    Project,
    Role,
    Upload,
    User,
)
from annotarium_schemas.documents import Term

_MAX_PARAMETERS = 500
"""Values per `IN` list."""
_OUTBOX_COLUMNS = ("id", "project_id", "document_id", "operation", "start", "end")


def list_labels(session: Session, project_id: int) -> Sequence[Label]:
    """Return all labels of a project in creation order, deleted ones included."""
    return session.scalars(select(Label).where(Label.project_id == project_id).order_by(Label.id)).all()


def find_label_set(session: Session, project_id: int, name: str) -> LabelSet | None:
    """The label set of that name."""
    return session.scalar(select(LabelSet).where(LabelSet.project_id == project_id, LabelSet.name == name))


def origin_group(session: Session, document_id: int) -> int | None:
    """Return the id of the group a document came from, None for none."""
    return session.scalar(select(Document.origin_group_id).where(Document.id == document_id))


def delete_documents(session: Session, document_ids: Sequence[int], *, timestamp: int, actor: str) -> None:
    """Soft-delete documents. Their segments and labelling stay, so that they can be restored."""
    session.execute(
        update(Document)
        .where(Document.id.in_(document_ids))
        .values(deleted_at=timestamp, deleted_by=actor, version=Document.version + 1)
        .execution_options(synchronize_session=False)
    )


def insert_outbox(session: Session, project_id: int, document_ids: Sequence[int], operation: str) -> list[Outbox]:
    """Insert outbox rows of many documents in one statement. The returned objects are not in the session."""
    rows = [
        (number, project_id, document_id, operation, None, None)
        for number, document_id in _pair_with_new_ids(document_ids)
    ]
    insert_rows(session, Outbox, _OUTBOX_COLUMNS, rows)
    return [Outbox(id=row[0], project_id=project_id, document_id=row[2], operation=operation) for row in rows]


def _pair_with_new_ids(document_ids: Sequence[int]) -> zip[tuple[int, int]]:
    return zip(new_ids(len(document_ids)), document_ids, strict=True)


def uploads_of_jobs(session: Session, project_id: int) -> list[str]:
    """Return the ids of uploads that jobs of a project read and that no active job outside the project reads."""
    own = session.scalars(select(Job.upload_ids).where(Job.project_id == project_id))
    others = or_(Job.project_id != project_id, Job.project_id.is_(None))
    read = session.scalars(select(Job.upload_ids).where(Job.status.in_(("STARTED", "PAUSED")), others))
    return sorted({one for ids in own for one in ids or ()} - {one for ids in read for one in ids or ()})


def expire_uploads(session: Session, ids: Sequence[str], timestamp: int) -> None:
    """Set the time at which uploads expire."""
    for first in range(0, len(ids), _MAX_PARAMETERS):
        part = ids[first : first + _MAX_PARAMETERS]
        session.execute(update(Upload).where(Upload.id.in_(part)).values(expires_at=timestamp))


def delete_idempotent_answers(session: Session, project_name: str) -> None:
    """Delete the responses stored for idempotency keys of requests within a project."""
    within = IdempotencyKey.route.contains(f" /api/projects/{project_name}/", autoescape=True)
    session.execute(delete(IdempotencyKey).where(within))


def revoke_project_permissions(session: Session, project_name: str) -> bool:
    """Remove the permissions that name a project from roles and users. Returns whether any had one."""
    named = {f"readProject:{project_name}", f"writeProject:{project_name}"}
    changed = False
    tables: tuple[type[Role] | type[User], ...] = (Role, User)
    for table in tables:
        text = cast(table.permissions, Text)
        query = select(table).where(or_(*(text.contains(f'"{one}"', autoescape=True) for one in named)))
        holders: Any = session.scalars(query).all()  # typed Any: roles and users have no common type with `permissions`
        for holder in holders:
            holder.permissions = [one for one in holder.permissions if one not in named]
            holder.version += 1
            changed = True
    return changed


def projects_with_image(session: Session, image_id: str) -> Sequence[Project]:
    """Return live projects that use the image."""
    query = select(Project).where(Project.image_id == image_id, Project.deleted_at.is_(None))
    return session.scalars(query).all()


def find_image(session: Session, image_id: str) -> Upload | None:
    """Return an uploaded image, whoever sent it: its id is the secret."""
    return session.scalar(select(Upload).where(Upload.id == image_id, Upload.image.is_(True)))


def count_projects(session: Session, group_id: int, maker: str | None = None) -> int:
    """Count the live projects of a group; with `maker`, only those that this user created."""
    query = select(func.count()).select_from(Project).where(Project.group_id == group_id, Project.deleted_at.is_(None))
    query = query.where(Project.created_by == maker if maker is not None else true())
    return session.scalar(query) or 0


# --- terms of lexicons ------------------------------------------------------------------------------------------------

_IDENTIFIERS = 400


def find_terms(session: Session, project_id: int, wanted: Sequence[tuple[str, str]]) -> dict[tuple[str, str], Term]:
    """The terms that exist among these (lexicon, identifier), by both."""
    pairs = set(wanted)
    identifiers = sorted({identifier for _, identifier in pairs})
    query = (
        select(Lexicon.name, LexiconTerm.identifier, LexiconTerm.preferred_form, LexiconTerm.properties)
        .join(Lexicon, Lexicon.id == LexiconTerm.lexicon_id)
        .where(Lexicon.project_id == project_id, Lexicon.name.in_({lexicon for lexicon, _ in pairs}))
        .where(Lexicon.deleted_at.is_(None), LexiconTerm.deleted_at.is_(None))
    )
    found: dict[tuple[str, str], Term] = {}
    for begin in range(0, len(identifiers), _IDENTIFIERS):
        named = LexiconTerm.identifier.in_(identifiers[begin : begin + _IDENTIFIERS])
        for lexicon, identifier, form, properties in session.execute(query.where(named)):
            if (lexicon, identifier) in pairs:
                known = json_object_or_empty(properties)
                found[lexicon, identifier] = Term(
                    identifier=identifier, lexicon=lexicon, preferred_form=form, properties=known
                )
    return found


def lexicon_names(session: Session, project_id: int) -> Sequence[str]:
    """Names of the lexicons of a project, in creation order."""
    query = select(Lexicon.name).where(Lexicon.project_id == project_id, Lexicon.deleted_at.is_(None))
    return session.scalars(query.order_by(Lexicon.id)).all()
