"""Names that nothing else has: a name that was asked for, or one that is made."""

from __future__ import annotations

from collections.abc import Callable

from annotarium.errors import Conflict
from annotarium_schemas.messages import message


def name_taken(text: str, field: str) -> Conflict:
    """The error for a name that something else has; `text` says what."""
    fix = message("fix.otherName", "Choose another name")
    return Conflict(text, fix=fix, details=[{"field": field, "message": text}])


def first_free_name(stem: str, is_taken: Callable[[str], bool], *, separator: str = "_") -> str:
    """The stem, or the first of `stem_2`, `stem_3`, ... that is free."""
    name, number = stem, 2
    while is_taken(name):
        name, number = f"{stem}{separator}{number}", number + 1
    return name
