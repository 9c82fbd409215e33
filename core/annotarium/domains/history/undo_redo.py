"""Undo, redo and restore: the changes of an operation on one document are reverted, newest first, all or none."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from annotarium.access.call import ProjectCall
from annotarium.content.labelling import repository as labelling
from annotarium.content.labelling.changes import (
    Change,
    ChangeOrigin,
    Item,
    history_snapshot_of_row,
    record_change,
    record_changes,
    write_history,
)
from annotarium.content.labelling.repository import TABLES
from annotarium.content.labelling.restoring import (
    RestoreObstacle,
    current_state,
    effective_changes,
    find_restore_obstacle,
    has_state,
    make_rollback,
    restore_state,
)
from annotarium.content.labelling.serializers import annotation_to_json, category_to_json
from annotarium.content.labelling.suggestion_skipping import SUGGESTION, public_suggestion_id, undo_or_redo_skip
from annotarium.content.relations.repository import relations_of_documents
from annotarium.content.relations.serializers import relation_row_to_json
from annotarium.db.models import Annotation, Category, Document, History, Relation
from annotarium.domains.history import repository
from annotarium.domains.history.schemas import Decision, UndoResult
from annotarium.domains.history.serializers import HistorySerializer
from annotarium.errors import Conflict
from annotarium_schemas.messages import Message, message, message_of

UndoKind = Literal["undo", "redo", "restore"]
_SINGLE_EVENTS_MAX = 20
_TABLES_OF_ENTITIES = tuple(TABLES.items())


def _later_change_message(later: History | None) -> Message:
    if later is None:
        return message("kept.somebody", "Somebody has changed it since")
    return message("kept.changedBy", "{who} has changed it since", who=later.actor)


class UndoRedo:
    """One undo, redo or restore of an operation."""

    def __init__(self, call: ProjectCall, document: Document, kind: UndoKind, decision: Decision | None) -> None:
        self._call, self._document, self._kind, self._decision = call, document, kind, decision
        self._rows: dict[tuple[str, int], Item] = {}
        self._later: dict[int, History] = {}
        self._done: list[tuple[Change, ChangeOrigin]] = []
        self._skips: list[History] = []
        self._kept_count = 0
        self._conflicts: list[dict[str, Any]] = []

    def run(self, changes: Sequence[History], act: int) -> UndoResult:
        """Revert the changes, which are passed newest first.

        Raises:
            Conflict: something prevents it and there is no decision. Nothing is changed then; `details` lists
                the changes, each with the later change and the present state.
        """
        self._load(changes)
        for change in changes:
            if change.entity == SUGGESTION:
                self._skips.append(change)
            else:
                self._undo_change(change)
        if self._conflicts:
            raise Conflict(
                message("refused.changedSince", "Somebody else has changed this since"),
                cause=self._conflicts[0]["message"],
                fix=message("fix.keepOrOverwrite", "Keep the current state or overwrite it: both stay in the history"),
                details=self._conflicts,
            )
        self._record()
        undone_skips = [change for change in self._skips if self._undo_or_redo_skip(change)]
        return self._answer(act, undone_skips)

    def _load(self, changes: Sequence[History]) -> None:
        since = {change.entity_id: change.id for change in reversed(changes)}
        for entity, table in _TABLES_OF_ENTITIES:
            ids = list({change.entity_id for change in changes if change.entity == entity})
            if not ids:
                continue
            found = labelling.lock_rows_by_id(self._call, table, ids)
            self._rows |= {(entity, identifier): row for identifier, row in found.items()}
            after = labelling.changes_after(self._call.session, entity, ids, min(since[one] for one in ids))
            left = effective_changes(after, {one: since[one] for one in ids})
            change_ids = {change.id for change in changes}
            by_id = repository.changes_by_id(self._call, [one for many in left.values() for one in many])
            for entity_id, many in left.items():
                against = [by_id[one] for one in many if one not in change_ids and self._blocks(by_id[one])]
                if against:
                    self._later[entity_id] = against[0]

    def _blocks(self, later: History) -> bool:
        """Whether a later change prevents this; restore ignores later changes of the caller."""
        return self._kind != "restore" or later.actor != self._call.username

    def _undo_change(self, change: History) -> None:
        row = self._rows.get((change.entity, change.entity_id))
        if row is None:
            self._add_conflict(change, None, message("kept.outOfReach", "You do not have access to it"), firm=True)
            return
        later = self._later.get(change.entity_id)
        unlike = self._kind != "restore" and not has_state(row, change.after)
        if (later is not None or unlike) and self._decision != "mine":
            self._add_conflict(change, row, _later_change_message(later), later=later)
            return
        if change.action == "kept" or has_state(row, change.before):
            self._leave_unchanged(change, row)
            return
        self._restore_state(change, row)

    def _undo_or_redo_skip(self, change: History) -> bool:
        """Undo or redo a skipped suggestion; never a conflict. Returns whether the list of suggestions changed."""
        undoes = change.id if self._kind != "restore" else None
        done = change.action != "kept" and undo_or_redo_skip(self._call, change, ChangeOrigin(self._kind, undoes))
        if not done:
            self._leave_unchanged(change, None)
        return done

    def _restore_state(self, change: History, row: Item) -> None:
        roll_back = make_rollback(row)
        done = restore_state(self._call, row, change.before)
        obstacle = find_restore_obstacle(self._call, row) if row.deleted_at is None else None
        if obstacle is not None and (obstacle.firm or self._decision != "mine"):
            roll_back()
            self._add_conflict(change, row, obstacle.reason, obstacle=obstacle, firm=obstacle.firm)
            return
        for other in obstacle.others if obstacle is not None else ():
            self._done.append((restore_state(self._call, other, None), ChangeOrigin(self._kind)))
        undoes = change.id if self._kind != "restore" else None
        self._done.append((done, ChangeOrigin(self._kind, undoes)))

    def _add_conflict(
        self,
        change: History,
        row: Item | None,
        reason: str,
        *,
        later: History | None = None,
        obstacle: RestoreObstacle | None = None,
        firm: bool = False,
    ) -> None:
        """Add a conflict to the response, or leave the item unchanged if the decision says so."""
        if self._decision == "theirs" or (firm and self._decision == "mine" and self._kind != "restore"):
            self._leave_unchanged(change, row)
            return
        serializer = HistorySerializer(self._call, self._document)
        current = current_state(row) if row is not None else None
        one: dict[str, Any] = {"field": change.entity, "message": reason, "firm": firm}
        said = message_of(message=reason)
        if said is not None:
            one["said"] = said
        one["entry"] = serializer.entry(change).model_dump(mode="json", by_alias=True, exclude_none=True)
        if later is not None:
            one["later"] = serializer.entry(later).model_dump(mode="json", by_alias=True, exclude_none=True)
        if obstacle is not None and obstacle.others:
            other = obstacle.others[0]
            one["other"] = serializer.state(change.entity, history_snapshot_of_row(other))
        one["current"] = serializer.state(change.entity, current)
        self._conflicts.append(one)

    def _leave_unchanged(self, change: History, row: Item | None) -> None:
        """Count the change as not applied; undo and redo write a `kept` row, so that the stack moves past it."""
        self._kept_count += 1
        if self._kind == "restore":
            return
        state = current_state(row) if row is not None else None
        origin = ChangeOrigin(self._kind, change.id)
        write_history(
            self._call,
            change.document_id,
            change.entity,
            change.entity_id,
            "kept",
            before=state,
            after=state,
            origin=origin,
        )

    def _record(self) -> None:
        if len(self._done) > _SINGLE_EVENTS_MAX:
            record_changes(self._call, [change for change, _ in self._done], [origin for _, origin in self._done])
            return
        for (row, action, before, after), origin in self._done:
            record_change(
                self._call,
                row,
                action,
                document_identifier=self._document.identifier,
                before=before,
                after=after,
                origin=origin,
            )

    def _answer(self, act: int, skips: Sequence[History]) -> UndoResult:
        names = repository.label_names(self._call)
        answer = UndoResult(act=str(act), changed=len(self._done) + len(skips), kept=self._kept_count)
        answer.suggestions = [public_suggestion_id(change.entity_id) for change in skips]
        for row in dict.fromkeys(change[0] for change, _ in self._done):
            if row.deleted_at is not None:
                answer.removed.append(str(row.id))
            elif isinstance(row, Annotation):
                answer.annotations.append(annotation_to_json(row, names.get(row.label_id, "")))
            elif isinstance(row, Category):
                answer.categories.append(category_to_json(row, names.get(row.label_id, "")))
        answer.relations = self._relations()
        return answer

    def _relations(self) -> list[dict[str, Any]]:
        """Relations that were changed themselves, and those restored with an annotation."""
        live_rows = [(row, action) for (row, action, _, _), _ in self._done if row.deleted_at is None]
        changed_ids = {row.id for row, action in live_rows if isinstance(row, Relation) or action == "restored"}
        found = relations_of_documents(self._call, [self._document.id]) if changed_ids else []
        return [relation_row_to_json(one) for one in found if changed_ids & {one.id, one.source_id, one.target_id}]
