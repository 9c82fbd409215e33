"""Answers to questions (ours; the published API has only the text of an answer and its context)."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from annotarium_schemas.shape import Shape

AnswerStatus = Literal["running", "done", "failed", "stopped"]


class AnswerRange(Shape):
    """A half-open range of code points of an answer."""

    start: int
    end: int


class AnswerCitation(Shape):
    """A quotation that supports a part of an answer.

    `passage` is the number of a passage, from 1; `start` and `end` are code points in its text; `answerStart` and
    `answerEnd` are code points in the text of the answer.
    """

    passage: int
    start: int
    end: int
    quote: str
    answer_start: int
    answer_end: int


class AnswerPassage(Shape):
    """A passage of the context. `start` and `end` are code points in its document."""

    number: int
    segment_id: str
    document_identifier: str
    document_title: str
    start: int
    end: int
    text: str
    score: float


class KnownAnswerRead(Shape):
    """A saved question that is the same as the one asked, with its known answers; `score` is above 0, up to 1."""

    identifier: str
    question: str
    answers: list[str]
    score: float


class AnswerUsage(Shape):
    """What an answer of a language model cost; `cost` is 0 where no prices are configured."""

    prompt_tokens: int = 0
    answer_tokens: int = 0
    cost: float = 0.0


class AnswerError(Shape):
    """Why there is no answer, or only a part of one."""

    code: str
    message: str
    cause: str | None = None
    fix: str | None = None
    said: dict[str, Any] | None = None


class AnswerDurations(Shape):
    """Milliseconds until the passages were found, until the first words of the answer, and in all."""

    search: float
    first: float | None = None
    total: float


class AnswerRead(Shape):
    """An answer with its citations and the passages that it was built from.

    Attributes:
        told: false when the passages do not answer the question.
        supported: false when no citation supports a part of the answer; `unsupported` lists these parts.
        text: empty when `told` is false; the part that has arrived when `status` is not `done`.
        score: confidence of the answerer, 0..1.
        known_answer: the saved question whose answer this is; `answerer` is empty then.
    """

    result_id: str = Field(alias="resultID")
    question: str
    status: AnswerStatus
    text: str
    told: bool
    supported: bool
    unsupported: list[AnswerRange]
    citations: list[AnswerCitation]
    passages: list[AnswerPassage]
    context: str
    answerer: str
    model: str
    score: float
    usage: AnswerUsage
    known_answer: KnownAnswerRead | None = None
    error: AnswerError | None = None
    milliseconds: AnswerDurations
