"""Schemas of vectorizations: the vectors of a project and the available vectorizers."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.shape import Damaged, Shape

VectorState = Literal["empty", "building", "ready", "failed"]


class VectorizeRequest(Shape):
    """How to compute vectors. Without a vectorizer, the current one is kept (at first the default one)."""

    name: str = Field(default="", max_length=60, pattern=r"^[A-Za-z0-9_-]*$")
    vectorizer: str = ""
    parameters: dict[str, Any] | None = None


class ProbeFigures(Shape):
    """Result for one kind of question: nDCG@10 in percent of text search, of vectors alone and of both combined."""

    questions: int
    text: float
    vectors: float
    hybrid: float


class VectorProbe(Shape):
    """Quality of vectors, measured on the project's own texts when they were computed.

    `weight` (0 to 1): weight of the vector rank in a hybrid search, relative to the text rank. `titles`: documents
    searched by their hidden title; `sentences`: by a hidden sentence. Both are absent if there were too few questions.
    """

    documents: int
    weight: float
    titles: ProbeFigures | None = None
    sentences: ProbeFigures | None = None


class VectorizationRead(Shape):
    """A set of vectors. `state`: `empty` = no vectors yet, `building` = the first ones are being computed, `ready` =
    searchable, `failed` = the last job failed and there are no vectors to search.

    `documents` of `total` documents have vectors.
    """

    name: str
    vectorizer: str
    title: str
    parameters: dict[str, Any]
    state: VectorState
    documents: int
    total: int
    dimension: int
    timestamp: int
    probe: VectorProbe | None = None
    job_id: str | None = None
    damaged: Damaged = None


class VectorizerRead(Shape):
    """A vectorizer; if it is not `available`, `reason` says why."""

    name: str
    title: str
    description: str
    languages: list[str]
    available: bool
    reason: str = ""


class Vectorizations(Shape):
    """The vectors of a project and the available vectorizers."""

    vectorizations: list[VectorizationRead]
    vectorizers: list[VectorizerRead]
