"""The layout of a text: marks over its code points that describe what it looked like.

Marks come from converters and from imported files; only this module corrects them. A stored layout is a list of plain
dicts, outer marks before those within them. Their kinds nest as HTML requires, and every visible character of the text
is where HTML allows text. So the HTML generated from it contains exactly the text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import pairwise
from typing import Any
from urllib.parse import urlsplit

from annotarium_schemas.documents import LayoutMark

Mark = dict[str, Any]
"""`kind`, `start`, `end` and further fields of the kind (see `LayoutMark`); unset fields are absent."""

MAX_DEPTH = 40
"""Maximum depth of nested marks; deeper ones are left out."""
MAX_MARKS = 500_000
INLINE = frozenset(
    {"strong", "emphasis", "underline", "strike", "code", "superscript", "subscript", "link", "image", "syntax"}
)
_HOLDERS = frozenset({"list", "table", "row"})
"""Kinds that contain only parts, no text of their own."""
_PARTS = {"item": "list", "row": "table", "cell": "row"}
LEAVES = frozenset({"heading", "paragraph", "preformatted"})
FLOW = frozenset({"quote", "item", "cell"})
_SCHEMES = frozenset({"http", "https", "mailto"})
_WORDS = 2000
"""Characters of a link address or of the alternative text of an image."""


class _Node:
    """A mark and the marks within it."""

    __slots__ = ("children", "mark")

    def __init__(self, mark: Mark) -> None:
        self.mark = mark
        self.children: list[_Node] = []


def tidy_layout(marks: Iterable[LayoutMark], text: str) -> tuple[list[Mark], int]:
    """Return the marks in their stored form, and the number of marks that were left out as invalid.

    Marks outside of the text or beyond `MAX_MARKS` are counted as left out. Marks that cannot be nested, opened or seen
    are dropped without being counted. A layout of paragraphs only is empty, because it adds nothing to the text.
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
    """Return whether a link may be opened by a click: an absolute address with a permitted scheme (web or mail)."""
    if len(address) > _WORDS or not address.isprintable():
        return False
    try:
        parts = urlsplit(address)
    except ValueError:
        return False
    return parts.scheme in _SCHEMES and bool(parts.netloc or parts.path)


def contains_mark(outer: Mark, mark: Mark) -> bool:
    """Return whether `mark`, which comes after `outer` in the order of a layout, is within it."""
    if outer["start"] == outer["end"]:
        return False
    if (
        mark["start"] == mark["end"] == outer["end"]
    ):  # an empty cell at the end of a row, or an image at the end of a text
        return _may_be_nested_in(mark["kind"], outer["kind"])
    return bool(mark["start"] < outer["end"])


def _may_be_nested_in(kind: str, outer: str) -> bool:
    if kind in INLINE:
        return outer not in _HOLDERS
    return outer == _PARTS[kind] if kind in _PARTS else outer in FLOW


def _drop_empty_containers(node: _Node) -> bool:
    """Drop lists and tables without parts among the children. Returns False when the node itself is one."""
    node.children = [one for one in node.children if _drop_empty_containers(one)]
    return bool(node.children) or node.mark["kind"] not in _HOLDERS


def _collect_marks_in_order(node: _Node, text: str, found: list[Mark]) -> None:
    """Append the marks below a node to `found`.

    Text between the parts of a container is added to the part before it.
    """
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
    """Return the marks with new offsets after an edit of the text; `moved` maps old offsets to new ones."""
    return [one.model_copy(update={"start": moved(one.start), "end": moved(one.end)}) for one in marks]
