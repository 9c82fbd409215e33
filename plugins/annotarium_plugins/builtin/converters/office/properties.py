"""Reads the properties of office files: Dublin Core in Office Open XML and OpenDocument, the summary stream in OLE
files.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_plugins.builtin.converters.common.xml_reader import Element, child, local_name
from annotarium_plugins.builtin.converters.common.zip_package import Package
from annotarium_plugins.builtin.converters.office.model import Properties

_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d)?)(?:\.\d+)?(Z|[+-]\d\d:\d\d)?)?")
_OOXML = {
    "title": "title",
    "creator": "author",
    "lastModifiedBy": "last_author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "description": "description",
    "category": "category",
    "language": "language",
}
_OPEN_DOCUMENT = {
    "title": "title",
    "initial-creator": "author",
    "creator": "last_author",
    "creation-date": "created",
    "date": "modified",
    "subject": "subject",
    "description": "description",
    "language": "language",
}


def iso_timestamp(value: str) -> str:
    """Return an ISO date with whole seconds, empty when it is invalid or before 1970-01-02."""
    found = _MOMENT.match(value.strip())
    if not found or found[1] < "1970-01-02":
        return ""
    time = found[2] or "00:00"
    return f"{found[1]}T{time if len(time) == 8 else time + ':00'}{found[3] or ''}"


def split_keywords(value: str) -> list[str]:
    """Split a list of keywords at commas or semicolons, without duplicates."""
    parts = (part.strip() for part in re.split(r"[;,\n،；、]", clean(value)))
    return list(dict.fromkeys(part for part in parts if part))


def ooxml_properties(package: Package) -> Properties:
    """Return the properties of a docx, xlsx or pptx."""
    found = Properties()
    name = package.part("", "core-properties") or "docProps/core.xml"
    root = package.optional_xml(name)
    for element in root if root is not None else ():
        value = _text(element)
        if local_name(element) == "keywords":
            found.keywords = split_keywords(value)
        elif local_name(element) in _OOXML:
            _set(found, _OOXML[local_name(element)], value)
    return found


def open_document_properties(package: Package) -> Properties:
    """Return the properties of an odt, ods or odp."""
    found = Properties()
    root = package.optional_xml("meta.xml")
    meta = child(root, "meta") if root is not None else None
    for element in meta if meta is not None else ():
        value = _text(element)
        if local_name(element) == "keyword":
            found.keywords = list(dict.fromkeys([*found.keywords, *split_keywords(value)]))
        elif local_name(element) in _OPEN_DOCUMENT:
            _set(found, _OPEN_DOCUMENT[local_name(element)], value)
    if not found.author:
        found.author = found.last_author
    return found


def _text(element: Element) -> str:
    return clean("".join(element.itertext())).strip()


def _set(found: Properties, name: str, value: str) -> None:
    setattr(found, name, iso_timestamp(value) if name in ("created", "modified") else value)


def ole_properties(ole: Any) -> Properties:
    """Return the properties of a doc, xls or ppt opened by olefile; damaged ones are left out."""
    found = Properties()
    try:
        summary = ole.get_metadata()
    except Exception:  # noqa: BLE001  (properties never stop the text; olefile raises many things)
        return found
    codepage = _codec(summary.codepage)
    for name, attribute in (
        ("title", "title"),
        ("author", "author"),
        ("last_author", "last_saved_by"),
        ("subject", "subject"),
        ("description", "comments"),
        ("category", "category"),
        ("language", "language"),
    ):
        setattr(found, name, _decoded(getattr(summary, attribute, None), codepage))
    found.keywords = split_keywords(_decoded(summary.keywords, codepage))
    found.created, found.modified = _utc_timestamp(summary.create_time), _utc_timestamp(summary.last_saved_time)
    return found


def _decoded(value: Any, codec: str) -> str:
    if isinstance(value, bytes):
        value = value.decode(codec, errors="replace")
    return clean(value).strip(" \n\t") if isinstance(value, str) else ""


def _codec(codepage: Any) -> str:
    """Return Python's codec of a Windows code page; olefile returns the number as signed."""
    number = codepage % 65536 if isinstance(codepage, int) else 1252
    name = {65001: "utf-8", 1200: "utf-16-le", 10000: "mac-roman"}.get(number, f"cp{number}")
    try:
        "".encode(name)
    except LookupError:
        return "cp1252"
    return name


def _utc_timestamp(value: Any) -> str:
    if not isinstance(value, datetime):
        return ""
    return iso_timestamp(value.replace(microsecond=0, tzinfo=None).isoformat() + "Z")
