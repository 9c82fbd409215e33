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
    "createdBy",
    "createdDate",
    "modifiedDate",
    "group",
    "reviewed",
    "version",
)


def parse_fields(given: str | Iterable[str] | None, known: Iterable[str] = DOCUMENT_FIELDS) -> frozenset[str]:
    """The fields to return.

    Args:
        given: comma lists, repeated or not. Without any plain name everything is wanted but what `!` excludes; unknown
            names are ignored. `a.b` asks for `a`.
        known: all fields there are. `identifier` is always among the answer.
    """
    parts = [given] if isinstance(given, str) else list(given or ())
    names = [name.strip() for part in parts for name in part.split(",") if name.strip()]
    everything = frozenset(known)
    included = {name.partition(".")[0] for name in names if not name.startswith("!")}
    excluded = {name[1:].strip() for name in names if name.startswith("!")}
    chosen = everything & included if included else everything
    return (chosen - excluded) | {IDENTIFIER}
