"""Concepts of a knowledge-base server that the administrator configured; never contacted in air-gapped mode.

The address is the administrator's own choice, so it may be in a private network; nothing that a request contains
becomes part of it, except for a reference of digits. Redirects are not followed, and no proxy is used.
"""

from __future__ import annotations

import re
import time
from http.client import HTTPException, HTTPResponse
from typing import Any
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

import orjson
import structlog

from annotarium.domains.knowledge.schemas import ConceptRead, Definition, NameInLanguage, Statement
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)
_SECONDS = 5.0
"""For the connection and each wait, and for the whole response."""
AT_ONCE = 4
"""Concurrent requests to the server per process; others wait, without holding a thread that serves requests."""
_PAUSE = 30.0
"""Seconds without requests after the server did not respond, so that nobody waits again for a server that is down."""
_MAX_BYTES = 4 << 20
_MAX_TEXT = 10_000
_MAX_ITEMS = 1_000
_REFERENCE = re.compile(r"Q?\d{1,20}", re.ASCII)
"""References that are sent: identifiers of Wikidata, and page numbers. Nothing else that a request contains is sent."""
_LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})?")


class _Outage:
    """Until when the server is not contacted because it did not respond (monotonic time)."""

    until = 0.0


class _NoRedirect(HTTPRedirectHandler):
    """Follows no redirects, because their target was not configured by the administrator."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        """Refuse every redirect."""


def is_host_used() -> bool:
    """Whether a server is configured, and may be contacted."""
    settings = get_settings()
    return bool(settings.knowledge_host) and not settings.air_gapped


def fetch_concept(reference: str, language: str) -> ConceptRead | None:
    """The concept as the server describes it; None if it does not know it, does not respond, or is not configured.

    Must be called without an open transaction, because the server may be slow.
    """
    if not is_host_used() or not _REFERENCE.fullmatch(reference) or time.monotonic() < _Outage.until:
        return None
    wanted = language if _LANGUAGE.fullmatch(language) else "en"
    address = f"{(get_settings().knowledge_host or '').rstrip('/')}/service/kb/concept/{reference}"
    request = Request(f"{address}?{urlencode({'lang': wanted})}", headers={"Accept": "application/json"})
    try:
        with build_opener(ProxyHandler({}), _NoRedirect()).open(request, timeout=_SECONDS) as response:
            found = orjson.loads(_read_limited(response, time.monotonic() + _SECONDS))
    except HTTPError as error:
        error.close()
        log.info("knowledge_host_refused", status=error.code)
        return None
    except (OSError, HTTPException, ValueError) as error:
        if not isinstance(error, ValueError):
            _Outage.until = time.monotonic() + _PAUSE
        log.warning("knowledge_host_failed", error=f"{type(error).__name__}: {error}")
        return None
    return concept_from_json(reference, found)


def _read_limited(response: HTTPResponse, deadline: float) -> bytes:
    body = bytearray()
    while part := response.read1(1 << 16):
        body += part
        if len(body) > _MAX_BYTES:
            raise ValueError("The response is too long")
        if time.monotonic() > deadline:
            raise TimeoutError("The response is too slow")
    return bytes(body)


def concept_from_json(reference: str, found: Any) -> ConceptRead | None:
    """A concept from the server's response; invalid parts are left out."""
    if not isinstance(found, dict):
        return None
    term = _text(found.get("preferredTerm")) or _text(found.get("rawName"))
    if not term:
        return None
    return ConceptRead(
        identifier=reference,
        preferred_term=term,
        definitions=[
            Definition(definition=text)
            for one in _objects(found.get("definitions"))
            if (text := _text(one.get("definition")))
        ],
        statements=[
            Statement(property_name=name, value=value, is_wikidata_id=bool(re.fullmatch(r"Q\d+", str(value), re.ASCII)))
            for one in _objects(found.get("statements"))
            if (name := _text(one.get("propertyName"))) and (value := _value(one.get("value"))) is not None
        ],
        multilingual=[
            NameInLanguage(lang=lang, term=text)
            for one in _objects(found.get("multilingual"))
            if (lang := _text(one.get("lang"))) and (text := _text(one.get("term")))
        ],
    )


def _objects(value: Any) -> list[dict[str, Any]]:
    return [one for one in value[:_MAX_ITEMS] if isinstance(one, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value.strip()[:_MAX_TEXT] if isinstance(value, str) else ""


def _value(value: Any) -> str | int | float | bool | None:
    if isinstance(value, str):
        return value[:_MAX_TEXT]
    return value if isinstance(value, int | float | bool) else None
