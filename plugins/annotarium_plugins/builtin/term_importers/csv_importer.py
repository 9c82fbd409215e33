"""Term importer `csv`: a row is a term; columns are its identifier, forms, definitions and relations."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import Field

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import PREVIEW_ROWS, TermImporter, TermPreview, TermProblem
from annotarium_plugins.builtin.converters.common.csv_reader import (
    DELIMITERS,
    CsvError,
    CsvReader,
    Delimiter,
    file_encoding,
    find_delimiter,
    read_sample,
    skip_separator_hint,
)
from annotarium_plugins.builtin.converters.common.parameter_fields import encoding_field, size_limit_field
from annotarium_plugins.builtin.converters.common.text_encoding import Encoding, not_decodable_error
from annotarium_plugins.builtin.term_importers.column_mapping import ColumnParameters
from annotarium_plugins.builtin.term_importers.finished_terms import line_problem
from annotarium_plugins.builtin.term_importers.table_terms import TableRow, table_preview, table_terms
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_MEBIBYTE = 1 << 20


class CsvImporterParameters(ColumnParameters):
    """Parameters of `csv`."""

    encoding: Encoding = encoding_field()
    delimiter: Delimiter = Field("auto", title="Delimiter", description="The character between the cells of a row.")
    row_limit: int = size_limit_field(
        8, 64, title="Largest row", description="Larger rows are refused; others are imported."
    )


class CsvImporter(TermImporter[CsvImporterParameters]):
    """Reads files of any size as a stream. An invalid row is reported with its line number, and the others are
    imported.
    """

    title = "CSV and TSV"
    description = "Each row becomes one term: columns are identifier, forms, definitions, relations and properties."
    parameters_model = CsvImporterParameters
    extensions = ("csv", "tsv", "tab")

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order of the rows.

        Raises:
            ComponentError: no encoding fits, the file is not text, a column is missing, or there is no row.
        """
        yield from table_terms(lambda: self._rows(source), self.parameters)

    def preview(self, source: SourceFile, rows: int = PREVIEW_ROWS) -> TermPreview:
        """Return the first rows with the mapping of the columns."""
        return table_preview(lambda: self._rows(source), self.parameters, rows)

    def _rows(self, source: SourceFile) -> Iterator[TableRow | TermProblem]:
        encoding = file_encoding(source.path, self.parameters.encoding, source.language)
        try:
            with source.path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
                sample = read_sample(file)
                delimiter = DELIMITERS.get(self.parameters.delimiter) or find_delimiter(sample, source.name)
                skip_separator_hint(file)
                mend = encoding.startswith("utf-8")
                for row in CsvReader(file, delimiter, self.parameters.row_limit * _MEBIBYTE, mend=mend).rows():
                    if isinstance(row, CsvError):
                        yield line_problem(row.line, row.message, row.fix)
                    else:
                        yield TableRow(row.line, row.cells, message("item.line", "line {number}", number=row.line))
        except UnicodeError as error:
            raise not_decodable_error(encoding, error) from error
