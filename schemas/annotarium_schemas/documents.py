"""Documents as components and imports see them. Offsets are Unicode code points of `text`, half-open."""

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


LenientText = Annotated[str, BeforeValidator(_text_or_empty)]
"""A text or a whole number; empty for anything else: a relation that cannot be does not spoil its document."""


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
    """Pieces of a discontinuous span, in order with gaps between them; [start, end) is their hull."""


class Relation(Shape):
    """A directed, named link from one annotation of a document to another, by the identifiers they have in it."""

    name: LenientText = ""
    source: LenientText = ""
    target: LenientText = ""
    identifier: str | None = None
    properties: dict[str, Any] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class Category(Shape):
    """A label on a document, or on the sentence [start, end) when both are given."""

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
    """A second text of the same document (an answer, a translation), without annotations."""

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
    """What the stretch [start, end) of the text looks like: its HTML version is made of these.

    Marks lie beside or within each other. `level` is that of a heading, 1..6; `ordered` of a list, `header` of a cell.
    An image has no text of its own: its stretch is empty. `syntax` is what Markdown is written with.
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
    """A document with everything annotated on it."""

    identifier: str = ""
    title: str = ""
    text: str
    metadata: dict[str, MetadataValue] = Field(default_factory=dict)
    annotations: list[Annotation] = Field(default_factory=list)
    categories: list[Category] = Field(default_factory=list)
    sentences: list[Sentence] | None = None
    alt_texts: list[AltText] = Field(default_factory=list)
    relations: list[Annotated[Relation, BeforeValidator(_object_or_empty)]] | None = None
    """Between its annotations; None when nothing is said of them."""
    layout: list[LayoutMark] | None = None
    """Headings, lists, tables, emphasis: outer marks before those within them."""
    reviewed: bool | None = None
    """Everything there is to annotate is annotated; absent at import, it follows from whether labelling was brought."""
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    _notes: list[str] | None = PrivateAttr(default=None)

    @property
    def notes(self) -> list[str]:
        """What its reader has to say to the importer, in sentences; no part of the document itself."""
        return list(self._notes or ())

    def note(self, message: str) -> None:
        """Add to `notes`: words that were left out, damaged places that were mended."""
        self._notes = [*(self._notes or ()), message]


class ImportedDocument(Document):
    """A document as an import reads it; without an identifier one is made from the text."""
