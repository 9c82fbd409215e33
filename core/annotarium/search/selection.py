"""The one parser of `selectedFacets` and of the suggestions' `filter` (contract conflicts 10 and 11)."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from annotarium.search.query.limits import printable

Selector = Literal["", "+", "-"]

_ENTRY = re.compile(r'(?:[^,"]|"[^"]*"?)+')
_NAMED = re.compile(r"([^():]*(?:\([^()]*\))?[^:]*):(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Selection:
    """A chosen facet value: `+` include, `-` exclude, empty = include (several empty ones of a facet: any of them)."""

    facet: str
    value: str
    selector: Selector = ""

    def __str__(self) -> str:
        value = f'"{self.value}"' if "," in self.value else self.value
        return f"{self.selector}{self.facet}:{value}"


def parse_selections(entries: Iterable[str] | str | None) -> list[Selection]:
    """The selections of repeated and comma-separated entries, in order, without repeats.

    An entry is `[+|-]name:value`; a name may hold brackets with anything inside, `label(a:b)`; a value may be quoted
    to hold commas. The value `0` of the published description and entries without a name or a colon are ignored.
    """
    found: dict[Selection, None] = {}
    for entry in [entries] if isinstance(entries, str) else entries or ():
        for part in _ENTRY.findall(printable(entry)):
            selection = _selection(part.strip())
            if selection:
                found[selection] = None
    return list(found)


def _selection(part: str) -> Selection | None:
    selector: Selector = ""
    if part[:1] in ("+", "-"):
        selector, part = ("+" if part[0] == "+" else "-"), part[1:]
    match = _NAMED.fullmatch(part)
    if not match or not match.group(1).strip():
        return None
    value = match.group(2).strip()
    if len(value) > 1 and value[0] == value[-1] == '"':
        value = value[1:-1]
    return Selection(match.group(1).strip(), value, selector) if value else None
