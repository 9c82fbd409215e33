"""Request and response models of comments (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, StringConstraints, model_validator

from annotarium.importing.comments import LONGEST_COMMENT
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Shape

Target = Literal["document", "span", "annotation", "suggestion"]
CommentText = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=LONGEST_COMMENT)]
Offset = Annotated[int, Field(ge=0)]


class CommentCreate(Shape):
    """A new comment: a reply in `thread`, or the first one on a target.

    `annotation` names the annotation of the target `annotation`; the targets `span` and `suggestion` have `start` and
    `end`, code points of the document's text. `@name` in the text mentions a user.
    """

    document_identifier: str
    text: CommentText
    thread: str | None = None
    target: Target = "document"
    annotation: str | None = None
    start: Offset | None = None
    end: Offset | None = None

    @model_validator(mode="after")
    def _names_its_target(self) -> CommentCreate:
        if self.thread is not None:
            return self
        if (self.target == "annotation") != (self.annotation is not None):
            raise ValueError("annotation is required for the target annotation, and only there")
        ranged = self.start is not None and self.end is not None and self.start < self.end
        if self.target in ("span", "suggestion") and not ranged:
            raise ValueError("start and end are required for this target, start before end")
        return self


class CommentPatch(Shape):
    """The new text of a comment."""

    text: CommentText


class Resolution(Shape):
    """Whether a thread is resolved."""

    resolved: bool = True


class CommentRead(Shape):
    """A comment. `version` is the value for `If-Match`; `mine`: the caller wrote it."""

    identifier: str
    text: str
    mentions: list[str] = Field(default_factory=list)
    created_by: str
    created_date: str
    modified_date: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    version: int
    mine: bool


class CommentThreadRead(Shape):
    """A thread with its latest comments, oldest first. `text` is the commented part of the document.

    `commentCount` counts all its comments; earlier ones are read by `before`.
    """

    identifier: str
    document_identifier: str
    target: Target
    annotation: str | None = None
    start: int | None = None
    end: int | None = None
    text: str | None = None
    resolved: bool = False
    resolved_by: str | None = None
    resolved_date: str | None = None
    comment_count: int
    comments: list[CommentRead]


class MentionablePerson(Shape):
    """Somebody who may be mentioned: the caller sees the account, and the account sees the project."""

    username: str
    profilename: str


class MentionablePeople(Shape):
    """People whose name matches, the first ones by name."""

    people: list[MentionablePerson]


class CommentThreads(Shape):
    """The threads of a document, oldest first."""

    threads: list[CommentThreadRead]
