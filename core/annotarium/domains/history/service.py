"""Rules of the history: what is shown of it."""

from __future__ import annotations

from collections.abc import Sequence

from annotarium.access.call import ProjectCall
from annotarium.db.identifiers import parse_id
from annotarium.db.models import Document, History
from annotarium.domains.documents.service import require_document
from annotarium.domains.history import repository, stack, turning
from annotarium.domains.history.schemas import (
    HistoryPage,
    HistoryState,
    NextTurn,
    ProjectHistoryState,
    ProjectTurn,
    Turn,
    Turned,
)
from annotarium.domains.history.wire import Writer
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.said import say


def _number(text: str | None, what: str) -> int | None:
    if text is None:
        return None
    number = parse_id(text)
    if number is None:
        raise InvalidInput(say("wrong.identifier", "{what} is no identifier", what=what))
    return number


def _is_turnable(change: History) -> bool:
    return change.entity in repository.TURNABLE and change.action != "kept"


def read_history(
    call: ProjectCall, identifier: str, *, people: Sequence[str], of: str | None, before: str | None, size: int
) -> HistoryPage:
    """A page of the changes of a document that the caller may see, newest first, and what can be undone and redone."""
    document = require_document(call, identifier)
    place = {"of": _number(of, "of"), "before": _number(before, "before")}
    rows = repository.page(call, document.id, people=people, limit=size + 1, **place)
    shown = rows[:size]
    writes = call.access.rights_on(call.project).write
    made_by = repository.people(call, document.id) if before is None else []
    writer = Writer(call, document)
    return HistoryPage(
        entries=writer.entries(shown, lambda change: writes and _is_turnable(change)),
        next=str(shown[-1].id) if len(rows) > size else None,
        people=[CreatorCount(created_by=name, count=number) for name, number in made_by],
        **_state(call, document, writer).model_dump(),
    )


def read_state(call: ProjectCall, identifier: str) -> HistoryState:
    """What the caller can undo and redo on a document."""
    document = require_document(call, identifier)
    return _state(call, document, Writer(call, document))


def _state(call: ProjectCall, document: Document, writer: Writer) -> HistoryState:
    if not call.access.rights_on(call.project).write:
        return HistoryState()

    def described(act: int | None) -> NextTurn | None:
        if act is None:
            return None
        newest, number = repository.newest_of_act(call, document.id, act)
        return NextTurn(act=str(act), count=number, entry=writer.entry(newest))

    undone = described(stack.next_undo(repository.own_steps(call, document.id)))
    return HistoryState(undo=undone, redo=described(stack.next_redo(repository.own_steps(call, document.id))))


def read_project_state(call: ProjectCall) -> ProjectHistoryState:
    """What the caller can undo and redo in the project: their newest act, on whatever document it was."""
    if not call.access.rights_on(call.project).write:
        return ProjectHistoryState()

    documents: dict[int, int] = {}

    def described(act: int | None) -> ProjectTurn | None:
        if act is None:
            return None
        document = repository.document(call, documents[act])
        newest, number = repository.newest_of_act(call, document.id, act)
        entry = Writer(call, document).entry(newest)
        return ProjectTurn(act=str(act), count=number, entry=entry, document_identifier=document.identifier)

    undone = stack.next_undo(repository.own_steps_anywhere(call, documents))
    redone = stack.next_redo(repository.own_steps_anywhere(call, documents))
    return ProjectHistoryState(undo=described(undone), redo=described(redone))


def undo(call: ProjectCall, identifier: str, body: Turn) -> Turned:
    """Take back the caller's last act on a document, as a whole.

    Raises:
        Conflict: there is none, it is another one than `body.act`, or somebody else changed the same since and there is
            no decision about it.
    """
    document = require_document(call, identifier)
    act = stack.next_undo(repository.own_steps(call, document.id))
    return _turn(call, document, act, body, "undo")


def redo(call: ProjectCall, identifier: str, body: Turn) -> Turned:
    """Do again what the caller undid last on a document; raises like `undo`."""
    document = require_document(call, identifier)
    act = stack.next_redo(repository.own_steps(call, document.id))
    return _turn(call, document, act, body, "redo")


def _turn(call: ProjectCall, document: Document, act: int | None, body: Turn, kind: turning.Turning) -> Turned:
    if act is None:
        raise Conflict(
            say("none.turn", "There is nothing to {what} on this document", what=kind), fix="Look at its history"
        )
    if body.act is not None and body.act != str(act):
        raise Conflict(
            say("wrong.otherTurn", "Something else is next to {what}", what=kind),
            fix="Look at the history of the document",
        )
    return _run(call, document, turning.Turner(call, document, kind, body.decision), act)


def _run(call: ProjectCall, document: Document, turner: turning.Turner, act: int) -> Turned:
    answer = turner.run(repository.changes_of_act(call, document.id, act), act)
    return answer.model_copy(update=_after(call, document))


def _after(call: ProjectCall, document: Document) -> dict[str, NextTurn | None]:
    call.session.flush()
    call.unit.write_appended()
    state = _state(call, document, Writer(call, document))
    return {"undo": state.undo, "redo": state.redo}


def restore(call: ProjectCall, identifier: str, entry: str, body: Turn, *, whole: bool) -> Turned:
    """Put what a change was made to back to how it was before, alone or with all changes of its act.

    Raises:
        NotFound: no such change, or none that the caller may see.
        InvalidInput: it is no change of annotations, categories, relations or suggestions.
        Conflict: somebody else changed the same since and there is no decision about it.
    """
    document = require_document(call, identifier)
    number = _number(entry, "The entry")
    change = repository.find_change(call, document.id, number) if number is not None else None
    if change is None:
        raise NotFound(say("none.change", "There is no change {name} in the history of this document", name=entry))
    if not _is_turnable(change):
        raise InvalidInput(
            say(
                "wrong.notUndoable",
                "Only changes of annotations, categories, relations and suggestions can be taken back here",
            )
        )
    turner = turning.Turner(call, document, "restore", body.decision)
    act = change.act_id or change.id
    if whole:
        return _run(call, document, turner, act)
    return turner.run([change], act).model_copy(update=_after(call, document))
