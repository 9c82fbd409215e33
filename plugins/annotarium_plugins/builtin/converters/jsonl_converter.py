"""Converter `jsonl`: each line is a document, in the published JSON format or in that of other annotation tools."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.common.converter_helpers import (
    MEBIBYTE,
    one_line,
    tidy_metadata,
    title_from_file_name,
)
from annotarium_plugins.builtin.converters.common.errors import GIVE_TEXT, NO_DOCUMENT, ONE_DOCUMENT
from annotarium_plugins.builtin.converters.common.json_document import (
    InvalidItem,
    parse_object,
    skip_byte_order_mark,
    validate_document,
)
from annotarium_plugins.builtin.converters.common.labels_of_other_tools import (
    IDENTIFIER_NAMES,
    LABEL_NAMES,
    NUMBER_NAMES,
    TEXT_NAMES,
    TITLE_NAMES,
    add_labels,
    add_relations,
    match_field_name,
    spans_from_iob_tags,
)
from annotarium_plugins.builtin.converters.common.parameter_fields import name_field, size_limit_field
from annotarium_plugins.builtin.converters.common.text_encoding import repair_utf8_with_warning
from annotarium_plugins.builtin.converters.json_items import read_line_items
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import CreationMode, Document, Status
from annotarium_schemas.messages import message

_DOTS = 8
"""Maximum number of dots in a name at which a question may be separated from its suffix."""
_TAG_NAMES = ("ner_tags", "tags", "labels", "ner", "pos_tags")
_PASSED = ("tokens", "relations", "answer", "options", "accept", "vectors", "status", "Comments", "meta", "metadata")


class JsonlConverterParameters(Parameters):
    """Parameters of `jsonl`. Empty names are found."""

    text_field: str = name_field("Text", "Name of the field with the text. Empty: text, content, body, ...")
    title_field: str = name_field("Title", "Empty: title, subject, headline.")
    identifier_field: str = name_field("Identifier", "Empty: identifier, doc_id, uuid, or the line's id.")
    label_fields: list[str] = Field(
        [],
        max_length=50,
        title="Labels",
        description="Spans [start, end, label] or categories. Empty: label, spans, ...",
    )
    metadata_fields: list[str] = Field(
        [], max_length=500, title="Metadata", description="Fields imported as metadata. Empty: all others."
    )
    item_limit: int = size_limit_field(
        128, 1024, title="Largest document", description="Larger lines are refused; others are imported."
    )


class JsonlConverter(Converter[JsonlConverterParameters]):
    """Reads documents in the published format, and records of doccano, Prodigy, spaCy, Argilla and Hugging Face by
    their fields.
    """

    title = "JSON Lines"
    description = (
        "Each line becomes one document, in the format of Annotarium, doccano, Prodigy, Argilla or Hugging Face."
    )
    parameters_model = JsonlConverterParameters
    extensions = ("jsonl", "ndjson")

    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield documents in the order of the lines; an invalid line is reported and the others are imported.

        Raises:
            ComponentError: the file is UTF-16, or contains no item.
        """
        limit = self.parameters.item_limit * MEBIBYTE
        empty = True
        with source.path.open("rb") as file:
            skip_byte_order_mark(file)
            following = 1
            for item in read_line_items(file, limit):
                number, following = following, following + item.count
                if not item.problem and not item.content.strip():
                    continue
                empty = False
                if item.problem:
                    yield ItemError(
                        message("item.line", "line {number}", number=number), item.problem, count=item.count
                    )
                else:
                    yield self._line(item.content, number, title_from_file_name(source.name))
        if empty:
            raise ComponentError(
                NO_DOCUMENT,
                fix=ONE_DOCUMENT,
            )

    def _line(self, content: bytes, number: int, file_title: str) -> Document | ItemError:
        try:
            content, warning = repair_utf8_with_warning(content.strip())
            raw = parse_object(content)
            document = validate_document(raw) if self._is_own(raw) else self._foreign(raw, number, file_title)
            if warning:
                document.note(warning)
            return document
        except InvalidItem as error:
            return ItemError(message("item.line", "line {number}", number=number), error.message, error.fix)

    def _is_own(self, raw: dict[str, Any]) -> bool:
        """Whether a record is a document in the published format: no field is mapped, and all names belong to the
        format.
        """
        given = self.parameters
        if given.text_field or given.title_field or given.identifier_field or given.label_fields:
            return False
        own = {"identifier", "title", "text", "sentences", "altTexts", "reviewed", "createdBy", "createdDate"}
        own |= {"modifiedDate", "metadata", "annotations", "categories", "relations"}
        marks = {"identifier", "sentences", "altTexts", "reviewed", "createdBy"} & set(raw)
        lists = [raw[name] for name in ("annotations", "categories") if isinstance(raw.get(name), list)]
        objects = all(isinstance(one, dict) for found in lists for one in found)
        return bool(objects and "text" in raw and (marks or set(raw) <= own) and not {"spans", "label"} & set(raw))

    def _foreign(self, raw: dict[str, Any], number: int, file_title: str) -> Document:
        fields = _flat(raw)
        text_name, text, spans = self._text(fields)
        document = Document(text=text)
        used = {text_name}
        status: Status | None = "KO" if raw.get("answer") == "reject" else None
        title = self._field(fields, self.parameters.title_field, TITLE_NAMES)
        if title and title != text_name and isinstance(fields[title], str):
            document.title = one_line(fields[title])[:500]
            used.add(title)
        document.title = document.title or f"{file_title} {number}"
        document.identifier = self._identifier(fields, used, file_title)
        for start, end, label in spans:
            add_labels(document, [[start, end, label]])
        if raw.get("answer") != "ignore":
            for name in self._label_names(fields):
                add_labels(document, fields[name], status=status)
                used.add(name)
            add_labels(document, raw.get("accept"), status=status)
        used |= _add_argilla(document, raw)
        if add_relations(document, raw.get("relations")):
            used.add("relations")
        if document.annotations:
            document.annotations = list(document.annotations)  # assigned, so that the document counts as reviewed
        document.metadata = tidy_metadata(self._rest(fields, used))
        return document

    def _text(self, fields: dict[str, Any]) -> tuple[str, str, list[tuple[int, int, str]]]:
        """Return name and value of the text, and the spans when it is given as tokens with tags."""
        wanted = self.parameters.text_field
        name = self._field(fields, wanted, TEXT_NAMES)
        if name and isinstance(fields[name], str) and fields[name].strip():
            return name, fields[name], []  # unchanged, because offsets refer to it
        tokens = fields.get(wanted or "tokens")
        if isinstance(tokens, list) and tokens and all(isinstance(one, str) for one in tokens):
            for tag_name in _TAG_NAMES:
                tags = fields.get(tag_name)
                if isinstance(tags, list) and len(tags) == len(tokens) and all(isinstance(one, str) for one in tags):
                    text, spans = spans_from_iob_tags(tokens, tags)
                    fields.pop(tag_name)
                    return wanted or "tokens", text, spans
            return wanted or "tokens", " ".join(tokens), []
        if name:
            raise InvalidItem(message("file.textEmptyOrNone", "The text is empty or not a text"), GIVE_TEXT)
        names = ", ".join(list(fields)[:10]) or "-"
        raise InvalidItem(
            message("file.noTextField", "The text is missing; the fields are: {names}", names=names),
            message("fix.nameField", "Specify the field that contains the text"),
        )

    def _field(self, fields: dict[str, Any], wanted: str, usual: tuple[str, ...]) -> str | None:
        if wanted:
            return wanted if wanted in fields else None
        return match_field_name(fields, usual, lambda name: isinstance(fields[name], str))

    def _identifier(self, fields: dict[str, Any], used: set[str], file_title: str) -> str:
        simple = {name: value for name, value in fields.items() if isinstance(value, str | int) and value != ""}
        name = self.parameters.identifier_field or match_field_name(simple, IDENTIFIER_NAMES)
        if name in simple:
            used.add(name)
            return str(simple[name])[:255]
        number = match_field_name(simple, NUMBER_NAMES)
        return f"{file_title}#{simple[number]}"[:255] if number else ""

    def _label_names(self, fields: dict[str, Any]) -> list[str]:
        if self.parameters.label_fields:
            return [name for name in self.parameters.label_fields if name in fields]
        return [name for name in fields if name.casefold() in LABEL_NAMES]

    def _rest(self, fields: dict[str, Any], used: set[str]) -> dict[str, Any]:
        wanted = self.parameters.metadata_fields
        rest: dict[str, Any] = {}
        for name, value in fields.items():
            if name in used or (name not in wanted if wanted else name in _PASSED or name.startswith("_")):
                continue
            rest[name] = _metadata_value(value)
        return rest


