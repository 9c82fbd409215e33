"""Parses emphasis, code, links and images within a block of Markdown, in one pass."""

from __future__ import annotations

import re

from annotarium_schemas.documents import LayoutKind, LayoutMark

_SIGN = re.compile(
    r"""\\[^\w\s]|(?P<code>`+)|(?P<link>!?\[)|(?P<close>\]\([^()\s<>]{1,2000}(?:[ ]+"[^"\n]{0,500}")?\))"""
    r"""|(?P<auto><https?://[^\s<>]{1,2000}>)|(?P<marks>\*{1,3}|_{1,3}|~~)"""
)
_KINDS: dict[str, LayoutKind] = {
    "*": "emphasis",
    "_": "emphasis",
    "**": "strong",
    "__": "strong",
    "***": "strong",
    "___": "strong",
    "~~": "strike",
}
_MOST_OPEN = 200


def inline_marks(text: str, start: int, end: int) -> list[LayoutMark]:
    """Return the marks of [start, end), each with its syntax; signs without a counterpart are text."""
    return _InlineMarkdownParser(text, start, end).read()


class _InlineMarkdownParser:
    def __init__(self, text: str, start: int, end: int) -> None:
        self._text, self._start, self._end = text, start, end
        self._marks: list[LayoutMark] = []
        self._open: list[tuple[str, int, int]] = []
        self._runs: dict[int, int] | None = None

    def read(self) -> list[LayoutMark]:
        at = self._start
        while found := _SIGN.search(self._text, at, self._end):
            at = found.end()
            if found["code"]:
                at = self._code(found)
            elif found["link"]:
                self._push(found["link"], found)
            elif found["close"]:
                self._close_link(found)
            elif found["auto"]:
                self._wrap("link", found.start(), at, 1, 1).href = found["auto"][1:-1]
            elif found["marks"]:
                self._delimiter(found)
        return sorted(self._marks, key=lambda one: (one.start, -one.end))

    def _wrap(self, kind: LayoutKind, start: int, end: int, before: int, after: int) -> LayoutMark:
        """Add a mark over [start, end), whose first `before` and last `after` characters are syntax."""
        mark = LayoutMark(kind=kind, start=start, end=end)
        self._marks.append(mark)
        for at, count in ((start, before), (end - after, after)):
            self._marks.append(LayoutMark(kind="syntax", start=at, end=at + count))
        return mark

    def _push(self, sign: str, found: re.Match[str]) -> None:
        if len(self._open) < _MOST_OPEN:
            self._open.append((sign, found.start(), found.end()))

    def _pop_to(self, *signs: str) -> tuple[str, int, int] | None:
        """Return the last open sign among these; signs opened after it become text."""
        place = next((n for n in range(len(self._open) - 1, -1, -1) if self._open[n][0] in signs), None)
        if place is None:
            return None
        found = self._open[place]
        del self._open[place:]
        return found

    def _delimiter(self, found: re.Match[str]) -> None:
        sign, before, after = found["marks"], self._sign(found.start() - 1), self._sign(found.end())
        within_word = sign[0] == "_" and before.isalnum() and after.isalnum()
        if within_word:
            return
        if not before.isspace() and (opened := self._pop_to(sign)) is not None:
            self._wrap(_KINDS[sign], opened[1], found.end(), len(sign), len(sign))
        elif not after.isspace():
            self._push(sign, found)

    def _sign(self, place: int) -> str:
        return self._text[place] if self._start <= place < self._end else " "

    def _code(self, found: re.Match[str]) -> int:
        """Add a code mark and return where reading continues: after the code, or after unclosed backticks."""
        count = len(found["code"])
        if self._runs is None:  # last position of a run of each length, to avoid repeated futile searches
            self._runs = {}
            for run in re.finditer(r"`+", self._text[self._start : self._end]):
                self._runs[len(run[0])] = self._start + run.start()
        if self._runs.get(count, -1) <= found.start():
            return found.end()
        closing = re.compile(rf"(?<!`)`{{{count}}}(?!`)").search(self._text, found.end(), self._end)
        if closing is None:
            return found.end()
        self._wrap("code", found.start(), closing.end(), count, count)
        return closing.end()

    def _close_link(self, found: re.Match[str]) -> None:
        opened = self._pop_to("[", "![")
        if opened is None:
            return
        after = found.end() - found.start()
        if opened[0] == "![":
            self._marks.append(LayoutMark(kind="syntax", start=opened[1], end=opened[2]))
            self._marks.append(LayoutMark(kind="syntax", start=found.start(), end=found.end()))
            return
        address = found["close"][2:-1].split(" ", 1)[0]
        self._wrap("link", opened[1], found.end(), 1, after).href = address
