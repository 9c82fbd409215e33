"""Rows of tables as JSON objects and back. What comes back is checked value by value: it is a stranger's file."""

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
    """A row as it is archived.

    Args:
        values: by column name.
        names: names of users and groups by id, by table name.
    """
    row: Row = {}
    for column in table.c:
        value = values[column.name]
        if value is None or column.name in _SKIPPED or type(value) is InvalidJsonPlaceholder:
            continue  # what is no JSON comes back as the column's default
        referred = referred_table(column)
        if referred is not None and referred in names:
            value = names[referred].get(value)
        if isinstance(value, bytes):
            value = base64.b64encode(value).decode()
        row[str(column.name)] = value  # names may be of a kind of str that orjson does not take
    return row | RECOMPUTED_COLUMNS.get(table.name, {})


class IdMap:
    """Ids of the archive and what they became here: rows by table, people and groups by name.

    `brought_by` is who brings the archive, `brought_at` when (milliseconds since 1970).
    """

    def __init__(
        self, people: Mapping[str, int], groups: Mapping[str, int], *, brought_by: str, brought_at: int
    ) -> None:
        self.ids: dict[str, dict[Any, Any]] = {PEOPLE: dict(people), GROUPS: dict(groups)}
        self.brought_by, self.brought_at = brought_by, brought_at

    def add(self, table: str, old: Any, new: Any) -> None:
        """Remember what an id became."""
        self.ids.setdefault(table, {})[old] = new

    def forget(self, tables: Iterable[str]) -> None:
        """Ids of these tables are not asked for any more."""
        for table in tables:
            self.ids.pop(table, None)

    def find(self, table: str, old: Any) -> Any:
        """What an id became, None when nothing of that id came along."""
        return self.ids.get(table, {}).get(old)


class MissingReference(Exception):
    """The row refers to somebody or something that is not here: it is left out."""


def decode_row(row: Any, table: Table, id_map: IdMap, project_id: int) -> dict[str, Any]:
    """Values for each column of a new row; its new id is learned.

    Raises:
        InvalidContent: a value is missing or is not what the column takes.
        MissingReference: it refers to a user or a row that did not come along.
    """
    if not isinstance(row, dict):
        raise InvalidContent(
            message("archive.noObject", "Of its {what}, one is not an object", what=table_label(table.name))
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
                message("archive.noReference", "{where} is no reference", where=_field_label(column))
            ) from error
        if found is None and not column.nullable:
            raise MissingReference
        return found
    return checked_value(given, column)


def default_of(column: Column[Any]) -> Any:
    """What a column holds when nothing is said. Raises `InvalidContent` when it must be said."""
    if isinstance(column.default, ScalarElementColumnDefault):
        return column.default.arg
    if isinstance(column.default, CallableColumnDefault):
        return column.default.arg(None)  # type: ignore[arg-type]  # none of ours looks at the context
    if column.nullable:
        return None
    raise InvalidContent(message("archive.missing", "{where} is missing", where=_field_label(column)))


def checked_value(value: Any, column: Column[Any]) -> Any:
    """The value if the column takes it and its rule allows it, `InvalidContent` otherwise."""
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
    words = "{where} holds a value of another kind: {value}"
    return InvalidContent(message("archive.otherKind", words, where=name, value=repr(str(value)[:40])))


def _checked_integer(value: Any, column: Column[Any], name: str) -> int:
    if holds_timestamps(column) and type(value) is int and not MIN_TIMESTAMP <= value <= MAX_TIMESTAMP:
        words = "{where} is no moment of the years 1 to 9999: {value}"
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
    """What a state of history refers to, by its new ids; `MissingReference` when something of it is not here."""
    try:
        ids = {name: id_map.find(referred, fields[name]) for name, referred in _STATES.items() if name in fields}
    except TypeError as error:
        raise InvalidContent(
            message("archive.noReference", "{where} is no reference", where=table_label(HISTORY))
        ) from error
    if None in ids.values():
        raise MissingReference
    return ids


_STATES = {"label_id": "labels", "name_id": "relation_names", "source_id": "annotations", "target_id": "annotations"}
"""What fields of history's states refer to."""


def _map_history_ids(values: dict[str, Any], id_map: IdMap) -> None:
    """History names its rows by kind and id, and holds their fields: what it points to is here under new ids."""
    table = {"annotation": "annotations", "category": "categories", "relation": "relations"}.get(values["entity"])
    found = id_map.find(table, values["entity_id"]) if table else None
    if values["entity"] == "alt_text":  # they have no id: their document stands for them
        found = values["document_id"]
    if found is None:
        raise MissingReference
    values["entity_id"] = found
    values["batch_id"] = id_map.find(HISTORY, values["batch_id"])  # what it takes back came before it
    for state in ("before", "after"):
        fields = values[state]
        if isinstance(fields, dict):
            values[state] = fields | _map_state_ids(fields, id_map)


_AUTHORS = ("created_by", "modified_by", "deleted_by", "actor")
"""Columns that hold who did something."""


def _set_authors(values: dict[str, Any], table: Table, id_map: IdMap) -> None:
    """Say who brought a row: the people it names did nothing here, whether an account of that name exists or not.

    Annotators keep their names where no account has them: their next run replaces what they proposed before.
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
    """The row of a model whose files do not come along."""
    return row | {name: value for name, value in UNTRAINED_VALUES.items() if name in row}
