"""Parses the binary tables of old Word files ([MS-DOC]): text pieces, paragraph properties, styles.

Offsets named `fc` are bytes of the WordDocument stream; positions `cp` count UTF-16 units of the text.
"""

from __future__ import annotations

import struct
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from annotarium_plugins.builtin.converters.common.errors import damaged_file, too_large
from annotarium_schemas.messages import message

_PAGE = 512
LONGEST_TEXT = 32 << 20
_OPERAND_BYTES = (1, 1, 2, 4, 2, 2, 0, 3)
_IN_TABLE, _ROW_END, _OUTLINE, _INNER_ROW_END = 0x2416, 0x2417, 0x2640, 0x244C
_DELETED, _HIDDEN = 0x0800, 0x083C
_TITLE = 62


@dataclass(frozen=True)
class Piece:
    """Text from `cp` to `end`, stored at `fc` with `width` bytes per unit."""

    cp: int
    end: int
    fc: int
    width: int


@dataclass(frozen=True)
class ParagraphFacts:
    """Properties of a paragraph; `outline` None = not specified."""

    style: int = 0
    in_table: bool = False
    row_end: bool = False
    outline: int | None = None


def read_pieces(table: bytes, offset: int, size: int) -> list[Piece]:
    """Return the text pieces of the piece table at `offset`."""
    block = table[offset : offset + size]
    position = 0
    while position + 3 <= len(block) and block[position] == 1:  # properties shared by pieces
        position += 3 + struct.unpack_from("<H", block, position + 1)[0]
    if position + 5 > len(block) or block[position] != 2:
        raise damaged_file(message("damaged.piecesMissing", "Its table of pieces is missing."))
    (length,) = struct.unpack_from("<I", block, position + 1)
    plex = block[position + 5 : position + 5 + length]
    count = (len(plex) - 4) // 12
    if count < 1 or len(plex) < length:
        raise damaged_file(message("damaged.piecesCut", "Its table of pieces is cut off."))
    places = struct.unpack_from(f"<{count + 1}I", plex)
    if places[0] != 0 or any(first > second for first, second in pairwise(places)):
        raise damaged_file(message("damaged.piecesOrder", "Its table of pieces is out of order."))
    if places[-1] > LONGEST_TEXT:
        raise too_large(message("large.text", "The text is too long"), f"{LONGEST_TEXT} characters")
    pieces = []
    for number in range(count):
        (place,) = struct.unpack_from("<I", plex, 4 * (count + 1) + 8 * number + 2)
        narrow = bool(place & 0x40000000)
        fc = (place & 0x3FFFFFFF) // 2 if narrow else place & 0x3FFFFFFF
        pieces.append(Piece(places[number], places[number + 1], fc, 1 if narrow else 2))
    return pieces


def read_text(main: bytes, pieces: list[Piece]) -> str:
    """Return the text with one character per UTF-16 unit: surrogates are not combined, so that positions stay valid."""
    parts = []
    for piece in pieces:
        length = piece.end - piece.cp
        content = main[piece.fc : piece.fc + length * piece.width]
        if length < 0 or len(content) < length * piece.width:
            raise damaged_file(message("damaged.pieceOutside", "Part of its text is outside the file."))
        if piece.width == 1:
            parts.append(content.decode("cp1252", errors="replace"))
        else:
            parts.append("".join(map(chr, struct.unpack(f"<{length}H", content))))
    return "".join(parts)


def _bin_table_pages(table: bytes, offset: int, size: int) -> list[int]:
    """Return the page numbers of a bin table."""
    count = (size - 4) // 8
    if count < 1 or offset + size > len(table):
        return []
    return [page & 0x3FFFFF for page in struct.unpack_from(f"<{count}I", table, offset + 4 * (count + 1))]


