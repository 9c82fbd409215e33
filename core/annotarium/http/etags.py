"""Long JSON responses with an ETag computed from their content."""

from __future__ import annotations

import hashlib
from typing import Any

import orjson
from fastapi import Response

_NOT_MODIFIED = 304
_STRONG = 24


def json_with_etag(value: Any, known: str | None) -> Response:
    """`value` as JSON with an ETag of its bytes, or 304 without a body if the client already has that version.

    Browsers cache the response and send `If-None-Match` automatically, so unchanged content is not sent again. They
    always revalidate (`no-cache`), so rights are checked each time.

    Args:
        value: plain dicts and lists that orjson can serialise.
        known: the `If-None-Match` header.
    """
    body = orjson.dumps(value)
    tag = f'"{hashlib.sha256(body).hexdigest()[:_STRONG]}"'
    headers = {"etag": tag, "cache-control": "private, no-cache"}
    if known is not None and matches_etag(known, tag):
        return Response(status_code=_NOT_MODIFIED, headers=headers)
    return Response(body, media_type="application/json", headers=headers)


def matches_etag(known: str, tag: str) -> bool:
    """Whether `If-None-Match` contains the tag, ignoring `W/`: a compressing proxy makes tags weak."""
    return any(one.strip().removeprefix("W/") in ("*", tag) for one in known.split(","))
