"""Result of the readers of office files, the same for all formats."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from annotarium_plugins.builtin.converters.common.text_builder import InlineMark, clean, count_non_blank
from annotarium_schemas.documents import LayoutKind, MetadataValue


@dataclass
class Properties:
    """Properties of a file. Dates are ISO 8601 in UTC, or without time zone where the format has none."""

    title: str = ""
    author: str = ""
    last_author: str = ""
    created: str = ""
    modified: str = ""
    subject: str = ""
    description: str = ""
    category: str = ""
    language: str = ""
    keywords: list[str] = field(default_factory=list)

    def metadata(self) -> dict[str, MetadataValue]:
        """Return all known properties except the title, under the metadata names that documents use."""
        found: dict[str, MetadataValue] = {
            "author": self.author,
            "lastAuthor": self.last_author,
            "created": self.created,
            "modified": self.modified,
            "subject": self.subject,
            "description": self.description,
            "category": self.category,
            "language": self.language,
        }
        if self.keywords:
            found["keywords"] = list(self.keywords)
        return {name: value for name, value in found.items() if value}


@dataclass
class Paragraph:
    """A paragraph: `kind` is paragraph, heading (`level` from 1), note, comment or header.

    Attributes:
        marks: emphasis within it.
        depth: depth of the list whose item it is, from 1; 0 = not an item.
    """

    text: str
    kind: str = "paragraph"
    level: int = 0
    marks: list[InlineMark] = field(default_factory=list)
    depth: int = 0


@dataclass(frozen=True)
class StyledText:
    """A part of a paragraph with the emphasis `kinds`."""

    text: str
    kinds: tuple[LayoutKind, ...] = ()


def text_and_inline_marks(pieces: Iterable[str | StyledText]) -> tuple[str, list[InlineMark]]:
    """Return the text of the parts and its inline marks; adjacent parts with the same emphasis become one mark."""
    parts: list[str] = []
    open_: dict[LayoutKind, int] = {}
    marks: list[InlineMark] = []
    place = 0
    for piece in pieces:
        text, kinds = (piece.text, piece.kinds) if isinstance(piece, StyledText) else (piece, ())
        parts.append(text)
        length = count_non_blank(clean(text))
        if not length:
            continue
        for kind in [one for one in open_ if one not in kinds]:
            marks.append(InlineMark(kind, open_.pop(kind), place))
        for kind in kinds:
            open_.setdefault(kind, place)
        place += length
    marks += [InlineMark(kind, first, place) for kind, first in open_.items()]
    return "".join(parts), sorted(marks, key=lambda one: (one.first, -one.past))


@dataclass
class Table:
    """Rows of cells; a cell that spans columns is followed by empty ones."""

    rows: list[list[str]]


@dataclass
class WordProcessorDocument:
    """A text document: its blocks in reading order; notes and headers are included with their kind."""

    properties: Properties
    blocks: list[Paragraph | Table]


@dataclass
class Slide:
    """A slide: its title, its blocks without the title, the speaker notes."""

    title: str
    blocks: list[Paragraph | Table]
    notes: list[str] = field(default_factory=list)
    hidden: bool = False


@dataclass
class Presentation:
    """A presentation with its slides in order."""

    properties: Properties
    slides: list[Slide]


@dataclass
class Sheet:
    """A sheet: `rows` yields row number (from 1) and cells of each non-empty row."""

    name: str
    rows: Iterator[tuple[int, list[str]]]
    hidden: bool = False


@dataclass
class Workbook:
    """A workbook; its sheets must be read one after the other."""

    properties: Properties
    sheets: Iterator[Sheet]
