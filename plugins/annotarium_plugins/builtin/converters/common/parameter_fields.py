"""Parameters that several converters have, declared once: they look and read alike in every form."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from annotarium_plugins.parameters import advanced_number, hint


def size_limit_field(
    default: int, most: int, *, title: str = "Largest file", description: str = "Larger files are refused."
) -> Any:
    """The size in MB up to which a file, or an item of one, is read; `most` is the highest limit allowed."""
    return advanced_number(default, 1, most, title=title, description=description, unit="MB")


def encoding_field(
    description: str = ("Automatic: UTF-8, otherwise the usual encoding of the project language, otherwise a guess."),
) -> Any:
    """The encoding of the file, found automatically by default."""
    return Field("auto", title="Encoding", description=description)


def title_source_field(description: str) -> Any:
    """Where the title of a document comes from; by default the properties of the file."""
    return Field("property", title="Title", description=description)


def segments_field(description: str) -> Any:
    """Where segments come from; by default the project cuts them."""
    return Field("project", title="Segments", description=description)


def cell_separator_field(description: str = "The text between the cells of a table.") -> Any:
    """The text between the cells of a row; by default a tab."""
    return Field("\t", min_length=1, max_length=10, title="Cell separator", description=description)


def name_field(title: str, description: str) -> Any:
    """The name of a column or field of the file; by default empty."""
    return Field("", max_length=255, title=title, description=description)


def xpath_field(title: str, description: str) -> Any:
    """An XPath expression, drawn as code; by default empty."""
    return Field("", max_length=1000, title=title, description=description, json_schema_extra=hint(widget="code"))
