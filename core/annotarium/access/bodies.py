"""JSON bodies of requests: read without loss or refused in words, before anything looks at them.

What the framework's own reader lets through cannot be kept: halves of surrogate pairs, NaN, numbers over 64 bits. Free
values (metadata, properties, parameters) would carry them as far as the record. Imports read their documents themselves
(`converters/common/json_document.py`), with the same limits.
"""

from __future__ import annotations

import json
import re
from typing import Any

import orjson
from fastapi import Request
from starlette.exceptions import HTTPException

from annotarium.errors import InvalidInput
from annotarium_schemas.said import joined, say

_LONG_NUMBER = re.compile(rb"\d{19}")
_SAMPLE = 40


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
    return value


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


class Body(Request):
    """A request whose JSON is read by `read_json`."""

    async def json(self) -> Any:
        """The value of the body."""
        try:
            return read_json(await self.body())
        except InvalidInput as error:
            raise HTTPException(error.status) from error  # FastAPI lets no other error out of the reading of a body
