"""Reads RDF/XML as a stream: each property of a resource goes to the sink at its end and is forgotten.

No document type, entity or network access: `iterate_events` refuses them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import CHECK, TOO_DEEP, too_large
from annotarium_plugins.builtin.converters.common.xml_reader import Element, attributes, iterate_events
from annotarium_plugins.builtin.term_importers.rdf.facts import TYPE
from annotarium_plugins.builtin.term_importers.rdf.syntax import DEPTH, RdfError, Sink, resolved_iri
from annotarium_plugins.term_formats.skos import RDF
from annotarium_schemas.messages import message

_XML = "http://www.w3.org/XML/1998/namespace"
_ROOT = f"{{{RDF}}}RDF"
_DESCRIPTION = f"{{{RDF}}}Description"
_ABOUT, _ID, _NODE = f"{{{RDF}}}about", f"{{{RDF}}}ID", f"{{{RDF}}}nodeID"
_RESOURCE, _PARSE_TYPE = f"{{{RDF}}}resource", f"{{{RDF}}}parseType"
_INNER_ELEMENTS = 100_000
"""Maximum elements within one property."""


def read_rdf_xml(stream: IO[bytes], name: str, sink: Sink) -> Iterator[RdfError]:
    """Read a file; what precedes an error has gone to the sink.

    Args:
        name: name of the file, for errors.

    Raises:
        ComponentError: it is not RDF/XML, not well-formed, declares a document type, or exceeds a limit.
    """
    reader = _RdfXmlReader(sink)
    yield from reader.read(stream, name)


class _RdfXmlReader:
    """Reads one file."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._anonymous = 0
        self._subject = ""

    def read(self, stream: IO[bytes], name: str) -> Iterator[RdfError]:
        """Read the file, see `read_rdf_xml`."""
        depth = inner = 0
        for event, element in iterate_events(stream, name):
            if event == "start":
                depth += 1
                inner = self._start(element, depth, inner)
                continue
            if depth == 3:
                try:
                    self._property(self._subject, element, 0)
                except RdfError as error:
                    yield error
                inner = 0
            if depth in (2, 3):
                _forget(element)
            depth -= 1

    def _start(self, element: Element, depth: int, inner: int) -> int:
        """Check the place of an element; return the number of elements within the current property."""
        if depth == 1 and element.tag != _ROOT:
            raise ComponentError(
                message("file.notA", "The file is not {kind}.", kind=message("kind.rdfXml", "RDF/XML")), fix=CHECK
            )
        if depth == 2:
            self._subject = self._begin_resource(element)
        if depth > 3:
            inner += 1
        if inner > _INNER_ELEMENTS:
            raise too_large(message("large.property", "A property has too many elements"), f"{_INNER_ELEMENTS}")
        if depth > 2 * DEPTH:
            raise ComponentError(TOO_DEEP, fix=CHECK)
        return inner

    def _begin_resource(self, element: Element) -> str:
        """Send type and attributes of a resource; return its IRI."""
        base = _base(element)
        given = dict(attributes(element))
        if _ABOUT in given:
            subject = resolved_iri(base, given[_ABOUT])
        elif _ID in given:
            subject = resolved_iri(base, f"#{given[_ID]}")
        elif _NODE in given:
            subject = f"_:{given[_NODE]}"
        else:
            self._anonymous += 1
            subject = f"_:[{self._anonymous}]"
        if element.tag != _DESCRIPTION:
            self._sink(subject, TYPE, _iri_of_tag(element.tag), None)
        for key, value in given.items():
            if key.startswith("{") and not key.startswith((f"{{{RDF}}}", f"{{{_XML}}}")):
                self._sink(subject, _iri_of_tag(key), value, _language(element))
        return subject

    def _property(self, subject: str, element: Element, depth: int) -> None:
        if depth > DEPTH:
            raise RdfError(element.sourceline or 0, message("rdf.deep", "It is nested too deep"))
        predicate = _iri_of_tag(element.tag)
        given = dict(attributes(element))
        if _RESOURCE in given:
            self._sink(subject, predicate, resolved_iri(_base(element), given[_RESOURCE]), None)
        elif _NODE in given:
            self._sink(subject, predicate, f"_:{given[_NODE]}", None)
        elif given.get(_PARSE_TYPE) == "Resource":
            self._anonymous += 1
            inner = f"_:[{self._anonymous}]"
            self._sink(subject, predicate, inner, None)
            for child in element:
                self._property(inner, child, depth + 1)
        elif given.get(_PARSE_TYPE) == "Literal":
            self._sink(subject, predicate, "".join(element.itertext()), "")
        elif len(element) == 0:
            self._sink(subject, predicate, element.text or "", _language(element))
        elif _PARSE_TYPE not in given:
            self._nested(subject, predicate, element, depth)

    def _nested(self, subject: str, predicate: str, element: Element, depth: int) -> None:
        """Read the resource that is written within a property."""
        if len(element) != 1:
            line = element.sourceline or 0
            raise RdfError(line, message("rdf.twoValues", "A property contains more than one resource"))
        target = self._begin_resource(element[0])
        self._sink(subject, predicate, target, None)
        for child in element[0]:
            self._property(target, child, depth + 1)


def _forget(element: Element) -> None:
    element.clear()
    while element.getprevious() is not None:
        del element.getparent()[0]


def _iri_of_tag(tag: object) -> str:
    if not isinstance(tag, str):
        return ""
    namespace, _, local = tag.removeprefix("{").rpartition("}")
    return namespace + local


def _base(element: Element) -> str:
    return _inherited(element, f"{{{_XML}}}base")


def _language(element: Element) -> str:
    return _inherited(element, f"{{{_XML}}}lang")


def _inherited(element: Element, name: str) -> str:
    current = element
    while current is not None:
        value = current.get(name)
        if value is not None:
            return str(value)
        current = current.getparent()
    return ""
