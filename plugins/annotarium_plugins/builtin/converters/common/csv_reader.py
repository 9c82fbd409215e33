"""Reads CSV as a stream of rows. A row that cannot be read is reported with its line number, and reading continues."""

from __future__ import annotations

import csv
import re
from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Literal

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import AS_UTF8, CHECK_TYPE, HAS_NUL
from annotarium_plugins.builtin.converters.common.text_encoding import Encoding, choose_encoding, repair_utf8
from annotarium_schemas.messages import message

Delimiter = Literal["auto", "comma", "semicolon", "tab", "pipe"]
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}
_NONE = "\x1f"
"""Means "no delimiter": the whole line is one cell."""
_SAMPLE = 256 * 1024
_SAMPLE_ROWS = 200
_CONSISTENT = 0.7
"""Least share of a sample's rows with the same number of cells for which a delimiter is accepted."""
_HALF = 0.5
"""The same share when the first row, which usually contains the column names, has that number of cells too."""
_CHUNK = 1 << 20
_CLOSE = message(
    "fix.closeQuotes", "Close what {quote} opened, and write {quote} twice within quotation marks", quote='"'
)
_HINT = re.compile(r"sep=(.)\r?\n?")


@dataclass(frozen=True)
class CsvRow:
    """A row: the number of its first line, from 1, and its cells."""

    line: int
    cells: list[str]
    damaged: bool = False
    """Whether bytes that are not UTF-8 were replaced by U+FFFD."""


@dataclass(frozen=True)
class CsvError:
    """A row that cannot be read, and the reason."""

    line: int
    message: str
    fix: str | None = None


def file_encoding(path: Path, encoding: Encoding, language: str) -> str:
    """Return the codec to read the file with. Reads the whole file when that is needed to confirm UTF-8.

    Raises:
        ComponentError: the encoding could not be determined.
    """
    with path.open("rb") as file:
        head = file.read(_CHUNK)
        if encoding != "auto":
            return _codec_skipping_byte_order_mark(choose_encoding(head, encoding=encoding, whole=False), head)
        chosen = choose_encoding(head, language=language, whole=False) if not _head_is_utf8(head) else "utf-8"
        if chosen != "utf-8":
            return _codec_skipping_byte_order_mark(chosen, head)
        strange = _lines_around_invalid_utf8(file, head)
    if strange is None:
        return _codec_skipping_byte_order_mark("utf-8", head)
    try:
        return _codec_skipping_byte_order_mark(choose_encoding(strange, language=language, whole=False), head)
    except ComponentError:
        return _codec_skipping_byte_order_mark("utf-8", head)  # damaged in some rows, which the import reports


def _codec_skipping_byte_order_mark(encoding: str, head: bytes) -> str:
    return "utf-8-sig" if encoding == "utf-8" and head.startswith(b"\xef\xbb\xbf") else encoding


def _head_is_utf8(head: bytes) -> bool:
    try:
        return choose_encoding(head, whole=False) == "utf-8"
    except ComponentError:
        return True


def _lines_around_invalid_utf8(file: IO[bytes], head: bytes) -> bytes | None:
    """Return the lines around the first bytes that are not UTF-8, None when there are none."""
    rest, chunk = b"", head
    while chunk:
        data = rest + chunk
        end = data.rfind(b"\n") + 1 or len(data)
        try:
            data[:end].decode("utf-8")
        except UnicodeDecodeError as error:
            start = data.rfind(b"\n", 0, error.start) + 1
            return data[start : start + _CHUNK]
        rest = data[end:] if end < len(data) else b""
        chunk = file.read(_CHUNK)
    try:
        rest.decode("utf-8")
    except UnicodeDecodeError:
        return rest
    return None


