"""Determines which parts of a page browsers display, by HTML elements, attributes and inline styles. No script is run.

Style sheets are not read: what only a style sheet hides counts as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotarium_plugins.builtin.converters.common.html_parsing import element_names
from annotarium_plugins.builtin.converters.common.xml_reader import Element

BLOCKS = element_names(
    "address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption "
    "figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li listing main menu nav ol optgroup option p "
    "plaintext pre search section summary table tbody td tfoot th thead tr ul xmp"
)
TIGHT = element_names("li dd dt tr td th div summary legend option optgroup text")
"""Blocks that follow each other line by line; other blocks are separated by an empty line."""
_SILENT = element_names("script style head title")
"""Elements that contain no text of the page."""
_NEVER_SHOWN = element_names(
    "template iframe object datalist audio video frameset noframes noembed progress meter annotation annotation-xml"
)
_NEVER_SHOWN_IN_SVG = element_names("desc metadata")
_NAVIGATION = element_names("nav aside footer header menu")
_NAVIGATION_ROLES = ("navigation", "banner", "contentinfo", "menu")
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_VISIBILITY = re.compile(r"visibility\s*:\s*(hidden|collapse|visible)", re.IGNORECASE)
_TABLE_PARTS = element_names("table caption colgroup col thead tbody tfoot tr td th form")
_TABLE_FRAME = element_names("table thead tbody tfoot tr form colgroup col")


def name_of(element: Element) -> str:
    """Return the element's name; empty for comments and processing instructions."""
    return element.tag if isinstance(element.tag, str) else ""


def word_count(element: Element) -> int:
    """Count the words within an element."""
    return sum(len(text.split()) for text in element.itertext())


def left_out_reason(name: str, element: Element, *, navigation: bool = True, in_svg: bool = False) -> str | None:
    """Return why an element with all its content is not text of the page: its name, `hidden`, or empty when it contains
    no words anyway. None when it is text.

    Args:
        navigation: whether menus, page headers and footers count as text.
        in_svg: whether it is within a drawing.
    """
    if name in _SILENT:
        return ""
    if name in _NEVER_SHOWN or (in_svg and name in _NEVER_SHOWN_IN_SVG):
        return name
    if "hidden" in element.attrib or _HIDDEN.search(element.get("style") or ""):
        return "hidden"
    if name == "dialog" and "open" not in element.attrib:
        return name
    if not navigation and (name in _NAVIGATION or element.get("role") in _NAVIGATION_ROLES):
        return name if name in _NAVIGATION else "nav"
    return None


def is_shown(name: str, element: Element, shown: bool) -> bool:
    """Whether text directly in an element is displayed; `shown` states it for the text around the element. Unlike the
    elements of `left_out_reason`, a descendant may be displayed again.
    """
    if name == "select":
        return False
    if name == "option":
        shown = True
    style = element.get("style")
    found = _VISIBILITY.search(style) if style else None
    return shown if found is None else found[1].lower() == "visible"


def is_data_table(table: Element) -> bool:
    """Whether a table contains data rather than page layout: no nested table, more than one column, no headings or
    lists in cells, and no text outside cells.
    """
    if table.get("role") in ("presentation", "none"):
        return False
    columns = 0
    for element in table.iter("table", "tr", "ul", "ol", "h1", "h2", "h3", "pre", "blockquote"):
        if element is table:
            continue
        if element.tag != "tr":
            return False
        columns = max(columns, sum(1 for _ in cells_of(element)))
    return columns > 1 and not _has_text_outside_cells(table)


def cells_of(row: Element) -> Iterator[Element]:
    """Yield the cells of a row, also those inside a form that is placed between row and cells."""
    for child in row.iterchildren("td", "th", "form"):
        if child.tag == "form":
            yield from child.iterchildren("td", "th")
        else:
            yield child


def _has_text_outside_cells(table: Element) -> bool:
    """Whether a table contains text outside its cells and caption."""
    stack = [table]
    while stack:
        element = stack.pop()
        name = name_of(element)
        if (element.text or "").strip():
            return True
        for child in element:
            if (child.tail or "").strip():
                return True
            inner = name_of(child)
            if inner in ("td", "th"):
                if name not in ("tr", "form") or (name == "form" and name_of(element.getparent()) != "tr"):
                    return True
            elif inner in _TABLE_FRAME:
                stack.append(child)
            elif inner == "caption":
                if element is not table:
                    return True
            elif inner and left_out_reason(inner, child) is None and word_count(child):
                return True
    return False
