"""Schemas of saved searches (not part of the published API)."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import StringConstraints

from annotarium_schemas.search import SearchParams
from annotarium_schemas.shape import Command, Damaged, Shape

SearchKind = Literal["documents", "segments"]
SearchLabel = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=120)]


class SavedSearchRead(Shape):
    """A saved search. `search`: its parameters, as in JSON requests; `mine`: the caller saved it.

    `isDefault`: it is the owner's default search; if shared, it is the default of all users without one of their own.
    """

    name: str
    label: str
    kind: SearchKind
    search: dict[str, Any]
    shared: bool
    is_default: bool
    mine: bool
    editable: bool
    created_by: str
    modified_date: str
    damaged: Damaged = None


class SavedSearchCreate(Command):
    """A search to save."""

    label: SearchLabel
    kind: SearchKind = "segments"
    search: SearchParams
    shared: bool = False
    is_default: bool = False


class SavedSearchPatch(Command):
    """Changes of a saved search; absent fields stay unchanged."""

    label: SearchLabel | None = None
    search: SearchParams | None = None
    shared: bool | None = None
    is_default: bool | None = None
