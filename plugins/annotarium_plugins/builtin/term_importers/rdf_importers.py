"""Term importers `skos` and `owl`: vocabularies and ontologies in Turtle, N-Triples, RDF/XML or JSON-LD.

The syntax is recognised by the extension, otherwise by the first characters. Nothing that a file refers to is ever
fetched: imported ontologies and remote contexts are reported.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import IO, Any, ClassVar

import orjson
from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import PREVIEW_ROWS, TermImporter, TermPreview, TermProblem
from annotarium_plugins.builtin.converters.common.converter_helpers import check_size, read_bounded
from annotarium_plugins.builtin.converters.common.errors import HAS_NUL, IS_EMPTY, SEND_AGAIN
from annotarium_plugins.builtin.converters.common.parameter_fields import size_limit_field
from annotarium_plugins.builtin.term_importers.finished_terms import CHECK_FILE, line_problem, no_terms_error
from annotarium_plugins.builtin.term_importers.rdf.facts import FactStore
from annotarium_plugins.builtin.term_importers.rdf.json_ld import JsonLdReader
from annotarium_plugins.builtin.term_importers.rdf.n_triples import read_n_triples
from annotarium_plugins.builtin.term_importers.rdf.rdf_xml import read_rdf_xml
from annotarium_plugins.builtin.term_importers.rdf.syntax import RdfError, Sink
from annotarium_plugins.builtin.term_importers.rdf.turtle import read_turtle
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import join_messages, message

_SYNTAXES = {
    "ttl": "turtle", "turtle": "turtle", "nt": "n-triples", "nq": "n-triples", "rdf": "rdf/xml", "xml": "rdf/xml",
    "owl": "rdf/xml", "jsonld": "json-ld", "json": "json-ld",
}  # fmt: skip
_TRIPLE = re.compile(rb"\s*(?:#[^\n]*\n\s*)*(?:<[^>]*>|_:\S+)\s+<[^>]*>\s+[<\"_]")
_PREVIEW_FACTS = 20_000
_UNLIMITED = 1 << 62
_FETCHED = message("fix.importFile", "Import that file too if its terms are needed")


class RdfImporterParameters(Parameters):
    """Parameters of `skos` and `owl`."""

    language: str = Field(
        "",
        max_length=35,
        pattern=r"^[A-Za-z0-9-]*$",
        title="Language",
        description="Language of the preferred form. Empty: the project's, then English, then the first one.",
    )
    json_limit: int = size_limit_field(
        128, 1024, title="Largest JSON-LD file", description="It is read into memory. Other formats have no limit."
    )


class _EnoughFacts(Exception):
    """A preview has read enough."""


class RdfImporter(TermImporter[RdfImporterParameters]):
    """Base of both importers: reads the statements into a temporary file, then yields the terms.

    Attributes:
        wanted: class of the resources that are terms.
    """

    parameters_model = RdfImporterParameters
    wanted: ClassVar[str]

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order in which the file names them first, then the errors of the file.

        Raises:
            ComponentError: the file is empty, of another format, or contains no term.
        """
        yield from self._parse(source, _UNLIMITED)

    def preview(self, source: SourceFile, rows: int = PREVIEW_ROWS) -> TermPreview:
        """Return the first terms; only the beginning of the file is read."""
        made = TermPreview()
        for found in self._parse(source, _PREVIEW_FACTS):
            if isinstance(found, ItemError):
                made.problems.append(found)
            elif len(made.terms) < rows:
                made.terms.append(found)
            if len(made.problems) >= rows:
                break
        return made

    def _parse(self, source: SourceFile, limit: int) -> Iterator[Term | ItemError]:
        check_size(source, _UNLIMITED >> 20)
        with closing(FactStore()) as store:
            problems = self._read(source, store, limit)
            empty = True
            for found in store.terms(self.wanted, self.parameters.language or source.language):
                empty = empty and not isinstance(found, Term)
                yield found
            yield from problems
            if empty and not problems:
                raise no_terms_error()

    def _read(self, source: SourceFile, store: FactStore, limit: int) -> list[ItemError]:
        """Read the statements of a file into a store; return the problems.

        Raises:
            ComponentError: nothing of the file can be read.
        """
        problems: list[ItemError] = []

        def sink(subject: str, predicate: str, value: str, language: str | None) -> None:
            if store.count >= limit:
                raise _EnoughFacts
            store.add(subject, predicate, value, language)

        try:
            for error in self._errors(source, sink, problems):
                problems.append(line_problem(error.line, error.message) if error.line else _file_problem(error.message))
        except _EnoughFacts:
            pass
        except ComponentError as error:
            if not store.count:
                raise
            text = join_messages([error.message, error.cause if error.cause != error.message else None], " ")
            problems.append(TermProblem(source.name, text, error.fix))
        problems += [
            TermProblem(
                source.name,
                message("rdf.import", "It imports {name}, which is never fetched", name=target[:200]),
                _FETCHED,
                refused=False,
            )
            for target in store.imports
        ]
        return problems

    def _errors(self, source: SourceFile, sink: Sink, problems: list[ItemError]) -> Iterator[RdfError]:
        syntax = _syntax(source)
        if syntax == "json-ld":
            yield from self._json_ld(source, sink, problems)
        elif syntax == "rdf/xml":
            with source.path.open("rb") as stream:
                yield from read_rdf_xml(stream, source.name, sink)
        else:
            with source.path.open(encoding="utf-8-sig", errors="replace", newline="\n") as file:
                _refuse_nul(file)
                yield from (read_turtle if syntax == "turtle" else read_n_triples)(file, sink)

    def _json_ld(self, source: SourceFile, sink: Sink, problems: list[ItemError]) -> Iterator[RdfError]:
        content = read_bounded(source, self.parameters.json_limit).removeprefix(b"\xef\xbb\xbf")
        try:
            parsed: Any = orjson.loads(content)
        except orjson.JSONDecodeError as error:
            raise ComponentError(
                message("file.wholeNotJson", "The file is not JSON: {why}.", why=str(error)[:200]), fix=CHECK_FILE
            ) from error
        reader = JsonLdReader(sink)
        yield from reader.read(parsed)
        for name in reader.remote:
            problems.append(
                TermProblem(
                    source.name,
                    message("rdf.remote", "The remote context {name} is never fetched", name=name[:200]),
                    message("fix.context", "Put the context into the file; names of SKOS are understood without it"),
                    refused=False,
                )
            )


