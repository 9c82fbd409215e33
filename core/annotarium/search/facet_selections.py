"""Parser of `selectedFacets` and of the `filter` of suggestions (contract conflicts 10 and 11)."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Literal

from annotarium.errors import InvalidInput
from annotarium.search.query.limits import replace_lone_surrogates
from annotarium_schemas.messages import message

Selector = Literal["", "+", "-"]

_QUOTED = r'"(?:[^"\\]|\\.)*+"'
_ENTRY = re.compile(rf'(?:[^,"]|{_QUOTED}?)+', re.DOTALL)
_NAMED = re.compile(rf"({_QUOTED}|[^():]*+(?:\([^()]*\))?[^:]*+):(.*)", re.DOTALL)
_UNQUOTED_VALUE = re.compile(r'[^\s,"\\](?:[^,"\\]*[^\s,"\\])?')
_UNQUOTED_NAME = re.compile(r'[^\s,"\\:()+-](?:[^,"\\:()]*[^\s,"\\:()])?(?:\([^,"\\()]*\))?')
_UNSET = "0"
"""The default of an entry in the published API description; it means no selection."""


@dataclass(frozen=True, slots=True)
class FacetSelection:
    """A selected facet value.

    `+` = items must have it, `-` = must not have it, empty = must have one of the facet's values without a sign.
    """

    facet: str
    value: str
    selector: Selector = ""

    def __str__(self) -> str:
        facet = self.facet if _UNQUOTED_NAME.fullmatch(self.facet) else _quoted(self.facet)
        value = self.value if _UNQUOTED_VALUE.fullmatch(self.value) else _quoted(self.value)
        return f"{self.selector}{facet}:{value}"


def parse_selections(entries: Iterable[str] | str | None, facets: Collection[str] = ()) -> list[FacetSelection]:
    r"""Parse repeated and comma-separated entries. Returns the selections in order, without repeats.

    An entry is `[+|-]name:value`; a name may contain brackets with anything inside, `label(a:b)`. Either may be quoted
    to contain commas, colons, or white space at its ends; inside quotes `\"` is a quote and `\\` a backslash. A name
    with a colon need not be quoted when it is one of the known `facets`. Empty entries and the value `0` of the
    published description are ignored.

    Raises:
        InvalidInput: an entry without a name or a value. To ignore it would find more than the user requested.
    """
    found: dict[FacetSelection, None] = {}
    for entry in [entries] if isinstance(entries, str) else entries or ():
        for part in map(str.strip, _ENTRY.findall(replace_lone_surrogates(entry))):
            if part and part != _UNSET:
                found[_parse_selection(part, facets)] = None
    return list(found)


def _parse_selection(entry: str, facets: Collection[str]) -> FacetSelection:
    selector: Selector = ""
    part = entry
    if part[:1] in ("+", "-"):
        selector, part = ("+" if part[0] == "+" else "-"), part[1:]
    match = _NAMED.fullmatch(part.strip())
    name, value = (_unquote(text) for text in match.groups()) if match else ("", "")
    if not name or not value:
        raise InvalidInput(
            f"The selected facet {entry[:100]} cannot be read",
            cause=message("search.nameValue", "It is not of the form name:value"),
            fix='Write +name:value or -name:value, with quotes around what holds commas: +name:"a, b"',
            details=[{"field": "selectedFacets", "message": message("field.nameValue", "not of the form name:value")}],
        )
    if name not in facets and part[:1] != '"':
        cut = next((cut for cut in re.finditer(":", part) if part[: cut.start()].strip() in facets), None)
        if cut is not None and (later := _unquote(part[cut.end() :])):
            name, value = part[: cut.start()].strip(), later
    return FacetSelection(name, value, selector)


def _quoted(text: str) -> str:
    return '"' + re.sub(r'["\\]', r"\\\g<0>", text) + '"'


def _unquote(text: str) -> str:
    """Return a name or value without its quotes, or without white space around it."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] == '"':
        return re.sub(r'\\(["\\])', r"\1", text[1:-1])
    return text
