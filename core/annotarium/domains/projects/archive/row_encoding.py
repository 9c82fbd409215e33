"""Converts rows of tables to JSON objects and back. Decoding checks every value, since archives are untrusted."""

from __future__ import annotations

import base64
import binascii
import math
from collections.abc import Callable, Iterable, Mapping
from typing import Any
from uuid import uuid4

from sqlalchemy import JSON, BigInteger, Boolean, Column, Float, Integer, LargeBinary, RowMapping, String, Table
from sqlalchemy.sql.schema import CallableColumnDefault, ScalarElementColumnDefault

from annotarium.content.validation import InvalidContent, check_json_value, check_text
from annotarium.db.corruption import InvalidJsonPlaceholder, holds_timestamps
from annotarium.db.identifiers import new_id
from annotarium.db.imported_author_names import add_imported_prefix, remove_imported_prefix
from annotarium.db.timestamps import MAX_TIMESTAMP, MIN_TIMESTAMP
from annotarium.domains.projects.archive.archive_format import (
    GROUPS,
    HISTORY,
    PEOPLE,
    RECOMPUTED_COLUMNS,
    referred_table,
)
from annotarium.domains.projects.archive.messages import field_label, table_label
from annotarium.domains.projects.archive.value_rules import check_column_value, check_row
from annotarium.registry.model_store import UNTRAINED_VALUES
from annotarium_schemas.messages import Message, message

Row = dict[str, Any]
LARGEST = 2**63
_SKIPPED = frozenset({"project_id", "job_id"})


def encode_row(values: RowMapping, table: Table, names: Mapping[str, Mapping[int, str]]) -> Row:
    """A row as archived.

    Args:
        values: by column name.
        names: names of users and groups by id, by table name.
    """
    row: Row = {}
    for column in table.c:
        value = values[column.name]
        if value is None or column.name in _SKIPPED or type(value) is InvalidJsonPlaceholder:
            continue  # invalid JSON is replaced by the column's default on import
        referred = referred_table(column)
        if referred is not None and referred in names:
            value = names[referred].get(value)
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode()
        row[str(column.name)] = value  # a plain str: orjson refuses SQLAlchemy's subclass for names
    return row | RECOMPUTED_COLUMNS.get(table.name, {})


class IdMap:
    """Maps ids of the archive to new ids: rows by table, users and groups by name.

    Attributes:
        brought_by: the user who imports the archive.
        brought_at: timestamp of the import, in milliseconds.
    """

    def __init__(
        self, people: Mapping[str, int], groups: Mapping[str, int], *, brought_by: str, brought_at: int
    ) -> None:
        self.ids: dict[str, dict[Any, Any]] = {PEOPLE: dict(people), GROUPS: dict(groups)}
        self.brought_by, self.brought_at = brought_by, brought_at

    def add(self, table: str, old: Any, new: Any) -> None:
        """Add the new id of a row."""
        self.ids.setdefault(table, {})[old] = new

    def forget(self, tables: Iterable[str]) -> None:
        """Drop the ids of these tables to free memory."""
        for table in tables:
            self.ids.pop(table, None)

    def find(self, table: str, old: Any) -> Any:
        """The new id, None if the archived row does not exist here."""
        return self.ids.get(table, {}).get(old)


class MissingReference(Exception):
    """A row refers to a user or row that does not exist here, so it is left out."""


def decode_row(row: Any, table: Table, id_map: IdMap, project_id: int) -> dict[str, Any]:
    """The values of all columns of a new row. Its new id is added to `id_map`.

    Raises:
        InvalidContent: a value is missing or invalid.
        MissingReference: a required reference points to a user or row that does not exist here.
    """
    if not isinstance(row, dict):
        raise InvalidContent(
            message("archive.noObject", "Among its {what}, one is not an object", what=table_label(table.name))
        )
    values: dict[str, Any] = {}
    for column in table.c:
        if column.name == "project_id":
            values[column.name] = project_id
        elif column.name == "job_id":
            values[column.name] = None
        elif column.name == "id" and column.primary_key:
            values[column.name] = _new_id(column)
        else:
            values[column.name] = _decode_value(row, column, id_map)
    if table.name == HISTORY:
        _map_history_ids(values, id_map)
    check_row(table.name, values)
    _set_authors(values, table, id_map)
    if "id" in row and table.c.get("id") is not None:
        id_map.add(table.name, row["id"], values["id"])
    return values


def _new_id(column: Column[Any]) -> Any:
    return uuid4().hex if isinstance(column.type, String) else new_id()


def _decode_value(row: Row, column: Column[Any], id_map: IdMap) -> Any:
    given = row.get(column.name)
    if given is None:
        return default_of(column)
    referred = referred_table(column)
    if referred is not None:
        try:
            found = id_map.find(referred, given)
        except TypeError as error:
            raise InvalidContent(
                message("archive.noReference", "{where} is not a reference", where=_field_label(column))
            ) from error
        if found is None and not column.nullable:
            raise MissingReference
        return found
    return checked_value(given, column)


def default_of(column: Column[Any]) -> Any:
    """The value of a column that is absent in the archive. Raises `InvalidContent` if the column has no default."""
    if isinstance(column.default, ScalarElementColumnDefault):
        return column.default.arg
    if isinstance(column.default, CallableColumnDefault):
        return column.default.arg(None)  # type: ignore[arg-type]  # none of ours looks at the context
    if column.nullable:
        return None
    raise InvalidContent(message("archive.missing", "{where} is missing", where=_field_label(column)))


def checked_value(value: Any, column: Column[Any]) -> Any:
    """The converted value, checked by the column's type and its rule in `value_rules`. Raises `InvalidContent`."""
    name = _field_label(column)
    for kind, check in _CHECKS:
        if isinstance(column.type, kind):
            found = check(value, column, name)
            check_column_value(column.table.name, column.name, found)
            return found
    raise InvalidContent(message("archive.notArchived", "{where} cannot be archived", where=name))


