"""Request and response models of annotations: supersets of the published ones."""

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
"""Fragments of a discontinuous annotation: two or more `[start, end]`, in order, with gaps between them (extension)."""


class AnnotationCreate(Shape):
    """A new annotation. Offsets are code points of the document's text; `text`, if present, must equal that slice.

    With `fragments`, the first fragment begins at `start` and the last one ends at `end`.
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
    """Changes of an annotation: status (published); label and offsets, which keep identity and history (extension).

    Fragments without offsets determine the offsets; null makes the annotation continuous. Offsets without fragments
    resize a discontinuous annotation: fragments outside are removed, the outer ones are fitted to the new ends. `terms`
    replaces all terms of the annotation.
    """

    status: Status | None = None
    label_name: str | None = None
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, gt=0)
    fragments: Fragments | None = None
    terms: list[Term] | None = Field(default=None, max_length=1000)


class AnnotationRead(Shape):
    """An annotation after a change.

    `version` is the value for `If-Match`, `modifiedBy` the author of the last change (both extensions).
    """

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
    """`Ack` of the published API with the new state. `relations`: those that were restored with it (extension)."""

    ok: bool = True
    relations: list[DocRelation] | None = None


class Propagation(Shape):
    """Where to copy an annotation: to all equal occurrences in its document or in the corpus.

    `dryRun` only counts. `wholeWords`: not inside longer words. `caseSensitive`: case must match.
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
