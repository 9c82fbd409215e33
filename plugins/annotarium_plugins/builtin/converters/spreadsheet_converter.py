"""Converter `spreadsheet`: an Excel or OpenDocument workbook becomes one document, or one per sheet or row."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import (
    check_size,
    one_line,
    tidy_metadata,
    title_from_file_name,
)
from annotarium_plugins.builtin.converters.common.errors import GIVE_TEXT, no_text_found, too_large
from annotarium_plugins.builtin.converters.common.parameter_fields import (
    cell_separator_field,
    name_field,
    size_limit_field,
)
from annotarium_plugins.builtin.converters.common.text_builder import (
    LARGEST_TEXT,
    Block,
    TextBuilder,
    cell_text,
    clean,
    segments_from_blocks,
    segments_from_sections,
)
from annotarium_plugins.builtin.converters.office.model import Properties, Sheet
from annotarium_plugins.builtin.converters.office.reader_selection import read_workbook, title_of
from annotarium_plugins.parameters import Parameters, advanced_number
from annotarium_schemas.documents import Document, MetadataValue
from annotarium_schemas.messages import join_messages, message


class SpreadsheetConverterParameters(Parameters):
    """Parameters of `spreadsheet`."""

    documents: Literal["workbook", "sheet", "row"] = Field(
        "workbook", title="Documents", description="The whole workbook is one document, or each sheet is, or each row."
    )
    header: Literal["auto", "first_row", "none"] = Field(
        "auto",
        title="Column names",
        description="Automatic: the first row, if it has a different text in each column.",
    )
    layout: Literal["table", "records"] = Field(
        "table",
        title="Rows",
        description="Table: the cells of a row on one line. Records: one line per cell, after the name of its column.",
    )
    text_column: str = name_field(
        "Column of the text",
        "With one document for each row: the text is this column, the others are metadata. Empty: all.",
    )
    title_column: str = name_field(
        "Column of the title",
        "With one document for each row: the title is this column. Empty: the sheet and the row's number.",
    )
    segments: Literal["rows", "sheets", "project"] = Field(
        "rows",
        title="Segments",
        description="One segment per row, one per sheet, or the segments of the project.",
    )
    separator: str = cell_separator_field("The character between the cells of a row.")
    hidden: bool = Field(False, title="Hidden sheets", description="Includes hidden sheets.")
    row_limit: int = advanced_number(
        200_000, 1, 2_000_000, title="Maximum rows", description="Workbooks with more rows are refused.", unit="rows"
    )
    size_limit: int = size_limit_field(64, 1024)


@dataclass
class _Grid:
    """A sheet that was read: `names` of its columns when its first row contains them; rows with their numbers."""

    name: str
    names: list[str]
    rows: list[tuple[int, list[str]]]

    def column(self, place: int) -> str:
        """Return the name of a column, or its letter when it has none."""
        return (self.names[place] if place < len(self.names) else "") or _letter(place)


class SpreadsheetConverter(Converter[SpreadsheetConverterParameters]):
    """Writes the stored values of cells: numbers without their display format, dates as ISO 8601."""

    title = "Spreadsheets"
    description = "An Excel or OpenDocument workbook becomes one document, or one per sheet or row."
    parameters_model = SpreadsheetConverterParameters
    extensions = ("xls", "xlsx", "ods")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents in the order of the sheets and rows; identifiers are the file name, with `#sheet` and `!row`.

        Raises:
            ComponentError: too large, of another type, damaged, protected by a password, or empty.
        """
        check_size(source, self.parameters.size_limit)
        workbook = read_workbook(source.path)
        empty = True
        for document in self._documents(source, workbook.properties, self._grids(workbook.sheets)):
            empty = False
            yield document
        if empty:
            raise no_text_found(message("noText.sheets", "No visible sheet contains a value."))

    def _grids(self, sheets: Iterator[Sheet]) -> Iterator[_Grid]:
        left, room = self.parameters.row_limit, LARGEST_TEXT
        for sheet in sheets:
            if sheet.hidden and not self.parameters.hidden:
                continue
            rows = []
            for number, cells in sheet.rows:
                left -= 1
                if left < 0:
                    raise too_large(
                        message("large.rows", "The workbook has too many rows"), f"{self.parameters.row_limit}"
                    )
                room -= sum(map(len, cells))
                if room < 0:  # a text shared by many cells counts each time
                    raise too_large(
                        message("large.cells", "The texts of all cells together are too long"),
                        f"{LARGEST_TEXT} characters",
                    )
                rows.append((number, [clean(cell) for cell in cells]))
            if rows:
                yield self._grid(sheet.name, rows)

    def _grid(self, name: str, rows: list[tuple[int, list[str]]]) -> _Grid:
        first = rows[0][1]
        wanted = self.parameters.header == "first_row" or (
            self.parameters.header == "auto" and _is_header_row(first, rows)
        )
        if not wanted:
            return _Grid(name, [], rows)
        return _Grid(name, [one_line(cell) for cell in first], rows[1:] if self._rows_only else rows)

    @property
    def _rows_only(self) -> bool:
        """Whether the row of column names is left out of the text."""
        return self.parameters.documents == "row" or self.parameters.layout == "records"

    def _documents(
        self, source: SourceFile, properties: Properties, grids: Iterator[_Grid]
    ) -> Iterator[Document | ItemError]:
        metadata = tidy_metadata(properties.metadata())
        if self.parameters.documents == "row":
            for grid in grids:
                yield from self._row_documents(source, grid, metadata)
            return
        title = title_of(properties, [], source.name, "property")
        if self.parameters.documents == "workbook":
            all_grids = list(grids)
            document = self._document(all_grids, len(all_grids) > 1)
            if document is not None:
                document.identifier, document.title, document.metadata = source.name, title, metadata
                yield document
            return
        for grid in grids:
            document = self._document([grid], False)
            if document is not None:
                document.identifier, document.title = f"{source.name}#{grid.name}", f"{title} - {grid.name}"
                document.metadata = {**metadata, "sheet": grid.name}
                yield document

    def _document(self, grids: list[_Grid], named: bool) -> Document | None:
        """Return the document of the sheets, None when they are empty. `named`: each sheet begins with its name."""
        builder = TextBuilder()
        for grid in grids:
            self._add(builder, grid, named)
        if not builder.blocks:
            return None
        document = Document(text=builder.text, layout=builder.layout)
        if self.parameters.segments == "rows":
            document.sentences = segments_from_blocks(builder.blocks)
        elif self.parameters.segments == "sheets":
            document.sentences = segments_from_sections(_mark_sheet_beginnings(builder.blocks), "sheet")
        return document

    def _add(self, builder: TextBuilder, grid: _Grid, named: bool) -> None:
        if named:
            builder.add(grid.name, "heading", sheet=grid.name, level=1)
        records = self.parameters.layout == "records"
        table = None if records else builder.open("table")
        follows = False
        for number, cells in grid.rows:
            gap = "\n" if follows and not records else "\n\n"
            text = self._field_lines(grid, cells) if records else self._line(cells)
            kind = "header" if grid.names and not follows and not records else "row"
            block = builder.add(text, kind, gap=gap, look=None, sheet=grid.name, row=number)
            if block is None:
                continue
            follows = True
            if table is not None:
                line = [cell_text(cell) for cell in cells]
                at = block.start - (len(text) - len(text.lstrip()))
                builder.mark_row(block, at, line, self.parameters.separator, header=kind == "header")
        if table is not None:
            builder.close(table)

    def _line(self, cells: list[str]) -> str:
        return self.parameters.separator.join(cell_text(cell) for cell in cells)

    @staticmethod
    def _field_lines(grid: _Grid, cells: list[str]) -> str:
        pairs = ((grid.column(place), cell_text(cell)) for place, cell in enumerate(cells))
        return "\n".join(f"{name}: {cell}" if grid.names else cell for name, cell in pairs if cell)

    def _row_documents(
        self, source: SourceFile, grid: _Grid, metadata: dict[str, MetadataValue]
    ) -> Iterator[Document | ItemError]:
        try:
            text_place = _column_index(grid, self.parameters.text_column)
            title_place = _column_index(grid, self.parameters.title_column)
        except ComponentError as error:  # another sheet may have the column
            yield ItemError(grid.name, join_messages([error.message, error.cause], " "), error.fix)
            return
        for number, cells in grid.rows:
            text = self._field_lines(grid, cells) if text_place is None else _cell(cells, text_place).strip()
            if not text:
                yield ItemError(
                    message("item.row", "{sheet}, row {number}", sheet=grid.name, number=number),
                    message("file.emptyCell", "The text cell is empty"),
                    GIVE_TEXT,
                )
                continue
            title = one_line(_cell(cells, title_place)) if title_place is not None else ""
            facts = {} if text_place is None else _metadata_of_other_columns(grid, cells, (text_place, title_place))
            yield Document(
                identifier=f"{source.name}#{grid.name}!{number}",
                title=title or f"{title_from_file_name(source.name)} - {grid.name} - {number}",
                text=text,
                metadata={**metadata, "sheet": grid.name, "row": number, **tidy_metadata(facts)},
            )


