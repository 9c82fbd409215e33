"""Corrupt rows: values our code never writes (a timestamp in the year 146140482, invalid JSON).

One such row must not break a whole response. When a row is loaded, values that are invalid for their columns are
replaced by neutral ones *in memory*; the database is unchanged until the row is edited or deleted. Errors that columns
alone cannot reveal (a plan with unknown components) are caught by `convert_readable_rows`, when rows become responses.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Protocol, TypeVar

import orjson
from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, Integer, String, event, inspect
from sqlalchemy.orm import DeclarativeBase
from sqlalchemy.orm.attributes import set_committed_value
from sqlalchemy.sql.schema import CallableColumnDefault, ScalarElementColumnDefault

from annotarium.db.timestamps import MAX_TIMESTAMP, MIN_TIMESTAMP, clamp_timestamp

Row = TypeVar("Row", bound=DeclarativeBase)
Item = TypeVar("Item")
_FIELDS = "_damaged_fields"
_MAX_LOGGED = 10_000
_logged: set[tuple[str, str, str]] = set()
"""Corrupt values already logged, by table, id and field."""
_UNREADABLE = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""Errors raised when a value of the wrong shape is read; pydantic's errors are ValueErrors."""


class InvalidJsonPlaceholder(dict[str, Any]):
    """Replaces stored text that is not valid JSON: behaves like an empty object or list."""


class HasDamagedFields(Protocol):
    """A response model that reports which fields of its row are corrupt."""

    damaged: list[str] | None


def parse_stored_json(stored: str | bytes) -> Any:
    """Parse the value of a JSON column; `InvalidJsonPlaceholder` if it is invalid. Never raises."""
    try:
        return orjson.loads(stored)
    except orjson.JSONDecodeError:
        return InvalidJsonPlaceholder()


def parse_raw_json(stored: Any) -> Any:
    """The value of a JSON column as its driver returns it: text from SQLite, a value from PostgreSQL, or None."""
    return parse_stored_json(stored) if isinstance(stored, str) else stored


def json_object_or_empty(value: Any) -> dict[str, Any]:
    """The value of a JSON column that must be an object; empty for anything else."""
    return value if type(value) is dict else {}


def holds_timestamps(column: Column[Any]) -> bool:
    """Whether the column holds milliseconds since the Unix epoch."""
    name = column.name
    return isinstance(column.type, BigInteger | Integer) and (name.endswith("_at") or name in ("at", "timestamp"))


def _allowed_python_types(model: type[Any], key: str, column: Column[Any]) -> tuple[type, ...]:
    """Python types allowed in the column; empty = any JSON value. For JSON, the model's annotation decides."""
    if isinstance(column.type, JSON):
        written = str(model.__annotations__.get(key, ""))
        if "dict[" in written or "JsonObject" in written:
            return (dict,)
        return (list,) if "list[" in written or "JsonList" in written or "TextList" in written else ()
    for kind, types in ((Boolean, (bool,)), (Float, (float, int)), (Integer, (int,)), (String, (str,))):
        if isinstance(column.type, kind):
            return types
    return ()


def _replacement_value(column: Column[Any]) -> Any:
    """The neutral value that replaces an invalid one."""
    if isinstance(column.type, JSON) and isinstance(column.default, CallableColumnDefault):
        return column.default.arg(None)  # type: ignore[arg-type]  # dict() or list(), which ignore the context
    if column.nullable:
        return None
    if isinstance(column.default, ScalarElementColumnDefault):
        return column.default.arg
    return "" if isinstance(column.type, String) else {} if isinstance(column.type, JSON) else 0


def _holds_list_of_texts(model: type[Any], key: str) -> bool:
    """Whether the column contains a JSON list of strings only."""
    return "TextList" in str(model.__annotations__.get(key, ""))


_ColumnChecks = tuple[tuple[str, Column[Any], tuple[type, ...], bool, bool, bool], ...]
_checks_by_model: dict[type[Any], _ColumnChecks] = {}


def _column_checks(model: type[Any]) -> _ColumnChecks:
    found = _checks_by_model.get(model)
    if found is None:
        columns = ((one.key, one.columns[0]) for one in inspect(model).column_attrs)
        found = _checks_by_model[model] = tuple(
            (
                key,
                column,
                _allowed_python_types(model, key, column),
                bool(column.nullable),
                holds_timestamps(column),
                _holds_list_of_texts(model, key),
            )
            for key, column in columns
        )
    return found


