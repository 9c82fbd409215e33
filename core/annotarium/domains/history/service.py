"""Rules of the history: what the caller sees, can undo, redo and restore."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import parse_id
from annotarium.db.models import Document, History
from annotarium.domains.documents.service import require_document
from annotarium.domains.history import repository, undo_redo, undo_stack
from annotarium.domains.history.schemas import (
    HistoryPage,
    HistoryState,
    NextProjectUndo,
    NextUndo,
    ProjectHistoryState,
    UndoRequest,
    UndoResult,
)
from annotarium.domains.history.serializers import HistorySerializer
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.messages import message


def _parse_history_id(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    number = parse_id(text)
    if number is None:
        raise InvalidInput(message("wrong.identifier", "{what} is not an identifier", what=what))
    return number


def _is_undoable(change: History) -> bool:
    return change.entity in repository.UNDOABLE_ENTITIES and change.action != "kept"


def read_history(
    call: ProjectCall, identifier: str, *, people: Sequence[str], of: str | None, before: str | None, size: int
) -> HistoryPage:
    """A page of the changes that the caller may see, newest first, and what can be undone and redone."""
    document = require_document(call, identifier)
    place = {"of": _parse_history_id(of, "of"), "before": _parse_history_id(before, "before")}
    rows = repository.read_history_page(call, document.id, people=people, limit=size + 1, **place)
    shown = rows[:size]
    writes = call.access.rights_on(call.project).write
    counts_by_person = repository.count_changes_by_person(call, document.id) if before is None else []
    serializer = HistorySerializer(call, document)
    return HistoryPage(
        entries=serializer.entries(shown, lambda change: writes and _is_undoable(change)),
        next=str(shown[-1].id) if len(rows) > size else None,
        people=[CreatorCount(created_by=name, count=number) for name, number in counts_by_person],
        **_undo_state(call, document, serializer).model_dump(),
    )


def read_undo_state(call: ProjectCall, identifier: str) -> HistoryState:
    """What the caller can undo and redo on a document; empty without the right to write."""
    document = require_document(call, identifier)
    return _undo_state(call, document, HistorySerializer(call, document))


def _undo_state(call: ProjectCall, document: Document, serializer: HistorySerializer) -> HistoryState:
    if not call.access.rights_on(call.project).write:
        return HistoryState()

    def described(act: int | None) -> NextUndo | None:
        if act is None:
            return None
        newest, number = repository.newest_change_of_operation(call, document.id, act)
        return NextUndo(act=str(act), count=number, entry=serializer.entry(newest))

    undone = described(undo_stack.next_undo(repository.own_history_steps(call, document.id)))
    return HistoryState(
        undo=undone, redo=described(undo_stack.next_redo(repository.own_history_steps(call, document.id)))
    )


def read_project_undo_state(call: ProjectCall) -> ProjectHistoryState:
    """What the caller can undo and redo in the project: their newest operation on any document."""
    if not call.access.rights_on(call.project).write:
        return ProjectHistoryState()

    documents: dict[int, int] = {}

    def described(act: int | None) -> NextProjectUndo | None:
        if act is None:
            return None
        document = repository.document(call, documents[act])
        newest, number = repository.newest_change_of_operation(call, document.id, act)
        entry = HistorySerializer(call, document).entry(newest)
        return NextProjectUndo(act=str(act), count=number, entry=entry, document_identifier=document.identifier)

    undone = undo_stack.next_undo(repository.own_history_steps_in_project(call, documents))
    redone = undo_stack.next_redo(repository.own_history_steps_in_project(call, documents))
    return ProjectHistoryState(undo=described(undone), redo=described(redone))


def undo(call: ProjectCall, identifier: str, body: UndoRequest) -> UndoResult:
    """Undo the caller's last operation on a document, as a whole.

    Raises:
        Conflict: there is nothing to undo, the next operation is not `body.act`, or somebody else changed the same item
            since and `body.decision` is missing.
    """
    document = require_document(call, identifier)
    act = undo_stack.next_undo(repository.own_history_steps(call, document.id))
    return _undo_or_redo(call, document, act, body, "undo")


def redo(call: ProjectCall, identifier: str, body: UndoRequest) -> UndoResult:
    """Redo the operation that the caller undid last on a document; raises like `undo`."""
    document = require_document(call, identifier)
    act = undo_stack.next_redo(repository.own_history_steps(call, document.id))
    return _undo_or_redo(call, document, act, body, "redo")


def _undo_or_redo(
    call: ProjectCall, document: Document, act: int | None, body: UndoRequest, kind: undo_redo.UndoKind
) -> UndoResult:
    if act is None:
        raise Conflict(
            message("none.turn", "There is nothing to {what} on this document", what=kind), fix="Look at its history"
        )
    if body.act is not None and body.act != str(act):
        raise Conflict(
            message("wrong.otherTurn", "Another change comes first ({what})", what=kind),
            fix="Look at the history of the document",
        )
    return _run_undo_operation(call, document, undo_redo.UndoRedo(call, document, kind, body.decision), act)


def _run_undo_operation(call: ProjectCall, document: Document, operation: undo_redo.UndoRedo, act: int) -> UndoResult:
    answer = operation.run(repository.changes_of_operation(call, document.id, act), act)
    return answer.model_copy(update=_undo_state_after_change(call, document))


def _undo_state_after_change(call: ProjectCall, document: Document) -> dict[str, NextUndo | None]:
    call.session.flush()
    call.unit.write_appended()
    state = _undo_state(call, document, HistorySerializer(call, document))
    return {"undo": state.undo, "redo": state.redo}


def restore(call: ProjectCall, identifier: str, entry: str, body: UndoRequest, *, whole: bool) -> UndoResult:
    """Restore the item of a change to its state before; with `whole`, the items of all changes of its operation.

    Raises:
        NotFound: there is no such change, or the caller may not see it.
        InvalidInput: the change is not of an annotation, category, relation or suggestion.
        Conflict: somebody else changed the same item since and `body.decision` is missing.
    """
    document = require_document(call, identifier)
    number = _parse_history_id(entry, "The entry")
    change = repository.find_change(call, document.id, number) if number is not None else None
    if change is None:
        raise NotFound(message("none.change", "There is no change {name} in the history of this document", name=entry))
    if not _is_undoable(change):
        raise InvalidInput(
            message(
                "wrong.notUndoable",
                "Only changes of annotations, categories, relations and suggestions can be undone here",
            )
        )
    operation = undo_redo.UndoRedo(call, document, "restore", body.decision)
    act = change.act_id or change.id
    if whole:
        return _run_undo_operation(call, document, operation, act)
    return operation.run([change], act).model_copy(update=_undo_state_after_change(call, document))
