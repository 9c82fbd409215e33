"""Checks JSON bodies and URLs of requests before an endpoint sees them; values that cannot be stored are refused.

The framework's own parser accepts values that cannot be stored: NUL, lone surrogates, NaN, numbers over 64 bits. Free
values (metadata, properties, parameters) would carry them into the database, where SQLite stores a NUL that PostgreSQL
and our own archives refuse. Imports parse their documents themselves (`converters/common/json_document.py`), with the
same limits.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from typing import Any

import orjson
from anyio import CapacityLimiter
from anyio.lowlevel import RunVar
from anyio.to_thread import run_sync
from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.types import Message

from annotarium.access.request_limits import (
    LARGE_BODY,
    LARGE_IN_ALL,
    LARGE_PER_CALLER,
    PARSED_AT_ONCE,
    QUERY_FIELDS,
    RequestLimits,
)
from annotarium.errors import AnnotariumError, InvalidInput, NotFound, ServiceUnavailable, TooLarge
from annotarium.http.in_flight import Caller, in_flight
from annotarium.http.json_value_limit import require_max_values
from annotarium.http.model_fields import ModelField, validate_value
from annotarium.settings import get_settings
from annotarium_schemas.messages import join_messages, message

_LONG_NUMBER = re.compile(rb"\d{19}")
_WINDOW = 1 << 20
_SAMPLE = 40
_ANY_TEXT = ("query", "search.query")
"""Search texts may contain any character: a query never fails."""
_NUL, _NUL_IN_ADDRESS = b"\\u0000", b"%00"
_FEW_VALUES, _MOST_ERRORS, _ITEMS = 1_000, 1_000, 100
_limiter: RunVar[CapacityLimiter] = RunVar("parsers of large bodies")


def parse_json_body(content: bytes, most_values: int) -> Any:
    """Parse a body in UTF-8, or in UTF-16 or UTF-32, which JSON once allowed.

    Raises:
        TooLarge: it contains more than `most_values` values; nothing was parsed.
        InvalidInput: it is valid JSON, but contains values that cannot be stored.
        json.JSONDecodeError: it is not valid JSON.
    """
    return _parse_and_count_values(content, most_values)[0]


def _parse_and_count_values(content: bytes, most_values: int) -> tuple[Any, int]:
    """The parsed value, and an upper bound for the number of values in it."""
    encoding = json.detect_encoding(content)
    if encoding != "utf-8":
        content = content.decode(encoding, "replace").encode("utf-8", "replace")
    count = require_max_values(content, most_values)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError as error:
        refused = _unstorable_json_error(content, str(error))
        if refused is not None:
            raise refused from error
        raise
    if _holds_long_number(content):
        json.loads(content, parse_int=_parse_64_bit_integer)  # the depth is bounded: orjson has accepted it
    field = _field_with_nul(value, "") if _NUL in content else None
    if field is not None:
        raise _nul_error(field)
    return value, count


def _holds_long_number(content: bytes) -> bool:
    """Whether there are 19 digits in a row. Searches in windows, so that other threads may run in between."""
    return any(_LONG_NUMBER.search(content, at, at + _WINDOW + 18) for at in range(0, len(content), _WINDOW))


def check_url(request: Request) -> None:
    """Refuse a URL with a NUL character, which no name and no text contains, or with too many fields.

    Raises:
        NotFound: a NUL in the path.
        InvalidInput: a NUL in a query parameter, or more than `QUERY_FIELDS` parameters.
    """
    if request.scope["query_string"].count(b"&") >= QUERY_FIELDS:
        raise InvalidInput(
            message("limit.query", "The address has more than {number:,} parameters", number=QUERY_FIELDS)
        )
    if "\0" in request.scope["path"]:
        raise NotFound("Nothing has a name with a NUL character")
    if _NUL_IN_ADDRESS in request.scope["query_string"]:
        for name, value in request.query_params.multi_items():
            if name not in _ANY_TEXT and "\0" in name + value:
                raise _nul_error("" if "\0" in name else name)


def _nul_error(field: str) -> InvalidInput:
    what = field or message("what.aName", "A name")
    text = message("gate.nul", "{what} contains a NUL character", what=what)
    details = [{"field": field, "message": text}] if field else None
    return InvalidInput(text, fix=message("fix.remove", "Remove it"), details=details)


def _field_with_nul(value: Any, field: str) -> str | None:
    """The path of the first text with a NUL, None without one; the parser limits the depth of recursion."""
    if isinstance(value, str):
        return field if "\0" in value and field not in _ANY_TEXT else None
    pairs: list[tuple[Any, Any]] = []
    if isinstance(value, dict):
        if any("\0" in key for key in value):
            return field
        pairs = list(value.items())
    elif isinstance(value, list):
        pairs = list(enumerate(value))
    places = (_field_with_nul(child, f"{field}.{key}" if field else str(key)) for key, child in pairs)
    return next((found for found in places if found is not None), None)


def _parse_64_bit_integer(digits: str) -> int:
    """Refuse numbers over 64 bits, which orjson would convert to float and silently lose digits."""
    number = int(digits) if len(digits) <= _SAMPLE else None
    if number is None or not -(2**63) <= number < 2**64:
        raise _number_too_large_error(digits)
    return number


def _number_too_large_error(digits: str = "") -> InvalidInput:
    words = message("file.number", "It contains a number that is too large")
    return InvalidInput(
        join_messages([words, digits[:_SAMPLE]], ": ") if digits else words,
        fix=message("fix.asString", "Write it as a text"),
    )


def _unstorable_json_error(content: bytes, why: str) -> InvalidInput | None:
    if "surrogate" in why and b"\\u" in content:
        return InvalidInput(
            message("gate.halfPair", "It contains half of a surrogate pair, which is not a character"),
            fix=message("fix.wholeCharacter", "Write the whole character"),
        )
    if "infinity" in why:
        return _number_too_large_error()
    return None


@contextmanager
def errors_as_http_exceptions() -> Iterator[None]:
    """Wrap errors as `HTTPException`, the only type that FastAPI lets through while it reads a body.

    The error handlers unwrap it, after checking whether the caller may call the route at all.
    """
    try:
        yield
    except AnnotariumError as error:
        raise HTTPException(error.status) from error
    except RequestValidationError as error:
        raise HTTPException(InvalidInput.status) from error


class LimitedRequest(Request):
    """A request whose body is limited by its route's class and whose JSON is parsed by `parse_json_body`.

    Args:
        bounds: the limits of the route.
        caller: the caller for whom large bodies are counted.
        model_field: the field the framework validates the JSON against, None if there is none. Large bodies are
            validated against it here, in a thread.
    """

    def __init__(self, request: Request, bounds: RequestLimits, caller: Caller, model_field: ModelField | None) -> None:
        super().__init__(request.scope, self._receive_counted)
        self._given = request.receive
        self._bounds = bounds
        self._caller = caller
        self._model_field = model_field
        self._limit = body_limit(bounds)
        self._counted_from = inf if self._limit is None else min(self._limit, LARGE_BODY)
        self._received = self._held = 0
        self._large: tuple[str, Caller] | None = None

    async def _receive_counted(self) -> Message:
        message = await self._given()
        size = len(message.get("body", b""))
        if size:
            self._received += size
            if self._received > self._counted_from:
                with errors_as_http_exceptions():
                    self._count()
        return message

    def _count(self) -> None:
        assert self._limit is not None
        if self._received > self._limit:
            raise body_too_long_error(self._limit)
        if self._bounds.body_values and self._received > LARGE_BODY:  # kept in memory, not streamed to disk
            if self._large is None:
                self._large = in_flight.enter("large bodies", self._caller, LARGE_PER_CALLER)
            body_memory.reserve(self._received - self._held)
            self._held = self._received

    def release(self) -> None:
        """Release the memory reserved for the body. Can be called repeatedly."""
        if self._large is not None:
            in_flight.leave(self._large)
            self._large = None
            body_memory.free(self._held)
            self._held = 0

    def forget(self) -> None:
        """Discard the body, which must not be read again, and release its memory."""
        self._body = b""
        self.release()

    async def json(self) -> Any:
        """The parsed body; a body with many values is already validated against the model."""
        content = await self.body()
        with errors_as_http_exceptions():
            if len(content) <= LARGE_BODY:
                return self._value(content)
            try:
                return await run_sync(self._value, content, limiter=_parser_limiter())
            finally:
                self.forget()

    def _value(self, content: bytes) -> Any:
        value, count = _parse_and_count_values(content, self._bounds.body_values)
        if self._model_field is None or count <= _FEW_VALUES:
            return value
        return validate_body(value, self._model_field)


def body_limit(bounds: RequestLimits) -> int | None:
    """The maximum body length in bytes, None if the endpoint limits it itself."""
    return None if bounds.body_bytes is None else min(bounds.body_bytes, get_settings().body_limit)


def body_too_long_error(limit: int) -> TooLarge:
    return TooLarge(message("limit.body", "The request body is over {size} bytes", size=limit))


class BodyMemory:
    """Total bytes of large bodies in memory."""

    def __init__(self) -> None:
        self.held = 0

    def reserve(self, size: int) -> None:
        """Reserve bytes. Raises `ServiceUnavailable`, and reserves nothing, beyond a total of `LARGE_IN_ALL`."""
        if self.held + size > LARGE_IN_ALL:
            busy = ServiceUnavailable(message("busy.bodies", "Too many large requests are being received"))
            busy.retry_after = 2
            raise busy
        self.held += size

    def free(self, size: int) -> None:
        """Release reserved bytes."""
        self.held -= size


body_memory = BodyMemory()


def validate_body(value: Any, model_field: ModelField) -> Any:
    """Validate a value against the model; the framework's own validation of the result then costs almost nothing.

    Raises:
        RequestValidationError: the value is invalid.
        InvalidInput: the value has more than `_MOST_ERRORS` errors.
    """
    try:
        return validate_value(model_field, value)
    except ValidationError as error:
        wrong = error
    if wrong.error_count() > _MOST_ERRORS and isinstance(value, list):
        wrong = _first_validation_errors(value, model_field) or wrong
    if wrong.error_count() > _MOST_ERRORS:
        number = wrong.error_count()
        raise InvalidInput(message("wrong.many", "{number:,} values of the request are not valid", number=number))
    found = [one | {"loc": ("body", *one["loc"])} for one in wrong.errors(include_url=False)]
    raise RequestValidationError(found)


def _first_validation_errors(items: list[Any], model_field: ModelField) -> ValidationError | None:
    """The errors of the first invalid items. Listing all errors of a long list takes longer than parsing the body."""
    for start in range(0, len(items), _ITEMS):
        try:
            validate_value(model_field, items[start : start + _ITEMS])
        except ValidationError as error:
            return error
    return None


def _parser_limiter() -> CapacityLimiter:
    try:
        return _limiter.get()
    except LookupError:
        _limiter.set(CapacityLimiter(PARSED_AT_ONCE))
        return _limiter.get()
