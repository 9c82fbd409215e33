"""Term importer `obo`: ontologies of the OBO family in OBO 1.0 to 1.4, stanza by stanza."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO

from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.base.term_importer import TermImporter, TermProblem
from annotarium_plugins.base.term_properties import FormType, TermBuilder
from annotarium_plugins.builtin.converters.common.text_encoding import LINE, damage_warning
from annotarium_plugins.builtin.term_importers.finished_terms import (
    PROBLEMS,
    finished,
    line_problem,
    no_terms_error,
    too_many_problems,
)
from annotarium_plugins.parameters import NoParameters
from annotarium_plugins.term_formats.obo import PROPERTIES, SCOPES, unescaped
from annotarium_plugins.term_formats.rest import add_rest
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_LINE = 8 << 20
_STANZA = re.compile(r"\[(\w{1,40})\]\s*(?:!.*)?")
_TAG = re.compile(r"([A-Za-z_][\w-]*):\s*(.*)", re.DOTALL)
_COMMENT = re.compile(r"\s!(?=\s|$).*", re.DOTALL)
_MODIFIERS = re.compile(r"\s\{[^{}]*\}\s*$")
_QUOTED = re.compile(r'"((?:[^"\\]|\\.)*+)"(.*)', re.DOTALL)
_DESCRIPTION = re.compile(r'\s"(?:[^"\\]|\\.)*+"\s*$')
_LISTS = {
    "alt_id": "alternativeIdentifiers",
    "comment": "comments",
    "subset": "subsets",
    "replaced_by": "replacedBy",
    "consider": "consider",
    "xref": "crossReferences",
    "xref_analog": "crossReferences",
    "is_a": "broader",
}
_OLD_SYNONYMS: dict[str, FormType] = {
    "exact_synonym": "exact",
    "narrow_synonym": "narrow",
    "broad_synonym": "broad",
    "related_synonym": "related",
}


class OboImporter(TermImporter[NoParameters]):
    """Reads files of any size as a stream. A line that cannot be read is reported; the rest of its term is imported."""

    title = "OBO"
    description = "Terms of an ontology in OBO format: synonyms with their scope, definitions, cross references, is_a."
    extensions = ("obo",)

    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield the terms in the order of the file.

        Raises:
            ComponentError: the file contains no term, or has too many errors.
        """
        empty, problems = True, 0
        with source.path.open("rb") as file:
            for found in _OboReader(file).terms():
                empty = empty and not isinstance(found, Term)
                problems += isinstance(found, TermProblem) and found.line is not None
                yield found
                if problems > PROBLEMS:
                    raise too_many_problems()
        if empty:
            raise no_terms_error()


class _OboReader:
    """Reads one file. `terms()` can be called once."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._builder: TermBuilder | None = None
        self._stanza = ""
        self._line = 0
        self._begin = 0

    def terms(self) -> Iterator[Term | ItemError]:
        """Yield terms and problems in the order of the file."""
        for line in self._lines():
            if line is None:
                yield line_problem(
                    self._line, message("file.rowLong", "It is longer than {number} characters", number=_LINE)
                )
                continue
            text, damaged = _decoded(line)
            if damaged:
                yield line_problem(self._line, damage_warning([self._line], LINE))
            stanza = _STANZA.fullmatch(text)
            if stanza:
                yield from self._finish()
                self._stanza, self._begin = stanza[1], self._line
                self._builder = None
            elif text and not text.startswith("!"):
                problem = self._tag(text)
                if problem is not None:
                    yield problem
        yield from self._finish()

    def _lines(self) -> Iterator[bytes | None]:
        """Yield lines; None for one over the limit."""
        while line := self._file.readline(_LINE + 1):
            self._line += 1
            if len(line) <= _LINE:
                yield line
                continue
            while line and not line.endswith(b"\n"):
                line = self._file.readline(_LINE)
            yield None

    def _finish(self) -> Iterator[Term | ItemError]:
        if self._stanza != "Term":
            return
        if self._builder is None:
            yield line_problem(
                self._begin,
                message("term.noIdentifier", "The term has no identifier"),
                message("fix.giveIdentifier", "Give it an identifier"),
            )
            return
        builder, self._builder = self._builder, None
        yield from finished(builder, builder.identifier or str(self._begin), self._begin)

    def _tag(self, text: str) -> TermProblem | None:
        found = _TAG.fullmatch(text)
        if found is None:
            known = self._stanza in ("", "Term")
            return line_problem(self._line, message("obo.noTag", "It is not a tag with a value")) if known else None
        tag, value = found[1], found[2]
        if self._stanza == "" and tag == "import":
            return _import_problem(self._line, value)
        if self._stanza != "Term":
            return None
        if tag == "id":
            self._builder = TermBuilder(unescaped(_plain(value)))
        elif self._builder is None:
            return line_problem(self._line, message("obo.beforeId", "The term does not begin with its id"))
        elif tag in _LISTS:
            plain = _plain(value)
            self._builder.add_value(_LISTS[tag], unescaped(_DESCRIPTION.sub("", plain) if tag == "xref" else plain))
        else:
            return self._other(tag, value, self._builder)
        return None

    def _other(self, tag: str, value: str, builder: TermBuilder) -> TermProblem | None:
        if tag in ("def", "synonym", "property_value", *_OLD_SYNONYMS):
            return self._quoted(tag, value, builder)
        if tag == "name":
            builder.prefer(unescaped(_plain(value)))
        elif tag == "namespace":
            builder.set_property("namespace", unescaped(_plain(value)))
        elif tag == "is_obsolete" and _plain(value).lower() == "true":
            builder.mark_obsolete()
        elif tag == "relationship":
            kind, _, target = _plain(value).partition(" ")
            if kind in ("related", "related_to") and target:
                builder.add_value("related", unescaped(target))
            elif target:
                builder.add_value("relationships", f"{kind} {unescaped(target)}")
        return None

    def _quoted(self, tag: str, value: str, builder: TermBuilder) -> TermProblem | None:
        name = ""
        if tag == "property_value":
            name, _, value = value.partition(" ")
            if name != PROPERTIES:
                return None
        found = _QUOTED.match(value.strip())
        if found is None:
            return line_problem(self._line, message("obo.notQuoted", "Its text is not in quotation marks"))
        text, rest = unescaped(found[1]), found[2]
        if tag == "def":
            builder.add_definition(text)
        elif name:
            if not add_rest(builder, text):
                return line_problem(
                    self._line, message("term.propertiesNotJson", "Its properties are not a JSON object")
                )
        else:
            scope = rest.split()[0] if rest.split() else ""
            builder.add_form(text, _OLD_SYNONYMS.get(tag) or SCOPES.get(scope, "related"))
        return None


def _decoded(line: bytes) -> tuple[str, bool]:
    """Return a line without white space around it, and whether bytes were replaced."""
    try:
        return line.decode().strip("\ufeff \t\r\n"), False
    except UnicodeDecodeError:
        return line.decode("utf-8", "replace").strip("\ufeff \t\r\n"), True


def _plain(value: str) -> str:
    """Return a value without its comment and its trailing modifiers."""
    return _MODIFIERS.sub("", _COMMENT.sub("", value)).strip()


def _import_problem(line: int, target: str) -> TermProblem:
    return TermProblem(
        message("item.line", "line {number}", number=line),
        message("rdf.import", "It imports {name}, which is never fetched", name=target[:200]),
        message("fix.importFile", "Import that file too if its terms are needed"),
        line=line,
        refused=False,
    )
