"""The syntax tree that both parsers produce and every engine evaluates. Raw query strings never reach an engine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

TEXT_FIELDS = frozenset({"text", "title"})
"""Tokenized fields. `field=None` means the default fields of the search."""

IDENTIFIER = "identifier"
"""The field of the indexed item's own id, compared exactly."""

FACET_OF_FIELD = {"annotations": "label", "categories": "classificationLabel"}
"""Facets that have another name in queries than in filter panels."""


def facet_name_of_field(field: str) -> str:
    """Return the facet for a query field name (`annotations` -> `label`; other names are facets of that name)."""
    return FACET_OF_FIELD.get(field, field)


@dataclass(frozen=True, slots=True)
class MatchAll:
    """Every item."""


@dataclass(frozen=True, slots=True)
class Term:
    """One word. If an analyser splits it, the parts must be adjacent."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words in order; `slop` other words may be between them."""

    text: str
    slop: int = 0
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Prefix:
    """Words that start with `text` (without the star)."""

    text: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Wildcard:
    r"""`*` is any sequence of characters, `?` exactly one; `\` before either makes it literal."""

    pattern: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """Words within `edits` (0 to 2) edits: insertion, deletion, substitution, or transposition of neighbours."""

    text: str
    edits: int
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Regex:
    """Words that a regular expression matches as a whole (see `query.regex`)."""

    pattern: str
    field: str | None = None


@dataclass(frozen=True, slots=True)
class Range:
    """Values between two ends; None is open.

    Ends are numbers, ISO 8601 dates or plain strings, depending on the field.
    """

    field: str
    low: str | None = None
    high: str | None = None
    include_low: bool = True
    include_high: bool = True


@dataclass(frozen=True, slots=True)
class Exists:
    """The item has any value in the field."""

    field: str


@dataclass(frozen=True, slots=True)
class Boolean:
    """All of `must`, none of `must_not`, and one of `should` when `must` is empty. With only `must_not`: all other
    items.
    """

    must: tuple[Node, ...] = ()
    should: tuple[Node, ...] = ()
    must_not: tuple[Node, ...] = ()


@dataclass(frozen=True, slots=True)
class Boost:
    """Multiplies the node's scores by `factor`."""

    node: Node
    factor: float


Worded = Term | Phrase | Prefix | Wildcard | Fuzzy | Regex
"""Leaves that search for words; in facet fields, for values."""

Node = MatchAll | Worded | Range | Exists | Boolean | Boost


def leaves(node: Node, positive_only: bool = True) -> Iterator[Node]:
    """Yield the leaves below a node, by default only those that can cause a match (no `must_not` branches)."""
    if isinstance(node, Boolean):
        for child in (*node.must, *node.should, *(() if positive_only else node.must_not)):
            yield from leaves(child, positive_only)
    elif isinstance(node, Boost):
        yield from leaves(node.node, positive_only)
    else:
        yield node


def combine_clauses(must: list[Node], should: list[Node], must_not: list[Node]) -> Node:
    """Return the smallest node that is equivalent to a Boolean of these clauses."""
    if not must and not should and not must_not:
        return MatchAll()
    if not must_not and len(must) + len(should) == 1:
        return (must or should)[0]
    return Boolean(tuple(must), tuple(should), tuple(must_not))