def _file_problem(text: str) -> TermProblem:
    return TermProblem(message("item.file", "the file"), text, CHECK_FILE)


def _refuse_nul(file: IO[str]) -> None:
    start = file.read(4096)
    file.seek(0)
    if "\x00" in start:
        raise ComponentError(HAS_NUL, fix=CHECK_FILE)
    if not start.strip():
        raise ComponentError(IS_EMPTY, fix=SEND_AGAIN)


def _syntax(source: SourceFile) -> str:
    """Return the syntax of a file by its first characters, otherwise by its extension."""
    with source.path.open("rb") as file:
        head = file.read(4096).removeprefix(b"\xef\xbb\xbf").lstrip()
    given = _SYNTAXES.get(Path(source.name).suffix[1:].lower(), "turtle")
    if head.startswith((b"<?xml", b"<rdf:RDF", b"<!DOCTYPE", b"<!--")):
        return "rdf/xml"
    if head.startswith(b"{") or (head.startswith(b"[") and given == "json-ld"):
        return "json-ld"
    if given in ("rdf/xml", "json-ld") and (head.startswith((b"@prefix", b"@base", b"PREFIX")) or _TRIPLE.match(head)):
        return "turtle"
    return given


class SkosImporter(RdfImporter):
    """Reads concepts: labels in all languages, definitions, notations, broader and related concepts."""

    title = "SKOS"
    description = "Concepts of a thesaurus in Turtle, RDF/XML, N-Triples or JSON-LD, with labels in all languages."
    extensions = ("ttl", "rdf", "nt", "jsonld", "xml", "nq")
    wanted = "concept"


class OwlImporter(RdfImporter):
    """Reads named classes: labels, synonyms with their scope, definitions, cross references, superclasses."""

    title = "OWL"
    description = "Classes of an ontology (OBO family) in RDF/XML, Turtle, N-Triples or JSON-LD."
    extensions = ("owl", "ttl", "rdf", "nt", "jsonld")
    wanted = "class"
