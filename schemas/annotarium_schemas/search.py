"""Search requests in query parameters and in JSON, and the parts of their responses."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

from annotarium_schemas.corpus import DocumentRead, Segment
from annotarium_schemas.question_answers import AnswerRead
from annotarium_schemas.shape import Command, Shape

SearchType = Literal["text", "vector", "hybrid"]
NativeFusion = Literal["yes", "no", "if_available"] | bool
"""The forms that the two published request styles use; both are accepted in both (conflicts 9)."""


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
    """`createdDate`, `modifiedDate`, `activity`, `title` or `metadata.{name}`; `-` in front sorts in descending order;
    empty = by relevance (ours).
    """
    facet_names: list[str] = Field(default_factory=list)
    """Names of the facets to return (ours)."""
    facet_find: str = Field(default="", max_length=200)
    """Only facet values that contain this text (ours)."""
    facet_size: int = Field(default=0, ge=0, le=1000)
    """Maximum number of values per facet; 0 = 50 (ours)."""
    histograms: list[str] = Field(default_factory=list)
    """Dates, and numeric or date metadata, whose distribution is requested (ours)."""


class SegmentSearchQuery(SearchQuery):
    """A search of segments in query parameters.

    With `answerQuestion`, `query` is a question: the response has its answer, and the segments that were searched for
    it. `answerer` names a component of the kind questionAnswerer or a plan of the type question-answerer; empty = the
    project's. With `asyncAnswer`, the response does not wait for the answer: it follows in live events `answer`.
    """

    answer_question: bool = False
    answerer: str = ""
    async_answer: bool = False
    reranker: str = Field(default="", max_length=200)
    """Component that reorders the first 50 segments found; empty = none (ours)."""


class SearchFilter(Shape):
    """One filter of the JSON request."""

    field: str = "text"
    value: str = ""
    filter_selector: Literal["must", "must_not"] = "must"
    filter_type: Literal["query", "term"] = "query"


class FilteringParams(Shape):
    """Filters of a search."""

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
    """What is searched for."""

    query: str = ""
    type: SearchType = "text"
    advanced: bool = False
    from_: int = Field(default=0, alias="from", ge=0)
    size: int = Field(default=10, ge=0, le=10_000)
    invert: bool = False
    sort: str = ""
    reranker: str = Field(default="", max_length=200)
    """Component that reorders the first 50 segments found; empty = none (ours)."""
    filtering: FilteringParams = Field(default_factory=FilteringParams)
    vector: VectorParams = Field(default_factory=VectorParams)


class SearchDefaults(Command):
    """How a project searches segments when a request names neither a type nor vectors nor a reranker (ours).

    `vectorWeight`: of vectors in hybrid searches; null = the measured one. `experiment` and `configuration` state where
    it comes from, for display.
    """

    search_type: SearchType = "text"
    vectorizer: str = Field(default="", max_length=255)
    vector_weight: float | None = Field(default=None, ge=0, le=10)
    reranker: str = Field(default="", max_length=200)
    reranker_parameters: dict[str, Any] = Field(default_factory=dict)
    experiment: str = Field(default="", max_length=255)
    configuration: str = Field(default="", max_length=1_000)


class OutputParams(Shape):
    """What the response contains."""

    facets: bool = False
    highlight: bool = False
    return_hits: bool = True
    fields: str | None = None
    facet_names: list[str] = Field(default_factory=list)
    facet_find: str = Field(default="", max_length=200)
    facet_size: int = Field(default=0, ge=0, le=1000)
    histograms: list[str] = Field(default_factory=list)


class QuestionTurn(Shape):
    """A question asked before in the same conversation, and its answer."""

    question: str = Field(max_length=2_000)
    answer: str = Field(default="", max_length=20_000)


class QuestionAnsweringParams(Shape):
    """How a question is answered; only segment searches answer.

    `enabled` requests an answer to `query`, else to the query of the search, by `generator` (see `answerer`);
    `contextOnly` requests only its context. `answerLanguage` is a language code; empty = that of the project.
    """

    enabled: bool = False
    answer_language: str = ""
    context: bool = False
    context_only: bool = False
    generator: str = ""
    html: bool = False
    language_detection: Literal["first_hit", "project", "interface", "browser", "specific"] = "project"
    query: str = ""
    history: list[QuestionTurn] = Field(default_factory=list, max_length=20)
    """The conversation so far, oldest first: `query` may refer to it (ours)."""


class SearchRequest(Shape):
    """A search in JSON."""

    output: OutputParams = Field(default_factory=OutputParams)
    search: SearchParams = Field(default_factory=SearchParams)
    question_answering: QuestionAnsweringParams | None = None


class SearchTotal(Shape):
    """Number of matching items; always exact."""

    value: int
    relation: Literal["eq", "gte"] = "eq"


class Bucket(Shape):
    """A value of a facet and the number of items with it; `from` and `to` are the bounds of a range."""

    key: str
    doc_count: int = Field(alias="doc_count")
    from_: float | None = Field(default=None, alias="from")
    to: float | None = None


class Aggregation(Shape):
    """A facet with its values."""

    name: str
    buckets: list[Bucket]
    value_kind: Literal["number", "date"] | None = None
    """Type that all values have, or that the project declares (ours)."""
    title: str | None = None
    """Title of the metadata in the project (ours)."""


class Range(Shape):
    """A half-open range of code points."""

    start: int
    end: int


class DocumentHighlights(Shape):
    """Matches in the title and in the text."""

    title: list[Range]
    text: list[Range]


class Excerpt(Shape):
    """The part of a text around the first match. Highlights are relative to its start; `length` is that of the whole
    text.
    """

    start: int
    text: str
    highlights: list[Range]
    length: int


class DocumentHit(Shape):
    """A document in a search result; fields that `outputFields` excludes are absent."""

    id: str = Field(alias="_id")
    score: float
    document: DocumentRead
    highlights: DocumentHighlights | None = None
    excerpt: Excerpt | None = None


class _Hits(Shape):
    total: SearchTotal
    max_score: float | None = Field(default=None, alias="max_score")
    size: int | None = None
    """Maximum number of hits per page of this response (ours)."""
    aggregations: list[Aggregation] | None = None
    histograms: list[Aggregation] | None = None
    """Histograms of the values found, from the smallest to the largest (ours)."""
    result_id: str | None = Field(default=None, alias="resultID")
    search_type: SearchType | None = None
    """The search type that was used: a vector search becomes a full-text search where there are no vectors."""


class DocumentHits(_Hits):
    """Found documents, with facets if requested."""

    hits: list[DocumentHit]


class SegmentHighlights(Shape):
    """Matches, relative to the start of the segment."""

    text: list[Range]


class SegmentHit(Shape):
    """A segment in a search result; the ranks are its positions in the full-text and in the vector search, from 1."""

    id: str = Field(alias="_id")
    score: float
    segment: Segment
    text_rank: int | None = None
    vector_rank: int | None = None
    highlights: SegmentHighlights | None = None


class SegmentHits(_Hits):
    """Found segments, with facets if requested; `answer` and `context` if a question was asked."""

    hits: list[SegmentHit]
    answer: str | None = None
    context: str | None = None
    answer_details: AnswerRead | None = None
    """The answer with citations, passages and errors (ours)."""
