"""Request and response models of answers (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Shape

LONGEST_QUESTION, LONGEST_ANSWER, LONGEST_COMMENT, MOST_PASSAGES = 2_000, 20_000, 2_000, 100

Verdict = Literal["right", "wrong", "missing"]
"""`missing`: right as far as it goes."""
FeedbackQuestion = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION)]
FeedbackAnswer = Annotated[str, StringConstraints(max_length=LONGEST_ANSWER)]
FeedbackComment = Annotated[str, StringConstraints(strip_whitespace=True, max_length=LONGEST_COMMENT)]
Offset = Annotated[int, Field(ge=0, lt=2**31)]


class FeedbackPassage(Shape):
    """A passage of the answer; `start` and `end` are code points of the document."""

    document_identifier: str = Field(min_length=1, max_length=255)
    start: Offset
    end: Offset
    cited: bool = False

    @model_validator(mode="after")
    def _is_a_range(self) -> FeedbackPassage:
        if self.start >= self.end:
            raise ValueError("start must be before end")
        return self


class FeedbackDetails(Shape):
    """What the answer was built from."""

    passages: list[FeedbackPassage] = Field(default_factory=list, max_length=MOST_PASSAGES)


class FeedbackCreate(Shape):
    """A verdict on an answer; `answer` is empty where the documents did not tell."""

    question: FeedbackQuestion
    answer: FeedbackAnswer = ""
    verdict: Verdict
    answerer: str = Field(default="", max_length=255)
    comment: FeedbackComment = ""
    passages: list[FeedbackPassage] = Field(default_factory=list, max_length=MOST_PASSAGES)


class FeedbackPatch(Shape):
    """A change of one's own verdict. `questionIdentifier` names the saved question that was made from it."""

    verdict: Verdict | None = None
    comment: FeedbackComment | None = None
    question_identifier: str | None = Field(default=None, max_length=255)


class FeedbackRead(Shape):
    """A verdict. `hidden`: the caller may not read all of its passages, so neither answer nor passages are told."""

    id: str
    question: str
    answer: str
    verdict: Verdict
    answerer: str
    comment: str
    passages: list[FeedbackPassage]
    hidden: bool = False
    question_identifier: str | None = None
    created_by: str
    created_date: str
    modified_date: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int
    mine: bool


class FeedbackList(Shape):
    """Verdicts, newest first."""

    feedback: list[FeedbackRead]
    total: int
