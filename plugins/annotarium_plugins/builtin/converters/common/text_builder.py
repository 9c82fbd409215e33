"""A text that grows block by block and knows where each block is. Offsets are Unicode code points."""

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
    text = _PAIRS.sub(_join_surrogates, _LINE_ENDS.sub("\n", text))
    return _HALVES.sub("\ufffd", _NO_CHARACTER.sub("", text))


def cell_text(text: str) -> str:
    """The text of a cell on one line: its line breaks and tabs become a space."""
    return _BREAKS.sub(" ", clean(text)).strip()


def _join_surrogates(pair: re.Match[str]) -> str:
    both = pair.group()
    return chr(0x10000 + ((ord(both[0]) - 0xD800) << 10) + (ord(both[1]) - 0xDC00))


def count_non_blank(text: str) -> int:
    """Characters of a text that are no white space: tidying changes only the space between them."""
    return len("".join(text.split()))


class InlineMark(NamedTuple):
    """Emphasis, a link, an image within a block.

    From the character `first` to before `past`, counted as `count_non_blank` does.
    """

    kind: LayoutKind
    first: int
    past: int
    href: str | None = None
    alt: str | None = None


@dataclass(frozen=True)
class Block:
    """A stretch [start, end) of the text: `kind` is heading, paragraph, table, note, slide, ...; facts are metadata."""

    start: int
    end: int
    kind: str
    facts: dict[str, MetadataValue] = field(default_factory=dict)


class TextBuilder:
    """Add blocks, then read `text`, `blocks` and `layout`."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._length = 0
        self.blocks: list[Block] = []
        self._marks: list[LayoutMark] = []

    @property
    def layout(self) -> list[LayoutMark] | None:
        """What the text looked like, outer marks first; None when it is paragraphs only."""
        found = [one for one in self._marks if one.end >= one.start]
        return found if any(one.kind != "paragraph" for one in found) else None

    def open(self, kind: LayoutKind, *, ordered: bool = False) -> LayoutMark:
        """Begin a list, an item, a quote, a table: what is added until `close` is within it."""
        mark = LayoutMark(kind=kind, start=len(self.blocks), end=-1, ordered=ordered or None)
        self._marks.append(mark)
        return mark

    def close(self, mark: LayoutMark) -> None:
        """End what `open` began; it leaves no trace when nothing was added."""
        added = self.blocks[mark.start :]
        if added:
            mark.start, mark.end = added[0].start, added[-1].end

    @contextmanager
    def within(self, kind: LayoutKind, *, ordered: bool = False) -> Iterator[None]:
        """`open` and `close` around what is added."""
        mark = self.open(kind, ordered=ordered)
        yield
        self.close(mark)

    @property
    def text(self) -> str:
        """What was added so far."""
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
        """Append a block after a gap; a blank one is left out, blanks around it too.

        Args:
            look: what it looks like, for a block that is no heading; None = as what it is within.
            marks: within it.

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
        """Say that an image stands at the end of what was added so far."""
        self._marks.append(LayoutMark(kind="image", start=self._length, end=self._length, alt=words))

    def mark_row(self, block: Block, at: int, cells: Sequence[str], separator: str, *, header: bool = False) -> int:
        """Say that a line of a block is a row of a table: `cells` joined by the separator, without blanks at its end.

        Args:
            at: where the line begins; before the block when blanks at its beginning were left out.

        Returns:
            Where the line ends.
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
        """Say that stretches of the text, in order, are the cells of a row."""
        if stretches:
            self._marks.append(LayoutMark(kind="row", start=stretches[0][0], end=stretches[-1][1]))
            self._marks += [LayoutMark(kind="cell", start=start, end=end) for start, end in stretches]

    def add_table(
        self, rows: Iterable[list[str]], separator: str, *, headers: int = 0, **facts: MetadataValue
    ) -> Block | None:
        """Append a table: a line for each row, blank rows and columns at the ends left out.

        Args:
            headers: rows at the beginning that name the columns.
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
    """Blocks as segments of their own, with what is known of them as metadata."""
    return [Sentence(start=one.start, end=one.end, metadata={"kind": one.kind, **one.facts}) for one in blocks]


def segments_from_sections(blocks: list[Block], starts: str = "heading") -> list[Sentence]:
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
