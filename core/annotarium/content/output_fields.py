"""The one parser of `outputFields`: `annotations,categories` names what is wanted, `!text,!metadata` what is not."""

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
ON_REQUEST_FIELDS = ("layout", "html")
"""Only where they are named: what the text looked like is as long as the text."""
EXPORTED_FIELDS = (*DOCUMENT_FIELDS, "layout")

_NAMED_ONLY = frozenset({"relations"})
"""What a list of hits holds only when it is named."""


def parse_fields(given: str | Iterable[str] | None, known: Iterable[str] = DOCUMENT_FIELDS) -> frozenset[str]:
    """The fields to return.

    Args:
        given: comma lists, repeated or not. Without any plain name everything is wanted but what `!` excludes; unknown
            names are ignored. `a.b` asks for `a`.
        known: all fields that are meant without names. `identifier` is always among the answer.
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
    """The fields, and the HTML version when it is wanted."""
    return fields | {"html"} if wanted else fields


def parse_hit_fields(given: Iterable[str]) -> frozenset[str]:
    """`parse_fields` for documents that a search found: lists stay lean, relations are there only when named."""
    names = [name.strip() for part in given for name in part.split(",")]
    return parse_fields(names) - (_NAMED_ONLY - {name.partition(".")[0] for name in names})
