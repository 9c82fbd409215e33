"""Splits a JSON file into its items without reading it as a whole: the members of a list, or consecutive values.

One pass over the bytes. Memory is limited to one chunk and one item; an item over the limit is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import BinaryIO

from annotarium_schemas.messages import message

CHUNK = 1024 * 1024
_IN_STRING = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_NEXT = re.compile(rb'["\[\]{}]')
_NEXT_IN_LIST = re.compile(rb'["\[\]{},]')
_BLANK = b" \t\r\n"
_NESTED = 6
"""Levels below an item that the regular expression covers: as deep as documents are nested, apart from properties of
their own.
"""


def _object_item_pattern() -> re.Pattern[bytes]:
    """Return a pattern for a whole object of a list with the comma before it. It matches in linear time (no
    backtracking).
    """
    string, other = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', rb'[^"\[\]{}]*+'
    inside = other + rb"(?:" + string + other + rb")*+"
    for _ in range(_NESTED):
        inside = other + rb"(?:" + string + other + rb"|[\[{]" + inside + rb"[\]}]" + other + rb")*+"
    return re.compile(rb"[ \t\r\n,]*+(\{" + inside + rb"\})", re.DOTALL)


def _other_item_pattern() -> bytes:
    """Return a pattern for a whole list item that is not an object: a list, a string, a number, a word. Linear time."""
    string, other = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', rb'[^"\[\]{}]*+'
    inside = other + rb"(?:" + string + other + rb")*+"
    for _ in range(_NESTED):
        inside = other + rb"(?:" + string + other + rb"|[\[{]" + inside + rb"[\]}]" + other + rb")*+"
    return rb"(?:\[" + inside + rb"\]|" + string + rb'|[^\s"\[\]{},]++)'


_WHOLE = _object_item_pattern()
_OTHER = re.compile(_other_item_pattern(), re.DOTALL)
_OTHERS = re.compile(rb"(?:[ \t\r\n,]*+" + _other_item_pattern() + rb"(?=[ \t\r\n]*+[,\]]))++", re.DOTALL)
"""Consecutive items that are not objects, each followed by a comma or the end of the list."""


@dataclass(frozen=True)
class Item:
    """One item: `content` is its bytes; `problem` states why there are none.

    A `count` above 1 means that many consecutive items, none of which is an object.
    """

    content: bytes
    problem: str = ""
    count: int = 1


def read_line_items(file: BinaryIO, limit: int) -> Iterator[Item]:
    """Yield the lines of a file as items, including blank ones so that they are counted; a line over the limit is
    skipped.

    Consecutive lines that do not start an object are one item, because none of them can be a document.
    """
    first, count = b"", 0
    for line in _bounded_lines(file, limit):
        if line is not None and line.lstrip()[:1] not in (b"{", b""):
            first, count = first or line, count + 1
            continue
        if count:
            yield _refuse_non_objects(first, count)
            first, count = b"", 0
        yield Item(b"", _too_large_message(limit)) if line is None else Item(line)
    if count:
        yield _refuse_non_objects(first, count)


def _refuse_non_objects(first: bytes, count: int) -> Item:
    if count == 1:
        return Item(first)
    words = "{count:,} items from here on are lists, numbers or texts, not documents"
    return Item(
        b"",
        message(
            "file.noObjects",
            words,
            one="{count:,} item from here on is a list, a number or a text, not a document",
            count=count,
        ),
        count,
    )


def _bounded_lines(file: BinaryIO, limit: int) -> Iterator[bytes | None]:
    """Yield lines; None for one over the limit."""
    while line := file.readline(limit + 1):
        if len(line) <= limit:
            yield line
            continue
        while line and not line.endswith(b"\n"):
            line = file.readline(CHUNK)
        yield None


def _too_large_message(limit: int) -> str:
    return message("file.itemOver", "It is larger than {limit} MB", limit=limit // (1024 * 1024))


class ItemScanner:
    """Scans one file from its current position. `items()` can be called once.

    Args:
        file: binary, positioned after any byte order mark.
        limit: maximum bytes of one item.
    """

    def __init__(self, file: BinaryIO, limit: int) -> None:
        self._file = file
        self._limit = limit
        self._parts: list[bytes] = []
        self._size = 0
        self._depth = 0
        self._in_string = False
        self._escaped = False
        self._base = 0
        self._started = False
        self._closed = self._trailing = False

    def items(self) -> Iterator[Item]:
        """Yield the items in order. Content after the end of the list, or an unexpected end of the file, is one invalid
        item.

        Consecutive items that are not objects are one item.
        """
        first, count = b"", 0
        for item in self._all():
            if item.count > 1 or (not item.problem and item.content.lstrip(_BLANK)[:1] != b"{"):
                first, count = first or item.content, count + item.count
                continue
            if count:
                yield _refuse_non_objects(first, count)
                first, count = b"", 0
            yield item
        if count:
            yield _refuse_non_objects(first, count)

    def _all(self) -> Iterator[Item]:
        while chunk := self._file.read(CHUNK):
            yield from self._chunk(chunk)
        left = self._take()
        if self._trailing:
            yield Item(b"", message("file.afterList", "There is text after the list"))
        elif self._depth > 0 or self._in_string:
            yield Item(b"", message("file.endsWithin", "The file ends in the middle of this item"))
        elif left.problem or left.content.strip(_BLANK):
            yield left

    def _chunk(self, chunk: bytes) -> Iterator[Item]:
        position = kept = 0 if self._started else self._first(chunk)
        while position < len(chunk) and not self._closed:
            if position == kept and (whole := self._whole(chunk, position)):
                position = kept = whole.end()
                self._keep(whole[1])
                yield self._take()
                continue
            if position == kept and (others := self._others(chunk, position)):
                position = kept = others.end()
                values = _OTHER.findall(others[0])
                yield Item(values[0][: self._limit], count=len(values))
                continue
            if self._in_string:
                position = self._string(chunk, position)
                continue
            at_list_level = self._base == 1 and self._depth == 1
            found = (_NEXT_IN_LIST if at_list_level else _NEXT).search(chunk, position)
            if found is None:
                break
            position = found.end()
            mark = chunk[found.start()]
            ends = self._mark(mark)
            if ends:
                self._closed = self._base == 1 and self._depth == 0
                inside = mark in b"}]" and not self._closed
                self._keep(chunk[kept : position if inside else found.start()])
                kept = position
                item = self._take()
                if item.problem or item.content.strip(_BLANK):
                    yield item
        if self._closed:
            self._trailing = self._trailing or bool(chunk[kept:].strip(_BLANK))
        else:
            self._keep(chunk[kept:])

    def _whole(self, chunk: bytes, position: int) -> re.Match[bytes] | None:
        """Match the next item of the list if it begins here and ends in this chunk, as nearly all do."""
        begins = self._base == 1 and self._depth == 1 and not self._in_string and not self._size
        return _WHOLE.match(chunk, position) if begins else None

    def _others(self, chunk: bytes, position: int) -> re.Match[bytes] | None:
        """Match items of the list that begin here, end in this chunk, and are not objects."""
        begins = self._base == 1 and self._depth == 1 and not self._in_string and not self._size
        return _OTHERS.match(chunk, position) if begins else None

    def _first(self, chunk: bytes) -> int:
        """Skip white space before the first value; a bracket there opens the list."""
        body = chunk.lstrip(_BLANK)
        position = len(chunk) - len(body)
        if not body:
            return position
        self._started = True
        if body[:1] == b"[":
            self._base = self._depth = 1
            return position + 1
        return position

    def _string(self, chunk: bytes, position: int) -> int:
        """Advance to the end of a string or of the chunk; a backslash may be the last byte of the chunk."""
        if self._escaped:
            self._escaped = False
            return position + 1
        found = _IN_STRING.match(chunk, position)
        end = found.end() if found else position
        if end == len(chunk):
            return end
        if chunk[end] == 0x5C:
            self._escaped = True
        else:
            self._in_string = False
        return end + 1

    def _mark(self, mark: int) -> bool:
        """Process one structural byte; returns True when an item ends there."""
        if mark == 0x22:
            self._in_string = True
            return False
        if mark == 0x2C:
            return True
        if mark in b"[{":
            self._depth += 1
            return False
        self._depth = max(0, self._depth - 1)
        return self._depth <= self._base

    def _keep(self, part: bytes) -> None:
        self._size += len(part)
        if self._size > self._limit:
            self._parts.clear()
        elif part:
            self._parts.append(part)

    def _take(self) -> Item:
        content = b"".join(self._parts)
        problem = _too_large_message(self._limit) if self._size > self._limit else ""
        self._parts.clear()
        self._size = 0
        return Item(content, problem)
