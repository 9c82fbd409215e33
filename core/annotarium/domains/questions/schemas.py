"""Request and response models of saved questions and judgements (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, StringConstraints, model_validator

from annotarium.content.questions import MAX_ANSWERS, MAX_GRADE
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Command, Shape

LONGEST_QUESTION, LONGEST_ANSWER = 2_000, 10_000
"""Code points. Longer questions could not be asked."""
MAX_PASSAGES = 200
"""Passages judged by one request."""

QuestionText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_QUESTION)]
_Answer = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_ANSWER)]


def _distinct(answers: list[str]) -> list[str]:
    return list(dict.fromkeys(answers))


Answers = Annotated[list[_Answer], Field(max_length=MAX_ANSWERS), AfterValidator(_distinct)]
QuestionIdentifier = Annotated[str, StringConstraints(min_length=1, max_length=255)]
Offset = Annotated[int, Field(ge=0, lt=2**31)]
Grade = Annotated[int, Field(ge=0, le=MAX_GRADE, description="0 = not relevant, 1 = relevant, 2 and 3 = more relevant")]


class QuestionCreate(Command):
    """A question to save, with its known answers."""

    text: QuestionText
    answers: Answers = Field(default_factory=list)
    identifier: QuestionIdentifier | None = None


class QuestionPatch(Command):
    """What to change of a question; absent fields stay as they are."""

    text: QuestionText | None = None
    answers: Answers | None = None


class QuestionRead(Shape):
    """A saved question. `judged` counts its judged passages, `relevant` those with a grade above 0.

    `unanswerable`: the documents are known not to answer it. `version` is the value for `If-Match`.
    """

    identifier: str
    text: str
    answers: list[str]
    unanswerable: bool = False
    judged: int = 0
    relevant: int = 0
    created_by: str
    created_date: str
    modified_date: str
    version: int


class Questions(Shape):
    """A page of saved questions; `total` counts all that were found."""

    questions: list[QuestionRead]
    total: int


class QuestionsDeleted(Shape):
    """How many questions a deletion concerns; `job` deletes them, and can be undone. Absent: there were none."""

    deleted: int
    job: dict[str, Any] | None = None


class PassageRef(Command):
    """A passage: a range of a document in code points."""

    document_identifier: str
    start: Offset
    end: Offset

    @model_validator(mode="after")
    def _is_not_empty(self) -> PassageRef:
        if self.start >= self.end:
            raise ValueError("start must be before end")
        return self


class JudgementPut(PassageRef):
    """The judgement of a passage."""

    grade: Grade


class JudgementRead(Shape):
    """A judged passage. `text` is the beginning of the passage; `modifiedBy` gave the grade it has now."""

    document_identifier: str
    document_title: str
    start: int
    end: int
    text: str
    grade: int
    created_by: str
    modified_by: str
    modified_date: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None


class QuestionFromAnswer(Command):
    """A question that was asked, what is known to answer it, and which passages do.

    Added to the saved question of the same text, if there is one.
    """

    question: QuestionText
    answers: Answers = Field(default_factory=list)
    passages: Annotated[list[JudgementPut], Field(max_length=MAX_PASSAGES)] = Field(default_factory=list)
