"""Responses of models and components: suggestions, annotators, services. Offsets are code points."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium_schemas.corpus import Mode, SegmentContext
from annotarium_schemas.search import Aggregation, SearchTotal
from annotarium_schemas.shape import Shape


class SuggestedAnnotation(Shape):
    """A proposed span; `score` is a confidence 0..1."""

    label_name: str
    start: int
    end: int
    text: str
    score: float | None = None
    creation_mode: Mode | None = None
    created_by: str | None = None
    suggestion: bool = True
    selected: bool = True


class SuggestedCategory(Shape):
    """A proposed category of the whole segment."""

    identifier: str
    """Identifier of the proposal, not of a stored category."""
    label_name: str
    score: float | None = None
    creation_mode: Mode | None = None
    created_by: str | None = None
    suggestion: bool = True
    selected: bool = True


class Suggestion(Shape):
    """A segment of a document with proposals; the first eight hexadecimal digits of `_id` are seconds since 1970
    (C-026).
    """

    id: str = Field(alias="_id")
    identifier: str
    document_identifier: str
    document_title: str
    title: str
    start: int
    end: int
    text: str
    html: str | None = None
    """Returned with `htmlVersion` (ours)."""
    label_name: str
    annotations: list[SuggestedAnnotation]
    categories: list[SuggestedCategory]
    confidence: float
    priority: float
    suggester: str
    created_date: str
    before: SegmentContext
    after: SegmentContext


class SuggestionsList(Shape):
    """A page of open suggestions; `total` is exact."""

    suggestions: list[Suggestion]
    total: SearchTotal
    aggregations: list[Aggregation] | None = None


class Annotator(Shape):
    """An annotator: a model, a plan or a component."""

    name: str
    label: str
    engine: str
    is_default: bool = False
    favorite: bool = False


class ProjectAnnotators(Shape):
    """Annotators by type."""

    learner: list[Annotator]
    gazetteer: list[Annotator]
    suggester: list[Annotator]
    plan: list[Annotator]


class ProjectsAnnotators(Shape):
    """Annotators of one project."""

    project_name: str
    annotators: ProjectAnnotators


class HttpServiceMetadata(Shape):
    """The capabilities of a service; lists are comma-separated texts."""

    api: str
    compatibility: str
    version: str
    name: str | None = None
    title: str | None = None
    description: str | None = None
    engine: str | None = None
    functions: str | None = None
    languages: str | None = None
    natures: str | None = None
    extensions: str | None = None
    annotators: str | None = None
    processors: str | None = None
    converters: str | None = None
    formatters: str | None = None
    segmenters: str | None = None
    vectorizers: str | None = None
    language_guessers: str | None = None
    term_importers: str | None = None
    trigger: str | None = None
    keep_alive: bool | None = None
    operations: dict[str, Any] | None = None
    service: dict[str, Any] | None = None
    state: str | None = None
    """`disabled`, `unavailable`, or `optional` (needs a package that is not installed); absent if it can be used."""
    reason: str | None = None


class HttpServiceRecord(Shape):
    """A registered service."""

    name: str
    host: str
    port: int
    ssl: bool | None = None
    metadata: HttpServiceMetadata


class QualityFigures(Shape):
    """Quality of one class or of all classes, 0..1; `support` is the number of examples."""

    precision: float | None = None
    recall: float | None = None
    f1: float | None = None
    ap: float | None = None
    ndcg: float | None = None
    rr: float | None = None
    roc_auc: float | None = Field(default=None, alias="roc_auc")
    support: int


class EngineConfig(Shape):
    """The engine that trained a model."""

    name: str
    type: str


class Report(Shape):
    """Quality report of a model: averages and classes."""

    micro_avg: QualityFigures
    macro_avg: QualityFigures | None = None
    weighted_avg: QualityFigures | None = None
    samples_avg: QualityFigures | None = None
    classes: dict[str, QualityFigures]
    config: EngineConfig | None = None
