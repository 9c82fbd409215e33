"""The layout of a text: marks over its code points that say what it looked like.

Marks come from converters and from strangers' files: here, and only here, they are put right. What is stored is a list
of plain dicts, outer marks before those within them; their kinds nest as HTML wants it, and every character of the text
that can be seen lies where HTML may have text. So the HTML made of it holds the text itself, character by character.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from annotarium_schemas.documents import LayoutMark

Mark = dict[str, Any]
"""`kind`, `start`, `end` and what the kind has more (see `LayoutMark`), without what is not said."""

MAX_DEPTH = 40
"""Marks within marks; deeper ones are left out."""
MAX_MARKS = 500_000
INLINE = frozenset(
    {"strong", "emphasis", "underline", "strike", "code", "superscript", "subscript", "link", "image", "syntax"}
)
_HOLDERS = frozenset({"list", "table", "row"})
"""Have no text of their own, only parts."""
_PARTS = {"item": "list", "row": "table", "cell": "row"}
LEAVES = frozenset({"heading", "paragraph", "preformatted"})
FLOW = frozenset({"quote", "item", "cell"})
_SCHEMES = frozenset({"http", "https", "mailto"})
_WORDS = 2000
"""Characters of an address or of the words of an image."""


class _Node:
    """A mark and the marks within it."""

    __slots__ = ("children", "mark")

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.children: list[_Node] = []


def tidy_layout(marks: Iterable[LayoutMark], text: str) -> tuple[list[Mark], int]:
    """Marks as they are stored, and how many were left out because they cannot be.

    What only cannot be nested, opened or seen goes in silence: what counts as left out is no place of the text.
    A layout of nothing but paragraphs says nothing that the text does not: it is empty.
    """
    wanted = sorted((_mark_to_store(one) for one in marks), key=lambda one: (one["start"], -one["end"]))
    root = _Node({"kind": "quote", "start": 0, "end": len(text)})
    stack, lost = [root], 0
    for number, mark in enumerate(wanted):
        if number >= MAX_MARKS or not 0 <= mark["start"] <= mark["end"] <= len(text):
            lost += 1
            continue
        if not _is_storable_mark(mark):
            continue
        while len(stack) > 1 and not contains_mark(stack[-1].mark, mark):
            stack.pop()
        outer = stack[-1].mark
        mark["end"] = min(mark["end"], outer["end"])
        if len(stack) > MAX_DEPTH or not _may_be_nested_in(mark["kind"], outer["kind"]):
            continue
        node = _Node(mark)
        stack[-1].children.append(node)
        stack.append(node)
    _drop_empty_containers(root)
    found: list[Mark] = []
    _collect_marks_in_order(root, text, found)
    has_markup = any(one["kind"] != "paragraph" for one in found)
    return (found if has_markup else []), lost


def _mark_to_store(one: LayoutMark) -> Mark:
    mark: Mark = {"kind": one.kind, "start": one.start, "end": one.end}
    if one.kind == "heading":
        mark["level"] = min(6, max(1, one.level or 1))
    elif one.kind == "list" and one.ordered:
        mark["ordered"] = True
    elif one.kind == "cell" and one.header:
        mark["header"] = True
    elif one.kind == "link":
        mark["href"] = (one.href or "").strip()[: _WORDS + 1]
    elif one.kind == "image":
        mark["end"] = mark["start"]
        mark["alt"] = (one.alt or "").strip()[:_WORDS]
    return mark


def _is_storable_mark(mark: Mark) -> bool:
    if mark["kind"] == "link":
        return _is_safe_link_address(mark["href"])
    if mark["kind"] == "image":
        return bool(mark["alt"])
    return bool(mark["kind"] == "cell" or mark["start"] < mark["end"])


def _is_safe_link_address(address: str) -> bool:
    """An address that a click may open: absolute, of the web or of mail."""
    if len(address) > _WORDS or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.netloc or parts.path)


def contains_mark(outer: Mark, mark: Mark) -> bool:
    """Whether a mark that comes after another one, in the order of a layout, lies within it."""
    if outer["start"] == outer["end"]:
        return False
    if mark["start"] == mark["end"] == outer["end"]:  # an empty cell at the end of a row, an image at that of a text
        return _may_be_nested_in(mark["kind"], outer["kind"])
    return bool(mark["start"] < outer["end"])


def _may_be_nested_in(kind: str, outer: str) -> bool:
    if kind in INLINE:
        return outer not in _HOLDERS
    return outer == _PARTS[kind] if kind in _PARTS else outer in FLOW


def _drop_empty_containers(node: _Node) -> bool:
    """Leave out lists and tables without parts; False when the mark is one itself."""
    node.children = [one for one in node.children if _drop_empty_containers(one)]
    return bool(node.children) or node.mark["kind"] not in _HOLDERS


def _collect_marks_in_order(node: _Node, text: str, found: list[Mark]) -> None:
    """Give text that stands between the parts of a holder to the part before it; then write the marks down in order."""
    if node.mark["kind"] in _HOLDERS:
        _extend_parts_over_gaps(node, text)
    for child in node.children:
        found.append(child.mark)
        _collect_marks_in_order(child, text, found)


def _extend_parts_over_gaps(node: _Node, text: str) -> None:
    first, last = node.children[0].mark, node.children[-1].mark
    if text[node.mark["start"] : first["start"]].strip():
        first["start"] = node.mark["start"]
    for child, following in pairwise(node.children):
        if text[child.mark["end"] : following.mark["start"]].strip():
            child.mark["end"] = following.mark["start"]
    if text[last["end"] : node.mark["end"]].strip():
        last["end"] = node.mark["end"]


def move_layout_after_text_edit(marks: Iterable[LayoutMark], moved: Callable[[int], int]) -> list[LayoutMark]:
    """Marks of a text that was edited; `moved` says where an offset went."""
    return [one.model_copy(update={"start": moved(one.start), "end": moved(one.end)}) for one in marks]
