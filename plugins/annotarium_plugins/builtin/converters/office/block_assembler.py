"""Assembles paragraphs, cells and rows into blocks, in the order in which they end in RTF and old Word files."""

from __future__ import annotations

from dataclasses import dataclass, field

from annotarium_plugins.builtin.converters.office.model import Paragraph, Table


@dataclass
class BlockAssembler:
    """One flow of text: the body, a note or a text box; `kind` is that of its paragraphs.

    Attributes:
        line: text of the current paragraph.
        boxes: flows anchored to this paragraph; their blocks follow it.
    """

    kind: str = "paragraph"
    blocks: list[Paragraph | Table] = field(default_factory=list)
    line: list[str] = field(default_factory=list)
    boxes: list[BlockAssembler] = field(default_factory=list)
    _cell: list[str] = field(default_factory=list)
    _row: list[str] = field(default_factory=list)
    _rows: list[list[str]] = field(default_factory=list)

    def end_paragraph(self, level: int, in_table: bool) -> None:
        """End a paragraph of a cell or of the text; `level` is that of a heading, 0 = none."""
        text = "".join(self.line)
        self.line.clear()
        if in_table and self.kind == "paragraph":
            self._cell.append(text)
            return
        self.end_table()
        kind = "heading" if level and self.kind == "paragraph" else self.kind
        self.blocks.append(Paragraph(text, kind, level if kind == "heading" else 0))
        for box in self.boxes:
            box.end_table()
            self.blocks += box.blocks
        self.boxes = []

    def end_cell(self) -> None:
        """End the current cell."""
        self._cell.append("".join(self.line))
        self.line.clear()
        self._row.append(" ".join(part for part in self._cell if part))
        self._cell = []

    def end_row(self) -> None:
        """End the current row."""
        if self._row:
            self._rows.append(self._row)
        self._row = []

    def end_table(self) -> None:
        """End the current table, if there is one."""
        if self._cell:
            self._row.append(" ".join(self._cell))
            self._cell = []
        self.end_row()
        if self._rows:
            self.blocks.append(Table(self._rows))
            self._rows = []
