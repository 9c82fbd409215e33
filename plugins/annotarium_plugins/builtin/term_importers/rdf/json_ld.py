"""Reads JSON-LD in memory. Contexts are read from the file itself; remote ones are never fetched.

Covers what vocabularies use: contexts with prefixes, `@vocab`, `@base`, languages, types and containers of terms,
aliases of keywords, nested and reverse properties, graphs and lists. Without a context for them, the names of SKOS
(`prefLabel`, `broader`) are understood as such.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from annotarium_plugins.builtin.term_importers.rdf.facts import TYPE
from annotarium_plugins.builtin.term_importers.rdf.syntax import DEPTH, RdfError, Sink, resolved_iri
from annotarium_plugins.term_formats.skos import SKOS
from annotarium_schemas.messages import message

_ABSOLUTE = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_KEYWORDS = ("@id", "@type", "@value", "@language", "@graph", "@list", "@set", "@reverse", "@context")
_SKOS_NAMES = frozenset(
    {
        "prefLabel", "altLabel", "hiddenLabel", "definition", "notation", "broader", "narrower", "related",
        "exactMatch", "closeMatch", "scopeNote", "example", "note", "Concept", "ConceptScheme",
    }
)  # fmt: skip
_CONTEXTS = 1_000


@dataclass(frozen=True)
class _Name:
    """What a context states about a name."""

    iri: str = ""
    kind: str = ""
    language: str | None = None
    container: tuple[str, ...] = ()
    reverse: bool = False


@dataclass(frozen=True)
class _Context:
    names: dict[str, _Name] = field(default_factory=dict)
    vocabulary: str = ""
    base: str = ""
    language: str = ""


def _with_part(context: _Context, part: str, value: str) -> _Context:
    if part == "vocabulary":
        return replace(context, vocabulary=value)
    return replace(context, base=value) if part == "base" else replace(context, language=value)


class JsonLdReader:
    """Reads one document that was parsed from JSON."""

    def __init__(self, sink: Sink) -> None:
        self._sink = sink
        self._anonymous = 0
        self.remote: list[str] = []
        """Remote contexts that were not fetched."""

    def read(self, content: Any) -> Iterator[RdfError]:
        """Read the document; yield an error for each part that cannot be read."""
        items = content if isinstance(content, list) else [content]
        for item in items:
            if not isinstance(item, dict):
                yield RdfError(0, message("rdf.noNode", "An item is not an object"))
                continue
            try:
                self._node(item, _Context(), 0)
            except RdfError as error:
                yield error

    def _node(self, node: dict[str, Any], context: _Context, depth: int) -> str:
        """Send the statements of a node; return its IRI."""
        if depth > DEPTH:
            raise RdfError(0, message("rdf.deep", "It is nested too deep"))
        if "@context" in node:
            context = self._context(node["@context"], context, 0)
        by_keyword = {self._keyword(name, context): value for name, value in node.items()}
        identifier = by_keyword.get("@id")
        if isinstance(identifier, str):
            subject = self._iri(identifier, context, vocabulary=False)
        else:
            self._anonymous += 1
            subject = f"_:[{self._anonymous}]"
        for name, value in node.items():
            keyword = self._keyword(name, context)
            if not keyword:
                self._property(subject, name, value, context, depth)
            elif keyword == "@reverse" and isinstance(value, dict):
                for inner, targets in value.items():
                    self._reverse(subject, self._iri(inner, context, vocabulary=True), targets, context, depth)
            elif keyword in ("@type", "@graph"):
                self._types_or_graph(subject, keyword, value if isinstance(value, list) else [value], context, depth)
        return subject

    def _types_or_graph(self, subject: str, keyword: str, values: list[Any], context: _Context, depth: int) -> None:
        for one in values:
            if keyword == "@type" and isinstance(one, str):
                self._sink(subject, TYPE, self._iri(one, context, vocabulary=True), None)
            elif keyword == "@graph" and isinstance(one, dict):
                self._node(one, context, depth + 1)

    def _property(self, subject: str, name: str, value: Any, context: _Context, depth: int) -> None:
        facts = context.names.get(name, _Name())
        predicate = self._iri(name, context, vocabulary=True)
        if not _ABSOLUTE.match(predicate):
            return
        if facts.reverse:
            self._reverse(subject, predicate, value, context, depth)
            return
        if "@language" in facts.container and isinstance(value, dict):
            for language, texts in value.items():
                for text in texts if isinstance(texts, list) else [texts]:
                    if isinstance(text, str):
                        self._sink(subject, predicate, text, "" if language == "@none" else language)
            return
        self._values(subject, predicate, value, facts, context, depth)

    def _values(self, subject: str, predicate: str, value: Any, facts: _Name, context: _Context, depth: int) -> None:
        if depth > DEPTH:
            raise RdfError(0, message("rdf.deep", "It is nested too deep"))
        if isinstance(value, list):
            for one in value:
                self._values(subject, predicate, one, facts, context, depth + 1)
        elif isinstance(value, dict):
            self._object(subject, predicate, value, facts, context, depth)
        elif isinstance(value, str) and facts.kind in ("@id", "@vocab"):
            self._sink(subject, predicate, self._iri(value, context, vocabulary=facts.kind == "@vocab"), None)
        elif isinstance(value, str):
            language = context.language if facts.language is None and not facts.kind else facts.language or ""
            self._sink(subject, predicate, value, language)
        elif isinstance(value, bool):
            self._sink(subject, predicate, "true" if value else "false", "")
        elif value is not None:
            self._sink(subject, predicate, str(value), "")

    def _object(
        self, subject: str, predicate: str, value: dict[str, Any], facts: _Name, context: _Context, depth: int
    ) -> None:
        by_keyword = {self._keyword(name, context): inner for name, inner in value.items()}
        if "@value" in by_keyword:
            text, language = by_keyword["@value"], by_keyword.get("@language")
            plain = "true" if text is True else "false" if text is False else str(text)
            if text is not None:
                self._sink(subject, predicate, plain, language if isinstance(language, str) else "")
        elif "@list" in by_keyword or "@set" in by_keyword:
            inner = by_keyword.get("@list", by_keyword.get("@set"))
            self._values(subject, predicate, inner, facts, context, depth + 1)
        else:
            self._sink(subject, predicate, self._node(value, context, depth + 1), None)

    def _reverse(self, subject: str, predicate: str, targets: Any, context: _Context, depth: int) -> None:
        for one in targets if isinstance(targets, list) else [targets]:
            if isinstance(one, str):
                self._sink(self._iri(one, context, vocabulary=False), predicate, subject, None)
            elif isinstance(one, dict):
                self._sink(self._node(one, context, depth + 1), predicate, subject, None)

    def _keyword(self, name: str, context: _Context) -> str:
        """Return the keyword that a name is or stands for, empty for a property."""
        if name.startswith("@"):
            return name
        facts = context.names.get(name)
        return facts.iri if facts and facts.iri in _KEYWORDS else ""

    def _iri(self, text: str, context: _Context, *, vocabulary: bool) -> str:
        if vocabulary:
            facts = context.names.get(text)
            if facts and facts.iri:
                return facts.iri
        prefix, colon, local = text.partition(":")
        if colon and not local.startswith("//") and prefix != "_":
            facts = context.names.get(prefix)
            if facts and facts.iri:
                return facts.iri + local
        if colon and (prefix == "_" or _ABSOLUTE.match(text)):
            return text
        if not vocabulary:
            return resolved_iri(context.base, text)
        if context.vocabulary:
            return context.vocabulary + text
        return SKOS + text if text in _SKOS_NAMES else text

    def _context(self, given: Any, context: _Context, depth: int) -> _Context:
        if isinstance(given, str):
            if given not in self.remote and len(self.remote) < _CONTEXTS:
                self.remote.append(given)
            return context
        if given is None:
            return _Context()
        if isinstance(given, list):
            for one in given[:_CONTEXTS] if depth < DEPTH else ():
                context = self._context(one, context, depth + 1)
            return context
        return self._local_context(given, context) if isinstance(given, dict) else context

    def _local_context(self, given: dict[str, Any], context: _Context) -> _Context:
        names = dict(context.names)
        made = replace(context, names=names)
        for keyword, part in (("@vocab", "vocabulary"), ("@base", "base"), ("@language", "language")):
            value = given.get(keyword)
            if isinstance(value, str) or (keyword in given and value is None):
                made = _with_part(made, part, value or "")
        for name, value in given.items():  # prefixes first: other names use them
            if isinstance(value, str) and not name.startswith("@"):
                names[name] = _Name(value)
        for name, value in given.items():
            if isinstance(value, dict) and not name.startswith("@"):
                names[name] = self._name(name, value, made)
            elif value is None:
                names.pop(name, None)
        for name, facts in list(names.items()):
            if facts.iri and facts.iri not in _KEYWORDS:
                iri = facts.iri if facts.iri != name else f"{made.vocabulary}{name}"
                prefix, colon, local = iri.partition(":")
                if colon and not local.startswith("//") and prefix in names and prefix != name:
                    iri = names[prefix].iri + local
                names[name] = replace(facts, iri=iri)
        return made

    def _name(self, name: str, value: dict[str, Any], context: _Context) -> _Name:
        reverse = value.get("@reverse")
        identifier = reverse if isinstance(reverse, str) else value.get("@id", name)
        kind, language, container = value.get("@type"), value.get("@language"), value.get("@container")
        containers = container if isinstance(container, list) else [container]
        iri = identifier if isinstance(identifier, str) else ""
        if iri and ":" not in iri and iri not in _KEYWORDS:
            iri = self._iri(iri, replace(context, names={}), vocabulary=True)
        return _Name(
            iri=iri,
            kind=kind if isinstance(kind, str) else "",
            language=language if isinstance(language, str) else "" if "@language" in value else None,
            container=tuple(one for one in containers if isinstance(one, str)),
            reverse=isinstance(reverse, str),
        )