def _is_header_row(first: list[str], rows: list[tuple[int, list[str]]]) -> bool:
    """Whether the first row looks like column names: a text in each cell, all different, no numbers, and more rows
    follow.
    """
    width = max(len(cells) for _, cells in rows[:50])
    texts = [one_line(cell).lower() for cell in first]
    return (
        len(rows) > 1
        and len(texts) >= width
        and len(set(texts)) == len(texts)
        and all(0 < len(text) <= 100 and not text[0].isdigit() and text[0] not in "-+" for text in texts)
    )


def _column_index(grid: _Grid, name: str) -> int | None:
    """Return the index of a column by its name or letter, None when `name` is empty. Raises `ComponentError` when there
    is no such column.
    """
    wanted = one_line(name).lower()
    if not wanted:
        return None
    names = [one.lower() for one in grid.names]
    if wanted in names:
        return names.index(wanted)
    width = max((len(cells) for _, cells in grid.rows), default=0)
    letters = [_letter(place).lower() for place in range(width)]
    if wanted in letters:
        return letters.index(wanted)
    known = ", ".join((grid.names or [_letter(place) for place in range(width)])[:20])
    raise ComponentError(
        message("file.noSheetColumn", "The sheet {sheet} has no column {name}.", sheet=grid.name, name=name),
        cause=message("cause.columns", "The columns are: {names}.", names=known),
        fix=message("fix.columnName", "Enter the name or letter of a column in the parameters of the converter"),
    )


def _letter(place: int) -> str:
    """Return the letters of a column (from 0): A, B, ..., Z, AA."""
    text = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        text = chr(65 + rest) + text
    return text


def _cell(cells: list[str], place: int) -> str:
    return cells[place] if place < len(cells) else ""


def _metadata_of_other_columns(
    grid: _Grid, cells: list[str], left_out: tuple[int | None, ...]
) -> dict[str, MetadataValue]:
    return {grid.column(place): cell for place, cell in enumerate(cells) if cell and place not in left_out}


def _mark_sheet_beginnings(blocks: list[Block]) -> list[Block]:
    """Return the blocks with the first one of each sheet marked as its beginning."""
    made: list[Block] = []
    sheet: MetadataValue = None
    for block in blocks:
        begins = block.facts.get("sheet") != sheet or not made
        sheet = block.facts.get("sheet")
        facts: dict[str, MetadataValue] = {"sheet": sheet}
        made.append(Block(block.start, block.end, "sheet" if begins else block.kind, facts if begins else block.facts))
    return made
