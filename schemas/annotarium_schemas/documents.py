"""Documents as components and imports use them. Offsets are Unicode code points of `text`, ranges are half-open."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, BeforeValidator, Field, PrivateAttr

from annotarium_schemas.shape import Shape

Status = Literal["OK", "KO"]
CreationMode = Literal["manual", "automatic", "imported", "undefined"]
MetadataValue = str | int | float | bool | list[str | int | float | bool] | None


class Term(Shape):
    """A term of a lexicon (or of a knowledge base) that an annotation points to."""

    identifier: str
    lexicon: str = ""
    preferred_form: str | None = None
    properties: dict[str, Any] | None = None
    score: float | None = None


def _text_or_empty(value: Any) -> str:
    if isinstance(value, str):
        return value
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def _object_or_empty(value: Any) -> Any:
    return value if isinstance(value, dict | BaseModel) else {}


def _objects_or_none(value: Any) -> Any:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else None


LenientText = Annotated[str, BeforeValidator(_text_or_empty)]
"""A text or a whole number; anything else becomes an empty text, so that an invalid relation does not make its document
invalid.
"""


class Annotation(Shape):
    """A labelled span: `text == document.text[start:end]`. `score` is a confidence 0..1."""

    start: int
    end: int
    label_name: str | None = None
    label: str | None = None
    label_id: str | None = None
    text: str = ""
    identifier: str | None = None
    score: float | None = None
    status: Status | None = None
    creation_mode: CreationMode | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None
    fragments: list[tuple[int, int]] | None = None
    """The ranges of a discontinuous span, in order and not adjacent; [start, end) covers them all."""


class Relation(Shape):
    """A directed, named relation from one annotation of a document to another, by their identifiers in the document."""

    name: LenientText = ""
    source: LenientText = ""
    target: LenientText = ""
    identifier: str | None = None
    properties: dict[str, Any] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class Category(Shape):
    """A label on a document, or on the segment [start, end) when both are given."""

    label_name: str | None = None
    label: str | None = None
    label_id: str | None = None
    identifier: str | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None
    status: Status | None = None
    creation_mode: CreationMode | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    properties: dict[str, Any] | None = None


class Sentence(Shape):
    """A segment of a document."""

    start: int
    end: int
    text: str | None = None
    categories: list[Category] | None = None
    metadata: dict[str, MetadataValue] | None = None


class AltText(Shape):
    """An alternative text of the same document (an answer, a translation), without annotations."""

    name: str
    text: str
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


LayoutKind = Literal[
    "heading",
    "paragraph",
    "quote",
    "preformatted",
    "list",
    "item",
    "table",
    "row",
    "cell",
    "strong",
    "emphasis",
    "underline",
    "strike",
    "code",
    "superscript",
    "subscript",
    "link",
    "image",
    "syntax",
]


class LayoutMark(Shape):
    """Layout of the range [start, end) of the text; the HTML version of the document is built from these marks.

    Marks are disjoint or nested. `level` is that of a heading, 1..6; `ordered` belongs to lists, `header` to cells. An
    image has no text, so its range is empty. `syntax` marks the characters of Markdown syntax.
    """

    kind: LayoutKind
    start: int
    end: int
    level: int | None = None
    ordered: bool | None = None
    header: bool | None = None
    href: str | None = None
    alt: str | None = None


class Document(Shape):
    """A document with its annotations, categories and relations."""

    identifier: str = ""
    title: str = ""
    text: str
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)
    annotations: list[Annotation] = Field(default_factory=list)
    categories: list[Category] = Field(default_factory=list)
    sentences: list[Sentence] | None = None
    alt_texts: list[AltText] = Field(default_factory=list)
    relations: list[Annotated[Relation, BeforeValidator(_object_or_empty)]] | None = None
    """Relations between its annotations; None when not specified."""
    comments: Annotated[list[dict[str, Any]] | None, BeforeValidator(_objects_or_none)] = None
    """Threads of comments as an export writes them; a thread that is not valid does not make its document invalid."""
    layout: list[LayoutMark] | None = None
    """Headings, lists, tables, emphasis: outer marks before the marks inside them."""
    reviewed: bool | None = None
    """Whether annotation is complete; if absent, an import derives it from the labelling and `emptyListsReviewed`."""
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    _notes: list[str] | None = PrivateAttr(default=None)

    @property
    def notes(self) -> list[str]:
        """Warnings of the converter for the import report; they are not part of the document."""
        return list(self._notes or ())

    def note(self, message: str) -> None:
        """Add a warning to `notes`: words that were left out, damaged places that were repaired."""
        self._notes = [*(self._notes or ()), message]


class ImportedDocument(Document):
    """A document as an import reads it; without identifier, one is derived from the text."""
