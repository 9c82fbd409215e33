"""Responses that bypass the framework's validation."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response


def unvalidated_json_response(value: Any) -> Response:
    """`value`, plain dicts and lists, as JSON without validation."""
    return Response(orjson.dumps(value), media_type="application/json")
