"""A text that grows block by block and knows where each block is. Offsets are Unicode code points."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import MetadataValue, Sentence

LARGEST_TEXT = 64 * 1024 * 1024
"""Characters of one text."""
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85]")
_BREAKS = re.compile(r" *[\n\t\u2028\u2029]+ *")
_NO_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")
_PAIRS = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALVES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    """Text as it is stored: line ends are `\\n`, pairs of surrogates are one character, control characters go.

    Half a pair becomes U+FFFD; all else stays as it is.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _PAIRS.sub(_joined, _LINE_ENDS.sub("\n", text))
    return _HALVES.sub("\ufffd", _NO_CHARACTER.sub("", text))


def in_cell(text: str) -> str:
    """The text of a cell on one line: its line breaks and tabs become a space."""
    return _BREAKS.sub(" ", clean(text)).strip()


def _joined(pair: re.Match[str]) -> str:
    both = pair.group()
    return chr(0x10000 + ((ord(both[0]) - 0xD800) << 10) + (ord(both[1]) - 0xDC00))


@dataclass(frozen=True)
class Block:
    """A stretch [start, end) of the text: `kind` is heading, paragraph, table, note, slide, ...; facts are metadata."""

    start: int
    end: int
    kind: str
    facts: dict[str, MetadataValue] = field(default_factory=dict)


class TextBuilder:
    """Add blocks, then read `text` and `blocks`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []

    @property
    def text(self) -> str:
        """What was added so far."""
        return "".join(self._parts)

    @property
    def length(self) -> int:
        """Code points so far."""
        return self._length

    def add(self, text: str, kind: str, *, gap: str = "\n\n", **facts: MetadataValue) -> Block | None:
        """Append a block after a gap; a blank one is left out, blanks around it too.

        Raises:
            ComponentError: the text is too large.
        """
        text = clean(text).strip()
        if not text:
            return None
        gap = gap if self._parts else ""
        start = self._length + len(gap)
        self._parts += (gap, text)
        self._length = start + len(text)
        if self._length > LARGEST_TEXT:
            raise ComponentError(
                f"The text is longer than {LARGEST_TEXT} characters.", fix="Split the file into several"
            )
        block = Block(start, self._length, kind, facts)
        self.blocks.append(block)
        return block

    def add_table(self, rows: Iterable[list[str]], separator: str, **facts: MetadataValue) -> Block | None:
        """Append a table: a line for each row, blank rows and columns at the ends left out."""
        lines = [[in_cell(cell) for cell in row] for row in rows]
        while lines and not any(lines[-1]):
            lines.pop()
        columns = max((_used(line) for line in lines), default=0)
        text = "\n".join(separator.join(line[:columns]).rstrip() for line in lines if any(line))
        count = sum(1 for line in lines if any(line))
        return self.add(text, "table", gap="\n\n", rows=count, columns=columns, **facts)


def _used(line: list[str]) -> int:
    return max((number for number, cell in enumerate(line, 1) if cell), default=0)


def block_sentences(blocks: Iterable[Block]) -> list[Sentence]:
    """Blocks as segments of their own, with what is known of them as metadata."""
    return [Sentence(start=one.start, end=one.end, metadata={"kind": one.kind, **one.facts}) for one in blocks]


def section_sentences(blocks: list[Block], starts: str = "heading") -> list[Sentence]:
    """One segment from each block of the kind `starts` to the next; what comes before the first one is one too."""
    groups: list[list[Block]] = []
    for block in blocks:
        if block.kind == starts or not groups:
            groups.append([])
        groups[-1].append(block)
    made = []
    for group in groups:
        facts = group[0].facts if group[0].kind == starts else {}
        made.append(Sentence(start=group[0].start, end=group[-1].end, metadata={"kind": "section", **facts}))
    return made