def _field_label(column: Column[Any]) -> Message:
    return field_label(column.table.name, column.name)


def _wrong_kind_error(name: str, value: Any) -> InvalidContent:
    words = "{where} has a value of another type: {value}"
    return InvalidContent(message("archive.otherKind", words, where=name, value=repr(str(value)[:40])))


def _checked_integer(value: Any, column: Column[Any], name: str) -> int:
    if holds_timestamps(column) and type(value) is int and not MIN_TIMESTAMP <= value <= MAX_TIMESTAMP:
        words = "{where} is not a date and time of the years 1 to 9999: {value}"
        raise InvalidContent(message("archive.moment", words, where=name, value=str(value)))
    if not isinstance(value, int) or isinstance(value, bool) or not -LARGEST <= value < LARGEST:
        raise _wrong_kind_error(name, value)
    if isinstance(column.type, Integer) and not isinstance(column.type, BigInteger) and abs(value) >= 2**31:
        raise _wrong_kind_error(name, value)
    return value


def _checked_number(value: Any, column: Column[Any], name: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
        raise _wrong_kind_error(name, value)
    return float(value)


def _checked_boolean(value: Any, column: Column[Any], name: str) -> bool:
    if not isinstance(value, bool):
        raise _wrong_kind_error(name, value)
    return value


def _checked_string(value: Any, column: Column[Any], name: str) -> str:
    if not isinstance(value, str):
        raise _wrong_kind_error(name, value)
    check_text(value, name)
    longest = column.type.length if isinstance(column.type, String) else None
    if longest is not None and len(value) > longest:
        raise InvalidContent(
            message("archive.long", "{where} is longer than {number} characters", where=name, number=longest)
        )
    return value


def _checked_json(value: Any, column: Column[Any], name: str) -> Any:
    if isinstance(column.default, CallableColumnDefault) and type(default_of(column)) is not type(value):
        raise _wrong_kind_error(name, value)
    try:
        check_json_value(value, name)
    except RecursionError as error:
        raise InvalidContent(message("archive.deep", "{where} is nested too deeply", where=name)) from error
    return value


def _decode_base64_bytes(value: Any, column: Column[Any], name: str) -> bytes:
    try:
        return base64.b64decode(value, validate=True)
    except (TypeError, ValueError, binascii.Error) as error:
        raise _wrong_kind_error(name, value) from error


_Check = Callable[[Any, Column[Any], str], Any]
_CHECKS: tuple[tuple[type, _Check], ...] = (
    (Boolean, _checked_boolean),
    (Float, _checked_number),
    (BigInteger, _checked_integer),
    (Integer, _checked_integer),
    (String, _checked_string),
    (JSON, _checked_json),
    (LargeBinary, _decode_base64_bytes),
)


def _map_state_ids(fields: Row, id_map: IdMap) -> Row:
    """The new ids of what a history state refers to; `MissingReference` if one of them does not exist here."""
    try:
        ids = {name: id_map.find(referred, fields[name]) for name, referred in _STATES.items() if name in fields}
    except TypeError as error:
        raise InvalidContent(
            message("archive.noReference", "{where} is not a reference", where=table_label(HISTORY))
        ) from error
    if None in ids.values():
        raise MissingReference
    return ids


_STATES = {"label_id": "labels", "name_id": "relation_names", "source_id": "annotations", "target_id": "annotations"}
"""Tables that the fields of history states refer to."""


_HISTORY_TABLES = {
    "annotation": "annotations",
    "category": "categories",
    "comment": "comments",
    "relation": "relations",
}
"""Tables of the entities of history rows."""


def _map_history_ids(values: dict[str, Any], id_map: IdMap) -> None:
    """Map the ids in a history row: those of its entity, batch and states. Raises `MissingReference`."""
    table = _HISTORY_TABLES.get(values["entity"])
    found = id_map.find(table, values["entity_id"]) if table else None
    if values["entity"] == "alt_text":  # they have no id of their own: the id of the document is used
        found = values["document_id"]
    if found is None:
        raise MissingReference
    values["entity_id"] = found
    values["batch_id"] = id_map.find(HISTORY, values["batch_id"])  # the history row it undoes was imported before it
    for state in ("before", "after"):
        fields = values[state]
        if isinstance(fields, dict):
            values[state] = fields | _map_state_ids(fields, id_map)


_AUTHORS = ("created_by", "modified_by", "deleted_by", "actor")
"""Columns with the name of an author."""


def _set_authors(values: dict[str, Any], table: Table, id_map: IdMap) -> None:
    """Mark authors as imported, since they did nothing on this installation, even if an account of that name exists.

    Names of annotators are kept unless an account has the same name, so that their next run replaces their annotations.
    """
    _mark_authors_imported(values, id_map)
    if "imported_by" in table.c:
        values["imported_by"], values["imported_at"] = id_map.brought_by, id_map.brought_at
    for state in (values.get("before"), values.get("after")) if table.name == HISTORY else ():
        if isinstance(state, dict):
            _mark_authors_imported(state, id_map)


def _mark_authors_imported(values: dict[str, Any], id_map: IdMap) -> None:
    by_machine = values.get("creation_mode") == "automatic"
    for name in _AUTHORS:
        author = values.get(name)
        if author and not (by_machine and id_map.find(PEOPLE, remove_imported_prefix(author)) is None):
            values[name] = add_imported_prefix(author)


def without_trained_model(row: Row) -> Row:
    """The row with the values of an untrained model, for models whose files are not archived."""
    return row | {name: value for name, value in UNTRAINED_VALUES.items() if name in row}
