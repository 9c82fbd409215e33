"""Converter `json`: documents in the published JSON format as one object, a list, or JSON Lines; files of any size."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

import orjson

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.errors import NO_DOCUMENT, ONE_DOCUMENT
from annotarium_plugins.builtin.converters.common.json_document import (
    InvalidItem,
    parse_object,
    skip_byte_order_mark,
    validate_document,
)
from annotarium_plugins.builtin.converters.common.parameter_fields import size_limit_field
from annotarium_plugins.builtin.converters.common.text_encoding import repair_utf8_with_warning
from annotarium_plugins.builtin.converters.json_items import Item, ItemScanner, read_line_items
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

MEBIBYTE = 1024 * 1024


class JsonConverterParameters(Parameters):
    """Parameters of `json`."""

    item_limit: int = size_limit_field(
        128, 1024, title="Largest document", description="Larger documents are refused; others are imported."
    )


class JsonConverter(Converter[JsonConverterParameters]):
    """Reads items one after the other; an invalid one is reported and the others are imported."""

    title = "JSON"
    description = "Documents with metadata, annotations and categories: one object, a list, or one object per line."
    parameters_model = JsonConverterParameters
    extensions = ("json",)

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents in the order of the file.

        Raises:
            ComponentError: the file is empty, is not UTF-8 from its first bytes, or contains no item.
        """
        with source.path.open("rb") as file:
            skip_byte_order_mark(file)
            empty = True
            for name, item in self._items(file):
                empty = False
                yield _document(name, item)
        if empty:
            raise ComponentError(
                NO_DOCUMENT,
                fix=ONE_DOCUMENT,
            )

    def _items(self, file: BinaryIO) -> Iterator[tuple[str, Item]]:
        """Yield items with their names (`item 3`, `line 3`), counted from 1."""
        limit = self.parameters.item_limit * MEBIBYTE
        start = file.tell()
        by_lines = _is_json_lines(file, limit)
        file.seek(start)
        if not by_lines:
            number = 1
            for item in ItemScanner(file, limit).items():
                yield message("item.number", "item {number}", number=number), item
                number += item.count
            return
        number = 1
        for item in read_line_items(file, limit):
            if item.problem or item.content.strip():
                yield message("item.line", "line {number}", number=number), item
            number += item.count


def _is_json_lines(file: BinaryIO, limit: int) -> bool:
    """Whether the file is JSON Lines: its first line is a complete object."""
    start = file.tell()
    if not file.read(1024).lstrip().startswith(b"{"):
        return False  # a list on one line must not be read as a whole
    file.seek(start)
    line = file.readline(limit).strip()
    if not line.endswith(b"}"):
        return False
    try:
        orjson.loads(line)
    except orjson.JSONDecodeError:
        return False
    return True


def _document(name: str, item: Item) -> Document | ItemError:
    if item.problem:
        return ItemError(name, item.problem, count=item.count)
    try:
        content, warning = repair_utf8_with_warning(item.content)
        raw = parse_object(content)
        identifier = raw.get("identifier")
        if isinstance(identifier, str) and identifier:
            name = message("item.identified", "{item} ({identifier})", item=name, identifier=identifier[:80])
        document = validate_document(raw)
        if warning:
            document.note(warning)
        return document
    except InvalidItem as error:
        return ItemError(name, error.message, error.fix)