def replace_corrupt_values(row: Any) -> None:
    """Replace invalid values of a loaded row by neutral ones, in memory, and note their columns."""
    values = row.__dict__
    for key, column, kinds, nullable, is_timestamp_column, texts in _column_checks(type(row)):
        value = values.get(key)
        if value is None:
            if nullable or key not in values:
                continue
            fine = False
        elif is_timestamp_column:
            fine = type(value) is int and MIN_TIMESTAMP <= value <= MAX_TIMESTAMP
        else:
            fine = type(value) in kinds if kinds else type(value) is not InvalidJsonPlaceholder
            if texts and fine:
                fine = all(type(one) is str for one in value)
        if not fine:
            neutral = (
                clamp_timestamp(value) if is_timestamp_column and type(value) is int else _replacement_value(column)
            )
            set_committed_value(row, key, neutral)
            note_corruption(row, column.name, value)


def replace_corrupt_values_on_load(*models: type[Any]) -> None:
    """Register `replace_corrupt_values` for rows of these tables when they are loaded or refreshed."""
    for model in models:
        event.listen(model, "load", _on_row_load)
        event.listen(model, "refresh", _on_row_refresh)


def _on_row_load(row: Any, _context: Any) -> None:
    replace_corrupt_values(row)


def _on_row_refresh(row: Any, _context: Any, _names: Any) -> None:
    replace_corrupt_values(row)


def note_corruption(row: Any, field: str, value: Any) -> None:
    """Note a corrupt field on the row, and log it the first time."""
    fields = row.__dict__.get(_FIELDS, ())
    row.__dict__[_FIELDS] = (*fields, field)
    table = row.__table__.name
    identity = "/".join(str(row.__dict__.get(column.name)) for column in row.__table__.primary_key.columns)
    key = (table, identity, field)
    if key in _logged or len(_logged) >= _MAX_LOGGED:
        return
    _logged.add(key)
    _logger().error("row_damaged", table=table, id=identity, field=field, value=repr(value)[:80])


def _logger() -> Any:
    import structlog  # `server.logs` controls the first import

    return structlog.get_logger(__name__)


def damaged_fields(row: Any) -> list[str]:
    """Columns of the row with invalid stored values, sorted; empty if there are none."""
    return sorted(set(row.__dict__.get(_FIELDS, ())))


def convert_readable_rows(
    rows: Iterable[Item], convert: Callable[[Item], Any], *, row_of: Callable[[Item], Any] | None = None
) -> list[Any]:
    """Convert rows to response items independently: one unreadable row does not affect the others.

    A row whose JSON has the wrong shape is converted again with empty JSON; if that fails too, it is left out. Response
    items of corrupt rows list the fields under `damaged`, and the log names row and field once.

    Args:
        convert: from an item to a model with a field `damaged`, or to a dictionary.
        row_of: the loaded row of an item; None = the item is the row.
    """
    found = []
    for item in rows:
        row = item if row_of is None else row_of(item)
        try:
            answer = convert(item)
        except _UNREADABLE as error:
            answer = _convert_without_json(item, row, convert, error)
            if answer is None:
                continue
        fields = damaged_fields(row)
        if fields:
            mark_damaged(answer, fields)
        found.append(answer)
    return found


def mark_damaged(answer: Any, fields: list[str]) -> None:
    """List the corrupt fields in the response item, if it has a field for them."""
    if isinstance(answer, dict):
        answer["damaged"] = fields
    elif "damaged" in getattr(type(answer), "model_fields", ()):
        answer.damaged = fields


def _convert_without_json(item: Any, row: Any, convert: Callable[[Any], Any], error: Exception) -> Any:
    """Convert the item with the row's JSON replaced by empty values; None if that fails too."""
    fields = [entry for entry in _column_checks(type(row)) if isinstance(entry[1].type, JSON)]
    for key, column, *_ in fields:
        value, neutral = row.__dict__.get(key), _replacement_value(column)
        if value is not None and value != neutral:
            set_committed_value(row, key, neutral)
            note_corruption(row, column.name, value)
    try:
        return convert(item)
    except _UNREADABLE:
        note_corruption(row, "?", error)
        _logger().exception("row_unreadable", table=row.__table__.name)
        return None
