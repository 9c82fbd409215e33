"""Term importer `spreadsheet`: a row of a workbook is a term."""

from __future__ import annotations

from collections.abc import Iterator

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import PREVIEW_ROWS, TermImporter, TermPreview, TermProblem
from annotarium_plugins.builtin.converters.common.converter_helpers import check_size
from annotarium_plugins.builtin.converters.common.parameter_fields import name_field, size_limit_field
from annotarium_plugins.builtin.converters.office.reader_selection import read_workbook
from annotarium_plugins.builtin.term_importers.column_mapping import ColumnParameters
from annotarium_plugins.builtin.term_importers.table_terms import TableRow, table_preview, table_terms
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message


class SpreadsheetImporterParameters(ColumnParameters):
    """Parameters of `spreadsheet`."""

    sheet: str = name_field("Sheet", "Empty: the first visible sheet that has a value.")
    size_limit: int = size_limit_field(64, 1024)


class SpreadsheetImporter(TermImporter[SpreadsheetImporterParameters]):
    """Reads one sheet of a workbook."""

    title = "Spreadsheets"
    description = "Each row of a sheet becomes one term, with the same columns as in CSV."
    parameters_model = SpreadsheetImporterParameters
    extensions = ("xlsx", "xls", "ods")

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order of the rows.

        Raises:
            ComponentError: too large, of another type, damaged, protected by a password, without the sheet or a column
                that a parameter names, or empty.
        """
        check_size(source, self.parameters.size_limit)
        yield from table_terms(lambda: self._rows(source), self.parameters)

    def preview(self, source: SourceFile, rows: int = PREVIEW_ROWS) -> TermPreview:
        """Return the first rows with the mapping of the columns."""
        check_size(source, self.parameters.size_limit)
        return table_preview(lambda: self._rows(source), self.parameters, rows)

    def _rows(self, source: SourceFile) -> Iterator[TableRow | TermProblem]:
        wanted = self.parameters.sheet.strip().casefold()
        found = False
        names: list[str] = []
        for sheet in read_workbook(source.path).sheets:
            names.append(sheet.name)
            if found or (sheet.name.strip().casefold() != wanted if wanted else sheet.hidden):
                continue  # the remaining sheets are passed so that the file is closed
            for number, cells in sheet.rows:
                found = True
                item = message("item.row", "{sheet}, row {number}", sheet=sheet.name, number=number)
                yield TableRow(number, cells, item)
            found = found or bool(wanted)
        if wanted and not found:
            raise ComponentError(
                message("file.noSheet", "There is no sheet {name}.", name=self.parameters.sheet),
                cause=message("cause.sheetNames", "The sheets are: {names}.", names=", ".join(names[:50])),
                fix=message("fix.columnSpelling", "Correct its name"),
            )
