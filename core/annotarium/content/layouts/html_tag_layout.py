"""Derives a layout from the HTML tags of a text, before cleaning removes them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from html import unescape

from annotarium_schemas.documents import LayoutKind, LayoutMark
from annotarium_schemas.layout import BLOCK_ELEMENTS, INLINE_ELEMENTS

_NAME = re.compile(r"</?([A-Za-z][A-Za-z0-9]{0,19})")
_ATTRIBUTE = re.compile(r"""\b(href|alt)\s*=\s*(?:"([^"<>]*)"|'([^'<>]*)'|([^\s"'<>]+))""", re.IGNORECASE)
_KINDS: dict[str, LayoutKind] = {**INLINE_ELEMENTS, **BLOCK_ELEMENTS}
_CLOSED_BY_NEXT = frozenset({"li", "tr", "td", "th"})
"""Elements often written without an end tag: the next one of the kind ends the previous one."""
_DEPTH = 100


def layout_from_html_tags(tags: Iterable[re.Match[str]]) -> list[LayoutMark]:
    """Return marks with the offsets of the text that still contains the tags. Missing end tags are inferred from the
    next tag.

    Args:
        tags: matches of whole tags, in order.
    """
    found: list[LayoutMark] = []
    open_: list[tuple[str, LayoutMark]] = []
    length = 0
    for tag in tags:
        length = len(tag.string)
        named = _NAME.match(tag.group())
        name = named[1].lower() if named else ""
        if name == "img":
            words = _attribute(tag.group(), "alt")
            found.append(LayoutMark(kind="image", start=tag.end(), end=tag.end(), alt=words))
        if name not in _KINDS:
            continue
        if tag.group().startswith("</"):
            _end_open_marks(open_, name, tag.start())
            continue
        if name in BLOCK_ELEMENTS:
            _end_open_marks(open_, "p", tag.start())
        if name in _CLOSED_BY_NEXT and open_ and open_[-1][0] == name:
            _end_open_marks(open_, name, tag.start())
        if len(open_) < _DEPTH and not tag.group().endswith("/>"):
            mark = _mark_of_opening_tag(name, tag)
            found.append(mark)
            open_.append((name, mark))
    for _, mark in open_:
        mark.end = length
    return [one for one in found if one.kind == "image" or one.end > one.start]


def _mark_of_opening_tag(name: str, tag: re.Match[str]) -> LayoutMark:
    mark = LayoutMark(kind=_KINDS[name], start=tag.end(), end=tag.end())
    if mark.kind == "heading":
        mark.level = int(name[1])
    elif name == "ol":
        mark.ordered = True
    elif name == "th":
        mark.header = True
    elif mark.kind == "link":
        mark.href = _attribute(tag.group(), "href")
    return mark


def _end_open_marks(open_: list[tuple[str, LayoutMark]], name: str, position: int) -> None:
    if all(one != name for one, _ in open_):
        return
    while open_:
        ended, mark = open_.pop()
        mark.end = position
        if ended == name:
            return


def _attribute(tag: str, name: str) -> str:
    for match in _ATTRIBUTE.finditer(tag):
        if match[1].lower() == name:
            return unescape(match[2] or match[3] or match[4] or "")
    return ""
