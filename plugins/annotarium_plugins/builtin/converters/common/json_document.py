"""Reads one document from JSON without loss, validates it and explains every error."""

from __future__ import annotations

import json
from typing import Any, BinaryIO

import orjson
from pydantic import ValidationError

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import AS_UTF8, GIVE_TEXT, NOT_UTF8, TEXT_EMPTY
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import join_messages, message

_BOM = b"\xef\xbb\xbf"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_DIGITS = bytes(0x30 if 0x30 <= code <= 0x39 else 0x20 for code in range(256))
"""Maps every digit to `0` and everything else to a blank, so that a plain search finds a long run of digits in a tenth
of the time of a regular expression.
"""
_LONG_NUMBER = b"0" * 19
_NESTED = ("annotations", "categories", "sentences", "altTexts", "relations", "terms")


class InvalidItem(Exception):
    """An item that is not a document; the text states why."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.fix = message, fix


def skip_byte_order_mark(file: BinaryIO) -> None:
    """Skip a byte order mark; raises `ComponentError` for one of UTF-16."""
    head = file.read(3)
    if head[:2] in _UTF16:
        raise ComponentError(
            NOT_UTF8,
            cause=message("cause.utf16", "It is UTF-16."),
            fix=AS_UTF8,
        )
    if head != _BOM:
        file.seek(0)


def parse_object(content: bytes) -> dict[str, Any]:
    """Return the object of an item without keys whose value is null.

    Raises:
        InvalidItem: it is not JSON, not an object, or contains what cannot be stored.
    """
    try:
        raw = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        raise _syntax_problem(content, error) from error
    if not isinstance(raw, dict):
        raise InvalidItem(
            message("file.noObject", "It is not an object with a text"),
            message("fix.writeObject", "Write {example} with identifier, title and text", example="{...}"),
        )
    if _LONG_NUMBER in content.translate(_DIGITS):
        json.loads(content, parse_int=_parse_whole_number)  # bounded, because orjson has accepted it
    if b"\\u0000" in content:
        where = _find_nul(raw, "")
        if where is not None:
            raise InvalidItem(
                message("gate.nul", "{what} contains a NUL character", what=where or message("what.aName", "A name")),
                message("fix.remove", "Remove it"),
            )
    return _without_null_keys(raw) if b"null" in content else raw


def _parse_whole_number(digits: str) -> int:
    """Parse a whole number of any length: orjson turns numbers over 64 bits into floats and silently loses digits."""
    number = int(digits)
    if not -(2**63) <= number < 2**64:
        raise InvalidItem(
            join_messages([message("file.number", "It contains a number that is too large"), digits[:40]], ": "),
            message("fix.asString", "Write it as a text"),
        )
    return number


def _syntax_problem(content: bytes, error: orjson.JSONDecodeError) -> InvalidItem:
    """Translate an error of orjson, which only names positions; frequent mistakes get their own message."""
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        return InvalidItem(NOT_UTF8)
    text = str(error)
    if "surrogate" in text:
        return InvalidItem(
            message("gate.halfPair", "It contains half of a surrogate pair, which is not a character"),
            message("fix.wholeCharacter", "Write the whole character"),
        )
    if "depth" in text:
        return InvalidItem(message("file.itemDeep", "It is nested too deep"))
    if any(word in content for word in (b"NaN", b"Infinity")):
        return InvalidItem(
            message("file.nan", "It contains NaN or Infinity, which JSON does not allow"),
            message("fix.null", "Use null or omit the value"),
        )
    if "number" in text:
        return InvalidItem(
            message("file.number", "It contains a number that is too large"),
            message("fix.asString", "Write it as a text"),
        )
    return InvalidItem(message("file.notJson", "It is not JSON: {why}", why=text))


def _find_nul(value: Any, path: str) -> str | None:
    """Return the path of the first string with a NUL; recursion is bounded by the parser."""
    if isinstance(value, str):
        return path if "\x00" in value else None
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        if any("\x00" in key for key in value):
            return path
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    for key, child in pairs:
        found = _find_nul(child, f"{path}.{key}" if path else str(key))
        if found is not None:
            return found
    return None


def _without_null_keys(raw: dict[str, Any]) -> dict[str, Any]:
    """Remove keys whose value is null from the document and its annotations, categories and segments; metadata values
    stay.
    """
    kept = {}
    for key, value in raw.items():
        if value is None:
            continue
        if key in _NESTED and isinstance(value, list):
            value = [_without_null_keys(item) if isinstance(item, dict) else item for item in value]
        kept[key] = value
    return kept


def validate_document(raw: dict[str, Any]) -> Document:
    """Build a document in the published JSON format; raises `InvalidItem` when it does not conform."""
    identifier = raw.get("identifier")
    if isinstance(identifier, int) and not isinstance(identifier, bool):
        raw["identifier"] = str(identifier)
    text = raw.get("text")
    if not isinstance(text, str):
        raise InvalidItem(
            message("file.textMissing", "The text is missing")
            if text is None
            else message("file.textNoString", "The text is not a string"),
            GIVE_TEXT,
        )
    if not text.strip():
        raise InvalidItem(TEXT_EMPTY, GIVE_TEXT)
    try:
        return Document.model_validate(raw)
    except ValidationError as error:
        raise InvalidItem(_problem_text(error)) from error


def _problem_text(error: ValidationError) -> str:
    """Describe the first validation error: where it is, and what is wrong."""
    first = error.errors(include_url=False, include_input=False)[0]
    location = first["loc"]
    if "metadata" in location:
        end = location.index("metadata") + 2
        path = ".".join(str(part) for part in location[:end])
        return f"{path}: a metadata value is a text, a number, true or false, or a list of these"
    path = ".".join(str(part) for part in location)
    return f"{path}: {first['msg']}"
