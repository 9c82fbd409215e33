"""Shapes of the history of a document (ours)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Shape

Kind = Literal["undo", "redo", "restore"]
Decision = Literal["mine", "theirs"]


class HistoryEntry(Shape):
    """One change. `before` and `after` hold what it changed, absent where there was nothing; offsets are code points.

    Of suggestions that were skipped (`suggestion`): start, end, text, labelName of the first proposal.
    Of annotations and categories: labelName, start, end, text, status, creationMode, score, createdBy; of annotations
    in pieces also fragments and fragmentsText. Of relations: name, source, target, sourceText, targetText, createdBy;
    those of an annotation that goes or comes back have no change of their own. `act` is the same for what was changed
    at once. `takenBack`: it was undone. `restorable`: this person may take it back alone.
    """

    identifier: str
    act: str
    entity: str
    entity_identifier: str
    action: str
    kind: Kind | None = None
    by: str
    date: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    job_id: str | None = None
    job_description: str | None = None
    before: dict[str, Any] | None = None
    after: dict[str, Any] | None = None
    undoes: str | None = None
    taken_back: bool = False
    restorable: bool = False


class NextUndo(Shape):
    """The act that undo or redo takes next: its newest change, and of how many."""

    act: str
    count: int
    entry: HistoryEntry


class HistoryState(Shape):
    """What the caller can undo and redo on the document; absent when nothing."""

    undo: NextUndo | None = None
    redo: NextUndo | None = None


class NextProjectUndo(NextUndo):
    """The same with the document on which it was."""

    document_identifier: str


class ProjectHistoryState(Shape):
    """What the caller can undo and redo in the project; absent when nothing. It is done on the document named."""

    undo: NextProjectUndo | None = None
    redo: NextProjectUndo | None = None


class HistoryPage(HistoryState):
    """Changes of a document, newest first. `next` continues it, `people` counts the changes of each person."""

    entries: list[HistoryEntry]
    next: str | None = None
    people: list[CreatorCount] = Field(default_factory=list)


class UndoRequest(Shape):
    """Which act is meant, and what to do where somebody else changed the same since.

    `mine`: their change is overwritten (and stays in the history); `theirs`: it stays, the rest of the act is taken
    back. Without a decision nothing is changed and the answer (409) shows both.
    """

    act: str | None = None
    decision: Decision | None = None


class UndoResult(HistoryState):
    """What was changed. `annotations`, `categories` and `relations` as they are now, with the relations that came back
    with an annotation; `removed` those that are gone, and the relations of a removed annotation with it. `kept` counts
    the changes that stay because of somebody else's. `suggestions` that came back on the list, or left it again."""

    ok: bool = True
    act: str
    changed: int
    kept: int = 0
    annotations: list[dict[str, Any]] = Field(default_factory=list)
    categories: list[dict[str, Any]] = Field(default_factory=list)
    relations: list[dict[str, Any]] = Field(default_factory=list)
    removed: list[str] = Field(default_factory=list)
    suggestions: list[str] = Field(default_factory=list)
