"""Collects what an RDF file states about its subjects in a temporary file, and makes terms of it.

RDF may state the parts of a term anywhere in the file, in either direction (broader or narrower). The statements
that matter are therefore written to a private temporary database; memory does not grow with their number.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby
from operator import itemgetter

from annotarium_plugins.base.converter import ItemError
from annotarium_plugins.base.term_importer import TermProblem
from annotarium_plugins.base.term_properties import FormType, TermBuilder
from annotarium_plugins.builtin.term_importers.finished_terms import finished
from annotarium_plugins.term_formats.rest import add_rest
from annotarium_plugins.term_formats.skos import (
    DEFINITION,
    OBO_IN_OWL,
    OWL,
    PREFERRED_FORM,
    PROPERTIES,
    RDF,
    RDFS,
    SKOS,
    SKOS_XL,
    identifier_of,
)
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

TYPE = f"{RDF}type"
IMPORTS = f"{OWL}imports"
_CLASSES = {
    f"{SKOS}Concept": "concept",
    f"{OWL}Class": "class",
    f"{RDFS}Class": "class",
    f"{SKOS_XL}Label": "label",
}
_FORMS: dict[str, tuple[str, FormType]] = {
    f"{SKOS}prefLabel": ("preferred", "preferred"),
    f"{RDFS}label": ("label", "preferred"),
    f"{SKOS}altLabel": ("alternative", "alternative"),
    f"{SKOS}hiddenLabel": ("hidden", "hidden"),
    f"{OBO_IN_OWL}hasExactSynonym": ("exact", "exact"),
    f"{OBO_IN_OWL}hasNarrowSynonym": ("narrow", "narrow"),
    f"{OBO_IN_OWL}hasBroadSynonym": ("broad", "broad"),
    f"{OBO_IN_OWL}hasRelatedSynonym": ("relatedForm", "related"),
}
_FORM_CODES: dict[str, FormType] = dict(_FORMS.values())
_LABEL_LINKS: dict[str, FormType] = {"xlPreferred": "preferred", "xlAlternative": "alternative", "xlHidden": "hidden"}
_CODES = {
    TYPE: "type",
    **{iri: code for iri, (code, _) in _FORMS.items()},
    f"{SKOS_XL}prefLabel": "xlPreferred",
    f"{SKOS_XL}altLabel": "xlAlternative",
    f"{SKOS_XL}hiddenLabel": "xlHidden",
    f"{SKOS_XL}literalForm": "literalForm",
    f"{SKOS}definition": "definition",
    DEFINITION: "definition",
    f"{SKOS}notation": "notation",
    f"{SKOS}broader": "broader",
    f"{RDFS}subClassOf": "broader",
    f"{SKOS}narrower": "narrower",
    f"{SKOS}related": "related",
    f"{SKOS}exactMatch": "crossReferences",
    f"{SKOS}closeMatch": "crossReferences",
    f"{OBO_IN_OWL}hasDbXref": "crossReferences",
    f"{OBO_IN_OWL}hasAlternativeId": "alternativeIdentifiers",
    f"{OBO_IN_OWL}hasOBONamespace": "namespace",
    f"{OBO_IN_OWL}inSubset": "subsets",
    f"{SKOS}scopeNote": "scopeNote",
    f"{SKOS}example": "example",
    f"{SKOS}note": "note",
    f"{RDFS}comment": "comments",
    f"{OWL}deprecated": "obsolete",
    PREFERRED_FORM: "prefer",
    PROPERTIES: "properties",
}
_LINKS = frozenset({"broader", "related"})
_CACHE = 100_000
_TRUE = ("true", "1")


@dataclass
class _Subject:
    """What was found about a subject besides its parts: its classes, and labels that are resources."""

    builder: TermBuilder
    types: set[str] = field(default_factory=set)
    links: list[tuple[str, FormType]] = field(default_factory=list)
    labels: dict[str, set[str]] = field(default_factory=dict)


class FactStore:
    """Statements of one file. `add` is the sink of the readers; close the store afterwards."""

    def __init__(self) -> None:
        self._database = sqlite3.connect("")  # a temporary database on disk, deleted when it is closed
        for setting in ("journal_mode=OFF", "synchronous=OFF", "cache_size=-16384"):
            self._database.execute(f"PRAGMA {setting}")
        self._database.execute("CREATE TABLE subjects (id INTEGER PRIMARY KEY, name TEXT UNIQUE)")
        self._database.execute("CREATE TABLE facts (subject INTEGER, code TEXT, value TEXT, language TEXT)")
        self._numbers: dict[str, int] = {}
        self.imports: list[str] = []
        self.count = 0

    def close(self) -> None:
        """Delete the temporary file."""
        self._database.close()

    def add(self, subject: str, predicate: str, value: str, language: str | None) -> None:
        """Add a statement.

        Args:
            language: None when the value is a resource, empty for a literal without language.
        """
        self.count += 1
        code = _CODES.get(predicate)
        if code is None:
            if predicate == IMPORTS and len(self.imports) < 100:
                self.imports.append(value)
            return
        if code == "type":
            value = _CLASSES.get(value, "other")
        elif code == "narrower":
            if language is None:
                self._insert(value, "broader", subject, None)
            return
        self._insert(subject, code, value, language)

    def _insert(self, subject: str, code: str, value: str, language: str | None) -> None:
        row = (self._number(subject), code, value, language)
        self._database.execute("INSERT INTO facts VALUES (?, ?, ?, ?)", row)

    def _number(self, name: str) -> int:
        number = self._numbers.get(name)
        if number is None:
            self._database.execute("INSERT OR IGNORE INTO subjects (name) VALUES (?)", (name,))
            number = int(self._database.execute("SELECT id FROM subjects WHERE name = ?", (name,)).fetchone()[0])
            if len(self._numbers) >= _CACHE:
                self._numbers.clear()
            self._numbers[name] = number
        return number

    def terms(self, wanted: str, language: str) -> Iterator[Term | ItemError]:
        """Yield the terms in the order in which their subjects first appear.

        Args:
            wanted: class of the subjects that are terms, `concept` or `class`.
            language: language of the preferred forms when there are several.
        """
        self._database.execute("CREATE INDEX IF NOT EXISTS facts_of_subject ON facts (subject)")
        rows: Iterable[tuple[int, str, str, str, str | None]] = self._database.execute(
            "SELECT facts.subject, subjects.name, facts.code, facts.value, facts.language"
            " FROM facts INDEXED BY facts_of_subject CROSS JOIN subjects ON subjects.id = facts.subject"
            " ORDER BY facts.subject, facts.rowid"
        )
        for _, group in groupby(rows, key=itemgetter(0)):
            name, subject = "", None
            for _, name, code, value, tag in group:
                subject = subject or _new_subject(name, language)
                _add_fact(subject, code, value, tag)
            if subject is not None:
                yield from self._finished(subject, name, wanted)

    def _finished(self, subject: _Subject, name: str, wanted: str) -> Iterator[Term | ItemError]:
        if subject.types and wanted not in subject.types:
            return
        if not subject.types and (wanted == "class" or not (subject.labels or subject.links)):
            return
        for label, kind in subject.links:
            for text, language in self._literal_forms(label):
                subject.builder.add_form(text, kind, language)
        for language, labels in subject.labels.items():
            if len(labels) > 1 and wanted == "concept":
                yield TermProblem(
                    name[:200],
                    message(
                        "rdf.twoLabels",
                        "It has {count:,} preferred labels in one language ({language}); all of them are imported",
                        count=len(labels),
                        language=language or "-",
                    ),
                    subject=subject.builder.identifier,
                    refused=False,
                )
        term_name = subject.builder.identifier or name
        yield from finished(subject.builder, term_name[:200])

    def _literal_forms(self, label: str) -> list[tuple[str, str]]:
        rows = self._database.execute(
            "SELECT facts.value, facts.language FROM subjects JOIN facts ON facts.subject = subjects.id"
            " WHERE subjects.name = ? AND facts.code = 'literalForm' LIMIT 100",
            (label,),
        )
        return [(value, language or "") for value, language in rows]


def _new_subject(name: str, language: str) -> _Subject:
    return _Subject(TermBuilder("" if name.startswith("_:") else identifier_of(name), language))


def _add_fact(subject: _Subject, code: str, value: str, language: str | None) -> None:
    builder = subject.builder
    if code == "type":
        subject.types.add(value)
    elif code in _FORM_CODES:
        if language is not None:
            builder.add_form(value, _FORM_CODES[code], language)
            if code == "preferred":
                labels = subject.labels.setdefault(language, set())
                if len(labels) < 100:
                    labels.add(value)
    elif code in _LABEL_LINKS:
        if len(subject.links) < 1_000:
            subject.links.append((value, _LABEL_LINKS[code]))
    elif code in _LINKS:
        if language is None and not value.startswith("_:") and value != f"{OWL}Thing":
            builder.add_value(code, identifier_of(value))
    else:
        _add_other(builder, code, value, language)


def _add_other(builder: TermBuilder, code: str, value: str, language: str | None) -> None:
    if code == "definition":
        if language is not None:
            builder.add_definition(value, language)
    elif code == "obsolete":
        if value in _TRUE:
            builder.mark_obsolete()
    elif code == "prefer":
        builder.prefer(value)
    elif code == "properties":
        add_rest(builder, value)
    elif code == "namespace":
        builder.set_property("namespace", value)
    elif code == "subsets":
        builder.add_value(code, value.rpartition("#")[2] or value)
    elif code != "literalForm" and not (language is None and value.startswith("_:")):
        builder.add_value(code, value)
