"""Reads old Word files (doc, Word 97 to 2003). Emojis, which are surrogate pairs in the file, stay whole."""

from __future__ import annotations

import re
import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import (
    EXTENSION,
    WORD,
    damaged_file,
    password_protected,
    wrong_format,
)
from annotarium_plugins.builtin.converters.common.ole_file import OleFile
from annotarium_plugins.builtin.converters.office.block_assembler import BlockAssembler
from annotarium_plugins.builtin.converters.office.doc_structures import (
    ParagraphPropertyTable,
    Piece,
    heading_levels,
    read_pieces,
    read_text,
    removed_ranges,
)
from annotarium_plugins.builtin.converters.office.model import Paragraph, Table, WordProcessorDocument
from annotarium_plugins.builtin.converters.office.properties import ole_properties
from annotarium_plugins.builtin.converters.office.rtf_tokens import language_of_windows_number
from annotarium_schemas.messages import message

_PAIRS = 0x9A
_STYLES, _CHARACTERS, _PARAGRAPHS, _PIECES = 1, 12, 13, 33
_ENDS = re.compile("[\r\x07\x0c]")
_ENDING = "\r\x07\x0c"
_CELL = "\x07"
_SIGNS = {0x1E: "\u2011", 0x1F: "\u00ad", 0x01: None, 0x02: None, 0x05: None, 0x08: None}
_OLD = (0xA5DC, 0xA697, 0xA698, 0xA699)
"""Signatures of Word 6 and 95; the last three are those of their Asian editions."""
_LEFT_OUT = "\x03"
"""Replaces a hidden or deleted character; it never occurs in a text."""


@dataclass(frozen=True)
class _FileInformation:
    """The parts of the file information block that are used."""

    table: str
    language: int
    counts: tuple[int, ...]
    content: bytes

    def place(self, number: int) -> tuple[int, int]:
        """Return offset and size of a structure in the table stream."""
        offset, size = struct.unpack_from("<II", self.content, _PAIRS + 8 * number)
        return offset, size


def read_doc(package: OleFile) -> WordProcessorDocument:
    """Return the blocks of a doc: body, text boxes, then notes, comments and headers with their kind.

    Raises:
        ComponentError: it is not a doc, encrypted, damaged, or older than Word 97.
    """
    if not package.has("WordDocument"):
        raise wrong_format(WORD, EXTENSION)
    main = package.read("WordDocument")
    try:
        head = _read_file_information(main)
        table = package.read(head.table)
        story = _DocBlockReader(main, table, head)
        properties = ole_properties(package.raw)
        properties.language = properties.language or language_of_windows_number(head.language)
        return WordProcessorDocument(properties, list(story.blocks()))
    except (struct.error, IndexError) as error:
        raise damaged_file(message("damaged.tableOutside", "A table of the file points outside it.")) from error


def _read_file_information(main: bytes) -> _FileInformation:
    if len(main) < 0x200:
        raise damaged_file(message("damaged.headCut", "Its header is cut off."))
    sign, version, language = struct.unpack_from("<HH2xH", main)
    (flags,) = struct.unpack_from("<H", main, 0x0A)
    if sign != 0xA5EC and sign not in _OLD:
        raise damaged_file(message("damaged.headWord", "Its header is not that of a Word file."))
    if flags & 0x0100:
        raise password_protected()
    if sign in _OLD or version < 0x00C1:
        raise ComponentError(
            message("file.oldWord", "The file was created by Word 95 or older, which is not supported."),
            cause=message("cause.version", "Its version is {version}.", version=version),
            fix=message("fix.docx", "Open it in an office program, save it as docx and upload it again"),
        )
    # Text, footnotes, headers, macros, comments, endnotes, text boxes, text boxes of headers
    counts = struct.unpack_from("<8i", main, 0x4C)
    if any(count < 0 for count in counts):
        raise damaged_file(message("damaged.lengths", "The lengths of its texts are wrong."))
    return _FileInformation("1Table" if flags & 0x0200 else "0Table", language, counts, main[: _PAIRS + 8 * 93])


