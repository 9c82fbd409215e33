"""The query tree both parsers make and every engine compiles. Raw query strings never reach an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TEXT_FIELDS = frozenset({"text", "title"})
"""Analysed fields. `field=None` means the default fields of the search."""

IDENTIFIER = "identifier"
"""The field of the indexed item's own id, compared as it is written."""

FACET_OF_FIELD = {"annotations": "label", "categories": "classificationLabel"}
"""Query names of facets that are called otherwise in filter panels."""


def facet_name_of_field(field: str) -> str:
    """The facet a query field name stands for (`annotations` -> `label`; other names are facets of that name)."""
    return FACET_OF_FIELD.get(field, field)


@dataclass(frozen=True, slots=True)
class MatchAll:
    """Every item."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word (an analyser may split it: then the parts must stand side by side)."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in order; `slop` other words may stand between them."""

    text: str
    slop: int = 0
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """Words that start with `text` (without the star)."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class _Pattern:
    pattern: str
    field: str | None = None


class Wildcard(_Pattern):
    """`*` any run of characters, `?` exactly one, `\\` before either takes it literally."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Words at most `edits` (0 to 2) letters away: one more, one less, another one, or two neighbours exchanged."""

    text: str
    edits: int
    field: str | None = None


class Regex(_Pattern):
    """Words that a regular expression describes from their first letter to the last (see `query.regular`)."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Range:
    """Values between two ends; None is open. Ends are numbers, ISO 8601 dates or plain strings, as the field needs."""

    field: str
    low: str | None = None
    high: str | None = None
    include_low: bool = True
    include_high: bool = True


@dataclass(frozen=True, slots=True)
class Exists:
    """The item has some value in the field."""

    field: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """All of `must`, none of `must_not`, and one of `should` when there is no `must`. Only `must_not`: all the rest."""

    must: tuple[Node, ...] = ()
    should: tuple[Node, ...] = ()
    must_not: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Boost:
    """The node's scores times `factor`."""

    node: Node
    factor: float


Worded = Term | Phrase | Prefix | Wildcard | Fuzzy | Regex
"""Leaves that look for words; in fields of values, for values."""

Node = MatchAll | Worded | Range | Exists | Boolean | Boost


def leaves(node: Node, positive_only: bool = True) -> Iterator[Node]:
    """The leaves below a node, by default only those a hit may owe its place to (no `must_not` branches)."""
    if isinstance(node, Boolean):
        for child in (*node.must, *node.should, *(() if positive_only else node.must_not)):
            yield from leaves(child, positive_only)
    elif isinstance(node, Boost):
        yield from leaves(node.node, positive_only)
    else:
        yield node


def combine_clauses(must: list[Node], should: list[Node], must_not: list[Node]) -> Node:
    """The smallest node that says the same as a Boolean of these clauses."""
    if not must and not should and not must_not:
        return MatchAll()
    if not must_not and len(must) + len(should) == 1:
        return (must or should)[0]
    return Boolean(tuple(must), tuple(should), tuple(must_not))
