"""Parser of `outputFields`: `annotations,categories` names what is requested, `!text,!metadata` what is excluded."""

from __future__ import annotations

from collections.abc import Iterable

IDENTIFIER = "identifier"
DOCUMENT_FIELDS = (
    IDENTIFIER,
    "title",
    "text",
    "metadata",
    "annotations",
    "categories",
    "sentences",
    "altTexts",
    "relations",
    "createdBy",
    "createdDate",
    "modifiedDate",
    "group",
    "reviewed",
    "version",
)
ON_REQUEST_FIELDS = ("layout", "html", "length", "annotationCount", "comments")
"""Fields that are returned only when they are named: a layout is as large as the text, counts are for lists."""
EXPORTED_FIELDS = (*DOCUMENT_FIELDS, "layout", "comments")

_NAMED_ONLY = frozenset({"relations"})
"""Fields that a list of hits contains only when they are named."""


def parse_fields(given: str | Iterable[str] | None, known: Iterable[str] = DOCUMENT_FIELDS) -> frozenset[str]:
    """Return the fields to return.

    Args:
        given: comma-separated lists, repeated or not. Without any plain name all fields are returned except those
            excluded with `!`. Unknown names are ignored. `a.b` requests `a`.
        known: all fields that are returned when none is named. `identifier` is always returned.
    """
    parts = [given] if isinstance(given, str) else list(given or ())
    names = [name.strip() for part in parts for name in part.split(",") if name.strip()]
    everything = frozenset(known)
    nameable = everything | frozenset(ON_REQUEST_FIELDS)
    included = {name.partition(".")[0] for name in names if not name.startswith("!")}
    excluded = {name[1:].strip() for name in names if name.startswith("!")}
    chosen = nameable & included if included else everything
    return (chosen - excluded) | {IDENTIFIER}


def add_html_field(fields: frozenset[str], wanted: bool) -> frozenset[str]:
    """Return the fields, with the HTML version when `wanted`."""
    return fields | {"html"} if wanted else fields


def parse_hit_fields(given: Iterable[str]) -> frozenset[str]:
    """Like `parse_fields` for the hits of a search, which contain relations only when they are named."""
    names = [name.strip() for part in given for name in part.split(",")]
    return parse_fields(names) - (_NAMED_ONLY - {name.partition(".")[0] for name in names})