class _DocBlockReader:
    def __init__(self, main: bytes, table: bytes, head: _FileInformation) -> None:
        pieces = read_pieces(table, *head.place(_PIECES))
        text = read_text(main, pieces)
        if len(text) < head.counts[0]:
            raise damaged_file(message("damaged.shorter", "Its text is shorter than stated."))
        self._pieces = pieces
        self._text = _mask_removed_text(text, pieces, removed_ranges(main, table, *head.place(_CHARACTERS)))
        self._paragraphs = ParagraphPropertyTable(main, table, *head.place(_PARAGRAPHS))
        self._levels = heading_levels(table, *head.place(_STYLES))
        self._counts = head.counts

    def blocks(self) -> Iterator[Paragraph | Table]:
        """Yield all blocks: body, text boxes, notes, comments, headers."""
        starts = [0]
        for count in self._counts:
            starts.append(starts[-1] + count)
        for part, kind in ((0, ""), (6, ""), (1, "note"), (5, "note"), (4, "comment"), (2, "header"), (7, "header")):
            blocks = self._part(starts[part], starts[part + 1])
            if not kind:
                yield from blocks
                continue
            for block in blocks:
                texts = [block.text] if isinstance(block, Paragraph) else [" ".join(row) for row in block.rows]
                yield from (Paragraph(text, kind) for text in texts)

    def _part(self, start: int, end: int) -> list[Paragraph | Table]:
        flow = BlockAssembler()
        position = start
        fields = _FieldCodeFilter()
        piece = 0
        for mark in _ENDS.finditer(self._text, start, end):
            while piece + 1 < len(self._pieces) and self._pieces[piece].end <= mark.start():
                piece += 1
            at = self._pieces[piece]
            facts = self._paragraphs.at(at.fc + (mark.start() - at.cp) * at.width)
            flow.line.append(fields.results(self._text[position : mark.start()]))
            position = mark.end()
            if facts.row_end:
                flow.line.clear()
                if mark.group() == _CELL:
                    flow.end_row()
            elif mark.group() == _CELL:
                flow.end_cell()
            else:
                level = self._levels.get(facts.style, 0)
                if facts.outline is not None:
                    level = facts.outline + 1 if facts.outline < 9 else 0
                flow.end_paragraph(level, facts.in_table)
        flow.line.append(fields.results(self._text[position:end]))
        flow.end_paragraph(0, False)
        return flow.blocks


def _mask_removed_text(text: str, pieces: list[Piece], removed: list[tuple[int, int]]) -> str:
    """Replace deleted and hidden characters by a mark; paragraph ends stay."""
    if not removed:
        return text
    marks = list(text)
    starts = [start for start, _ in removed]
    for piece in pieces:
        limit = piece.fc + (piece.end - piece.cp) * piece.width
        number = max(0, bisect_right(starts, piece.fc) - 1)
        while number < len(removed) and removed[number][0] < limit:
            start, end = removed[number]
            number += 1
            first = piece.cp + max(0, (start - piece.fc) // piece.width)
            last = min(piece.end, piece.cp + (end - piece.fc) // piece.width)
            for place in range(first, last):
                if marks[place] not in _ENDING:
                    marks[place] = _LEFT_OUT
    return "".join(marks)


class _FieldCodeFilter:
    """Tracks fields across paragraphs: the result of a field is text, its code is not."""

    def __init__(self) -> None:
        self._codes: list[bool] = []

    def results(self, text: str) -> str:
        """Return the text without field codes and object markers."""
        if self._codes or "\x13" in text or "\x15" in text:
            text = "".join(self._visible(text))
        return text.replace(_LEFT_OUT, "").translate(_SIGNS)

    def _visible(self, text: str) -> Iterator[str]:
        for char in text:
            if char == "\x13":
                self._codes.append(True)
            elif char == "\x14":
                if self._codes:
                    self._codes[-1] = False
            elif char == "\x15":
                if self._codes:
                    self._codes.pop()
            elif not any(self._codes):
                yield char
