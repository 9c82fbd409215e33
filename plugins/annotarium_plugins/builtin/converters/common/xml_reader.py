"""Parses XML for all converters: no document types, entities or network access; depth and size of text nodes are
limited.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import CHECK, TOO_DEEP, damaged_file
from annotarium_schemas.messages import message

Element = Any
"""An lxml element; lxml publishes no types."""
_SAFE = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}

ATTRIBUTES = 2_000
"""Maximum number of attributes of one element."""


def parse_xml(content: bytes, what: str) -> Element:
    """Return the root of a document.

    Args:
        what: its name in error messages (`word/document.xml`).

    Raises:
        ComponentError: it is not well-formed XML, is nested too deep, or declares a document type.
    """
    from lxml import etree

    parser = etree.XMLParser(remove_comments=True, remove_pis=True, **_SAFE)
    try:
        root = etree.fromstring(content, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _xml_error(what, error) from error
    _refuse_document_type(root, what)
    return root


def iterate_xml(stream: IO[bytes], what: str, name: str) -> Iterator[Element]:
    """Yield elements with the local name `name` in the order of the stream. An element is cleared when the next one is
    requested.

    Raises:
        ComponentError: as `parse_xml`.
    """
    from lxml import etree

    events = etree.iterparse(stream, events=("end",), tag="{*}" + name, remove_comments=True, remove_pis=True, **_SAFE)
    checked = False
    try:
        for _, element in events:
            if not checked:
                _refuse_document_type(element, what)
                checked = True
            yield element
            element.clear()
            while element.getprevious() is not None:
                del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        raise _xml_error(what, error) from error


def local_name(element: Element) -> str:
    """Return the element's name without namespace; empty for comments and processing instructions."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attributes(element: Element) -> list[tuple[str, str]]:
    """Return names and values of the attributes.

    Raises:
        ComponentError: there are more than `ATTRIBUTES`; reading them takes time quadratic in their number.
    """
    if len(element.attrib) > ATTRIBUTES:
        raise too_many_attributes_error()
    found: list[tuple[str, str]] = element.attrib.items()
    return found


def too_many_attributes_error() -> ComponentError:
    """Return the error for an element with more than `ATTRIBUTES` attributes."""
    return ComponentError(
        message("file.attributes", "An element of the file has over {count:,} attributes.", count=ATTRIBUTES), fix=CHECK
    )


def attribute(element: Element, name: str) -> str | None:
    """Return an attribute's value by its local name, so that strict and transitional namespaces are read alike."""
    for key, value in attributes(element):
        if key.rpartition("}")[2] == name:
            return str(value)
    return None


def relationship_attribute(element: Element, name: str = "id") -> str:
    """Return an attribute of the relationships namespace (`r:id`), empty when there is none."""
    found = (str(value) for key, value in attributes(element) if key.endswith(f"/relationships}}{name}"))
    return next(found, "")


def child(element: Element, name: str) -> Element | None:
    """Return the first child with this local name."""
    return next((one for one in element if local_name(one) == name), None)


def _refuse_document_type(element: Element, what: str) -> None:
    information = element.getroottree().docinfo
    if information.doctype or information.internalDTD is not None:
        raise _document_type_error(what)


def _document_type_error(what: str) -> ComponentError:
    return ComponentError(
        message("file.doctype", "The file declares a document type (DTD), which is not accepted."),
        cause=message(
            "cause.doctype", "{what} contains one: it could include other files or expand without limit.", what=what
        ),
        fix=message("fix.doctype", "Remove the DOCTYPE and upload the file again"),
    )


def _xml_error(what: str, error: Exception) -> ComponentError:
    words = str(error).split(" (<string>")[0][:200]
    if "depth" in words:
        return ComponentError(
            TOO_DEEP,
            cause=f"{what}: {words}",
            fix=CHECK,
        )
    return _document_type_error(what) if "entity" in words.lower() else damaged_file(f"{what}: {words}")


def iterate_events(stream: IO[bytes], what: str) -> Iterator[tuple[str, Element]]:
    """Yield `start` and `end` of each element in the order of the stream. The caller clears what it has read.

    Raises:
        ComponentError: as `parse_xml`; the elements before the error have been yielded.
    """
    from lxml import etree

    events = etree.iterparse(stream, events=("start", "end"), remove_comments=True, remove_pis=True, **_SAFE)
    checked = False
    try:
        for event, element in events:
            if not checked:
                _refuse_document_type(element, what)
                checked = True
            yield event, element
    except etree.XMLSyntaxError as error:
        first = next(iter(events.error_log), None)  # the exception may only state that parsing ended
        raise _xml_error(what, ValueError(f"{first.message}, line {first.line}") if first else error) from error


def iterate_outermost(stream: IO[bytes], what: str, name: str) -> Iterator[Element]:
    """Yield elements with a name that are not inside another one with the same name. An element is complete when it is
    yielded and cleared when the next one is requested.

    Args:
        name: local name, or `{namespace}name`.

    Raises:
        ComponentError: as `parse_xml`; the elements before the error have been yielded.
    """
    from lxml import etree

    events = etree.iterparse(stream, events=("start", "end"), remove_comments=True, remove_pis=True, **_SAFE)
    inside: Element = None
    checked = False
    try:
        for event, element in events:
            if not checked:
                _refuse_document_type(element, what)
                checked = True
            if event == "start":
                if inside is None and name in (element.tag, local_name(element)):
                    inside = element
            elif element is inside:
                yield element
                inside = None
                element.clear()
                while element.getprevious() is not None:
                    del element.getparent()[0]
    except etree.XMLSyntaxError as error:
        first = next(iter(events.error_log), None)  # the exception may only state that parsing ended
        raise _xml_error(what, ValueError(f"{first.message}, line {first.line}") if first else error) from error
