"""Reads N-Triples (and the triples of N-Quads) line by line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from annotarium_plugins.builtin.term_importers.finished_terms import PROBLEMS
from annotarium_plugins.builtin.term_importers.rdf.syntax import RdfError, Sink, unescaped
from annotarium_schemas.messages import message

_LONGEST = 8 << 20
_IRI = r"<[^\x00-\x20<>]*+>"
_BLANK = r"_:[^\s<>\"]*[^\s<>\".]"
_TRIPLE = re.compile(
    rf"\s*({_IRI}|{_BLANK})\s*({_IRI})\s*"
    rf'(?:({_IRI}|{_BLANK})|"((?:[^"\\]++|\\.)*+)"(?:@([A-Za-z]+(?:-[A-Za-z0-9]+)*)|\^\^{_IRI})?)'
    rf"\s*(?:(?:{_IRI}|{_BLANK})\s*)?\.\s*(?:\#.*)?",
    re.DOTALL,
)


def read_n_triples(file: IO[str], sink: Sink) -> Iterator[RdfError]:
    """Read a file; yield an error for each line that is not a triple."""
    number = errors = 0
    while line := file.readline(_LONGEST + 1):
        number += 1
        if len(line) > _LONGEST:
            while line and not line.endswith("\n"):
                line = file.readline(_LONGEST)
            problem = message("rdf.tooLong", "A text is longer than {limit} MB", limit=_LONGEST >> 20)
        else:
            found = _TRIPLE.fullmatch(line)
            if found:
                _send(found, sink)
                continue
            if not line.strip() or line.lstrip().startswith("#"):
                continue
            problem = message("rdf.noTriple", "It is not a triple")
        yield RdfError(number, problem)
        errors += 1
        if errors >= PROBLEMS:
            return


def _send(found: re.Match[str], sink: Sink) -> None:
    subject, predicate = _resource(found[1]), _resource(found[2])
    if found[3] is not None:
        sink(subject, predicate, _resource(found[3]), None)
    else:
        sink(subject, predicate, unescaped(found[4]), found[5] or "")


def _resource(text: str) -> str:
    return unescaped(text[1:-1]) if text.startswith("<") else text
