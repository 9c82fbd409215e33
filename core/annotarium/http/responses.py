"""Answers that are written as they are."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response


def unvalidated_json_response(value: Any) -> Response:
    """`value` as JSON: plain dicts and lists; not validated again."""
    return Response(orjson.dumps(value), media_type="application/json")
