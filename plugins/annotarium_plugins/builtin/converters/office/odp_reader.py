"""Reads OpenDocument presentations (odp). Master slides are in another part of the file, which is not read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotarium_plugins.builtin.converters.common.xml_reader import Element, attribute, child, local_name
from annotarium_plugins.builtin.converters.common.zip_package import open_package
from annotarium_plugins.builtin.converters.office.model import Paragraph, Presentation, Slide
from annotarium_plugins.builtin.converters.office.open_document import (
    BlockReader,
    open_body,
    properties_with_language,
)

_NOISE = ("header", "footer", "date-time", "page-number", "page", "handout")
_NOT_SHAPES = ("notes", "annotation", "forms", "animations", "par", "seq")


def read_odp(path: Path) -> Presentation:
    """Return the slides of an odp.

    Raises:
        ComponentError: it is encrypted, damaged, or not an odp.
    """
    with open_package(path) as package:
        root, body = open_body(package, "presentation", "an OpenDocument presentation")
        hidden = _hidden_styles(root)
        slides = [_slide(page, hidden) for page in body if local_name(page) == "page"]
        return Presentation(properties_with_language(package), slides)


def _hidden_styles(root: Element) -> set[str | None]:
    found: set[str | None] = set()
    for element in root.iter():
        if local_name(element) == "drawing-page-properties" and attribute(element, "visibility") == "hidden":
            found.add(attribute(element.getparent(), "name"))
    return found


def _slide(page: Element, hidden: set[str | None]) -> Slide:
    reader = BlockReader(set())
    slide = Slide("", [], hidden=attribute(page, "style-name") in hidden)
    for shape in _shapes(page):
        blocks = list(reader.blocks(shape))
        if attribute(shape, "class") == "title" and not slide.title:
            slide.title = "\n".join(block.text for block in blocks if isinstance(block, Paragraph))
        else:
            slide.blocks += blocks
    notes = child(page, "notes")
    for shape in _shapes(notes) if notes is not None else ():
        if attribute(shape, "class") == "notes":
            slide.notes += [block.text for block in reader.blocks(shape) if isinstance(block, Paragraph)]
    return slide


def _shapes(page: Element) -> Iterator[Element]:
    for shape in page:
        name = local_name(shape)
        if name == "g":
            yield from _shapes(shape)
        elif name and name not in _NOT_SHAPES and attribute(shape, "class") not in _NOISE:
            yield shape
