"""Mapping from HTML elements to layout marks."""

from __future__ import annotations

from annotarium_schemas.documents import LayoutKind

INLINE_ELEMENTS: dict[str, LayoutKind] = {
    "b": "strong",
    "strong": "strong",
    "em": "emphasis",
    "i": "emphasis",
    "cite": "emphasis",
    "dfn": "emphasis",
    "var": "emphasis",
    "u": "underline",
    "ins": "underline",
    "s": "strike",
    "del": "strike",
    "strike": "strike",
    "code": "code",
    "kbd": "code",
    "samp": "code",
    "tt": "code",
    "sup": "superscript",
    "sub": "subscript",
    "a": "link",
}
BLOCK_ELEMENTS: dict[str, LayoutKind] = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), "heading"),
    "p": "paragraph",
    "pre": "preformatted",
    "blockquote": "quote",
    "ul": "list",
    "ol": "list",
    "li": "item",
    "table": "table",
    "tr": "row",
    "td": "cell",
    "th": "cell",
}
