"""OBO 1.2 and 1.4: escapes and the writer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from annotarium_plugins.base.term_properties import FormType, TermBuilder
from annotarium_plugins.term_formats.rest import definitions_of, forms_of, is_obsolete, rest_of, texts_of
from annotarium_schemas.documents import Term

PROPERTIES = "annotarium_properties"
SCOPES: dict[str, FormType] = {"EXACT": "exact", "NARROW": "narrow", "BROAD": "broad", "RELATED": "related"}

_ESCAPES = {"\n": "\\n", "\t": "\\t", "\\": "\\\\", '"': '\\"', "{": "\\{", "}": "\\}", "!": "\\!", "[": "\\["}
_ESCAPED = re.compile(r'[\n\t\\"{}!\[]')
_READ = {"n": "\n", "t": "\t", "W": " "}
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)

_HEADER = b"format-version: 1.2\n"


def write_obo(terms: Iterable[Term]) -> Iterator[bytes]:
    """Yield an OBO file with one stanza per term."""
    yield _HEADER
    for term in terms:
        yield "\n".join(_stanza(term)).encode()


def _stanza(term: Term) -> list[str]:
    builder = TermBuilder(term.identifier)
    preferred = term.preferred_form or ""
    lines = ["", "[Term]", f"id: {escaped(term.identifier)}", f"name: {escaped(preferred)}"]
    builder.prefer(preferred)
    for text, _ in definitions_of(term)[:1]:
        builder.add_definition(unescaped(escaped(text)))
        lines.append(f'def: "{escaped(text)}" []')
    for form, kind, _ in forms_of(term):
        scope = "EXACT" if kind in ("alternative", "hidden", "exact") else kind.upper()
        if kind != "preferred" and form != preferred:
            builder.add_form(unescaped(escaped(form)), SCOPES[scope])
            lines.append(f'synonym: "{escaped(form)}" {scope} []')
    for value in texts_of(term, "crossReferences"):
        builder.add_value("crossReferences", unescaped(escaped(value)))
        lines.append(f"xref: {escaped(value)}")
    for value in texts_of(term, "broader"):
        builder.add_value("broader", unescaped(escaped(value)))
        lines.append(f"is_a: {escaped(value)}")
    for value in texts_of(term, "related"):
        if not any(char.isspace() for char in value):
            builder.add_value("related", unescaped(escaped(value)))
            lines.append(f"relationship: related {escaped(value)}")
    if is_obsolete(term):
        builder.mark_obsolete()
        lines.append("is_obsolete: true")
    rest = rest_of(term, builder)
    if rest:
        lines.append(f'property_value: {PROPERTIES} "{escaped(rest)}" xsd:string')
    return [*lines, ""]


def escaped(text: str) -> str:
    """Return a text on one line, with everything escaped that has a meaning in OBO."""
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], text.replace("\r\n", "\n").replace("\r", "\n"))


def unescaped(text: str) -> str:
    """Return the text that `escaped` wrote, or that another program did."""
    return _ESCAPE.sub(lambda found: _READ.get(found[1], found[1]), text) if "\\" in text else text
