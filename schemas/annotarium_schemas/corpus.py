"""Documents and segments as the API answers with them. Offsets are Unicode code points of the document, half-open."""

from __future__ import annotations

from typing import Any, Literal

from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.documents import LayoutMark, MetadataValue, Status, Term
from annotarium_schemas.shape import Shape

Mode = Literal["manual", "automatic", "undefined"]


class DocAnnotation(Shape):
    """A stored annotation; `version` is what `If-Match` takes."""

    identifier: str | None = None
    label_name: str
    start: int
    end: int
    text: str
    status: Status | None = None
    creation_mode: Mode | None = None
    score: float | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int | None = None
    fragments: list[tuple[int, int]] | None = None
    """The pieces of a discontinuous annotation, whose hull is [start, end) (ours)."""
    fragments_text: list[str] | None = None


class DocRelation(Shape):
    """A directed, named link from one annotation of a document to another, by their identifiers (ours)."""

    identifier: str
    document_identifier: str
    name: str
    source: str
    target: str
    properties: dict[str, Any] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int | None = None


class DocCategory(Shape):
    """A stored category; with `start` and `end` it is on that sentence."""

    identifier: str
    label_name: str
    start: int | None = None
    end: int | None = None
    status: Status | None = None
    creation_mode: Mode | None = None
    score: float | None = None
    properties: dict[str, Any] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int | None = None


class DocSentence(Shape):
    """A segment of a document."""

    start: int
    end: int
    text: str | None = None
    categories: list[DocCategory] | None = None
    metadata: dict[str, MetadataValue] | None = None


class DocAltText(Shape):
    """A second text of a document."""

    name: str
    text: str
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class DocumentRead(Shape):
    """A stored document; `outputFields` may leave out everything but `identifier`."""

    identifier: str
    title: str
    text: str
    metadata: dict[str, Any] | None = None
    annotations: list[DocAnnotation] | None = None
    categories: list[DocCategory] | None = None
    sentences: list[DocSentence] | None = None
    alt_texts: list[DocAltText] | None = None
    relations: list[DocRelation] | None = None
    """Between its annotations; absent when there are none (ours)."""
    layout: list[LayoutMark] | None = None
    """Where `outputFields` names it, and in exports (ours)."""
    html: str | None = None
    """With `htmlVersion` (ours)."""
    has_layout: bool | None = None
    """There is more to show than plain text (ours)."""
    reviewed: bool | None = None
    group: str | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int | None = None


class Segment(Shape):
    """A piece of a document; `shift` is what its own offsets must be moved by to count in the document."""

    identifier: str
    document_identifier: str
    document_title: str
    start: int
    end: int
    shift: int | None = None
    text: str
    html: str | None = None
    """With `htmlVersion` (ours)."""
    metadata: dict[str, Any] | None = None
    annotations: list[DocAnnotation] | None = None
    categories: list[DocCategory] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class SegmentContext(Shape):
    """Segments on one side of a segment, in the order of the text."""

    size: int
    segments: list[Segment] | None = None
    merged: Segment | None = None


class SegmentContexts(Shape):
    """Segments around one."""

    before: SegmentContext
    after: SegmentContext


class AnnotatedDocAnnotation(Shape):
    """A span of an annotated document; `score` is a confidence 0..1."""

    label_name: str
    label: str | None = None
    label_id: str | None = None
    start: int
    end: int
    text: str
    score: float | None = None
    creation_mode: Mode | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None


class AnnotatedDocCategory(Shape):
    """A category of an annotated document or sentence."""

    label_name: str
    label: str | None = None
    label_id: str | None = None
    score: float | None = None
    creation_mode: Mode | None = None
    properties: dict[str, Any] | None = None


class AnnotatedDocSentence(Shape):
    """A sentence of an annotated document."""

    start: int
    end: int
    text: str | None = None
    categories: list[AnnotatedDocCategory] | None = None
    metadata: dict[str, Any] | None = None


class AnnotatedDocAltText(Shape):
    """A second text of an annotated document."""

    name: str
    text: str


class NamedVector(Shape):
    """A vector that a vectorizer made of the range [start, end)."""

    name: str
    start: int
    end: int
    text: str
    score: float | None = None
    creation_mode: Mode | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None


class AnnotatedDocument(Shape):
    """What an annotator made of a text; nothing of it is stored."""

    identifier: str | None = None
    title: str | None = None
    text: str
    metadata: dict[str, Any] | None = None
    annotations: list[AnnotatedDocAnnotation] | None = None
    categories: list[AnnotatedDocCategory] | None = None
    sentences: list[AnnotatedDocSentence] | None = None
    alt_texts: list[AnnotatedDocAltText] | None = None
    vectors: list[NamedVector] | None = None