def _runs(main: bytes, page: int, entry: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start fc, end fc, offset of the properties, 0 = none) of the runs of a page; `entry` is the size of an
    entry.
    """
    start = page * _PAGE
    if start + _PAGE > len(main):
        return
    count = main[start + _PAGE - 1]
    if 4 * (count + 1) + entry * count >= _PAGE:
        return
    places = struct.unpack_from(f"<{count + 1}I", main, start)
    for number in range(count):
        offset = 2 * main[start + 4 * (count + 1) + entry * number]
        yield places[number], places[number + 1], start + offset if offset else 0


def _properties(content: bytes) -> Iterator[tuple[int, int]]:
    """Yield (code, first byte of the operand) of a property list."""
    position = 0
    while position + 3 <= len(content):
        (code,) = struct.unpack_from("<H", content, position)
        position += 2
        size = _OPERAND_BYTES[code >> 13]
        if code >> 13 == 6:
            if code == 0xD608 and position + 2 <= len(content):  # a table definition has a 16-bit length
                size = struct.unpack_from("<H", content, position)[0] + 1
            else:
                size = content[position] + 1
        yield code, content[position]
        position += size


class ParagraphPropertyTable:
    """Paragraph properties by the position where the last character of the paragraph is stored."""

    def __init__(self, main: bytes, table: bytes, offset: int, size: int) -> None:
        self._starts: list[int] = []
        self._facts: list[ParagraphFacts] = []
        found = []
        for page in _bin_table_pages(table, offset, size):
            for start, _, place in _runs(main, page, 13):
                found.append((start, _paragraph_facts(main, page, place)))
        found.sort(key=lambda one: one[0])
        for start, facts in found:
            self._starts.append(start)
            self._facts.append(facts)

    def at(self, fc: int) -> ParagraphFacts:
        """Return the properties of the paragraph whose end mark is stored at `fc`."""
        place = bisect_right(self._starts, fc) - 1
        return self._facts[place] if place >= 0 else ParagraphFacts()


def _paragraph_facts(main: bytes, page: int, place: int) -> ParagraphFacts:
    end = (page + 1) * _PAGE
    if not place:
        return ParagraphFacts()
    size = main[place]
    begin, length = (place + 2, 2 * main[place + 1]) if size == 0 else (place + 1, 2 * size - 1)
    content = main[begin : min(begin + length, end)]
    if len(content) < 2:
        return ParagraphFacts()
    (style,) = struct.unpack_from("<H", content)
    values = dict(_properties(content[2:]))
    return ParagraphFacts(
        style,
        bool(values.get(_IN_TABLE)),
        bool(values.get(_ROW_END)) or bool(values.get(_INNER_ROW_END)),
        values.get(_OUTLINE),
    )


def removed_ranges(main: bytes, table: bytes, offset: int, size: int) -> list[tuple[int, int]]:
    """Return ranges of `fc` whose characters are deleted revisions or hidden."""
    found = []
    for page in _bin_table_pages(table, offset, size):
        for start, end, place in _runs(main, page, 1):
            if place:
                values = dict(_properties(main[place + 1 : place + 1 + main[place]]))
                if values.get(_DELETED) == 1 or values.get(_HIDDEN) == 1:
                    found.append((start, end))
    return sorted(found)


def heading_levels(table: bytes, offset: int, size: int) -> dict[int, int]:
    """Return heading levels by style number; 1 for titles."""
    block = table[offset : offset + size]
    if len(block) < 4:
        return {}
    header, count = struct.unpack_from("<HH", block)
    position = 2 + header
    found: dict[int, int] = {}
    bases: dict[int, int] = {}
    for number in range(min(count, 4096)):
        if position + 2 > len(block):
            break
        (length,) = struct.unpack_from("<H", block, position)
        if length >= 4 and position + 6 <= len(block):
            first, second = struct.unpack_from("<HH", block, position + 2)
            kind = first & 0xFFF
            if 1 <= kind <= 9 or kind == _TITLE:
                found[number] = 1 if kind == _TITLE else kind
            bases[number] = second >> 4
        position += 2 + length + length % 2
    for number in bases:
        base = number
        for _ in range(10):
            if base in found:
                found.setdefault(number, found[base])
                break
            base = bases.get(base, 0xFFF)
    return found
