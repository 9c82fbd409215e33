"""Metadata facets of a project: its list of metadata names, each with an optional title and type."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.db.models import Project
from annotarium.errors import InvalidInput

TYPES = ("text", "number", "date")
MAX_METAFACETS, MAX_WORDS = 200, 255


@dataclass(frozen=True, slots=True)
class MetadataFacet:
    """A metadata field used as a facet. Without `title` the name is shown; without `type` the values determine it."""

    name: str
    title: str = ""
    type: str = ""


def project_metadata_facets(project: Project) -> list[MetadataFacet]:
    """Return the list of a project in its order. Malformed entries, which archives may contain, are skipped."""
    found = [_read_metadata_facet(entry) for entry in project.metafacets or ()]
    return [one for one in found if one is not None]


def project_metadata_facets_by_name(project: Project) -> dict[str, MetadataFacet]:
    """Return the list of a project by name."""
    return {one.name: one for one in project_metadata_facets(project)}


def _read_metadata_facet(entry: object) -> MetadataFacet | None:
    if isinstance(entry, str):
        return MetadataFacet(entry) if entry else None
    if not isinstance(entry, dict) or not isinstance(entry.get("name"), str) or not entry["name"]:
        return None
    title, kind = entry.get("title"), entry.get("type")
    return MetadataFacet(
        entry["name"], title if isinstance(title, str) else "", kind if isinstance(kind, str) and kind in TYPES else ""
    )


def validate_metadata_facets(given: Sequence[Any]) -> list[Any]:
    """Return a list as it is stored: names, or objects of `name`, `title` and `type` where one of the latter is set.

    Raises:
        InvalidInput: an entry is malformed, a name occurs twice, or the list is too long.
    """
    if len(given) > MAX_METAFACETS:
        raise _invalid_metadata_facets_error(f"A project has at most {MAX_METAFACETS} facets of metadata")
    kept: list[Any] = []
    names: set[str] = set()
    for entry in given:
        one = _validate_metadata_facet(entry)
        if one.name in names:
            raise _invalid_metadata_facets_error(f"{one.name} is there twice")
        names.add(one.name)
        more = {key: value for key, value in (("title", one.title), ("type", one.type)) if value}
        kept.append({"name": one.name} | more if more else one.name)
    return kept


def _validate_metadata_facet(entry: object) -> MetadataFacet:
    parts = {"name": entry} if isinstance(entry, str) else entry
    if not isinstance(parts, dict) or not parts.keys() <= {"name", "title", "type"}:
        raise _invalid_metadata_facets_error("A facet is the name of a metadata, or an object of name, title and type")
    words = {
        key: value.strip() if isinstance(value, str) else value for key, value in parts.items() if value is not None
    }
    if not words.get("name") or not all(isinstance(one, str) and len(one) <= MAX_WORDS for one in words.values()):
        raise _invalid_metadata_facets_error(f"Name and title of a facet are words of at most {MAX_WORDS} characters")
    if words.get("type", "") not in ("", *TYPES):
        raise _invalid_metadata_facets_error(
            f"The type of {words['name']} is not {', '.join(TYPES[:-1])} or {TYPES[-1]}"
        )
    return MetadataFacet(**words)


def _invalid_metadata_facets_error(message: str) -> InvalidInput:
    return InvalidInput(message, details=[{"field": "metafacets", "message": message}])
