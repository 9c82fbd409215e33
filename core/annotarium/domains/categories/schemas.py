"""Request and response models of categories: supersets of the published ones."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, model_validator

from annotarium.content.labelling.propagation import PropagationCounts
from annotarium_schemas.authors import ImportedBy, ImportedDate
from annotarium_schemas.shape import Shape

Mode = Literal["manual", "automatic", "undefined"]
Status = Literal["OK", "KO"]


class CategoryCreate(Shape):
    """A new category: of the document, or of its sentence `[start, end)` if both are given (code points)."""

    document_identifier: str
    label_name: str
    status: Status | None = "OK"
    creation_mode: Mode = "manual"
    score: float | None = Field(default=None, ge=0, le=1)
    start: int | None = Field(default=None, ge=0)
    end: int | None = Field(default=None, gt=0)
    properties: dict[str, Any] | None = None

    @model_validator(mode="after")
    def _whole_or_none(self) -> CategoryCreate:
        if (self.start is None) != (self.end is None):
            raise ValueError("give both start and end, or neither")
        if self.start is not None and self.end is not None and self.start >= self.end:
            raise ValueError("end must be greater than start")
        return self


class CategoryPatch(Shape):
    """Changes of a category."""

    status: Status | None = None


class CategoryRead(Shape):
    """A category after a change; `version` is the value for `If-Match`."""

    identifier: str
    document_identifier: str
    label_name: str
    status: str | None = None
    creation_mode: str
    created_by: str
    created_date: str
    modified_date: str
    imported_by: ImportedBy = None
    imported_date: ImportedDate = None
    score: float | None = None
    start: int | None = None
    end: int | None = None
    version: int
    replaced: list[str] = Field(default_factory=list)
    """Identifiers of the categories that this one replaced: duplicates, and others of an exclusive set (T-017)."""


class CategoryChanged(CategoryRead):
    """`Ack` of the published API with the new state."""

    ok: bool = True


class CategoryId(Shape):
    """The deleted category (conflicts 41)."""

    identifier: str


class CategoryPropagation(Shape):
    """Where to assign a category: to equal or similar sentences of the document or the corpus, or to documents.

    Equal texts differ only in white space and, unless `caseSensitive`, in case; `similar` texts share at least
    `minShare` of their words (shared words divided by the words of both). `dryRun` only counts.
    """

    scope: Literal["document", "corpus"] = "document"
    dry_run: bool = False
    case_sensitive: bool = False
    similar: bool = False
    min_share: float = Field(default=0.8, ge=0.3, le=1)


class CategoryPropagated(PropagationCounts):
    """What was found and given: `occurrences` in `documents`; of `existing` somebody has decided already; `created` is
    what was given, or would be. `atLeast`: there are more than were counted. The corpus is done by `job`, which can be
    undone.
    """

    categories: list[CategoryRead] = Field(default_factory=list)
    job: dict[str, Any] | None = None
