"""Shapes of annotations, as published; ours are supersets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from annotarium.content.labelling.propagation import PropagationCounts
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.corpus import DocRelation
from annotarium_schemas.documents import Term
from annotarium_schemas.shape import Shape

Mode = Literal["manual", "automatic", "undefined"]
Status = Literal["OK", "KO"]
Offset = Annotated[int, Field(ge=0)]
Fragments = Annotated[list[tuple[Offset, Offset]], Field(max_length=1_000)]
"""Pieces of a discontinuous annotation (ours): two or more `[start, end]`, in order, with gaps between them."""


class AnnotationCreate(Shape):
    """A new annotation. Offsets are code points of the document's text; `text`, when given, must be that slice.

    With `fragments` start and end are its hull: the first piece begins at start, the last one ends at end.
    """

    document_identifier: str
    label_name: str
    start: int = Field(ge=0)
    end: int = Field(gt=0)
    text: str | None = None
    status: Status | None = "OK"
    creation_mode: Mode = "manual"
    score: float | None = Field(default=None, ge=0, le=1)
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None
    fragments: Fragments | None = None


class AnnotationPatch(Shape):
    """Changes of an annotation: status (published); label and offsets keep identity and history (ours).

    Fragments without offsets give the offsets; null makes the annotation whole. Offsets alone resize one in pieces:
    what is outside goes, the outer pieces follow the ends. Terms are all that the annotation stands for from then on.
    """

    status: Status | None = None
    label_name: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, gt=0)
    fragments: Fragments | None = None
    terms: list[Term] | None = Field(default=None, max_length=1000)


class AnnotationRead(Shape):
    """An annotation after a change; `version` is what `If-Match` takes, `modifiedBy` made it (both ours)."""

    identifier: str
    document_identifier: str
    label_name: str
    start: int
    end: int
    text: str
    status: str | None = None
    creation_mode: str
    created_by: str
    created_date: str
    modified_date: str
    modified_by: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    score: float | None = None
    version: int
    fragments: list[tuple[int, int]] | None = None
    fragments_text: list[str] | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None


class Changed(AnnotationRead):
    """Ack of the published description, with the new state. `relations`: those that came back with it (ours)."""

    ok: bool = True
    relations: list[DocRelation] | None = None


class Propagation(Shape):
    """Where an annotation is copied to: all places of the document, or of the corpus, that say the same.

    `dryRun` counts only. `wholeWords`: not inside of longer words. `caseSensitive`: capitals count.
    """

    scope: Literal["document", "corpus"] = "document"
    dry_run: bool = False
    whole_words: bool = True
    case_sensitive: bool = True


class Propagated(PropagationCounts):
    """What was found and made: `occurrences` in `documents`; `existing` carry the label already; `created` is what was
    made, or would be. `atLeast`: there are more than were counted. The corpus is done by `job`, which can be undone.
    """

    annotations: list[AnnotationRead] = Field(default_factory=list)
    job: dict[str, Any] | None = None
