"""SKOS in Turtle: names of the vocabulary, identifiers as IRIs, and the writer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from annotarium_plugins.base.term_properties import TermBuilder
from annotarium_plugins.term_formats.rest import definitions_of, forms_of, is_obsolete, rest_of, texts_of
from annotarium_schemas.documents import Term

RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
RDFS = "http://www.w3.org/2000/01/rdf-schema#"
OWL = "http://www.w3.org/2002/07/owl#"
SKOS = "http://www.w3.org/2004/02/skos/core#"
SKOS_XL = "http://www.w3.org/2008/05/skos-xl#"
OBO_IN_OWL = "http://www.geneontology.org/formats/oboInOwl#"
OBO = "http://purl.obolibrary.org/obo/"
DEFINITION = f"{OBO}IAO_0000115"
TERM_IRI = "urn:annotarium:term:"
"""Before the percent-encoded identifier of a term that is not an IRI itself."""
VOCABULARY = "urn:annotarium:vocabulary:"
PREFERRED_FORM = f"{VOCABULARY}preferredForm"
PROPERTIES = f"{VOCABULARY}properties"

FORM_PREDICATES = {
    "preferred": "skos:prefLabel",
    "alternative": "skos:altLabel",
    "hidden": "skos:hiddenLabel",
    "exact": "oboInOwl:hasExactSynonym",
    "narrow": "oboInOwl:hasNarrowSynonym",
    "broad": "oboInOwl:hasBroadSynonym",
    "related": "oboInOwl:hasRelatedSynonym",
}
LANGUAGE = re.compile(r"[A-Za-z]{1,8}(?:-[A-Za-z0-9]{1,8})*")

_IRI = re.compile(r"(?:https?://|urn:)[^\x00-\x20<>\"{}|^`\\\x7f]+")
_UNSAFE = re.compile(r"[^A-Za-z0-9._~-]")
_ENCODED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_ESCAPED = re.compile('["\\\\\n\r\t\x00-\x1f\x7f]')

_HEADER = f"""@prefix skos: <{SKOS}> .
@prefix owl: <{OWL}> .
@prefix oboInOwl: <{OBO_IN_OWL}> .
@prefix annotarium: <{VOCABULARY}> .
"""


def write_skos(terms: Iterable[Term]) -> Iterator[bytes]:
    """Yield a Turtle file with one concept per term."""
    yield _HEADER.encode()
    for term in terms:
        yield _concept(term).encode()


def _concept(term: Term) -> str:
    builder = TermBuilder(term.identifier)
    statements = ["a skos:Concept"]
    for form, kind, language in forms_of(term):
        if not language or LANGUAGE.fullmatch(language):
            builder.add_form(form, kind, language)
            statements.append(f"{FORM_PREDICATES[kind]} {literal(form, language)}")
    if term.preferred_form:
        builder.prefer(term.preferred_form)
        statements.append(f"annotarium:preferredForm {literal(term.preferred_form)}")
    for text, language in definitions_of(term):
        if not language or LANGUAGE.fullmatch(language):
            builder.add_definition(text, language)
            statements.append(f"skos:definition {literal(text, language)}")
    for name, predicate in (("notation", "skos:notation"), ("crossReferences", "oboInOwl:hasDbXref")):
        for value in texts_of(term, name):
            builder.add_value(name, value)
            statements.append(f"{predicate} {literal(value)}")
    for name in ("broader", "related"):
        for value in texts_of(term, name):
            builder.add_value(name, value)
            statements.append(f"skos:{name} <{iri_of(value)}>")
    if is_obsolete(term):
        builder.mark_obsolete()
        statements.append("owl:deprecated true")
    rest = rest_of(term, builder)
    if rest:
        statements.append(f"annotarium:properties {literal(rest)}")
    joined = " ;\n    ".join(statements)
    return f"\n<{iri_of(term.identifier)}> {joined} .\n"


def literal(text: str, language: str = "") -> str:
    """Return a text as a Turtle literal."""
    quoted = _ESCAPED.sub(lambda found: _ESCAPES.get(found[0]) or f"\\u{ord(found[0]):04X}", text)
    return f'"{quoted}"@{language}' if language else f'"{quoted}"'


def iri_of(identifier: str) -> str:
    """Return the IRI of a term: its identifier where that is one."""
    if _IRI.fullmatch(identifier) and not identifier.startswith((TERM_IRI, OBO)):
        return identifier
    return TERM_IRI + _UNSAFE.sub(lambda found: "".join(f"%{byte:02X}" for byte in found[0].encode()), identifier)


def identifier_of(iri: str) -> str:
    """Return the identifier of a term from its IRI: the reverse of `iri_of`, and `DOID:162` for an IRI of the OBO
    family.
    """
    if iri.startswith(TERM_IRI):
        rest = iri.removeprefix(TERM_IRI)
        return _ENCODED.sub(lambda found: bytes.fromhex(found[0].replace("%", "")).decode("utf-8", "replace"), rest)
    if iri.startswith(OBO):
        space, underscore, local = iri.removeprefix(OBO).partition("_")
        if underscore and space.replace("-", "").isalnum() and local and "/" not in local and "#" not in local:
            return f"{space}:{local}"
    return iri
