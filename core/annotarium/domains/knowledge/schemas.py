"""Schemas of the knowledge base."""

from __future__ import annotations

from typing import Annotated

from pydantic import Base64Bytes, ConfigDict, Field

from annotarium_schemas.shape import Command, Shape

NonEmptyText = Annotated[str, Field(min_length=1, max_length=10_000)]
ByLanguage = dict[Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")], NonEmptyText]
IMAGE_LIMIT = 256 * 1024
"""Maximum size in bytes of a concept's picture, which is shown small on a card."""


class StatementLine(Command):
    """A statement: `value` is a text, a text by language, a number, or the identifier of another concept."""

    property: ByLanguage
    value: NonEmptyText | int | float | bool | ByLanguage


class ConceptLine(Command):
    """One line of a file that `annotarium knowledge load` reads."""

    model_config = ConfigDict(str_strip_whitespace=True)

    id: str = Field(min_length=1, max_length=64, pattern=r"^[^\s/?#]+$")
    page: str | None = Field(default=None, min_length=1, max_length=64, pattern=r"^[^\s/?#]+$")
    terms: ByLanguage = Field(min_length=1)
    definitions: dict[str, list[NonEmptyText]] = Field(default_factory=dict)
    statements: list[StatementLine] = Field(default_factory=list, max_length=1000)
    image: Base64Bytes | None = None


class Definition(Shape):
    """A definition of a concept."""

    definition: str


class Statement(Shape):
    """A statement about a concept; the value may be the identifier of another concept."""

    property_name: str
    value: str | int | float | bool
    is_wikidata_id: bool = False


class NameInLanguage(Shape):
    """The term of a concept in one language."""

    lang: str
    term: str


class ConceptRead(Shape):
    """A concept in one language, with fallbacks; `image` is the path of its picture below `/api`."""

    identifier: str
    preferred_term: str
    definitions: list[Definition]
    statements: list[Statement]
    multilingual: list[NameInLanguage]
    image: str | None = None
