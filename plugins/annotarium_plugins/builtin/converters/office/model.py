"""What the readers of office files give, the same for all formats."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from annotarium_schemas.documents import MetadataValue


@dataclass
class Properties:
    """What a file says about itself. Dates are ISO 8601 in UTC, or without a zone where the format has none."""

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
        """All but the title that is known, by the names documents carry."""
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
    """`kind` is paragraph, heading (`level` from 1), note, comment, header."""

    text: str
    kind: str = "paragraph"
    level: int = 0


@dataclass
class Table:
    """Rows of cells; a cell that spans columns is followed by empty ones."""

    rows: list[list[str]]


@dataclass
class TextFile:
    """A text document: its blocks in reading order, notes and headers among them by kind."""

    properties: Properties
    blocks: list[Paragraph | Table]


@dataclass
class Slide:
    """A slide: its title, its blocks without the title, the speaker's notes."""

    title: str
    blocks: list[Paragraph | Table]
    notes: list[str] = field(default_factory=list)
    hidden: bool = False


@dataclass
class Presentation:
    """A presentation, its slides in order."""

    properties: Properties
    slides: list[Slide]


@dataclass
class Sheet:
    """A sheet: `rows` gives the cells of each row that has any, with its number from 1."""

    name: str
    rows: Iterator[tuple[int, list[str]]]
    hidden: bool = False


@dataclass
class Workbook:
    """A workbook; sheets are read one after the other."""

    properties: Properties
    sheets: Iterator[Sheet]