def _flat(raw: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a record together with those of its nested text and metadata objects."""
    fields = dict(raw)
    for name in ("fields", "data", "metadata", "meta"):
        inner = raw.get(name)
        if isinstance(inner, dict):
            fields.pop(name)
            for key, value in inner.items():
                fields.setdefault(key, value)
    return fields


def _metadata_value(value: Any) -> Any:
    """Return a metadata value; a deeper structure becomes JSON."""
    if isinstance(value, list) and all(isinstance(one, str | int | float | bool) for one in value):
        return value
    return orjson.dumps(value).decode() if isinstance(value, list | dict) else value


def _add_argilla(document: Document, raw: dict[str, Any]) -> set[str]:
    """Add responses and suggestions of Argilla, nested or flattened; return the names that were used."""
    used: set[str] = set()
    modes: dict[str, CreationMode | None] = {"responses": None, "suggestions": "automatic"}
    for kind, mode in modes.items():
        questions = raw.get(kind)
        if isinstance(questions, dict):
            used.add(kind)
            for value in questions.values():
                for one in value if isinstance(value, list) else [value]:
                    _add_argilla_answer(document, one.get("value") if isinstance(one, dict) else one, mode)
    answered = {name.rpartition(".")[0] for name in raw if name.endswith((".responses", ".suggestion"))} - {""}
    if answered:
        used |= {name for name in raw if any(prefix in answered for prefix in _prefixes(name))}
    for name, value in raw.items():
        question, _, what = name.rpartition(".")
        if question and what in ("responses", "suggestion"):
            for one in value if what == "responses" and isinstance(value, list) else [value]:
                _add_argilla_answer(document, one, "automatic" if what == "suggestion" else None)
    return used


def _prefixes(name: str) -> Iterator[str]:
    """Yield what precedes each of the first dots of a name."""
    place = name.find(".")
    for _ in range(_DOTS):
        if place < 0:
            return
        yield name[:place]
        place = name.find(".", place + 1)


def _add_argilla_answer(document: Document, value: Any, mode: CreationMode | None) -> None:
    annotations, categories = len(document.annotations), len(document.categories)
    if isinstance(value, str | list):
        add_labels(document, value)
    for annotation in document.annotations[annotations:]:
        annotation.creation_mode = mode
    for category in document.categories[categories:]:
        category.creation_mode = mode
