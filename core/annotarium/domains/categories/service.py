"""Rules of categories."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository as labelling
from annotarium.content.labelling.changes import (
    Change,
    delete_row,
    history_snapshot_of_row,
    record_change,
    record_changes,
)
from annotarium.content.version_check import check_version
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.identifiers import new_id, parse_id
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Category, Label
from annotarium.db.row_marks import creation_marks, mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.categories import repository
from annotarium.domains.categories.schemas import (
    CategoryChanged,
    CategoryCreate,
    CategoryId,
    CategoryPatch,
    CategoryRead,
)
from annotarium.domains.labels.service import require_label
from annotarium.errors import DeletedOrUnknown, InvalidInput, NotFound
from annotarium_schemas.messages import message


def build_category_read_model(
    row: Category, document: str, label: str, replaced: list[str] | None = None
) -> CategoryChanged:
    """The serialised form of a category after a change."""
    return CategoryChanged(
        identifier=str(row.id),
        document_identifier=document,
        label_name=label,
        status=row.status,
        creation_mode=row.creation_mode,
        created_by=remove_imported_prefix(row.created_by),
        created_date=iso(row.created_at) or "",
        modified_date=iso(row.modified_at) or "",
        imported_by=row.imported_by,
        imported_date=iso(row.imported_at),
        score=row.score,
        start=row.start,
        end=row.end,
        version=row.version,
        replaced=replaced or [],
    )


def create_category(call: ProjectCall, body: CategoryCreate) -> CategoryRead:
    """Assign a category to a document or sentence.

    In an exclusive label set a confirmed category replaces the others of its set, in the same transaction (T-017). If
    the caller has the same category with the same status already, it is returned; other categories with this label at
    this position (suggested, rejected or of other users) are replaced. A suggestion never replaces a decision.
    """
    target = repository.find_category_target(call, body.document_identifier)
    if target is None:
        raise NotFound(
            message("none.document", "There is no document {name} in this project", name=body.document_identifier)
        )
    if body.end is not None and body.end > target.length:
        raise InvalidInput(
            message(
                "wrong.sentenceEnd",
                "The sentence ends outside the document of {length:,} characters",
                length=target.length,
            ),
            details=[
                {"field": "end", "message": message("field.atMost", "must be at most {most:,}", most=target.length)}
            ],
        )
    label = require_label(call, body.label_name)
    position = target.document_id, label, body.start, body.end
    exclusive = is_confirmed(body.status, body.creation_mode) and repository.is_label_exclusive(call, label)
    rivals = (
        [row for row in repository.confirmed_categories_at_position(call, *position) if row.label_id != label.id]
        if exclusive
        else []
    )
    row, changes = _assign_category(call, target, label, body, rivals, repository.find_duplicates(call, *position))
    for changed, action, before, after in changes:
        record_change(call, changed, action, document_identifier=target.identifier, before=before, after=after)
    replaced = [str(changed.id) for changed, action, *_ in changes if action == "deleted"]
    return build_category_read_model(row, target.identifier, label.name, replaced)


def _assign_category(
    call: ProjectCall,
    target: repository.CategoryTarget,
    label: Label,
    body: CategoryCreate,
    rivals: Sequence[Category],
    duplicates: Sequence[Category],
) -> tuple[Category, list[Change]]:
    """Returns the resulting category and the necessary changes, which the caller has to record.

    Args:
        rivals: conflicting categories at this position, which are deleted.
        duplicates: categories at this position with the same label.
    """
    changes: list[Change] = [delete_row(call, rival) for rival in rivals]
    if not _is_decision(body.status, body.creation_mode):
        decided = next(
            (duplicate for duplicate in duplicates if _is_decision(duplicate.status, duplicate.creation_mode)), None
        )
        if decided is not None:
            return decided, changes
    for duplicate in duplicates:
        if duplicate.status == body.status and duplicate.created_by == call.username:
            return duplicate, changes
        changes.append(delete_row(call, duplicate))
    row = Category(
        id=new_id(),
        project_id=call.project.id,
        document_id=target.document_id,
        label_id=label.id,
        start=body.start,
        end=body.end,
        status=body.status,
        creation_mode=body.creation_mode,
        score=body.score,
        properties=body.properties,
        **creation_marks(call.username),
    )
    call.session.add(row)
    return row, [*changes, Change(row, "created", None, history_snapshot_of_row(row))]


def categorise_documents(call: ProjectCall, document_ids: Sequence[int], label_name: str, *, add: bool) -> int:
    """Assign a category to documents, by the rules of `create_category`, or remove it; returns how many changed.

    A rejected category (KO) is not removed. A confirmed one that a document has already stays, whoever created it.
    """
    label = require_label(call, label_name)
    existing: dict[int, list[Category]] = {}
    for row in repository.whole_document_categories_of_set(call, document_ids, label):
        existing.setdefault(row.document_id, []).append(row)
    changes: list[Change] = []
    if not add:
        own = [row for rows in existing.values() for row in rows if row.label_id == label.id and row.status != "KO"]
        changes = [delete_row(call, row) for row in own]
    else:
        exclusive = repository.is_label_exclusive(call, label)
        for target in repository.find_category_targets(call, document_ids):
            changes += _assign_category_if_missing(
                call, target, label, existing.get(target.document_id, []), exclusive=exclusive
            )
    record_changes(call, changes)
    return len({row.document_id for row, *_ in changes})


def _assign_category_if_missing(
    call: ProjectCall, target: repository.CategoryTarget, label: Label, rows: Sequence[Category], *, exclusive: bool
) -> list[Change]:
    rivals = [
        row for row in rows if exclusive and row.label_id != label.id and is_confirmed(row.status, row.creation_mode)
    ]
    duplicates = [row for row in rows if row.label_id == label.id]
    if any(duplicate.status == "OK" for duplicate in duplicates):
        return [delete_row(call, rival) for rival in rivals]
    body = CategoryCreate(document_identifier=target.identifier, label_name=label.name)
    return _assign_category(call, target, label, body, rivals, duplicates)[1]


def _is_decision(status: str | None, creation_mode: str) -> bool:
    """Whether someone confirmed or rejected it; otherwise it is only suggested."""
    return status == "KO" or is_confirmed(status, creation_mode)


Position = tuple[int | None, int | None]
"""A sentence `[start, end)`, or `(None, None)` for the whole document."""


def decided_positions(
    call: ProjectCall, label: Label, document_ids: Sequence[int]
) -> set[tuple[int, int | None, int | None]]:
    """Positions (document id, start, end) where the label is already decided.

    Someone confirmed or rejected it there, or confirmed another label of its exclusive set.
    """
    exclusive = repository.is_label_exclusive(call, label)

    def is_decided(row: Category) -> bool:
        if row.label_id == label.id:
            return _is_decision(row.status, row.creation_mode)
        return exclusive and is_confirmed(row.status, row.creation_mode)

    existing = repository.categories_of_label_set(call, document_ids, label)
    return {(row.document_id, row.start, row.end) for row in existing if is_decided(row)}


def assign_category_at(
    call: ProjectCall,
    target: repository.CategoryTarget,
    label: Label,
    position: Position,
    duplicates: Sequence[Category],
) -> tuple[Category, list[Change]]:
    """Assign a category at a position that is not decided; the caller records the changes.

    Args:
        duplicates: the categories with this label there, which are replaced.
    """
    body = CategoryCreate(
        document_identifier=target.identifier, label_name=label.name, start=position[0], end=position[1]
    )
    return _assign_category(call, target, label, body, [], duplicates)


def require_category(call: ProjectCall, identifier: str) -> tuple[Category, str, str]:
    """A category with its document's identifier and its label's name; checks its version against `If-Match`.

    Raises:
        NotFound: there is no such category, or the caller may not read it.
    """
    number = parse_id(identifier)
    row = repository.find_category(call, number) if number is not None else None
    if row is None:
        raise DeletedOrUnknown(message("none.category", "There is no category {name} in this project", name=identifier))
    document = repository.document_identifier(call.session, row.document_id)
    label = labelling.label_name(call.session, row.label_id)
    changed = message("changed.category", "Somebody else has changed the category")
    check_version(
        call,
        row.version,
        changed,
        lambda: build_category_read_model(row, document, label).model_dump(mode="json", by_alias=True),
    )
    return row, document, label


def update_category(call: ProjectCall, identifier: str, body: CategoryPatch) -> CategoryChanged:
    """Confirm, reject or reset a category; an unchanged status is not recorded.

    A category that is confirmed replaces the others of its exclusive set, like a new one (T-017).
    """
    row, document, label = require_category(call, identifier)
    before = history_snapshot_of_row(row)
    if "status" not in body.model_fields_set or body.status == row.status:
        return build_category_read_model(row, document, label)
    confirmed = is_confirmed(body.status, row.creation_mode) and not is_confirmed(row.status, row.creation_mode)
    changes = [
        delete_row(call, rival) for rival in (labelling.find_conflicting_categories(call, row) if confirmed else ())
    ]
    for rival, action, state, after in changes:
        record_change(call, rival, action, document_identifier=document, before=state, after=after)
    row.status = body.status
    mark_modified(row, call.username)
    after = history_snapshot_of_row(row)
    record_change(call, row, "updated", document_identifier=document, before=before, after=after, label_name=label)
    return build_category_read_model(row, document, label, [str(rival.id) for rival, *_ in changes])


def delete_category(call: ProjectCall, identifier: str) -> CategoryId:
    """Delete a category and record it in the history."""
    row, document, _ = require_category(call, identifier)
    _, action, before, _ = delete_row(call, row)
    record_change(call, row, action, document_identifier=document, before=before)
    return CategoryId(identifier=identifier)
