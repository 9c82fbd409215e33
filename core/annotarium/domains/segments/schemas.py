"""Shapes of vectorizations: the vectors of a project and the components that can make them."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.shape import Damaged, Shape

VectorState = Literal["empty", "building", "ready", "failed"]


class VectorizeRequest(Shape):
    """What to make vectors with; without a component, the one in use (at first the default one) is kept."""

    name: str = Field(default="", max_length=60, pattern=r"^[A-Za-z0-9_-]*$")
    vectorizer: str = ""
    parameters: dict[str, Any] | None = None


class ProbeFigures(Shape):
    """How questions of one kind were answered: nDCG@10 in percent by words, by vectors alone and by both together."""

    questions: int
    text: float
    vectors: float
    hybrid: float


class VectorProbe(Shape):
    """What was measured on the project's own texts when the vectors were made.

    `weight` (0 to 1) is what the rank by vectors counts in a hybrid search beside the rank by words. `titles`:
    documents looked for by their hidden title; `sentences`: by a hidden sentence. Neither where there are too few.
    """

    documents: int
    weight: float
    titles: ProbeFigures | None = None
    sentences: ProbeFigures | None = None


class VectorizationRead(Shape):
    """One set of vectors. `state`: `empty` has none yet, `building` makes its first ones, `ready` can be searched.

    `documents` have their vectors, of `total`; `failed` tells that the last job did and there are none to search in.
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
    """A component; `reason` says why it cannot be used when it is not `available`."""

    name: str
    title: str
    description: str
    languages: list[str]
    available: bool
    reason: str = ""


class Vectorizations(Shape):
    """The vectors of a project and what can make them."""

    vectorizations: list[VectorizationRead]
    vectorizers: list[VectorizerRead]
