"""Documents and segments in API responses. Offsets are Unicode code points of the document, ranges are half-open."""

from __future__ import annotations

from typing import Any, Literal

from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.documents import LayoutMark, MetadataValue, Status, Term
from annotarium_schemas.shape import Shape

Mode = Literal["manual", "automatic", "undefined"]


class DocAnnotation(Shape):
    """A stored annotation; `version` is the value for `If-Match`."""

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
    """The ranges of a discontinuous annotation; [start, end) covers them all (ours)."""
    fragments_text: list[str] | None = None


class DocRelation(Shape):
    """A directed, named relation from one annotation of a document to another, by their identifiers (ours)."""

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
    """A stored category. With `start` and `end` it belongs to that segment, otherwise to the document."""

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
    """An alternative text of a document."""

    name: str
    text: str
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class DocumentRead(Shape):
    """A stored document; `outputFields` may leave out every field except `identifier`."""

    identifier: str
    title: str
    text: str
    metadata: dict[str, Any] | None = None
    annotations: list[DocAnnotation] | None = None
    categories: list[DocCategory] | None = None
    sentences: list[DocSentence] | None = None
    alt_texts: list[DocAltText] | None = None
    relations: list[DocRelation] | None = None
    """Relations between its annotations; absent when there are none (ours)."""
    layout: list[LayoutMark] | None = None
    """Returned when `outputFields` names it, and in exports (ours)."""
    comments: list[dict[str, Any]] | None = None
    """Threads of comments, returned when `outputFields` names them, and in exports; absent when there are none (ours).
    """
    html: str | None = None
    """Returned with `htmlVersion` (ours)."""
    has_layout: bool | None = None
    """Whether there is a layout besides the plain text (ours)."""
    reviewed: bool | None = None
    """Whether somebody annotated it to the end (ours)."""
    length: int | None = None
    """Length of the text in code points, returned when `outputFields` names it (ours)."""
    annotation_count: int | None = None
    """Number of annotations that the caller may read and that are not rejected, returned when `outputFields` names it
    (ours).
    """
    group: str | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int | None = None


class Segment(Shape):
    """A segment of a document; adding `shift` to its offsets gives offsets in the document."""

    identifier: str
    document_identifier: str
    document_title: str
    start: int
    end: int
    shift: int | None = None
    text: str
    html: str | None = None
    """Returned with `htmlVersion` (ours)."""
    metadata: dict[str, Any] | None = None
    annotations: list[DocAnnotation] | None = None
    categories: list[DocCategory] | None = None
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class SegmentContext(Shape):
    """Segments before or after a segment, in text order."""

    size: int
    segments: list[Segment] | None = None
    merged: Segment | None = None


class SegmentContexts(Shape):
    """The segments around a segment."""

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
    """A category of an annotated document or segment."""

    label_name: str
    label: str | None = None
    label_id: str | None = None
    score: float | None = None
    creation_mode: Mode | None = None
    properties: dict[str, Any] | None = None


class AnnotatedDocSentence(Shape):
    """A segment of an annotated document."""

    start: int
    end: int
    text: str | None = None
    categories: list[AnnotatedDocCategory] | None = None
    metadata: dict[str, Any] | None = None


class AnnotatedDocAltText(Shape):
    """An alternative text of an annotated document."""

    name: str
    text: str


class NamedVector(Shape):
    """A vector of the range [start, end), computed by a vectorizer."""

    name: str
    start: int
    end: int
    text: str
    score: float | None = None
    creation_mode: Mode | None = None
    terms: list[Term] | None = None
    properties: dict[str, Any] | None = None


class AnnotatedDocument(Shape):
    """Result of annotating a text; nothing of it is stored."""

    identifier: str | None = None
    title: str | None = None
    text: str
    metadata: dict[str, Any] | None = None
    annotations: list[AnnotatedDocAnnotation] | None = None
    categories: list[AnnotatedDocCategory] | None = None
    sentences: list[AnnotatedDocSentence] | None = None
    alt_texts: list[AnnotatedDocAltText] | None = None
    vectors: list[NamedVector] | None = None
