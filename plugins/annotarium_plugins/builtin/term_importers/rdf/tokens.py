"""Splits a Turtle file into tokens while it is read."""

from __future__ import annotations

import re
from typing import IO, NamedTuple

from annotarium_plugins.builtin.term_importers.rdf.syntax import RdfError
from annotarium_schemas.messages import message

_CHUNK = 1 << 18
_LONGEST = 8 << 20
"""Maximum characters of one token."""
_MARGIN = 4
_SPACE = re.compile(r"(?:[ \t\r\n\ufeff]+|#[^\r\n]*)*+")
_END = re.compile(r"\.[ \t]*(?:#[^\n]*)?\r?\n")
_PATTERN = r"""
    (?P<iri><[^\x00-\x20<>"{}|^`]*+>)
    |(?P<long>\"\"\"(?:[^"\\]++|\\.|"(?!""))*+\"\"\"|'''(?:[^'\\]++|\\.|'(?!''))*+''')
    |(?P<short>"(?!"")(?:[^"\\\r\n]++|\\.)*+"|'(?!'')(?:[^'\\\r\n]++|\\.)*+')
    |(?P<language>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<blank>_:\w(?:[\w-]|\.(?=[\w-]))*+)
    |(?P<name>(?:[^\W\d_](?:[\w-]|\.(?=[\w.-]))*+)?:(?:[\w:%-]|\\[_~.\-!$&'()*+,;=/?\#@%]|\.(?=[\w:%\\-]))*+)
    |(?P<number>[+-]?(?:\d+\.\d+|\.\d+|\d+)(?:[eE][+-]?\d+)?)
    |(?P<word>[A-Za-z]+)
    |(?P<mark>\^\^|[.;,\[\]()])
    """
_TOKEN = re.compile(_PATTERN, re.VERBOSE | re.DOTALL)
_SPACED_TOKEN = re.compile(rf"[ \t\r\n]*+(?:{_PATTERN})", re.VERBOSE | re.DOTALL)


class Token(NamedTuple):
    """A token: its kind is a group of the pattern, or `end` after the last one."""

    kind: str
    text: str
    line: int


class Tokens:
    """The tokens of an open text file. A token is read when it is requested."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file
        self._buffer = ""
        self._position = 0
        self._complete = False
        self._line = 1
        self._begin = (0, 1)
        """Position and line of the last token."""
        self._next: Token | None = None

    def peek(self) -> Token:
        """Return the next token without consuming it."""
        if self._next is None:
            self._next = self._read()
        return self._next

    def take(self) -> Token:
        """Consume the next token."""
        token = self.peek()
        self._next = None
        return token

    def skip_statement(self) -> bool:
        """Continue after the first full stop at the end of a line from the last token on; False when there is none."""
        self._next = None
        self._position, self._line = self._begin
        while True:
            found = _END.search(self._buffer, self._position)
            if found:
                self._advance(found.end())
                return True
            self._advance(max(self._position, len(self._buffer) - _MARGIN))
            if not self._fill():
                return False

    def _read(self) -> Token:
        found = _SPACED_TOKEN.match(self._buffer, self._position)
        if found and found.lastgroup and found.end() <= len(self._buffer) - _MARGIN:
            start = found.start(found.lastgroup)
            self._line += self._buffer.count("\n", self._position, start)
            line = self._line
            self._begin = (start, line)
            if found.lastgroup == "long":
                self._line += found[0].count("\n", start - self._position)
            self._position = found.end()
            return Token(found.lastgroup, found[found.lastgroup], line)
        return self._read_carefully()

    def _read_carefully(self) -> Token:
        """Read a token after a comment, at the end of the buffer, or an unexpected one."""
        self._skip_space()
        while True:
            found = _TOKEN.match(self._buffer, self._position)
            near_end = not found or found.end() > len(self._buffer) - _MARGIN
            if not near_end or self._complete:
                break
            if len(self._buffer) - self._position > _LONGEST:
                self._begin = (self._position, self._line)
                raise RdfError(
                    self._line, message("rdf.tooLong", "A text is longer than {limit} MB", limit=_LONGEST >> 20)
                )
            self._fill()
        line = self._line
        self._begin = (self._position, line)
        if self._position >= len(self._buffer):
            return Token("end", "", line)
        if not found:
            part = self._buffer[self._position : self._position + 20].split("\n")[0]
            self._advance(self._position + 1)
            self._begin = (self._position, self._line)
            raise RdfError(line, message("rdf.unexpected", "{name} is not expected here", name=part))
        self._advance(found.end())
        return Token(found.lastgroup or "", found[0], line)

    def _skip_space(self) -> None:
        while True:
            found = _SPACE.match(self._buffer, self._position)
            self._advance(found.end() if found else self._position)
            if self._position < len(self._buffer) or not self._fill():
                return

    def _advance(self, position: int) -> None:
        self._line += self._buffer.count("\n", self._position, position)
        self._position = position

    def _fill(self) -> bool:
        """Read more of the file and drop what was consumed; False at its end."""
        more = self._file.read(_CHUNK) + self._file.readline(_LONGEST)  # whole lines: no comment is cut
        self._complete = not more
        self._buffer = self._buffer[self._position :] + more
        self._position = 0
        return bool(more)
