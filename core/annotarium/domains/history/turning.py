"""Going back and forth: changes of one document are taken back, newest first, together or not at all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from annotarium.access.call import ProjectCall
from annotarium.corpus.labelling import repository as labelling
from annotarium.corpus.labelling.changes import (
    Change,
    Item,
    Origin,
    record_change,
    record_changes,
    snapshot,
    write_history,
)
from annotarium.corpus.labelling.reverting import (
    TABLES,
    Obstacle,
    is_as,
    obstacle_after,
    present,
    put_back,
    remembered,
    standing,
)
from annotarium.corpus.labelling.skipping import SUGGESTION, suggestion_wire_id, turn_skip
from annotarium.corpus.labelling.wire import annotation_wire, category_wire
from annotarium.corpus.relations.repository import relations_of_documents
from annotarium.corpus.relations.wire import standing_wire
from annotarium.db.models import Annotation, Category, Document, History, Relation
from annotarium.domains.history import repository
from annotarium.domains.history.schemas import Decision, Turned
from annotarium.domains.history.wire import Writer
from annotarium.errors import Conflict
from annotarium_schemas.said import Said, said_of, say

Turning = Literal["undo", "redo", "restore"]
_TOLD_ONE_BY_ONE = 20
_TABLES_OF_ENTITIES = tuple(TABLES.items())


def _changed(later: History | None) -> Said:
    if later is None:
        return say("kept.somebody", "Somebody changed it since")
    return say("kept.changedBy", "{who} changed it since", who=later.actor)


class Turner:
    """One undo, redo or restore."""

    def __init__(self, call: ProjectCall, document: Document, kind: Turning, decision: Decision | None) -> None:
        self._call, self._document, self._kind, self._decision = call, document, kind, decision
        self._rows: dict[tuple[str, int], Item] = {}
        self._later: dict[int, History] = {}
        self._done: list[tuple[Change, Origin]] = []
        self._skips: list[History] = []
        self._kept = 0
        self._conflicts: list[dict[str, Any]] = []

    def run(self, changes: Sequence[History], act: int) -> Turned:
        """Take the changes back, given newest first.

        Raises:
            Conflict: something stands against it and there is no decision; nothing is changed then, and `details` hold
                the change, the later one and the present state.
        """
        self._load(changes)
        for change in changes:
            if change.entity == SUGGESTION:
                self._skips.append(change)
            else:
                self._take_back(change)
        if self._conflicts:
            raise Conflict(
                say("refused.changedSince", "Somebody else changed the same since"),
                cause=self._conflicts[0]["message"],
                fix=say("fix.keepOrOverwrite", "Keep what is there now, or overwrite it: both stay in the history"),
                details=self._conflicts,
            )
        self._record()
        turned = [change for change in self._skips if self._turn_skip(change)]
        return self._answer(act, turned)

    def _load(self, changes: Sequence[History]) -> None:
        since = {change.entity_id: change.id for change in reversed(changes)}
        for entity, table in _TABLES_OF_ENTITIES:
            ids = list({change.entity_id for change in changes if change.entity == entity})
            if not ids:
                continue
            found = labelling.rows_by_id(self._call, table, ids)
            self._rows |= {(entity, identifier): row for identifier, row in found.items()}
            after = labelling.changes_after(self._call.session, entity, ids, min(since[one] for one in ids))
            left = standing(after, {one: since[one] for one in ids})
            acts = {change.id for change in changes}
            by_id = repository.changes_by_id(self._call, [one for many in left.values() for one in many])
            for entity_id, many in left.items():
                against = [by_id[one] for one in many if one not in acts and self._stands(by_id[one])]
                if against:
                    self._later[entity_id] = against[0]

    def _stands(self, later: History) -> bool:
        """Whether a later change stands against going back; restoring passes over the caller's own ones."""
        return self._kind != "restore" or later.actor != self._call.username

    def _take_back(self, change: History) -> None:
        row = self._rows.get((change.entity, change.entity_id))
        if row is None:
            self._against(change, None, say("kept.outOfReach", "It is out of your reach"), firm=True)
            return
        later = self._later.get(change.entity_id)
        unlike = self._kind != "restore" and not is_as(row, change.after)
        if (later is not None or unlike) and self._decision != "mine":
            self._against(change, row, _changed(later), later=later)
            return
        if change.action == "kept" or is_as(row, change.before):
            self._keep(change, row)
            return
        self._put_back(change, row)

    def _turn_skip(self, change: History) -> bool:
        """Nothing of anybody stands against it: where the list has other proposals by now, they stay."""
        undoes = change.id if self._kind != "restore" else None
        done = change.action != "kept" and turn_skip(self._call, change, Origin(self._kind, undoes))
        if not done:
            self._keep(change, None)
        return done

    def _put_back(self, change: History, row: Item) -> None:
        forget = remembered(row)
        done = put_back(self._call, row, change.before)
        obstacle = obstacle_after(self._call, row) if row.deleted_at is None else None
        if obstacle is not None and (obstacle.firm or self._decision != "mine"):
            forget()
            self._against(change, row, obstacle.reason, obstacle=obstacle, firm=obstacle.firm)
            return
        for other in obstacle.others if obstacle is not None else ():
            self._done.append((put_back(self._call, other, None), Origin(self._kind)))
        undoes = change.id if self._kind != "restore" else None
        self._done.append((done, Origin(self._kind, undoes)))

    def _against(
        self,
        change: History,
        row: Item | None,
        reason: str,
        *,
        later: History | None = None,
        obstacle: Obstacle | None = None,
        firm: bool = False,
    ) -> None:
        """Something stands against it: said, or left as it is when that was decided."""
        if self._decision == "theirs" or (firm and self._decision == "mine" and self._kind != "restore"):
            self._keep(change, row)
            return
        writer = Writer(self._call, self._document)
        current = present(row) if row is not None else None
        one: dict[str, Any] = {"field": change.entity, "message": reason, "firm": firm}
        said = said_of(message=reason)
        if said is not None:
            one["said"] = said
        one["entry"] = writer.entry(change).model_dump(mode="json", by_alias=True, exclude_none=True)
        if later is not None:
            one["later"] = writer.entry(later).model_dump(mode="json", by_alias=True, exclude_none=True)
        if obstacle is not None and obstacle.others:
            other = obstacle.others[0]
            one["other"] = writer.state(change.entity, snapshot(other))
        one["current"] = writer.state(change.entity, current)
        self._conflicts.append(one)

    def _keep(self, change: History, row: Item | None) -> None:
        """Leave it as it is; the history says that the change was dealt with."""
        self._kept += 1
        if self._kind == "restore":
            return
        state = present(row) if row is not None else None
        origin = Origin(self._kind, change.id)
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
        if len(self._done) > _TOLD_ONE_BY_ONE:
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

    def _answer(self, act: int, skips: Sequence[History]) -> Turned:
        names = repository.label_names(self._call)
        answer = Turned(act=str(act), changed=len(self._done) + len(skips), kept=self._kept)
        answer.suggestions = [suggestion_wire_id(change.entity_id) for change in skips]
        for row in dict.fromkeys(change[0] for change, _ in self._done):
            if row.deleted_at is not None:
                answer.removed.append(str(row.id))
            elif isinstance(row, Annotation):
                answer.annotations.append(annotation_wire(row, names.get(row.label_id, "")))
            elif isinstance(row, Category):
                answer.categories.append(category_wire(row, names.get(row.label_id, "")))
        answer.relations = self._relations()
        return answer

    def _relations(self) -> list[dict[str, Any]]:
        """Those that were changed, and those that came back with an annotation."""
        stand = [(row, action) for (row, action, _, _), _ in self._done if row.deleted_at is None]
        meant = {row.id for row, action in stand if isinstance(row, Relation) or action == "restored"}
        found = relations_of_documents(self._call, [self._document.id]) if meant else []
        return [standing_wire(one) for one in found if meant & {one.id, one.source_id, one.target_id}]
