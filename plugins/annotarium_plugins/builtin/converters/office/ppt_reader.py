"""Reads old PowerPoint files (ppt, pps; PowerPoint 97 to 2003). Only slides are read, not their masters."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.builtin.converters.common.errors import EXTENSION, POWERPOINT, damaged_file, wrong_format
from annotarium_plugins.builtin.converters.common.ole_file import OleFile
from annotarium_plugins.builtin.converters.office.model import Paragraph, Presentation, Slide, Table
from annotarium_plugins.builtin.converters.office.ppt_records import (
    DOCUMENT,
    NOTES,
    NOTES_ATOM,
    SHOW_INFO,
    SLIDE,
    SLIDE_LIST,
    SLIDE_PERSIST,
    TEXT_HEADER,
    Record,
    RecordStream,
    Shape,
    object_offsets,
    shapes,
)
from annotarium_plugins.builtin.converters.office.properties import ole_properties
from annotarium_schemas.messages import message

_SLIDES, _NOTES = 0, 2
_TITLES = (0, 6)
_TITLE_PLACES = (0x0D, 0x0F)
_NOISE = (0x07, 0x08, 0x09, 0x0A, 0x0B)
"""Placeholders of dates, numbers, footers, headers, and of the slide image on a notes page."""
_NOTES_PLACE = 0x0C
_HIDDEN = 0x0004


@dataclass
class _ListedSlide:
    """An entry of the slide list: the slide's location, its number, and the texts of its outline with their kinds."""

    persist: int
    identifier: int
    outline: list[tuple[int, str]] = field(default_factory=list)


def read_ppt(package: OleFile) -> Presentation:
    """Return the slides in the order of the show.

    Raises:
        ComponentError: it is not a ppt, encrypted, damaged, or older than PowerPoint 97.
    """
    folder = "PP97_DUALSTORAGE/" if package.has("PP97_DUALSTORAGE/PowerPoint Document") else ""
    if not folder and (package.has("PP40") or package.has("Text_Content")):
        raise ComponentError(
            message("file.oldPowerPoint", "The file was created by PowerPoint 95 or older, which is not supported."),
            fix=message("fix.pptx", "Open it in an office program, save it as pptx and upload it again"),
        )
    if not package.has(f"{folder}PowerPoint Document"):
        raise wrong_format(POWERPOINT, EXTENSION)
    records = RecordStream(package.read(f"{folder}PowerPoint Document"))
    try:
        places, document = object_offsets(records, package.read(f"{folder}Current User"))
        root = _object(records, places, document, DOCUMENT)
        notes = _notes(records, places, root)
        slides = [_slide(records, places, one, notes) for one in _listed_slides(records, root, _SLIDES)]
    except (struct.error, IndexError) as error:
        raise damaged_file(message("damaged.fileRecordCut", "A record of the file is cut off.")) from error
    return Presentation(ole_properties(package.raw), slides)


def _object(records: RecordStream, places: dict[int, int], number: int, kind: int) -> Record:
    if number not in places:
        raise damaged_file(message("damaged.objectMissing", "It lacks an object."))
    record = records.at(places[number])
    if record.kind != kind:
        raise damaged_file(message("damaged.objectWrong", "It contains an invalid object."))
    return record


def _listed_slides(records: RecordStream, root: Record, instance: int) -> list[_ListedSlide]:
    found: list[_ListedSlide] = []
    for container in records.children(root):
        if container.kind != SLIDE_LIST or container.instance != instance:
            continue
        header = 4
        for record in records.children(container):
            if record.kind == SLIDE_PERSIST:
                found.append(_ListedSlide(records.number(record, 0), records.number(record, 12)))
            elif record.kind == TEXT_HEADER and found:
                header = records.number(record, 0)
                found[-1].outline.append((header, ""))
            elif found and found[-1].outline:
                text = records.text(record)
                if text is not None:
                    found[-1].outline[-1] = (header, text)
    return found


def _notes(records: RecordStream, places: dict[int, int], root: Record) -> dict[int, list[str]]:
    """Return notes by slide number."""
    found: dict[int, list[str]] = {}
    for listed in _listed_slides(records, root, _NOTES):
        if listed.persist not in places:
            continue  # PowerPoint keeps notes of deleted slides in its list
        record = _object(records, places, listed.persist, NOTES)
        atom = records.child(record, NOTES_ATOM)
        texts = [
            _shape_kind_and_text(shape, listed)[1] for shape in shapes(records, record) if shape.place == _NOTES_PLACE
        ]
        if atom is not None:
            found[records.number(atom, 0)] = [text for text in texts if text]
    return found


def _shape_kind_and_text(shape: Shape, listed: _ListedSlide) -> tuple[int, str]:
    """Return kind and text of a shape; the text of a placeholder may be stored in the outline."""
    if shape.outline is not None and shape.outline < len(listed.outline):
        return listed.outline[shape.outline]
    return shape.header, shape.text


def _slide(records: RecordStream, places: dict[int, int], listed: _ListedSlide, notes: dict[int, list[str]]) -> Slide:
    record = _object(records, places, listed.persist, SLIDE)
    information = records.child(record, SHOW_INFO)
    hidden = information is not None and records.content[information.start + 10] & _HIDDEN != 0
    slide = Slide("", [], notes.get(listed.identifier, []), hidden)
    for shape in shapes(records, record):
        if shape.place in _NOISE:
            continue
        if shape.rows:
            slide.blocks.append(Table(shape.rows))
            continue
        kind, text = _shape_kind_and_text(shape, listed)
        if (kind in _TITLES or shape.place in _TITLE_PLACES) and text and not slide.title:
            slide.title = text
        else:
            slide.blocks += [Paragraph(line) for line in text.split("\n")]
    return slide
