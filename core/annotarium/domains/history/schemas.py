"""Request and response models of a document's history (extension of the published API)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.answers import CreatorCount
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Shape

Kind = Literal["undo", "redo", "restore"]
Decision = Literal["mine", "theirs"]


class HistoryEntry(Shape):
    """One change. `before` and `after` hold the changed state and are absent if there was none.

    Offsets are code points. Of skipped suggestions (`suggestion`): start, end, text and the labelName of the first
    proposal. Of annotations and categories: labelName, start, end, text, status, creationMode, score, createdBy; of
    discontinuous annotations also fragments and fragmentsText. Of relations: name, source, target, sourceText,
    targetText, createdBy; relations that are deleted or restored with an annotation have no change of their own.
    Changes made by the same operation share `act`. `takenBack`: the change was undone. `restorable`: the caller may
    restore it alone.
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
    """The operation that undo or redo applies to next: its newest change and the number of its changes."""

    act: str
    count: int
    entry: HistoryEntry


class HistoryState(Shape):
    """What the caller can undo and redo on the document; absent if there is nothing."""

    undo: NextUndo | None = None
    redo: NextUndo | None = None


class NextProjectUndo(NextUndo):
    """The operation that undo or redo applies to next in the project, with its document."""

    document_identifier: str


class ProjectHistoryState(Shape):
    """What the caller can undo and redo in the project, on the named document; absent if there is nothing."""

    undo: NextProjectUndo | None = None
    redo: NextProjectUndo | None = None


class HistoryPage(HistoryState):
    """Changes of a document, newest first. `next` is the cursor of the next page; `people` counts changes by person."""

    entries: list[HistoryEntry]
    next: str | None = None
    people: list[CreatorCount] = Field(default_factory=list)


class UndoRequest(Shape):
    """The operation to undo or redo, and what to do if somebody else changed the same item since.

    `mine`: overwrite their change (it stays in the history); `theirs`: keep their change and apply the rest of the
    operation. Without a decision nothing changes and the response (409) shows both.
    """

    act: str | None = None
    decision: Decision | None = None


class UndoResult(HistoryState):
    """The result of undo, redo or restore.

    `annotations`, `categories` and `relations` are the changed items in their present state, with the relations that
    were restored with an annotation. `removed` are the identifiers of deleted items; the relations of a deleted
    annotation are deleted with it. `kept` counts the changes that were not applied because of somebody else's.
    `suggestions` are the suggestions that were put back into the list or removed from it again.
    """

    ok: bool = True
    act: str
    changed: int
    kept: int = 0
    annotations: list[dict[str, Any]] = Field(default_factory=list)
    categories: list[dict[str, Any]] = Field(default_factory=list)
    relations: list[dict[str, Any]] = Field(default_factory=list)
    removed: list[str] = Field(default_factory=list)
    suggestions: list[str] = Field(default_factory=list)
