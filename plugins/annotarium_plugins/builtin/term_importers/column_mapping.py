"""Which column of a table is which part of a term, for the importers of csv and of workbooks."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import Field

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError
from annotarium_plugins.base.term_importer import TermProblem
from annotarium_plugins.base.term_properties import TermBuilder
from annotarium_plugins.builtin.converters.common.parameter_fields import name_field
from annotarium_plugins.builtin.term_importers.finished_terms import finished
from annotarium_plugins.parameters import Parameters
from annotarium_plugins.term_formats.rest import add_rest
from annotarium_plugins.term_formats.tables import (
    LIST_COLUMNS,
    SEPARATOR,
    fill,
    fill_definitions,
    parse_definitions,
    parse_list,
    unprotected,
)
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_USUAL: dict[str, tuple[str, ...]] = {
    "identifier": ("identifier", "id", "uri", "iri", "code", "concept", "conceptid", "termid", "identifiant"),
    "preferredForm": (
        "preferredform", "preflabel", "preferredlabel", "label", "name", "term", "title", "form", "libellé", "nom",
        "terme",
    ),
    "altForms": (
        "altforms", "altlabel", "altlabels", "synonym", "synonyms", "alias", "aliases", "variants", "synonymes",
    ),
    "definitions": ("definitions", "definition", "description", "def"),
    "broader": ("broader", "parent", "parents", "subclassof", "isa", "broaderterm"),
    "related": ("related", "relatedterm", "seealso"),
    "notation": ("notation",),
    "crossReferences": ("crossreferences", "xref", "xrefs", "mappings", "exactmatch"),
    "forms": ("forms",),
    "obsolete": ("obsolete", "isobsolete", "deprecated"),
    "properties": ("properties",),
}  # fmt: skip
"""Usual names of columns in lower case, without what is not a letter."""
_LANGUAGE_PARTS = ("preferredForm", "altForms", "definitions")
_TRUE = ("true", "1", "yes", "y", "x", "vrai", "oui")
_LANGUAGE = re.compile(r"(.+?)(?:[@_:-]|\s+)\(?([a-z]{2,3}(?:-[A-Za-z]{2,4})?)\)?")
_NO_LANGUAGES = ("id", "uri", "iri", "url", "key", "no", "nr", "ref")
_OWN = frozenset({*LIST_COLUMNS, "altForms", "forms", "definitions", "obsolete", "matching"})


def _columns_field(title: str, description: str) -> Any:
    return Field([], max_length=50, title=title, description=description)


class ColumnParameters(Parameters):
    """The mapping of columns. A column is named as the first row names it, or by its number from 1."""

    identifier_column: str = name_field("Identifier", "Empty: identifier, id, uri, ..., otherwise the form.")
    form_column: str = name_field("Preferred form", "Empty: label, name, term, ..., otherwise the first other column.")
    synonym_columns: list[str] = _columns_field("Synonyms", "Empty: synonyms, altLabel, aliases, ...")
    definition_columns: list[str] = _columns_field("Definitions", "Empty: definition, description, ...")
    broader_columns: list[str] = _columns_field("Broader terms", "Empty: broader, parent, ...")
    related_columns: list[str] = _columns_field("Related terms", "Identifiers. Empty: related, ...")
    notation_columns: list[str] = _columns_field("Notation", "Codes of a classification. Empty: notation.")
    reference_columns: list[str] = _columns_field("Cross references", "Empty: xref, mappings, ...")
    property_columns: list[str] = Field(
        [], max_length=500, title="Properties", description="Columns imported as properties. Empty: all others."
    )
    broader_by: Literal["identifier", "form"] = Field(
        "identifier",
        title="Broader terms are given by",
        description="By form: the file is read twice to find the identifiers.",
    )
    header: Literal["auto", "first_row", "none"] = Field(
        "auto", title="Column names", description="Automatic: the first row, if it has usual names."
    )
    value_separator: str = Field(
        SEPARATOR, max_length=5, title="Value separator", description="The character between several values in a cell."
    )
    language: str = Field(
        "",
        max_length=35,
        pattern=r"^[A-Za-z0-9-]*$",
        title="Language",
        description="Language of forms and definitions. Empty: none. A column label_fr has its own language.",
    )


_GIVEN = {
    "altForms": "synonym_columns",
    "definitions": "definition_columns",
    "broader": "broader_columns",
    "related": "related_columns",
    "notation": "notation_columns",
    "crossReferences": "reference_columns",
}


@dataclass(frozen=True)
class _Column:
    index: int
    language: str = ""


@dataclass
class ColumnMapping:
    """The columns of a table by their part of a term. Create it with `map_columns`."""

    names: list[str]
    parameters: ColumnParameters
    parts: dict[str, list[_Column]] = field(default_factory=dict)
    free: list[int] = field(default_factory=list)

    def by_parameter(self) -> dict[str, list[str]]:
        """Return the names of the columns by the parameter that sets them, for the preview."""
        made = {"property_columns": [self.names[index] for index in self.free]}
        for part, name in {"identifier": "identifier_column", "preferredForm": "form_column", **_GIVEN}.items():
            made[name] = [self.names[one.index] for one in self.parts.get(part, ())]
        return made

    def terms(self, cells: list[str], item: str, line: int) -> Iterator[Term | ItemError]:
        """Yield the term of a row, and problems with it."""
        cells = [unprotected(cell) for cell in cells]
        values = {part: self._values(part, cells) for part in self.parts}
        preferred = next((text for text, _ in values.get("preferredForm", ()) if text.strip()), "")
        identifier = next((text for text, _ in values.get("identifier", ()) if text.strip()), "") or preferred
        builder = TermBuilder(identifier)
        self._add_forms(builder, values)
        for text, language in values.get("definitions", ()):
            fill_definitions(builder, parse_definitions(text), language)
        separator = self.parameters.value_separator
        for name in LIST_COLUMNS:
            for text, _ in values.get(name, ()):
                builder.add_values(name, (one for one in parse_list(text, separator) if isinstance(one, str)))
        if any(text.strip().lower() in _TRUE for text, _ in values.get("obsolete", ())):
            builder.mark_obsolete()
        for index in self.free:
            cell = cells[index].strip() if index < len(cells) else ""
            if cell:
                builder.set_property(_property_name(self.names[index]), cell)
        for text, _ in values.get("properties", ()):
            if text.strip() and not add_rest(builder, text):
                yield TermProblem(
                    item,
                    message("term.propertiesNotJson", "Its properties are not a JSON object"),
                    line=line,
                    subject=builder.identifier,
                    refused=False,
                )
        yield from finished(builder, item, line)

    def _values(self, part: str, cells: list[str]) -> list[tuple[str, str]]:
        return [(cells[one.index], one.language) for one in self.parts[part] if one.index < len(cells)]

    def _add_forms(self, builder: TermBuilder, values: dict[str, list[tuple[str, str]]]) -> None:
        typed = [one for text, _ in values.get("forms", ()) for one in parse_list(text)]
        preferred = [(text, language) for text, language in values.get("preferredForm", ()) if text.strip()]
        if typed:
            fill(builder, {"forms": typed, "preferredForm": [text for text, _ in preferred[:1]]})
            return
        for text, language in preferred:
            builder.add_form(text, "preferred", language)
        if preferred:
            builder.prefer(preferred[0][0])
        for text, language in values.get("altForms", ()):
            for value in parse_list(text, self.parameters.value_separator):
                if isinstance(value, str):
                    builder.add_form(value, "alternative", language)


def map_columns(names: list[str], named: bool, parameters: ColumnParameters) -> ColumnMapping:
    """Return the mapping of a table.

    Args:
        named: whether the first row contains the names; otherwise they are numbers.

    Raises:
        ComponentError: a column that a parameter names is missing.
    """
    mapping = ColumnMapping(names, parameters)
    used: set[int] = set()
    given: dict[str, list[str]] = {part: list(getattr(parameters, name)) for part, name in _GIVEN.items()}
    given["identifier"] = [parameters.identifier_column] if parameters.identifier_column else []
    given["preferredForm"] = [parameters.form_column] if parameters.form_column else []
    for part, wanted in given.items():
        if wanted:
            indexes = [column_index(one, names) for one in wanted]
            mapping.parts[part] = [_Column(index, _language_of(names[index], part, parameters)) for index in indexes]
            used |= set(indexes)
    for part in _USUAL if named else ():
        if part not in mapping.parts:
            found = [index for index, name in enumerate(names) if index not in used and _is_usual(name, part)]
            found = found if part in ("preferredForm", "altForms", "definitions") else found[:1]
            if found:
                mapping.parts[part] = [_Column(index, _language_of(names[index], part, parameters)) for index in found]
                used |= set(found)
    if "preferredForm" not in mapping.parts:
        rest = [index for index in range(len(names)) if index not in used]
        if not rest:
            raise _missing_column(message("column.form", "preferred form"), names)
        mapping.parts["preferredForm"] = [_Column(rest[0], parameters.language)]
        used.add(rest[0])
    properties = [column_index(one, names) for one in parameters.property_columns]
    mapping.free = properties or [index for index in range(len(names)) if index not in used]
    return mapping


def column_index(wanted: str, names: list[str]) -> int:
    """Return the index of a column by its name or number. Raises `ComponentError` when there is none."""
    text = wanted.strip()
    for index, name in enumerate(names):
        if text.casefold() == name.casefold():
            return index
    if text.isascii() and text.isdecimal() and len(text) < 6 and 1 <= int(text) <= len(names):
        return int(text) - 1
    raise _missing_column(wanted, names)


def _missing_column(wanted: str, names: list[str]) -> ComponentError:
    return ComponentError(
        message("file.noColumn", "There is no column {name}.", name=wanted),
        cause=message("cause.columns", "The columns are: {names}.", names=", ".join(names[:50])),
        fix=message("fix.columnSpelling", "Correct its name"),
    )


def _plain(name: str) -> str:
    return "".join(char for char in name.casefold() if char.isalpha())


def _is_usual(name: str, part: str) -> bool:
    if _plain(name) in _USUAL[part]:
        return True
    return part in _LANGUAGE_PARTS and _plain(_split_language(name)[0]) in _USUAL[part]


def _language_of(name: str, part: str, parameters: ColumnParameters) -> str:
    if part not in _LANGUAGE_PARTS:
        return ""
    plain, language = _split_language(name)
    return language if language and _plain(plain) in _USUAL[part] else parameters.language


def _split_language(name: str) -> tuple[str, str]:
    """Return the parts of `label_fr` or `label (fr)`, empty when the name of a column has no language."""
    found = _LANGUAGE.fullmatch(name.strip())
    return (found[1], found[2]) if found and found[2] not in _NO_LANGUAGES else ("", "")


def _property_name(name: str) -> str:
    plain = " ".join(name.split())[:100]
    return f"column_{plain}" if plain.isdecimal() or plain in _OWN else plain


def has_names(rows: list[list[str]], parameters: ColumnParameters) -> bool:
    """Whether the first row of a table looks like names of columns: it has a usual name, or one that is a parameter."""
    cells = [cell.strip() for cell in rows[0]]
    if not all(cells) or len({cell.casefold() for cell in cells}) < len(cells):
        return False
    given = {parameters.identifier_column.casefold(), parameters.form_column.casefold()}
    given |= {one.casefold() for name in _GIVEN.values() for one in getattr(parameters, name)}
    if any(cell.casefold() in given for cell in cells):
        return True
    several = len(rows) > 1 or len(cells) > 1  # in a file of one word the word may be data
    return several and any(_is_usual(cell, part) for cell in cells for part in _USUAL)
