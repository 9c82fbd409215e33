"""Which reader reads a file: its content decides, never its name."""

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

Found = TypeVar("Found")
_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_ZIP = b"PK"
_CHECK = "Check the file: it may be damaged or misnamed"
_PLACEHOLDERS = frozenset(
    ("document1", "powerpoint presentation", "présentation powerpoint", "slide 1", "diapositive 1", "untitled")
)
"""Titles that office programs write when nobody gives one."""


def _read_package(
    path: Path, ole: Callable[[OleFile], Found], open_document: Callable[[Path], Found], xml: Callable[[Path], Found]
) -> Found | None:
    """Read a file by its container: an OLE file, or a zip of OpenDocument or of Microsoft's XML; None for others."""
    head = _head(path)
    if head.startswith(_OLE):
        with open_ole_file(path) as package:
            return ole(package)
    if head.startswith(_ZIP):
        return open_document(path) if _is_open_document(path) else xml(path)
    return None


def read_word_processor_document(path: Path) -> WordProcessorDocument:
    """A doc, docx, odt or rtf; raises `ComponentError` for all else."""
    found = _read_package(path, read_doc, read_odt, read_docx)
    if found is not None:
        return found
    if _head(path).lstrip().startswith(b"{\\rtf"):
        return read_rtf(path.read_bytes())
    raise wrong_format(message("kind.textDocument", "a Word, OpenDocument or rich text file"), _CHECK)


def read_workbook(path: Path) -> Workbook:
    """An xls, xlsx or ods; raises `ComponentError` for all else."""
    found = _read_package(path, read_xls, read_ods, read_xlsx)
    if found is not None:
        return found
    raise wrong_format(message("kind.anyWorkbook", "an Excel or OpenDocument workbook"), _CHECK)


def read_presentation(path: Path) -> Presentation:
    """A ppt, pps, pptx, ppsx or odp; raises `ComponentError` for all else."""
    found = _read_package(path, read_ppt, read_odp, read_pptx)
    if found is not None:
        return found
    raise wrong_format(message("kind.anyPresentation", "a PowerPoint or OpenDocument presentation"), _CHECK)


def title_of(properties: Properties, headings: list[str], name: str, choice: str) -> str:
    """The title of a document.

    Args:
        choice: `property` (of the file), `heading` (the first one) or `file` (its name); the next serves when there
            is none.
    """
    given = properties.title.strip()
    if given.lower() in _PLACEHOLDERS:
        given = ""
    heading = " ".join(headings[0].split()) if headings else ""
    order = {"property": (given, heading), "heading": (heading, given), "file": ()}[choice]
    return next((one for one in order if one), title_from_file_name(name))[:500]


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(64)


def _is_open_document(path: Path) -> bool:
    with open_package(path) as package:
        return "content.xml" in package.names and "[Content_Types].xml" not in package.names
