"""Shared by the readers of RDF: the sink of statements, errors with a line, escapes and relative IRIs."""

from __future__ import annotations

import re
from collections.abc import Callable

Sink = Callable[[str, str, str, str | None], None]
"""Called with subject, predicate, value and language: None when the value is a resource, empty for a plain literal."""

DEPTH = 64
"""Maximum nesting of anonymous resources and lists."""

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_AUTHORITY = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://[^/?#]*")
_ESCAPE = re.compile(r"\\(?:u([0-9A-Fa-f]{4})|U([0-9A-Fa-f]{8})|(.))", re.DOTALL)
_SHORT = {"t": "\t", "b": "\b", "n": "\n", "r": "\r", "f": "\f"}


class RdfError(Exception):
    """A syntax error; `line` is its line in the file, `message` states what is wrong."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line, self.message = line, message


def unescaped(text: str) -> str:
    """Return a text without the escapes of Turtle and N-Triples."""
    return _ESCAPE.sub(_character, text) if "\\" in text else text


def _character(found: re.Match[str]) -> str:
    if found[3] is not None:
        return _SHORT.get(found[3], found[3])
    code = int(found[1] or found[2], 16)
    return chr(code) if code <= 0x10FFFF and not 0xD800 <= code <= 0xDFFF else "\ufffd"


def resolved_iri(base: str, iri: str) -> str:
    """Return an absolute IRI. Without a base a relative one stays as it is."""
    if not base or _SCHEME.match(iri):
        return iri
    if not iri or iri.startswith("#"):
        return base.partition("#")[0] + iri
    authority = _AUTHORITY.match(base)
    if iri.startswith("//"):
        return base.partition(":")[0] + ":" + iri
    if iri.startswith("/") and authority:
        return authority[0] + iri
    plain = base.partition("#")[0].partition("?")[0]
    if authority and plain == authority[0]:
        return f"{plain}/{iri}"
    return plain[: plain.rfind("/") + 1] + iri
