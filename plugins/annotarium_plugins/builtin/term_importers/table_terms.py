"""Terms from the rows of a table, for the importers of csv and of workbooks."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError
from annotarium_plugins.base.term_importer import TermPreview, TermProblem
from annotarium_plugins.base.term_properties import VALUES, clean_form, values_left_out
from annotarium_plugins.builtin.converters.common.errors import ONE_ROW
from annotarium_plugins.builtin.term_importers.column_mapping import (
    ColumnMapping,
    ColumnParameters,
    has_names,
    map_columns,
)
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_SAMPLE_ROWS = 100
_CELL_LENGTH = 300
"""Maximum characters of a cell in a preview."""


@dataclass(frozen=True)
class TableRow:
    """A row: its number in the file, its cells, and its name in reports."""

    line: int
    cells: list[str]
    item: str


Rows = Callable[[], Iterator[TableRow | TermProblem]]
"""Reads the table from its beginning."""


@dataclass
class _Table:
    mapping: ColumnMapping
    named: bool
    header: TableRow | None
    rows: Iterator[TableRow | TermProblem]


def table_terms(read: Rows, parameters: ColumnParameters) -> Iterator[Term | ItemError]:
    """Yield the terms of a table in the order of its rows.

    Raises:
        ComponentError: there is no row, or a column that a parameter names is missing.
    """
    if parameters.broader_by == "identifier":
        yield from _rows_as_terms(_opened(read, parameters))
        return
    with closing(_FormIndex()) as index:
        for found in _rows_as_terms(_opened(read, parameters)):
            if isinstance(found, Term):
                index.add(found)
        for found in _rows_as_terms(_opened(read, parameters)):
            if isinstance(found, Term):
                yield from index.resolved(found)
            else:
                yield found


def table_preview(read: Rows, parameters: ColumnParameters, count: int) -> TermPreview:
    """Return the first rows of a table, the mapping of its columns, and the terms that the rows become.

    Raises:
        ComponentError: as `table_terms`.
    """
    table = _opened(read, parameters)
    made = TermPreview(columns=[name[:_CELL_LENGTH] for name in table.mapping.names])
    made.mapping.update(table.mapping.by_parameter())
    first = list(islice((row for row in table.rows if row is not table.header), count))
    made.rows.extend([cell[:_CELL_LENGTH] for cell in row.cells] for row in first if isinstance(row, TableRow))
    for found in _rows_as_terms(_Table(table.mapping, table.named, table.header, iter(first))):
        if isinstance(found, ItemError):
            made.problems.append(found)
        else:
            made.terms.append(found)
    return made


def _opened(read: Rows, parameters: ColumnParameters) -> _Table:
    rows = read()
    first = list(islice(rows, _SAMPLE_ROWS))
    good = [row for row in first if isinstance(row, TableRow)]
    if not first:
        raise ComponentError(message("file.noRow", "The file contains no rows."), fix=ONE_ROW)
    named = bool(good) and (
        parameters.header == "first_row"
        or (parameters.header == "auto" and has_names([row.cells for row in good], parameters))
    )
    if named and len(first) == 1:
        raise ComponentError(message("file.onlyNames", "The file contains column names, but no rows."), fix=ONE_ROW)
    width = max((len(row.cells) for row in good), default=1)
    names = [str(number) for number in range(1, width + 1)]
    if named:
        names = [clean_form(cell) or str(number) for number, cell in enumerate(good[0].cells, 1)]
    header = good[0] if named else None
    return _Table(map_columns(names, named, parameters), named, header, chain(first, rows))


def _rows_as_terms(table: _Table) -> Iterator[Term | ItemError]:
    """Yield the terms of the rows. Successive rows about one term, for instance one for each of its broader terms, are
    one term.
    """
    pending: _GrowingTerm | None = None
    for found in _single_terms(table):
        if not isinstance(found, Term):
            yield found
        elif pending is None or not pending.add(found):
            if pending is not None:
                yield from pending.finish()
            pending = _GrowingTerm(found)
    if pending is not None:
        yield from pending.finish()


class _GrowingTerm:
    """A term with what further rows add to its lists."""

    def __init__(self, first: Term) -> None:
        self._first = first
        self._lists: dict[str, dict[str, Any]] = {}
        self._left_out = 0

    def add(self, other: Term) -> bool:
        """Add a row; False when it is another term, or states something else than further values of lists."""
        mine, own = self._first.properties or {}, other.properties or {}
        same = (other.identifier, other.preferred_form) == (self._first.identifier, self._first.preferred_form)
        if not same or any(not isinstance(own[name], list) and own[name] != mine.get(name) for name in own):
            return False
        for name in own:
            if isinstance(own[name], list):
                self._extend(name, mine.get(name, []), own[name])
        return True

    def _extend(self, name: str, first: list[Any], more: list[Any]) -> None:
        values = self._lists.setdefault(name, {repr(one): one for one in first})
        for one in more:
            if repr(one) in values:
                continue
            if len(values) >= VALUES:
                self._left_out += 1
            else:
                values[repr(one)] = one

    def finish(self) -> Iterator[Term | ItemError]:
        """Yield the term, and a problem if it has too many values."""
        lists = {name: list(values.values()) for name, values in self._lists.items()}
        if self._left_out:
            text, fix = values_left_out(self._left_out)
            yield TermProblem(self._first.identifier, text, fix, subject=self._first.identifier, refused=False)
        if not lists:
            yield self._first
            return
        yield self._first.model_copy(update={"properties": (self._first.properties or {}) | lists})


def _single_terms(table: _Table) -> Iterator[Term | ItemError]:
    for row in table.rows:
        if row is table.header:
            continue
        if isinstance(row, TermProblem):
            yield row
        elif table.named and any(cell.strip() for cell in row.cells[len(table.mapping.names) :]):
            text = message(
                "file.cells",
                "It has {number:,} cells; the first row has {count:,}",
                number=len(row.cells),
                count=len(table.mapping.names),
            )
            fix = message("fix.quote", "Put texts that contain the delimiter in quotation marks")
            yield TermProblem(row.item, text, fix, line=row.line)
        else:
            yield from table.mapping.terms(row.cells, row.item, row.line)


class _FormIndex:
    """Finds identifiers by form, in a private temporary file. Close it."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")
        self._database.execute("PRAGMA journal_mode=OFF")
        self._database.execute("PRAGMA cache_size=-32768")
        self._database.execute("CREATE TABLE forms (form TEXT PRIMARY KEY, identifier TEXT) WITHOUT ROWID")

    def close(self) -> None:
        """Delete the temporary file."""
        self._database.close()

    def add(self, term: Term) -> None:
        """Add the preferred form of a term; of two terms with the same form the first one counts."""
        form = (term.preferred_form or "").casefold()
        self._database.execute("INSERT OR IGNORE INTO forms VALUES (?, ?)", (form, term.identifier))

    def resolved(self, term: Term) -> Iterator[Term | ItemError]:
        """Yield a term with the identifiers of its broader terms, and a problem for each that was not found."""
        properties: dict[str, Any] = dict(term.properties or {})
        broader: list[str] = []
        for form in properties.pop("broader", []):
            row = self._database.execute(
                "SELECT identifier FROM forms WHERE form = ?", (clean_form(form).casefold(),)
            ).fetchone()
            if row is not None:
                broader.append(row[0])
                continue
            yield TermProblem(
                term.identifier,
                message("term.noBroader", "The file has no term of the form {form}", form=form[:100]),
                subject=term.identifier,
                refused=False,
            )
        if broader:
            properties["broader"] = list(dict.fromkeys(broader))
        yield term.model_copy(update={"properties": properties or None})
