"""Schemas of metrics, as published."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium_schemas.shape import Shape


class ValueCount(Shape):
    """How often a label or a text occurs."""

    id: str = Field(alias="_id")
    count: int


class MetadataCount(Shape):
    """Number of documents and segments with a metadata value."""

    id: str = Field(alias="_id")
    document_count: int
    segment_count: int


class LengthCount(Shape):
    """Number of texts with a length in code points in [`from`, `to`); the last bucket may have no `to`."""

    from_: int = Field(alias="from")
    to: int | None = None
    count: int


class DayCount(Shape):
    """Number of documents added on the UTC day that begins at `date` (ms since the epoch)."""

    date: int
    count: int


class Coverage(Shape):
    """Number of documents with a value of a metadata field."""

    id: str = Field(alias="_id")
    document_count: int


class LabellingCount(Shape):
    """Numbers of confirmed, rejected and unreviewed annotations or categories of a label or a creator."""

    id: str = Field(alias="_id")
    confirmed: int = 0
    rejected: int = 0
    unreviewed: int = 0


class Overlaps(Shape):
    """`counts[i][j]` items carry both labels i and j, `counts[i][i]` items label i; the most frequent labels first.

    Items are segments for annotations and documents for categories. Rejected labelling does not count.
    """

    labels: list[str] = Field(default_factory=list)
    counts: list[list[int]] = Field(default_factory=list)


class CorpusDetails(Shape):
    """Details only the web app requests. Days are in ascending, metadata in alphabetical order."""

    document_lengths: list[LengthCount] = Field(default_factory=list)
    segment_lengths: list[LengthCount] | None = None
    growth: list[DayCount] = Field(default_factory=list)
    metadata: list[Coverage] = Field(default_factory=list)


class LabellingDetails(Shape):
    """Details only the web app requests. `splits` counts the documents of the dataset in `train` and `test`."""

    labels: list[LabellingCount] = Field(default_factory=list)
    creators: list[LabellingCount] = Field(default_factory=list)
    statuses: list[ValueCount] = Field(default_factory=list)
    modes: list[ValueCount] = Field(default_factory=list)
    splits: list[ValueCount] = Field(default_factory=list)
    overlaps: Overlaps
    document_count: int
    segment_count: int


class DocumentFacets(Shape):
    """Counts by the values of one metadata field."""

    metadata: str
    facets: list[MetadataCount] = Field(default_factory=list)


class AnnotationFacets(Shape):
    """Counts by label name and by annotated text, most first."""

    labels: list[ValueCount] = Field(default_factory=list)
    texts: list[ValueCount] = Field(default_factory=list)


class CategoriesFacets(Shape):
    """Counts by label name, most first."""

    labels: list[ValueCount] = Field(default_factory=list)


class CorpusMetrics(Shape):
    """Size of the corpus; `corpusSize` in code points of text, 0 if not requested.

    `questionCount` of the documents are saved questions; absent if none is (ours).
    """

    corpus_size: int
    document_count: int
    question_count: int | None = None
    segment_count: int
    document_facets: DocumentFacets
    details: CorpusDetails | None = None


class AnnotationMetrics(Shape):
    """Confirmed annotations and open suggestions; `documentFacets` counts documents and segments of the dataset."""

    annotation_count: int
    suggestion_count: int
    documents_in_dataset: int
    segments_in_dataset: int
    annotation_facets: AnnotationFacets
    suggestion_facets: AnnotationFacets
    document_facets: DocumentFacets
    details: LabellingDetails | None = None


class TermCount(Shape):
    """A term and the number of documents and segments with annotations that link to it."""

    lexicon: str
    identifier: str
    preferred_form: str
    document_count: int
    segment_count: int


class TermMetrics(Shape):
    """The most frequent terms of the corpus (extension). `documents` and `segments` count those with any term."""

    documents: int = 0
    segments: int = 0
    terms: list[TermCount] = Field(default_factory=list)


class CategoryMetrics(Shape):
    """Confirmed categories; `documentFacets` counts documents and segments of the dataset."""

    categories_count: int
    documents_in_dataset: int
    categories_facets: CategoriesFacets
    document_facets: DocumentFacets
    details: LabellingDetails | None = None


class EngineConfig(Shape):
    """The engine that trained a model."""

    name: str
    type: str


class ModelMetrics(Shape):
    """One training. `timestamp` and `timestamp_end` are its start and end in ms, `quality` is in percent."""

    name: str
    label: str
    engine: str
    config: EngineConfig
    lang: str
    classes: list[str]
    options: dict[str, Any]
    quality: float
    report: dict[str, Any]
    status: str
    timestamp: int
    timestamp_end: int = Field(alias="timestamp_end")


class ModelsMetrics(Shape):
    """The last ten trainings, oldest first (C-034; the web app shows them reversed)."""

    best: ModelMetrics | None = None
    last: ModelMetrics | None = None
    history: list[ModelMetrics] = Field(default_factory=list)
