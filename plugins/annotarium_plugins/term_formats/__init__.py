"""Writes terms in the formats that the built-in term importers read back equal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import orjson

from annotarium_plugins.term_formats.obo import write_obo
from annotarium_plugins.term_formats.skos import write_skos
from annotarium_plugins.term_formats.tables import write_table
from annotarium_schemas.documents import Term


@dataclass(frozen=True)
class TermFormat:
    """A format of exported terms."""

    extension: str
    content_type: str
    write: Callable[[Iterable[Term]], Iterator[bytes]]


def _write_json(terms: Iterable[Term]) -> Iterator[bytes]:
    yield b"["
    separator = b"\n"
    for term in terms:
        yield separator + orjson.dumps(term.model_dump(mode="json", by_alias=True, exclude_none=True))
        separator = b",\n"
    yield b"\n]\n"


FORMATS: dict[str, TermFormat] = {
    "json": TermFormat("json", "application/json", _write_json),
    "csv": TermFormat("csv", "text/csv", lambda terms: write_table(terms, ",")),
    "tsv": TermFormat("tsv", "text/tab-separated-values", lambda terms: write_table(terms, "\t")),
    "skos": TermFormat("ttl", "text/turtle", write_skos),
    "obo": TermFormat("obo", "text/obo", write_obo),
}


def write_terms(terms: Iterable[Term], format: str) -> Iterator[bytes]:
    """Yield a file with the terms, without holding them in memory. Reading it back gives equal terms.

    Raises:
        KeyError: there is no such format; `FORMATS` lists them.
    """
    return FORMATS[format].write(terms)
