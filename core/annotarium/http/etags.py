"""Long answers as JSON, written once and told apart by their content."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from fastapi import Response

_NOT_MODIFIED = 304
_STRONG = 24


def json_with_etag(value: Any, known: str | None) -> Response:
    """`value` as JSON with an ETag made of its bytes, or 304 without a body when the caller has just that.

    Browsers keep the answer and ask with `If-None-Match` by themselves: what did not change is not sent again. They
    never use it unasked, so rights are checked each time.

    Args:
        value: plain dicts and lists, ready for orjson.
        known: the `If-None-Match` header.
    """
    body = orjson.dumps(value)
    tag = f'"{hashlib.sha256(body).hexdigest()[:_STRONG]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if known is not None and _matches_etag(known, tag):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def _matches_etag(known: str, tag: str) -> bool:
    """Whether an `If-None-Match` names the tag; a proxy that packs answers makes tags weak."""
    return any(one.strip().removeprefix("W/") in ("*", tag) for one in known.split(","))
