"""Converter `csv`: a row is a document; columns are its text, title, identifier, labels and metadata."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any, Literal

import orjson
from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import (
    MEBIBYTE,
    one_line,
    tidy_metadata,
    title_from_file_name,
)
from annotarium_plugins.builtin.converters.common.csv_reader import (
    DELIMITERS,
    CsvError,
    CsvReader,
    CsvRow,
    Delimiter,
    file_encoding,
    find_delimiter,
    read_sample,
    skip_separator_hint,
)
from annotarium_plugins.builtin.converters.common.errors import GIVE_TEXT, ONE_ROW, TEXT_EMPTY
from annotarium_plugins.builtin.converters.common.json_document import InvalidItem
from annotarium_plugins.builtin.converters.common.labels_of_other_tools import (
    IDENTIFIER_NAMES,
    LABEL_NAMES,
    NUMBER_NAMES,
    TEXT_NAMES,
    TITLE_NAMES,
    add_labels,
    match_field_name,
)
from annotarium_plugins.builtin.converters.common.parameter_fields import encoding_field, name_field, size_limit_field
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_plugins.builtin.converters.common.text_encoding import (
    LINE,
    Encoding,
    damage_warning,
    not_decodable_error,
)
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

_SAMPLE_ROWS = 100
_HEADER_LENGTH = 60
_NUMBER = re.compile(r"\s*[-+]?[\d.,]+\s*%?\s*")


class CsvConverterParameters(Parameters):
    """Parameters of `csv`. A column is named as the first row names it, or by its number from 1."""

    encoding: Encoding = encoding_field()
    delimiter: Delimiter = Field("auto", title="Delimiter", description="The character between the cells of a row.")
    header: Literal["auto", "first_row", "none"] = Field(
        "auto",
        title="Column names",
        description="Automatic: the first row, if it looks like names rather than data.",
    )
    text_columns: list[str] = Field(
        [],
        max_length=50,
        title="Text",
        description="Columns of the text, one line each. Empty: text, content, ..., otherwise the longest column.",
    )
    title_column: str = name_field("Title", "Empty: title, subject, headline, otherwise the row number.")
    identifier_column: str = name_field("Identifier", "Empty: identifier, doc_id, uuid, or the file's id.")
    label_columns: list[str] = Field(
        [],
        max_length=50,
        title="Labels",
        description="Categories, or spans as JSON [[start, end, label]]. Empty: label, category, class, ...",
    )
    label_separator: str = Field(
        "",
        max_length=5,
        title="Category separator",
        description="The character between several categories in a cell: # or |.",
    )
    metadata_columns: list[str] = Field(
        [], max_length=500, title="Metadata", description="Columns imported as metadata. Empty: all others."
    )
    row_limit: int = size_limit_field(
        16, 512, title="Largest row", description="Larger rows are refused; others are imported."
    )


@dataclass(frozen=True)
class _Columns:
    """Columns by their index; `names` of all columns."""

    names: list[str]
    text: list[int]
    title: int | None
    identifier: int | None
    number: int | None
    labels: list[int]
    metadata: list[int]


class CsvConverter(Converter[CsvConverterParameters]):
    """Reads files of any size as a stream. An invalid row is reported with its line number, and the others are
    imported.
    """

    title = "CSV and TSV"
    description = "Each row becomes one document: columns are text, title, identifier, labels and metadata."
    parameters_model = CsvConverterParameters
    extensions = ("csv", "tsv", "tab")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents in the order of the rows. Without a title column the title is the file name and the number of
        the row.

        Raises:
            ComponentError: no encoding fits, the file is not text, a column is missing, or there is no row.
        """
        encoding = file_encoding(source.path, self.parameters.encoding, source.language)
        try:
            with source.path.open(encoding=encoding, errors="surrogateescape", newline="") as file:
                sample = read_sample(file)
                chosen = DELIMITERS.get(self.parameters.delimiter) or find_delimiter(sample, source.name)
                skip_separator_hint(file)
                mend = encoding.startswith("utf-8")
                rows = CsvReader(file, chosen, self.parameters.row_limit * MEBIBYTE, mend=mend).rows()
                yield from self._documents(rows, source)
        except UnicodeError as error:
            raise not_decodable_error(encoding, error) from error

    def _documents(self, rows: Iterator[CsvRow | CsvError], source: SourceFile) -> Iterator[Document | ItemError]:
        first = list(islice(rows, _SAMPLE_ROWS))
        good = [row for row in first if isinstance(row, CsvRow)]
        if not first:
            raise ComponentError(message("file.noRow", "The file contains no rows."), fix=ONE_ROW)
        named = bool(good) and self._has_names(good)
        columns = self._columns(good, named) if good else None  # None: the sample contains errors only
        if named and len(first) == 1:
            raise ComponentError(
                message("file.onlyNames", "The file contains column names, but no rows."),
                fix=ONE_ROW,
            )
        count = 0
        for row in chain(first, rows):
            if named and row is good[0]:
                continue
            count += 1
            if isinstance(row, CsvError) or columns is None:
                yield ItemError(
                    message("item.line", "line {number}", number=row.line),
                    getattr(row, "message", "It cannot be read"),
                    getattr(row, "fix", None),
                )
            else:
                document = self._document(row, count, columns, title_from_file_name(source.name))
                if row.damaged and isinstance(document, Document):
                    document.note(damage_warning([row.line], LINE))
                yield document

    def _has_names(self, rows: list[CsvRow]) -> bool:
        if self.parameters.header != "auto":
            return self.parameters.header == "first_row"
        cells = [cell.strip() for cell in rows[0].cells]
        if not all(cells) or len(set(cells)) < len(cells):
            return False
        if any(len(cell) > _HEADER_LENGTH or _NUMBER.fullmatch(cell) or "\n" in cell for cell in cells):
            return False
        known = {*TEXT_NAMES, *TITLE_NAMES, *IDENTIFIER_NAMES, *NUMBER_NAMES, *LABEL_NAMES}
        asked = {*self.parameters.text_columns, self.parameters.title_column, *self.parameters.label_columns}
        if any(cell.casefold() in known or cell in asked for cell in cells):
            return len(rows) > 1 or len(cells) > 1  # in a file of one word the word may be data
        # Names are shorter than long data, and are words where the data are numbers.
        for place, cell in enumerate(cells):
            data = [row.cells[place].strip() for row in rows[1:] if place < len(row.cells)]
            lengths = sum(len(one) for one in data) / max(1, len(data))
            if lengths > 3 * len(cell) + 10 or (data and all(_NUMBER.fullmatch(one) for one in data)):
                return True
        return False

    def _columns(self, rows: list[CsvRow], named: bool) -> _Columns:
        width = len(rows[0].cells)
        names = [one_line(cell) or str(place) for place, cell in enumerate(rows[0].cells, 1)]
        if not named:
            names = [str(place) for place in range(1, width + 1)]
        given = self.parameters
        asked = [self._column_index(one, names) for one in given.text_columns]
        text = asked or [_find_text_column(rows[named:], names, named)]
        title = self._usual(given.title_column, names, TITLE_NAMES, named, text)
        identifier = self._usual(given.identifier_column, names, IDENTIFIER_NAMES, named, text)
        number = self._usual("", names, NUMBER_NAMES, named, text)
        labels = [self._column_index(one, names) for one in given.label_columns]
        if not labels and named:
            labels = [place for place, name in enumerate(names) if name.casefold() in LABEL_NAMES and place not in text]
        metadata = [self._column_index(one, names) for one in given.metadata_columns]
        used = {*text, title, identifier, *labels}
        return _Columns(
            names, text, title, identifier, number, labels, metadata or [one for one in range(width) if one not in used]
        )

    def _column_index(self, wanted: str, names: list[str]) -> int:
        for place, name in enumerate(names):
            if name == wanted.strip() or name.casefold() == wanted.strip().casefold():
                return place
        if wanted.strip().isdecimal() and 1 <= int(wanted) <= len(names):
            return int(wanted) - 1
        raise ComponentError(
            message("file.noColumn", "There is no column {name}.", name=wanted),
            cause=message("cause.columns", "The columns are: {names}.", names=", ".join(names[:50])),
            fix=message("fix.columnSpelling", "Correct its name"),
        )

    def _usual(self, wanted: str, names: list[str], usual: tuple[str, ...], named: bool, text: list[int]) -> int | None:
        if wanted:
            return self._column_index(wanted, names)
        found = match_field_name(names, usual) if named else None
        place = names.index(found) if found else None
        return None if place in text else place

    def _document(self, row: CsvRow, count: int, columns: _Columns, file_title: str) -> Document | ItemError:
        cells = list(row.cells)
        width = len(columns.names)
        while len(cells) > width and not cells[-1].strip():
            cells.pop()
        if len(cells) != width:
            words = message(
                "file.cells", "It has {number:,} cells; the first row has {count:,}", number=len(cells), count=width
            )
            return ItemError(
                message("item.line", "line {number}", number=row.line),
                words,
                message("fix.quote", "Put texts that contain the delimiter in quotation marks"),
            )
        text = "\n".join(part for part in (clean(cells[place]) for place in columns.text) if part.strip())
        if not text.strip():
            return ItemError(message("item.line", "line {number}", number=row.line), TEXT_EMPTY, GIVE_TEXT)
        document = Document(text=text, title=f"{file_title} {count}")
        if columns.title is not None:
            document.title = one_line(cells[columns.title])[:500] or document.title
        if columns.identifier is not None:
            document.identifier = one_line(cells[columns.identifier])[:255]
        elif columns.number is not None and cells[columns.number].strip():
            document.identifier = f"{file_title}#{one_line(cells[columns.number])}"[:255]
        document.metadata = tidy_metadata(_metadata_by_column(columns, cells))
        try:
            for place in columns.labels:
                add_labels(document, _parse_label_cell(cells[place]), separator=self.parameters.label_separator)
        except InvalidItem as error:
            return ItemError(message("item.line", "line {number}", number=row.line), error.message, error.fix)
        return document


def _metadata_by_column(columns: _Columns, cells: list[str]) -> dict[str, Any]:
    return {_metadata_key(columns.names[place]): cells[place] for place in columns.metadata}


def _metadata_key(name: str) -> str:
    return f"column_{name}" if name.isdecimal() else name


def _find_text_column(rows: Iterable[CsvRow], names: list[str], named: bool) -> int:
    """Return the column whose name suggests text, otherwise the one with the most characters."""
    found = match_field_name(names, TEXT_NAMES) if named else None
    if found:
        return names.index(found)
    sizes = [0] * len(names)
    for row in rows:
        for place, cell in enumerate(row.cells[: len(sizes)]):
            sizes[place] += 0 if _NUMBER.fullmatch(cell) else len(cell)
    return max(range(len(sizes)), key=lambda place: sizes[place])


def _parse_label_cell(cell: str) -> Any:
    """Return a cell's labels: parsed JSON when it is a list or an object, otherwise the text."""
    text = cell.strip()
    if not text.startswith(("[", "{")):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if text.startswith(("[[", "[{", '{"')):
            raise InvalidItem(
                message("label.noJson", "The label looks like JSON, but is not: {value}", value=text[:60])
            ) from error
        return text
