"""Writes the HTML version of a text. It is generated from the layout only and never contains imported HTML."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from annotarium.content.layouts.marks import FLOW, INLINE, Mark, contains_mark

_TAGS = {
    "paragraph": "p",
    "quote": "blockquote",
    "preformatted": "pre",
    "item": "li",
    "table": "table",
    "row": "tr",
    "strong": "strong",
    "emphasis": "em",
    "underline": "u",
    "strike": "s",
    "code": "code",
    "superscript": "sup",
    "subscript": "sub",
    "syntax": "span",
}


def layout_html(text: str, layout: Sequence[Mark], origin: int = 0) -> str:
    """Return the HTML version of a text, or of a range of it.

    Its text nodes, joined, are the text itself, so offsets counted in them are offsets of the text. It contains no
    scripts, no styles and nothing that loads; an image has only its alternative text.

    Args:
        layout: layout of the whole text, from `tidy_layout`.
        origin: where `text` begins in the whole text, code points.
    """
    writer = _HtmlWriter(text, origin)
    end = origin + len(text)
    for mark in layout:
        if origin <= mark["start"] == mark["end"] <= end or (mark["start"] < end and mark["end"] > origin):
            writer.open(mark)
    writer.finish()
    return "".join(writer.parts)


class _HtmlWriter:
    """Writes marks that are passed in order; see `layout_html`."""

    def __init__(self, text: str, origin: int) -> None:
        self.parts: list[str] = []
        self._text, self._origin = text, origin
        self._at, self._end = origin, origin + len(text)
        self._stack: list[Mark] = []

    def open(self, mark: Mark) -> None:
        """Open a mark, after closing those that do not contain it."""
        while self._stack and not contains_mark(self._stack[-1], mark):
            self._close()
        self._write(max(self._at, mark["start"]))
        if mark["kind"] == "image":
            self.parts.append(f'<img alt="{escape(mark["alt"])}">')
            return
        self._stack.append(mark)
        self.parts.append(_opening(mark))
        if mark["kind"] == "preformatted" and self._text.startswith("\n", self._at - self._origin):
            self.parts.append("\n")  # browsers ignore the first line end after the tag

    def finish(self) -> None:
        """Close all open marks and write the remaining text."""
        while self._stack:
            self._close()
        self._write(self._end)

    def _close(self) -> None:
        mark = self._stack[-1]
        self._write(min(self._end, mark["end"]))
        self._stack.pop()
        self.parts.append(f"</{_tag(mark)}>")

    def _write(self, to: int) -> None:
        if to <= self._at:
            return
        words = self._text[self._at - self._origin : to - self._origin]
        words = escape(words, quote=False).replace("\r", "&#13;")
        around = next((one["kind"] for one in reversed(self._stack) if one["kind"] not in INLINE), "")
        if around in ("heading", "paragraph"):
            words = words.replace("\n", "<br>\n")
        elif around in FLOW:  # white space between nested blocks is not a line break
            stripped = words.rstrip()
            words = stripped.replace("\n", "<br>\n") + words[len(stripped) :]
        self.parts.append(words)
        self._at = to


def _tag(mark: Mark) -> str:
    kind = mark["kind"]
    if kind == "heading":
        return f"h{mark['level']}"
    if kind == "list":
        return "ol" if mark.get("ordered") else "ul"
    if kind == "cell":
        return "th" if mark.get("header") else "td"
    return "a" if kind == "link" else _TAGS[kind]


def _opening(mark: Mark) -> str:
    if mark["kind"] == "link":
        return f'<a href="{escape(mark["href"])}" rel="noopener noreferrer nofollow">'
    return '<span class="syntax">' if mark["kind"] == "syntax" else f"<{_tag(mark)}>"
