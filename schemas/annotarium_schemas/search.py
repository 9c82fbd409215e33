"""Shapes of searches: the query-string style, the JSON style, and the parts of their answers."""

from __future__ import annotations

from typing import Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium_schemas.corpus import DocumentRead, Segment
from annotarium_schemas.shape import Shape

SearchType = Literal["text", "vector", "hybrid"]
NativeFusion = Literal["yes", "no", "if_available"] | bool
"""Both published forms, in both styles (conflicts 9)."""


class SearchQuery(Shape):
    """A search in query parameters; unknown parameters are ignored (conflicts 43)."""

    model_config = ConfigDict(alias_generator=to_camel, populate_by_name=True, extra="ignore")

    query: str = ""
    from_: int = Field(default=0, alias="from", ge=0)
    size: int = Field(default=10, ge=0, le=10_000)
    highlight: bool = False
    facet: bool = False
    query_filter: str = ""
    output_fields: list[str] = Field(default_factory=list)
    simple_query: bool = False
    selected_facets: list[str] = Field(default_factory=list)
    invert_search: bool = False
    search_type: SearchType = "text"
    native_rrf: NativeFusion | None = Field(default=None, alias="nativeRRF")
    vectorizer: str = ""
    vector_query: str = ""
    return_hits: bool = True
    html_version: bool = False
    sort: str = ""
    """`createdDate`, `modifiedDate`, `activity`, `title` or `metadata.{name}`; `-` before it: the highest first;
    empty = the best first (ours)."""
    facet_names: list[str] = Field(default_factory=list)
    """Only these facets (ours)."""
    facet_find: str = Field(default="", max_length=200)
    """Only facet values that hold this text (ours)."""
    facet_size: int = Field(default=0, ge=0, le=1000)
    """Values of a facet; 0 = 50 (ours)."""
    histograms: list[str] = Field(default_factory=list)
    """Dates, and metadata of numbers or dates, whose distribution is wanted (ours)."""


class SegmentSearchQuery(SearchQuery):
    """A search of segments in query parameters.

    Questions are not answered yet: the three parameters that ask for an answer are refused when they do.
    """

    answer_question: bool = False
    answerer: str = ""
    async_answer: bool = False


class SearchFilter(Shape):
    """One filter of the JSON style."""

    field: str = "text"
    value: str = ""
    filter_selector: Literal["must", "must_not"] = "must"
    filter_type: Literal["query", "term"] = "query"


class FilteringParams(Shape):
    """What narrows a search."""

    filters: list[SearchFilter] = Field(default_factory=list)
    query_filter: str = ""
    selected_facets: list[str] = Field(default_factory=list)
    dataset_selector: str = ""


class VectorParams(Shape):
    """Options of vector and hybrid searches."""

    native_rrf: NativeFusion = Field(default="if_available", alias="nativeRRF")
    vectorizer: str = ""
    query: str = ""


class SearchParams(Shape):
    """What is searched."""

    query: str = ""
    type: SearchType = "text"
    advanced: bool = False
    from_: int = Field(default=0, alias="from", ge=0)
    size: int = Field(default=10, ge=0, le=10_000)
    invert: bool = False
    sort: str = ""
    filtering: FilteringParams = Field(default_factory=FilteringParams)
    vector: VectorParams = Field(default_factory=VectorParams)


class OutputParams(Shape):
    """What the answer holds."""

    facets: bool = False
    highlight: bool = False
    return_hits: bool = True
    fields: str | None = None
    facet_names: list[str] = Field(default_factory=list)
    facet_find: str = Field(default="", max_length=200)
    facet_size: int = Field(default=0, ge=0, le=1000)
    histograms: list[str] = Field(default_factory=list)


class QuestionAnsweringParams(Shape):
    """How a question is answered. Questions are not answered yet: whatever asks for an answer is refused."""

    enabled: bool = False
    answer_language: str = ""
    context: bool = False
    context_only: bool = False
    generator: str = ""
    html: bool = False
    language_detection: Literal["first_hit", "project", "interface", "browser", "specific"] = "project"
    query: str = ""


class SearchRequest(Shape):
    """A search in JSON."""

    output: OutputParams = Field(default_factory=OutputParams)
    search: SearchParams = Field(default_factory=SearchParams)
    question_answering: QuestionAnsweringParams | None = None


class SearchTotal(Shape):
    """How many items match; always exact."""

    value: int
    relation: Literal["eq", "gte"] = "eq"


class Bucket(Shape):
    """A value of a facet and how many items carry it; `from` and `to` are the bounds of a range."""

    key: str
    doc_count: int = Field(alias="doc_count")
    from_: float | None = Field(default=None, alias="from")
    to: float | None = None


class Aggregation(Shape):
    """A facet."""

    name: str
    buckets: list[Bucket]
    value_kind: Literal["number", "date"] | None = None
    """What all of the values are written as, or what the project says they are (ours)."""
    title: str | None = None
    """What the project calls it (ours)."""


class Range(Shape):
    """A half-open range of code points."""

    start: int
    end: int


class DocumentHighlights(Shape):
    """What matched, counted in the title and in the text."""

    title: list[Range]
    text: list[Range]


class Excerpt(Shape):
    """A piece of a text around the first match; highlights count from its own start, `length` is the text's."""

    start: int
    text: str
    highlights: list[Range]
    length: int


class DocumentHit(Shape):
    """A document found; what `outputFields` leaves out is absent."""

    id: str = Field(alias="_id")
    score: float
    document: DocumentRead
    highlights: DocumentHighlights | None = None
    excerpt: Excerpt | None = None


class _Hits(Shape):
    total: SearchTotal
    max_score: float | None = Field(default=None, alias="max_score")
    size: int | None = None
    """How many hits a page of this answer has room for (ours)."""
    aggregations: list[Aggregation] | None = None
    histograms: list[Aggregation] | None = None
    """Bars over the values found, from the smallest to the largest (ours)."""
    result_id: str | None = Field(default=None, alias="resultID")
    search_type: SearchType | None = None
    """How it was searched: a search by meaning becomes one of full text where there are no vectors."""


class DocumentHits(_Hits):
    """Documents found, with facets when asked for."""

    hits: list[DocumentHit]


class SegmentHighlights(Shape):
    """What matched, counted from the start of the segment."""

    text: list[Range]


class SegmentHit(Shape):
    """A segment found; the ranks are its places in the text and in the vector search, from 1."""

    id: str = Field(alias="_id")
    score: float
    segment: Segment
    text_rank: int | None = None
    vector_rank: int | None = None
    highlights: SegmentHighlights | None = None


class SegmentHits(_Hits):
    """Segments found, with facets when asked for; `answer` and `context` when a question was asked."""

    hits: list[SegmentHit]
    answer: str | None = None
    context: str | None = None
