"""Selects the reader of a file by its content, never by its name."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from annotarium_plugins.builtin.converters.common.converter_helpers import title_from_file_name
from annotarium_plugins.builtin.converters.common.errors import wrong_format
from annotarium_plugins.builtin.converters.common.ole_file import OleFile, open_ole_file
from annotarium_plugins.builtin.converters.common.zip_package import open_package
from annotarium_plugins.builtin.converters.office.doc_reader import read_doc
from annotarium_plugins.builtin.converters.office.docx_reader import read_docx
from annotarium_plugins.builtin.converters.office.model import Presentation, Properties, WordProcessorDocument, Workbook
from annotarium_plugins.builtin.converters.office.odp_reader import read_odp
from annotarium_plugins.builtin.converters.office.ods_reader import read_ods
from annotarium_plugins.builtin.converters.office.odt_reader import read_odt
from annotarium_plugins.builtin.converters.office.ppt_reader import read_ppt
from annotarium_plugins.builtin.converters.office.pptx_reader import read_pptx
from annotarium_plugins.builtin.converters.office.rtf_reader import read_rtf
from annotarium_plugins.builtin.converters.office.xls_reader import read_xls
from annotarium_plugins.builtin.converters.office.xlsx_reader import read_xlsx
from annotarium_schemas.messages import message

Content = TypeVar("Content", WordProcessorDocument, Workbook, Presentation)

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK"
_CHECK = "Check the file: it may be damaged or misnamed"
_PLACEHOLDERS = frozenset(
    ("document1", "powerpoint presentation", "présentation powerpoint", "slide 1", "diapositive 1", "untitled")
)
"""Titles that office programs write when the user enters none."""


def read_word_processor_document(path: Path) -> WordProcessorDocument:
    """Read a doc, docx, odt or rtf; raises `ComponentError` for other formats."""
    head = _head(path)
    document = _read_package(path, head, binary=read_doc, open_document=read_odt, office_open=read_docx)
    if document is not None:
        return document
    if head.lstrip().startswith(b"{\\rtf"):
        return read_rtf(path.read_bytes())
    raise wrong_format(message("kind.textDocument", "a Word, OpenDocument or rich text file"), _CHECK)


def read_workbook(path: Path) -> Workbook:
    """An xls, xlsx or ods; raises `ComponentError` for all else."""
    workbook = _read_package(path, _head(path), binary=read_xls, open_document=read_ods, office_open=read_xlsx)
    if workbook is None:
        raise wrong_format(message("kind.anyWorkbook", "an Excel or OpenDocument workbook"), _CHECK)
    return workbook


def read_presentation(path: Path) -> Presentation:
    """A ppt, pps, pptx, ppsx or odp; raises `ComponentError` for all else."""
    presentation = _read_package(path, _head(path), binary=read_ppt, open_document=read_odp, office_open=read_pptx)
    if presentation is None:
        raise wrong_format(message("kind.anyPresentation", "a PowerPoint or OpenDocument presentation"), _CHECK)
    return presentation


def title_of(properties: Properties, headings: list[str], name: str, choice: str) -> str:
    """Return the title of a document.

    Args:
        choice: `property` (of the file), `heading` (the first one) or `file` (its name). When the property or the
            heading is missing, the other one is used, then the file name.
    """
    given = properties.title.strip()
    if given.lower() in _PLACEHOLDERS:
        given = ""
    heading = " ".join(headings[0].split()) if headings else ""
    order = {"property": (given, heading), "heading": (heading, given), "file": ()}[choice]
    return next((one for one in order if one), title_from_file_name(name))[:500]


def _read_package(
    path: Path,
    head: bytes,
    *,
    binary: Callable[[OleFile], Content],
    open_document: Callable[[Path], Content],
    office_open: Callable[[Path], Content],
) -> Content | None:
    """What the reader of its package format makes of a file that begins with `head`; None for no such package."""
    if head.startswith(_OLE):
        with open_ole_file(path) as package:
            return binary(package)
    if head.startswith(_ZIP):
        return open_document(path) if _is_open_document(path) else office_open(path)
    return None


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(64)


def _is_open_document(path: Path) -> bool:
    with open_package(path) as package:
        return "content.xml" in package.names and "[Content_Types].xml" not in package.names
