"""Reads PowerPoint files (pptx, ppsx). Only slides are read, not layouts and masters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from annotarium_plugins.builtin.converters.common.errors import EXTENSION, POWERPOINT, wrong_format
from annotarium_plugins.builtin.converters.common.xml_reader import (
    Element,
    attribute,
    child,
    local_name,
    relationship_attribute,
)
from annotarium_plugins.builtin.converters.common.zip_package import Package, open_package
from annotarium_plugins.builtin.converters.office.model import Paragraph, Presentation, Slide, Table
from annotarium_plugins.builtin.converters.office.properties import ooxml_properties

_NOISE = {"sldNum", "dt", "ftr", "hdr", "sldImg"}
_TITLES = {"title", "ctrTitle"}
_SHAPE = ("sp", "graphicFrame")


def read_pptx(path: Path) -> Presentation:
    """Return the slides in the order of the show.

    Raises:
        ComponentError: it is damaged, or not a pptx.
    """
    with open_package(path) as package:
        name = package.part("", "officeDocument") or "ppt/presentation.xml"
        if name not in package.names:
            raise wrong_format(
                POWERPOINT,
                EXTENSION,
            )
        root = package.xml(name)
        order = child(root, "sldIdLst")
        if local_name(root) != "presentation":
            raise wrong_format(
                POWERPOINT,
                EXTENSION,
            )
        related = package.related(name)
        parts = [related.get(relationship_attribute(one), ("", ""))[1] for one in (order if order is not None else ())]
        slides = [_slide(package, part) for part in parts if part in package.names]
        return Presentation(ooxml_properties(package), slides)


def _slide(package: Package, name: str) -> Slide:
    root = package.xml(name)
    related = package.related(name)
    slide = Slide("", [], hidden=attribute(root, "show") in ("0", "false"))
    for shape in _shapes(root):
        kind = _placeholder(shape)
        if kind in _NOISE:
            continue
        blocks = list(_blocks(shape, package, related))
        if kind in _TITLES and not slide.title:
            slide.title = "\n".join(block.text for block in blocks if isinstance(block, Paragraph))
        else:
            slide.blocks += blocks
    notes = next((target for one, target in related.values() if one == "notesSlide"), None)
    if notes in package.names:
        for shape in _shapes(package.xml(notes)):
            if _placeholder(shape) == "body":
                slide.notes += [one.text for one in _blocks(shape, package, {}) if isinstance(one, Paragraph)]
    return slide


def _shapes(root: Element) -> Iterator[Element]:
    """Yield shapes with text, also within groups; of alternative contents only the first."""
    for element in root:
        name = local_name(element)
        if name in _SHAPE:
            yield element
        elif name in ("cSld", "spTree", "grpSp", "AlternateContent", "Choice"):
            yield from _shapes(element)


def _placeholder(shape: Element) -> str:
    """Return the type of the placeholder that a shape fills, `body` when it names none, empty when it fills none."""
    for properties in shape:
        if local_name(properties) in ("nvSpPr", "nvGraphicFramePr"):
            place = next((one for one in properties.iter() if local_name(one) == "ph"), None)
            return "" if place is None else attribute(place, "type") or "body"
    return ""


def _blocks(shape: Element, package: Package, related: dict[str, tuple[str, str]]) -> Iterator[Paragraph | Table]:
    for element in shape:
        name = local_name(element)
        if name == "txBody":
            yield from (Paragraph(_paragraph_text(one)) for one in element if local_name(one) == "p")
        elif name == "tbl":
            yield Table([_row(row) for row in element if local_name(row) == "tr"])
        elif name == "relIds":
            part = related.get(relationship_attribute(element, "dm"), ("", ""))[1]
            if part in package.names:
                yield from _diagram(package.xml(part))
        elif name in ("graphic", "graphicData"):
            yield from _blocks(element, package, related)


def _row(row: Element) -> list[str]:
    """Return the cells of a row; cells covered by another one are empty."""
    return [
        " ".join(_paragraph_text(one) for one in cell.iter() if local_name(one) == "p")
        for cell in row
        if local_name(cell) == "tc"
    ]


def _diagram(root: Element) -> Iterator[Paragraph]:
    for point in root.iter():
        if local_name(point) == "pt":
            yield from (Paragraph(_paragraph_text(one)) for one in point.iter() if local_name(one) == "p")


def _paragraph_text(paragraph: Element) -> str:
    parts = []
    for element in paragraph.iter():
        name = local_name(element)
        if name == "t":
            parts.append(element.text or "")
        elif name == "br":
            parts.append("\n")
        elif name == "tab" and local_name(element.getparent()) != "tabLst":
            parts.append("\t")
    return "".join(parts)
