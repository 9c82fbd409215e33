"""Tables of terms (csv, tsv): names of the columns and how lists are written in a cell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import orjson

from annotarium_plugins.base.spreadsheet import csv_rows
from annotarium_plugins.base.term_properties import TermBuilder
from annotarium_plugins.term_formats.rest import definitions_of, forms_of, is_obsolete, rest_of, texts_of
from annotarium_schemas.documents import Term

SEPARATOR = "|"
LIST_COLUMNS = ("notation", "broader", "related", "crossReferences")
COLUMNS = ("identifier", "preferredForm", "altForms", "forms", "definitions", *LIST_COLUMNS, "obsolete", "properties")

_PROTECTED = re.compile(r"'+[=+\-@\t\r\n]")


def write_table(terms: Iterable[Term], delimiter: str) -> Iterator[bytes]:
    """Yield the rows of a table, the first with the names of the columns."""
    yield from csv_rows(_rows(terms), delimiter)


def _rows(terms: Iterable[Term]) -> Iterator[Sequence[object]]:
    yield COLUMNS
    for term in terms:
        yield [f"'{cell}" if _PROTECTED.match(cell) else cell for cell in _cells(term)]


def _cells(term: Term) -> list[str]:
    builder = TermBuilder(term.identifier)
    preferred = term.preferred_form or ""
    forms = list(forms_of(term))
    simple = forms and forms[0] == (preferred, "preferred", "")
    simple = simple and all((kind, language) == ("alternative", "") for _, kind, language in forms[1:])
    alternatives = [form for form, _, _ in forms[1:]] if simple else texts_of(term, "altForms")
    written = [] if simple else [_form_value(*one) for one in forms]
    definitions = definitions_of(term)
    lists = {name: texts_of(term, name) for name in LIST_COLUMNS}
    fill(
        builder,
        {
            "preferredForm": [preferred],
            "altForms": list(alternatives),
            "forms": written,
            "definitions": [_definition_value(*one) for one in definitions],
            **lists,
        },
    )
    if is_obsolete(term):
        builder.mark_obsolete()
    return [
        term.identifier,
        preferred,
        list_cell(alternatives),
        orjson.dumps(written).decode() if written else "",
        _definitions_cell([_definition_value(*one) for one in definitions]),
        *(list_cell(lists[name]) for name in LIST_COLUMNS),
        "true" if is_obsolete(term) else "",
        rest_of(term, builder),
    ]


def _form_value(form: str, kind: str, language: str) -> dict[str, str]:
    return {"form": form, **({"language": language} if language else {}), "type": kind}


def _definition_value(text: str, language: str) -> str | dict[str, str]:
    return {"text": text, "language": language} if language else text


def fill(builder: TermBuilder, values: dict[str, list[Any]]) -> None:
    """Add the values of the columns `preferredForm`, `altForms`, `forms`, `definitions` and the lists to a term."""
    typed = [one for one in values.get("forms", ()) if isinstance(one, dict)]
    if typed:
        holder = Term(identifier="", properties={"forms": typed})
        for form, kind, language in forms_of(holder):
            builder.add_form(form, kind, language)
    for text in values.get("preferredForm", ()):
        builder.prefer(text)
    if not typed:
        for text in values.get("altForms", ()):
            if isinstance(text, str):
                builder.add_form(text, "alternative")
    fill_definitions(builder, values.get("definitions", ()), "")
    for name in LIST_COLUMNS:
        builder.add_values(name, (value for value in values.get(name, ()) if isinstance(value, str)))


def fill_definitions(builder: TermBuilder, values: Iterable[Any], language: str) -> None:
    """Add definitions: texts in `language`, or objects with text and language."""
    for value in values:
        if isinstance(value, str):
            builder.add_definition(value, language)
            continue
        for text, own in definitions_of(Term(identifier="", properties={"definitions": [value]})):
            builder.add_definition(text, own)


def list_cell(values: Sequence[str | dict[str, str]]) -> str:
    """Return a list as a cell: its values with `|` between them, or JSON where that would not be read back equal."""
    texts = [value for value in values if isinstance(value, str)]
    plain = all(text and text == text.strip() and SEPARATOR not in text for text in texts)
    if plain and len(texts) == len(values) and not (texts and texts[0].startswith("[")):
        return SEPARATOR.join(texts)
    return orjson.dumps(list(values)).decode()


def _definitions_cell(values: Sequence[str | dict[str, str]]) -> str:
    """Return definitions as a cell: a single one as it is, several or one with a language as JSON."""
    first = values[0] if values else ""
    if len(values) < 2 and isinstance(first, str) and not first.startswith("["):
        return first
    return orjson.dumps(list(values)).decode()


def parse_definitions(cell: str) -> list[Any]:
    """Return the definitions of a cell: texts, or objects with text and language."""
    if cell.lstrip().startswith("["):
        try:
            found = orjson.loads(cell)
        except orjson.JSONDecodeError:
            found = None
        if isinstance(found, list):
            return found
    return [cell]


def parse_list(cell: str, separator: str = SEPARATOR) -> list[Any]:
    """Return the values of a cell that `list_cell` wrote, or of a foreign one with a separator."""
    text = cell.strip()
    if text.startswith("["):
        try:
            found = orjson.loads(text)
        except orjson.JSONDecodeError:
            found = None
        if isinstance(found, list):
            return found
    parts = text.split(separator) if separator else [text]
    return [part.strip() for part in parts if part.strip()]


def unprotected(cell: str) -> str:
    """Return a cell without the apostrophe that keeps spreadsheet programs from running it as a formula."""
    return cell[1:] if _PROTECTED.match(cell) else cell
