"""Parses the records of old PowerPoint files ([MS-PPT]) and of the drawings in them."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass, field

from annotarium_plugins.builtin.converters.common.errors import damaged_file, password_protected
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_schemas.messages import message

DOCUMENT, SLIDE, SLIDE_ATOM, NOTES, NOTES_ATOM, SLIDE_PERSIST, SHOW_INFO = 1000, 1006, 1007, 1008, 1009, 1011, 1017
DRAWING, PLACEHOLDER, OUTLINE_REFERENCE, TEXT_HEADER, TEXT_CHARS, TEXT_BYTES = 1036, 3011, 3998, 3999, 4000, 4008
SLIDE_LIST = 4080
_USER_EDIT, _DIRECTORY = 4085, 6002
_GROUP, _SHAPE, _TEXT_BOX, _CHILD_ANCHOR, _CLIENT_DATA, _MORE_OPTIONS = 0xF003, 0xF004, 0xF00D, 0xF00F, 0xF011, 0xF122
_DRAWING_CONTAINER, _TABLE_PROPERTIES = 0xF002, 0x039F
_DEEPEST = 40
_ENCRYPTED = 0xF3D1C4DF


@dataclass(frozen=True)
class Record:
    """A record; its content is [start, end) of the stream."""

    kind: int
    instance: int
    start: int
    end: int


@dataclass
class Shape:
    """A shape with text: `place` is the kind of placeholder (0 = none), `rows` are its cells when it is a table."""

    text: str = ""
    header: int = 4
    place: int = 0
    outline: int | None = None
    anchor: tuple[int, int] = (0, 0)
    rows: list[list[str]] = field(default_factory=list)


class RecordStream:
    """The records of a presentation stream."""

    def __init__(self, content: bytes) -> None:
        self.content = content

    def at(self, offset: int) -> Record:
        """Return the record that starts at `offset`; raises `ComponentError` outside the stream."""
        if offset < 0 or offset + 8 > len(self.content):
            raise damaged_file(message("damaged.recordOutside", "A record points outside the file."))
        first, kind, length = struct.unpack_from("<HHI", self.content, offset)
        end = offset + 8 + length
        if end > len(self.content):
            raise damaged_file(message("damaged.recordCut", "A record is cut off."))
        return Record(kind, first >> 4, offset + 8, end)

    def children(self, parent: Record) -> Iterator[Record]:
        """Yield the records within a record, in order."""
        offset = parent.start
        while offset + 8 <= parent.end:
            record = self.at(offset)
            yield record
            offset = record.end

    def child(self, parent: Record, kind: int) -> Record | None:
        """Return the first record of a kind within another."""
        return next((one for one in self.children(parent) if one.kind == kind), None)

    def number(self, record: Record, place: int) -> int:
        """Return the 32-bit number at offset `place` of a record, 0 beyond its end."""
        if record.start + place + 4 > record.end:
            return 0
        value: int = struct.unpack_from("<I", self.content, record.start + place)[0]
        return value

    def text(self, record: Record) -> str | None:
        """Return the text of a text record, None for other records."""
        content = self.content[record.start : record.end]
        if record.kind == TEXT_CHARS:
            return clean(content[: len(content) // 2 * 2].decode("utf-16-le", errors="replace"))
        return clean(content.decode("latin-1")) if record.kind == TEXT_BYTES else None


def object_offsets(records: RecordStream, current_user: bytes) -> tuple[dict[int, int], int]:
    """Return the offsets of the objects of the last edit by their number, and the number of the document object.

    Raises:
        ComponentError: it is encrypted or damaged.
    """
    if len(current_user) < 20:
        raise damaged_file(message("damaged.editsMissing", "Its list of edits is missing."))
    token, offset = struct.unpack_from("<II", current_user, 12)
    if token == _ENCRYPTED:
        raise password_protected()
    places: dict[int, int] = {}
    document, seen = 0, set()
    while offset and offset not in seen:
        seen.add(offset)
        edit = records.at(offset)
        if edit.kind != _USER_EDIT:
            raise damaged_file(message("damaged.editsBroken", "Its list of edits is damaged."))
        if edit.end - edit.start >= 32 and records.number(edit, 28):
            raise password_protected()
        document = document or records.number(edit, 16)
        for number, place in _directory_entries(records, records.at(records.number(edit, 12))):
            places.setdefault(number, place)
        offset = records.number(edit, 8)
    return places, document


def _directory_entries(records: RecordStream, record: Record) -> Iterator[tuple[int, int]]:
    if record.kind != _DIRECTORY:
        raise damaged_file(message("damaged.directory", "Its directory is damaged."))
    place = 0
    while record.start + place + 4 <= record.end:
        head = records.number(record, place)
        first, count = head & 0xFFFFF, head >> 20
        for number in range(count):
            place += 4
            yield first + number, records.number(record, place)
        place += 4


def shapes(records: RecordStream, slide: Record) -> Iterator[Shape]:
    """Yield the shapes with text of a slide, in drawing order; a table is one shape."""
    drawing = records.child(slide, DRAWING)
    if drawing is not None:
        yield from _shapes_within(records, drawing, 0)


def _shapes_within(records: RecordStream, parent: Record, depth: int) -> Iterator[Shape]:
    if depth > _DEEPEST:
        raise damaged_file(message("damaged.drawings", "Its drawings are nested too deep."))
    for record in records.children(parent):
        if record.kind == _SHAPE:
            yield _shape(records, record)
        elif record.kind == _GROUP and _is_table(records, record):
            yield Shape(rows=_rows(list(_shapes_within(records, record, depth + 1))))
        elif record.kind in (_GROUP, _DRAWING_CONTAINER):
            yield from _shapes_within(records, record, depth + 1)


def _is_table(records: RecordStream, group: Record) -> bool:
    first = records.child(group, _SHAPE)
    options = records.child(first, _MORE_OPTIONS) if first is not None else None
    if options is None:
        return False
    for number in range(options.instance):
        place = options.start + 6 * number
        if place + 6 > options.end:
            return False
        name, value = struct.unpack_from("<HI", records.content, place)
        if name & 0x3FFF == _TABLE_PROPERTIES:
            return bool(value & 1)
    return False


def _rows(cells: list[Shape]) -> list[list[str]]:
    """Arrange cells by position: those at the same height are a row."""
    rows: dict[int, list[Shape]] = {}
    for cell in cells:
        if cell.text:
            rows.setdefault(cell.anchor[1], []).append(cell)
    columns = sorted({cell.anchor[0] for cell in cells if cell.text})
    made = []
    for top in sorted(rows):
        line = [""] * len(columns)
        for cell in rows[top]:
            line[columns.index(cell.anchor[0])] = cell.text
        made.append(line)
    return made


def _shape(records: RecordStream, record: Record) -> Shape:
    shape = Shape()
    for part in records.children(record):
        if part.kind == _CHILD_ANCHOR and part.end - part.start >= 16:
            shape.anchor = struct.unpack_from("<ii", records.content, part.start)
        elif part.kind == _CLIENT_DATA:
            place = records.child(part, PLACEHOLDER)
            if place is not None and place.start + 5 <= place.end:
                shape.place = records.content[place.start + 4]
        elif part.kind == _TEXT_BOX:
            for inner in records.children(part):
                if inner.kind == TEXT_HEADER:
                    shape.header = records.number(inner, 0)
                elif inner.kind == OUTLINE_REFERENCE:
                    shape.outline = records.number(inner, 0)
                else:
                    shape.text = records.text(inner) or shape.text
    return shape