class CsvReader:
    """Reads rows of an open text file (`newline=""`, error handler `surrogateescape`).

    Args:
        delimiter: one character; for `auto`, the result of `find_delimiter`.
        limit: maximum characters of one row.
        mend: the file is UTF-8 with damage; invalid bytes become U+FFFD.
    """

    def __init__(self, file: IO[str], delimiter: str, limit: int, *, mend: bool = False) -> None:
        self._mend = mend
        csv.field_size_limit(max(csv.field_size_limit(), limit))
        self._lines = _RewindableLines(file, limit)
        self._reader = csv.reader(self._lines, delimiter=delimiter, strict=True)
        self._delimiter = delimiter

    def rows(self) -> Iterator[CsvRow | CsvError]:
        """Yield the rows in order without blank ones."""
        while True:
            line = self._lines.begin()
            try:
                cells = next(self._reader)
            except StopIteration:
                return
            except _RowTooLong as error:
                yield self._error(line, error.args[0])
                continue
            except csv.Error as error:
                yield self._wrong(line, error)
                continue
            if not any(cell.strip() for cell in cells):
                continue
            if not any(_is_damaged(cell) for cell in cells):
                yield CsvRow(line, cells)
            elif self._mend:
                yield CsvRow(line, [_repaired_cell(cell) for cell in cells], damaged=True)
            else:
                words = message("file.rowEncoding", "It contains bytes that are not valid in the file's encoding")
                yield CsvError(line, words, AS_UTF8)

    def _wrong(self, line: int, error: csv.Error) -> CsvRow | CsvError:
        """Handle a row that breaks the quoting rules: read it leniently when it is a single line, report it
        otherwise.
        """
        taken = self._lines.taken
        if len(taken) == 1 and taken[0].count('"') % 2 == 0:
            return CsvRow(line, next(csv.reader(taken, delimiter=self._delimiter)))
        words = message("file.rowQuotes", "Its quotation marks do not match ({why})", why=str(error))
        return self._error(line, words)

    def _error(self, line: int, words: str) -> CsvError:
        self._lines.put_back()
        return CsvError(line, words, _CLOSE)


def _repaired_cell(cell: str) -> str:
    return repair_utf8(cell.encode("utf-8", "surrogateescape"))[0] if _is_damaged(cell) else cell


def _is_damaged(cell: str) -> bool:
    return not cell.isascii() and any("\ud800" <= char <= "\udfff" for char in cell)


class _RowTooLong(Exception):
    """A row is longer than the limit."""


class _RewindableLines:
    """Lines of a file. The lines of a row that could not be parsed can be read again, except the first one."""

    def __init__(self, file: IO[str], limit: int) -> None:
        self._file, self._limit = file, limit
        self._back: deque[str] = deque()
        self._number = 0
        self._size = 0
        self.taken: list[str] = []

    def __iter__(self) -> _RewindableLines:
        return self

    def begin(self) -> int:
        """Start a row and return the number of its first line."""
        self.taken = []
        self._size = 0
        return self._number + 1

    def __next__(self) -> str:
        line = self._back.popleft() if self._back else self._file.readline(self._limit + 1)
        if not line:
            raise StopIteration
        self._number += 1
        self._size += len(line)
        self.taken.append(line)
        if self._size > self._limit:
            while line and not line.endswith(("\n", "\r")):
                line = self._file.readline(_CHUNK)
            raise _RowTooLong(message("file.rowLong", "It is longer than {number} characters", number=self._limit))
        return line

    def put_back(self) -> None:
        """Read the lines after the first one of this row again."""
        self._back.extendleft(reversed(self.taken[1:]))
        self._number -= len(self.taken) - 1
        self.taken = self.taken[:1]


def find_delimiter(sample: str, name: str) -> str:
    """Return the delimiter of a file, judged by its first lines: the one that splits most rows into the same number of
    cells.
    """
    hinted = _HINT.match(sample)
    if hinted:
        return hinted[1]
    lines = sample.splitlines(keepends=True)[:_SAMPLE_ROWS]
    found = []
    for delimiter in DELIMITERS.values():
        share, width, first = _delimiter_consistency(lines, delimiter)
        if width > 1 and share >= (_CONSISTENT if first != width else _HALF):
            preferred = delimiter == "\t" and name.lower().endswith((".tsv", ".tab"))
            found.append((preferred, round(share, 1), width, delimiter))
    return max(found)[3] if found else _NONE


def _delimiter_consistency(lines: list[str], delimiter: str) -> tuple[float, int, int]:
    """Return the share of rows with the most frequent number of cells, that number, and the number of cells of the
    first row.
    """
    widths: list[int] = []
    try:
        widths.extend(len(cells) for cells in csv.reader(lines, delimiter=delimiter) if any(cells))
    except csv.Error:
        return 0.0, 0, 0
    if not widths:
        return 0.0, 0, 0
    number, times = Counter(widths).most_common(1)[0]
    return times / len(widths), number, widths[0]


def read_sample(file: IO[str]) -> str:
    """Return the first lines of a file and restore its position. Raises `ComponentError` when they contain NUL: the
    file is not text.
    """
    sample = file.read(_SAMPLE)
    file.seek(0)
    if "\x00" in sample:
        raise ComponentError(
            HAS_NUL,
            fix=CHECK_TYPE,
        )
    return sample if len(sample) < _SAMPLE else sample[: sample.rfind("\n") + 1] or sample


def skip_separator_hint(file: IO[str]) -> None:
    """Skip Excel's `sep=;` line."""
    line = file.readline(16)
    if not _HINT.fullmatch(line):
        file.seek(0)
