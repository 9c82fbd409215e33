"""Request and response models of terms from the corpus (all extensions)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, StringConstraints

from annotarium_schemas.lexicons import TermId, TermRead
from annotarium_schemas.search import SearchTotal
from annotarium_schemas.shape import Shape

CandidateSource = Literal["annotations", "phrases"]
CandidateText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=255)]


class CandidateExample(Shape):
    """An occurrence: `start` and `end` are code points in `text`."""

    document_identifier: str
    document_title: str = ""
    text: str
    start: int
    end: int


class SimilarTerm(Shape):
    """A term of which the candidate may be another form."""

    lexicon: str
    identifier: str
    preferred_form: str


class CandidateRead(Shape):
    """A form that may be a new term or a synonym.

    `source`: `annotations` = labelled spans that link to no term; `phrases` = frequent sequences of words.
    """

    text: str
    count: int
    documents: int
    source: CandidateSource
    label_name: str | None = None
    example: CandidateExample | None = None
    examples: list[CandidateExample] = Field(default_factory=list)
    similar: list[SimilarTerm] = Field(default_factory=list)


class Candidates(Shape):
    """One page of candidates, the most frequent first.

    `job` is present while they are being computed; `computedAt` is absent before the first time.
    """

    candidates: list[CandidateRead]
    total: SearchTotal
    computed_at: str | None = None
    job: dict[str, Any] | None = None


class CandidateAcceptance(Shape):
    """How to accept a candidate: as a new term of a lexicon, or with `identifier` as another form of a term."""

    text: CandidateText
    lexicon: str
    identifier: TermId | None = None


class AcceptedCandidate(Shape):
    """The term with the new form. `before` is the term as it was, absent for a new term."""

    term: TermRead
    before: TermRead | None = None


class CandidateRefusal(Shape):
    """A candidate to refuse, so that it is not proposed again; with `refused` false it is proposed again."""

    text: CandidateText
    refused: bool = True
