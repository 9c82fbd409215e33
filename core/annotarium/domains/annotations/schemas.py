"""Request and response models of annotations: supersets of the published ones."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from annotarium.content.labelling.propagation import PropagationCounts
from annotarium.search.selection import Selection
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
    terms: list[Term] | None = Field(default=None, max_length=1000)
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


class OccurrenceOptions(Shape):
    """How to look for occurrences of words.

    `dryRun` only counts. `wholeWords`: not inside longer words. `caseSensitive`: case must match.
    """

    dry_run: bool = False
    whole_words: bool = True
    case_sensitive: bool = True


class Propagation(OccurrenceOptions):
    """Where to copy an annotation: to all equal occurrences in its document or in the corpus.

    `dryRun` only counts. `wholeWords`: not inside longer words. `caseSensitive`: case must match.
    """

    scope: Literal["document", "corpus"] = "document"


class Propagated(PropagationCounts):
    """What was found and made: `occurrences` in `documents`; `existing` carry the label already; `created` is what was
    made, or would be. `atLeast`: there are more than were counted. The corpus is done by `job`, which can be undone.
    """

    annotations: list[AnnotationRead] = Field(default_factory=list)
    job: dict[str, Any] | None = None


class FoundDocuments(Shape):
    """The documents of a search, or those picked by hand (`ids`: the `_id`s of hits).

    Of a search over segments (`searchIn`), the documents that hold one of them.
    """

    search_in: Literal["documents", "segments"] = "documents"
    query: str = Field(default="", max_length=10_000)
    query_filter: str = Field(default="", max_length=100_000)
    simple_query: bool = False
    selected_facets: list[str] = Field(default_factory=list, max_length=1_000)
    dataset_selector: str = Field(default="", max_length=100)
    ids: list[str] = Field(default_factory=list, max_length=2_000)

    def selection(self) -> Selection:
        """The selection for the search engine."""
        return Selection(
            kind=self.search_in,
            query=self.query,
            simple=self.simple_query,
            query_filter=self.query_filter,
            selected_facets=tuple(self.selected_facets),
            dataset=self.dataset_selector,
            ids=tuple(self.ids),
        )


class OccurrenceLabelling(OccurrenceOptions):
    """Words to label wherever they occur: in one document, in what a search finds, or in the corpus.

    `foldAccents`: accents and kinds of quotation marks do not count, and any white space equals any other.
    """

    scope: Literal["document", "found", "corpus"] = "document"
    text: str = Field(min_length=1, max_length=1_000)
    label_name: str = Field(min_length=1, max_length=255)
    document_identifier: str | None = Field(default=None, max_length=4_000)
    fold_accents: bool = False
    search: FoundDocuments | None = None

    @field_validator("text")
    @classmethod
    def _has_text(cls, value: str) -> str:
        if not value.strip():
            raise ValueError("it must contain more than white space")
        return value.strip()

    @model_validator(mode="after")
    def _says_where(self) -> OccurrenceLabelling:
        if self.scope == "document" and not self.document_identifier:
            raise ValueError("documentIdentifier is required for the scope document")
        if self.scope == "found" and self.search is None:
            raise ValueError("search is required for the scope found")
        return self


class OccurrenceExample(Shape):
    """A place that would be labelled: its words, and the text before and after."""

    document_identifier: str
    before: str
    text: str
    after: str


class OccurrencesLabelled(Propagated):
    """What was found and made.

    A dry run adds some `examples` of what would be labelled, and how many places without the label are inside longer
    words (`insideWords`, whatever `wholeWords` says; `insideWordsAtLeast`: not all documents were read in the time).
    """

    inside_words: int = 0
    inside_words_at_least: bool = False
    examples: list[OccurrenceExample] = Field(default_factory=list)
