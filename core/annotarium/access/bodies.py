"""What a request sends as JSON and in its address: read without loss or refused in words, before anything looks at it.

What the framework's own reader lets through cannot be kept: NUL, halves of surrogate pairs, NaN, numbers over 64 bits.
Free values (metadata, properties, parameters) would carry them as far as the record, where SQLite keeps a NUL that
PostgreSQL and our own archives refuse. Imports read their documents themselves (`converters/common/json_document.py`),
with the same limits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import orjson
from fastapi import Request
from starlette.exceptions import HTTPException

from annotarium.errors import InvalidInput, NotFound
from annotarium_schemas.said import joined, say

_LONG_NUMBER = re.compile(rb"\d{19}")
_SAMPLE = 40
_ANY_TEXT = ("query", "search.query")
"""What is looked for may be anything: a question never fails."""
_NUL, _NUL_IN_ADDRESS = b"\\u0000", b"%00"


def read_json(content: bytes) -> Any:
    """The value of a body; UTF-8, or UTF-16 and UTF-32 as JSON once allowed.

    Raises:
        InvalidInput: it is JSON, and nothing that can be kept.
        json.JSONDecodeError: it is no JSON.
    """
    encoding = json.detect_encoding(content)
    if encoding != "utf-8":
        content = content.decode(encoding, "replace").encode("utf-8", "replace")
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        refused = _refused(content, str(error))
        if refused is not None:
            raise refused from error
        raise
    if _LONG_NUMBER.search(content):
        json.loads(content, parse_int=_whole_number)  # bounded: orjson has accepted it
    place = _place_of_nul(value, "") if _NUL in content else None
    if place is not None:
        raise _nul(place)
    return value


def check_address(request: Request) -> None:
    """Refuse an address with a NUL, which no name and no text has.

    Raises:
        NotFound: it is in a name.
        InvalidInput: it is in a parameter.
    """
    if "\0" in request.scope["path"]:
        raise NotFound("Nothing has a name with a NUL character")
    if _NUL_IN_ADDRESS in request.scope["query_string"]:
        for name, value in request.query_params.multi_items():
            if name not in _ANY_TEXT and "\0" in name + value:
                raise _nul("" if "\0" in name else name)


def _nul(place: str) -> InvalidInput:
    what = place or say("what.aName", "A name")
    message = say("gate.nul", "{what} holds a NUL character", what=what)
    details = [{"field": place, "message": message}] if place else None
    return InvalidInput(message, fix=say("fix.remove", "Remove it"), details=details)


def _place_of_nul(value: Any, place: str) -> str | None:
    """Where the first text with a NUL stands; the depth is bounded by the parser."""
    if isinstance(value, str):
        return place if "\0" in value and place not in _ANY_TEXT else None
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        if any("\0" in key for key in value):
            return place
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    places = (_place_of_nul(child, f"{place}.{key}" if place else str(key)) for key, child in pairs)
    return next((found for found in places if found is not None), None)


def _whole_number(digits: str) -> int:
    """orjson makes a float of a number over 64 bits: the last digits would be lost in silence."""
    number = int(digits) if len(digits) <= _SAMPLE else None
    if number is None or not -(2**63) <= number < 2**64:
        raise _too_large(digits)
    return number


def _too_large(digits: str = "") -> InvalidInput:
    words = say("file.number", "It holds a number that is too large")
    return InvalidInput(
        joined([words, digits[:_SAMPLE]], ": ") if digits else words, fix=say("fix.asString", "Write it as a text")
    )


def _refused(content: bytes, why: str) -> InvalidInput | None:
    if "surrogate" in why and b"\\u" in content:
        return InvalidInput(
            say("gate.halfPair", "It holds half of a surrogate pair, which is no character"),
            fix=say("fix.wholeCharacter", "Write the whole character"),
        )
    if "infinity" in why:
        return _too_large()
    return None


@contextmanager
def refused_as_http() -> Iterator[None]:
    """FastAPI lets no other error than its own out of the reading of a body; who may not call learns that instead."""
    try:
        yield
    except (InvalidInput, NotFound) as error:
        raise HTTPException(error.status) from error


class Body(Request):
    """A request whose JSON is read by `read_json`."""

    async def json(self) -> Any:
        """The value of the body."""
        content = await self.body()
        with refused_as_http():
            return read_json(content)
