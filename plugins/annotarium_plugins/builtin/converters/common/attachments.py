"""Converts files attached to a message with the built-in converter of their type."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path, PurePosixPath
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import join_messages

_PACKAGE = "annotarium_plugins.builtin.converters"
_READ_BY = {
    **dict.fromkeys(("txt", "text", "log", "md"), "txt_converter:TxtConverter"),
    **dict.fromkeys(("html", "htm", "xhtml"), "html_converter:HtmlConverter"),
    "pdf": "pdf_converter:PdfConverter",
    **dict.fromkeys(("csv", "tsv"), "csv_converter:CsvConverter"),
    **dict.fromkeys(("doc", "docx", "odt", "rtf"), "word_processor_converter:WordProcessorConverter"),
    **dict.fromkeys(("xls", "xlsx", "ods"), "spreadsheet_converter:SpreadsheetConverter"),
    **dict.fromkeys(("ppt", "pptx", "pps", "ppsx", "odp"), "presentation_converter:PresentationConverter"),
    "eml": "eml_converter:EmlConverter",
    "msg": "msg_converter:MsgConverter",
}


def convert_attachment(content: bytes, identifier: str, filename: str, language: str) -> Iterator[Document | ItemError]:
    """Yield the documents of an attached file; nothing when its type is not supported (pictures, calendars).

    A file that cannot be read is yielded as an `ItemError`; the exception of its converter is caught.
    """
    kind = PurePosixPath(filename).suffix[1:].lower()
    if kind not in _READ_BY:
        return
    with tempfile.NamedTemporaryFile(prefix="attachment-") as file:
        file.write(content)
        file.flush()
        source = SourceFile(Path(file.name), filename, language=language)
        try:
            for number, found in enumerate(_converter(kind).convert(source), 1):
                yield _renamed(found, identifier, number)
        except ComponentError as error:
            words = error.message if error.cause == error.message else f"{error.message} {error.cause}"
            yield ItemError(identifier, words, error.fix)


def _converter(kind: str) -> Converter[Any]:
    module, _, name = _READ_BY[kind].partition(":")
    cls = getattr(import_module(f"{_PACKAGE}.{module}"), name)
    converter: Converter[Any] = cls(cls.parameters_model())
    return converter


def _renamed(found: Document | ItemError, identifier: str, number: int) -> Document | ItemError:
    """Return the document under the attachment's name; `number` is its position in the attached file, from 1."""
    if isinstance(found, ItemError):
        return ItemError(join_messages([identifier, found.item], " "), found.message, found.fix)
    found.metadata["attachedTo"] = identifier.rpartition("#")[0]
    found.identifier = identifier if number == 1 else f"{identifier}#{number}"
    return found
