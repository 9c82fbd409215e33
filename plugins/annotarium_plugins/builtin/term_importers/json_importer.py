"""Term importer `json`: terms in the published JSON format as one object, a list, or JSON Lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, BinaryIO

from pydantic import ValidationError

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import TermImporter, TermProblem
from annotarium_plugins.base.term_properties import TermBuilder
from annotarium_plugins.builtin.converters.common.json_document import InvalidItem, parse_object, skip_byte_order_mark
from annotarium_plugins.builtin.converters.common.parameter_fields import size_limit_field
from annotarium_plugins.builtin.converters.common.text_encoding import repair_utf8_with_warning
from annotarium_plugins.builtin.converters.json_items import Item, ItemScanner, read_line_items
from annotarium_plugins.builtin.term_importers.finished_terms import CHECK_FILE, no_terms_error
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_MEBIBYTE = 1 << 20
_FIELDS = frozenset(Term.model_fields) | {"preferredForm"}
_FORM_NAMES = ("preferred_form", "prefLabel", "label", "name", "form", "term")
_IDENTIFIER_NAMES = ("id", "uri", "code")
_SYNONYM_NAMES = ("synonyms", "aliases", "altLabel", "altLabels")


class JsonImporterParameters(Parameters):
    """Parameters of `json`."""

    item_limit: int = size_limit_field(
        8, 64, title="Largest term", description="Larger terms are refused; others are imported."
    )


class JsonImporter(TermImporter[JsonImporterParameters]):
    """Reads files of any size as a stream; an invalid term is reported and the others are imported."""

    title = "JSON"
    description = "Terms with their properties: one object, a list, or one object per line."
    parameters_model = JsonImporterParameters
    extensions = ("json", "jsonl", "ndjson")

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order of the file.

        Raises:
            ComponentError: the file is not UTF-8 from its first bytes, or contains no item.
        """
        empty = True
        with source.path.open("rb") as file:
            skip_byte_order_mark(file)
            for item, number, found in self._items(file, source.name):
                empty = False
                yield from _terms(item, number, found)
        if empty:
            raise no_terms_error()

    def _items(self, file: BinaryIO, name: str) -> Iterator[tuple[str, int, Item]]:
        limit = self.parameters.item_limit * _MEBIBYTE
        number = 1
        if _is_json_lines(file, name, limit):
            for item in read_line_items(file, limit):
                if item.problem or item.content.strip():
                    yield message("item.line", "line {number}", number=number), number, item
                number += item.count
            return
        for item in ItemScanner(file, limit).items():
            yield message("item.number", "item {number}", number=number), number, item
            number += item.count


def _is_json_lines(file: BinaryIO, name: str, limit: int) -> bool:
    """Whether the file has one object on each line: by its extension, or because its first line is a whole object."""
    start = file.tell()
    line = file.readline(limit).strip()
    file.seek(start)
    if not line.startswith(b"{"):
        return False
    if name.lower().endswith((".jsonl", ".ndjson")):
        return True
    try:
        parse_object(line)
    except InvalidItem:
        return False
    return True


def _terms(item: str, number: int, found: Item) -> Iterator[Term | ItemError]:
    if found.problem:
        yield TermProblem(item, found.problem, CHECK_FILE, found.count, line=number)
        return
    try:
        content, warning = repair_utf8_with_warning(found.content)
        term = _term(parse_object(content))
    except InvalidItem as error:
        yield TermProblem(item, error.message, error.fix, line=number)
        return
    if warning:
        yield TermProblem(item, warning, line=number, subject=term.identifier, refused=False)
    yield term


def _term(raw: dict[str, Any]) -> Term:
    """Return the term of an object.

    Raises:
        InvalidItem: a field has a value of another type.
    """
    if not isinstance(raw.get("properties", {}), dict):
        raise InvalidItem(message("term.propertiesNotJson", "Its properties are not a JSON object"), CHECK_FILE)
    fields = {name: value for name, value in raw.items() if name in _FIELDS}
    form = next((raw[name] for name in ("preferredForm", *_FORM_NAMES) if isinstance(raw.get(name), str)), None)
    identifier = next((raw[name] for name in ("identifier", *_IDENTIFIER_NAMES) if _is_name(raw.get(name))), form)
    synonyms: list[Any] = next((raw[name] for name in _SYNONYM_NAMES if isinstance(raw.get(name), list)), [])
    fields |= {"identifier": str(identifier or ""), "preferredForm": form}
    fields.pop("preferred_form", None)
    if synonyms and "properties" not in fields:
        builder = TermBuilder("")
        builder.prefer(form or "")
        for one in synonyms:
            if isinstance(one, str):
                builder.add_form(one, "alternative")
        fields["properties"] = builder.build().properties
    try:
        return Term.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        name = ".".join(str(part) for part in first["loc"])
        raise InvalidItem(message("term.field", "{name} has a wrong value", name=name), CHECK_FILE) from error


def _is_name(value: Any) -> bool:
    return isinstance(value, str) or (isinstance(value, int) and not isinstance(value, bool))
