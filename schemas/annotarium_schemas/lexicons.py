"""Lexicons and terms as the API sends and takes them."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints, model_validator

from annotarium_schemas.documents import Term
from annotarium_schemas.search import Aggregation, Range, SearchTotal
from annotarium_schemas.shape import Damaged, Shape
from annotarium_schemas.values import Color, Words

MAX_IDENTIFIER = 512
MAX_FORM = 1_000
TermId = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_IDENTIFIER)]
Form = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=MAX_FORM)]


class LexiconRead(Shape):
    """A lexicon; `terms` (their number) only if metrics are requested."""

    name: str
    label: str
    color: str
    manual_edition_allowed: bool = True
    terms: int | None = None
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    version: int = 1
    terms_version: int = Field(0, description="Increases with every change of the terms (extension)")
    damaged: Damaged = None


class LexiconCreate(Shape):
    """A new lexicon: at least a label or a name (V-026)."""

    label: Words | None = None
    name: Words | None = None
    color: Color | None = None
    manual_edition_allowed: bool = True


class LexiconUpdate(Shape):
    """Changes of a lexicon; absent fields stay unchanged. Its name cannot be changed."""

    label: Words | None = None
    color: Color | None = None
    manual_edition_allowed: bool | None = None


class TermIdentifier(Shape):
    """Which term of a lexicon."""

    identifier: TermId


class TermWrite(Shape):
    """A term to create; `value` is accepted for `preferredForm` (conflicts 37). Without a form it is the identifier,
    without an identifier one is derived from the form.
    """

    identifier: TermId | None = None
    preferred_form: Form | None = None
    properties: dict[str, Any] = Field(default_factory=dict)

    @model_validator(mode="before")
    @classmethod
    def _value_is_the_form(cls, given: Any) -> Any:
        if isinstance(given, dict) and "value" in given and "preferredForm" not in given:
            return {**given, "preferredForm": given["value"]}
        return given


class TermUpdate(Shape):
    """Changes of a term (extension). `properties` replaces all of them; `set` and `unset` change single ones."""

    identifier: TermId
    new_identifier: TermId | None = None
    preferred_form: Form | None = None
    properties: dict[str, Any] | None = None
    set: dict[str, Any] = Field(default_factory=dict, description="Properties to set")
    unset: list[str] = Field(default_factory=list, max_length=1_000, description="Names of properties to remove")


class TermRead(Term):
    """A term with its marks; `value` is the preferred form."""

    value: str | None = None
    broader_count: int = 0
    narrower_count: int = 0
    created_at: str | None = None
    created_by: str | None = None
    modified_at: str | None = None
    modified_by: str | None = None
    version: int = 1


class TermNode(Shape):
    """A term in the tree of its lexicon."""

    identifier: str
    preferred_form: str
    narrower_count: int = 0
    broader_count: int = 0
    obsolete: bool = False


class TermNodes(Shape):
    """One page of the roots of a lexicon, or of the terms below one of them; `total` is the number of all."""

    terms: list[TermNode]
    total: int


class TermImporterSpec(Shape):
    """An importer of terms and its parameters. An empty format: the importer for the type of the file."""

    format: str = Field("", max_length=255)
    parameters: dict[str, Any] = Field(default_factory=dict)


class TermFile(Shape):
    """A reference to an uploaded file."""

    id: str = Field(min_length=1, max_length=64)
    filename: str | None = None
    content_type: str | None = None


class TermImport(Shape):
    """Uploaded files to import into a lexicon."""

    files: list[TermFile] = Field(min_length=1, max_length=100)
    importer: TermImporterSpec = Field(default_factory=TermImporterSpec)


class TermProblem(Shape):
    """Why a row of a file would not become a term, and what to do."""

    place: str
    message: str
    fix: str | None = None


class TermPreview(Shape):
    """The first rows of a file as an importer reads them (extension)."""

    format: str
    terms: list[Term]
    problems: list[TermProblem]
    columns: list[str] | None = None
    rows: list[list[str]] | None = None


class TermHighlights(Shape):
    """Matches in the preferred form, and in the further forms by their position in `altForms`."""

    preferred_form: list[Range]
    alt_forms: dict[str, list[Range]] = Field(default_factory=dict)


class TermHit(Shape):
    """A found term."""

    id: str = Field(alias="_id")
    score: float
    term: TermRead
    highlights: TermHighlights | None = None


class TermHits(Shape):
    """Found terms, with facets if requested (conflicts 16)."""

    hits: list[TermHit]
    total: SearchTotal
    max_score: float | None = Field(default=None, alias="max_score")
    size: int | None = None
    aggregations: list[Aggregation] | None = None
    result_id: str | None = Field(default=None, alias="resultID")
    search_type: str | None = None
