"""Builds a text block by block and records the offsets of each block, in Unicode code points."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import NamedTuple

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import LayoutKind, LayoutMark, MetadataValue, Sentence
from annotarium_schemas.messages import message

LARGEST_TEXT = 64 * 1024 * 1024
"""Maximum characters of one text."""
_LINE_ENDS = re.compile(r"\r\n?|[\x0b\x0c\x85]")
_BREAKS = re.compile(r" *[\n\t\u2028\u2029]+ *")
_NO_CHARACTER = re.compile("[\x00-\x08\x0e-\x1f\x7f\ufffe\uffff]")
_PAIRS = re.compile("[\ud800-\udbff][\udc00-\udfff]")
_HALVES = re.compile("[\ud800-\udfff]")


def clean(text: str) -> str:
    r"""Return the text as it is stored: line ends are `\n`, surrogate pairs are one character, control characters are
    removed.

    An unpaired surrogate becomes U+FFFD; everything else stays unchanged.
    """
    if text.isascii() and text.isprintable():
        return text
    text = _PAIRS.sub(_join_surrogates, _LINE_ENDS.sub("\n", text))
    return _HALVES.sub("\ufffd", _NO_CHARACTER.sub("", text))


def cell_text(text: str) -> str:
    """Return the text of a cell on one line: each line break or tab becomes a space."""
    return _BREAKS.sub(" ", clean(text)).strip()


def _join_surrogates(pair: re.Match[str]) -> str:
    both = pair.group()
    return chr(0x10000 + ((ord(both[0]) - 0xD800) << 10) + (ord(both[1]) - 0xDC00))


def count_non_blank(text: str) -> int:
    """Count the characters that are not white space. Cleaning a text changes only the white space between them."""
    return len("".join(text.split()))


class InlineMark(NamedTuple):
    """Emphasis, a link or an image within a block.

    It covers the non-blank characters from `first` to before `past` (see `count_non_blank`).
    """

    kind: LayoutKind
    first: int
    past: int
    href: str | None = None
    alt: str | None = None


@dataclass(frozen=True)
class Block:
    """The range [start, end) of the text: `kind` is heading, paragraph, table, note, slide, ...; `facts` become
    metadata.
    """

    start: int
    end: int
    kind: str
    facts: dict[str, MetadataValue] = field(default_factory=dict)


class TextBuilder:
    """Builds a text: add blocks, then read `text`, `blocks` and `layout`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []
        self._marks: list[LayoutMark] = []

    @property
    def layout(self) -> list[LayoutMark] | None:
        """Return the layout of the text, outer marks first; None when it consists of paragraphs only."""
        found = [one for one in self._marks if one.end >= one.start]
        return found if any(one.kind != "paragraph" for one in found) else None

    def open(self, kind: LayoutKind, *, ordered: bool = False) -> LayoutMark:
        """Start a list, an item, a quote or a table that contains everything added until `close`."""
        mark = LayoutMark(kind=kind, start=len(self.blocks), end=-1, ordered=ordered or None)
        self._marks.append(mark)
        return mark

    def close(self, mark: LayoutMark) -> None:
        """End what `open` started; without blocks in between it leaves no mark."""
        added = self.blocks[mark.start :]
        if added:
            mark.start, mark.end = added[0].start, added[-1].end

    @contextmanager
    def within(self, kind: LayoutKind, *, ordered: bool = False) -> Iterator[None]:
        """Call `open` and `close` around the blocks that are added in the context."""
        mark = self.open(kind, ordered=ordered)
        yield
        self.close(mark)

    @property
    def text(self) -> str:
        """Text so far."""
        return "".join(self._parts)

    @property
    def length(self) -> int:
        """Code points so far."""
        return self._length

    def add(
        self,
        text: str,
        kind: str,
        *,
        gap: str = "\n\n",
        look: LayoutKind | None = "paragraph",
        marks: Sequence[InlineMark] = (),
        **facts: MetadataValue,
    ) -> Block | None:
        """Append a block after a gap and return it. White space around the text is removed; a blank text is not added.

        Args:
            look: layout of a block that is not a heading; None = that of the enclosing mark.
            marks: inline marks within the block.

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
                message("file.longText", "The text is longer than {number} characters.", number=LARGEST_TEXT),
                fix=message("fix.splitFile", "Split it into several files"),
            )
        block = Block(start, self._length, kind, facts)
        self.blocks.append(block)
        shown: LayoutKind | None = "heading" if kind == "heading" else look
        if shown is not None:
            level = facts.get("level") if shown == "heading" else None
            level = level if isinstance(level, int) else None
            self._marks.append(LayoutMark(kind=shown, start=start, end=self._length, level=level))
        if marks:
            self._mark(text, start, marks)
        return block

    def _mark(self, text: str, start: int, marks: Sequence[InlineMark]) -> None:
        places = [place for place, sign in enumerate(text) if not sign.isspace()]
        for kind, first, past, href, alt in marks:
            if kind == "image":
                at = start + (places[first] if first < len(places) else len(text))
                self._marks.append(LayoutMark(kind=kind, start=at, end=at, alt=alt))
            elif first < past <= len(places):
                at, end = start + places[first], start + places[past - 1] + 1
                self._marks.append(LayoutMark(kind=kind, start=at, end=end, href=href))

    def add_image(self, words: str) -> None:
        """Mark an image at the end of the text so far; `words` is its alternative text."""
        self._marks.append(LayoutMark(kind="image", start=self._length, end=self._length, alt=words))

    def mark_row(self, block: Block, at: int, cells: Sequence[str], separator: str, *, header: bool = False) -> int:
        """Mark a line of a block as a row of a table: `cells` joined by the separator, without trailing blanks.

        Args:
            at: offset where the line begins; before the block when leading blanks were removed.

        Returns:
            The offset where the line ends.
        """
        end = at + len(separator.join(cells).rstrip())
        self._marks.append(LayoutMark(kind="row", start=max(at, block.start), end=end))
        for cell in cells:
            past = min(end, at + len(cell))
            start = min(max(at, block.start), end)
            self._marks.append(LayoutMark(kind="cell", start=start, end=max(start, past), header=header or None))
            at += len(cell) + len(separator)
        return end

    def mark_cells(self, stretches: Sequence[tuple[int, int]]) -> None:
        """Mark ranges of the text, in order, as the cells of a row."""
        if stretches:
            self._marks.append(LayoutMark(kind="row", start=stretches[0][0], end=stretches[-1][1]))
            self._marks += [LayoutMark(kind="cell", start=start, end=end) for start, end in stretches]

    def add_table(
        self, rows: Iterable[list[str]], separator: str, *, headers: int = 0, **facts: MetadataValue
    ) -> Block | None:
        """Append a table with one line per row. Blank rows and blank columns at the right are left out.

        Args:
            headers: number of rows at the beginning that name the columns.
        """
        lines = [[cell_text(cell) for cell in row] for row in rows]
        while lines and not any(lines[-1]):
            lines.pop()
        columns = max((_used_columns(line) for line in lines), default=0)
        kept = [(number < headers, line[:columns]) for number, line in enumerate(lines) if any(line)]
        text = "\n".join(separator.join(line).rstrip() for _, line in kept)
        block = self.add(text, "table", gap="\n\n", look="table", marks=(), rows=len(kept), columns=columns, **facts)
        if block is not None and columns > 1 and clean(separator) == separator:
            at = block.start - (len(text) - len(text.lstrip()))
            for header, line in kept:
                at = self.mark_row(block, at, line, separator, header=header) + 1
        return block


def _used_columns(line: list[str]) -> int:
    return max((number for number, cell in enumerate(line, 1) if cell), default=0)


def segments_from_blocks(blocks: Iterable[Block]) -> list[Sentence]:
    """Return one segment per block, with its kind and facts as metadata."""
    return [Sentence(start=one.start, end=one.end, metadata={"kind": one.kind, **one.facts}) for one in blocks]


def segments_from_sections(blocks: list[Block], starts: str = "heading") -> list[Sentence]:
    """Return one segment from each block of the kind `starts` to the next; the blocks before the first one are a
    segment too.
    """
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
