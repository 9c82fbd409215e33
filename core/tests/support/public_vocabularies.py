"""Public vocabularies, and what small parsers of their own count in them.

The parsers share nothing with the importers: they know these files only, line by line.
"""

from __future__ import annotations

import csv
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
_LITERAL = re.compile(r'^   skos:(\w+) "((?:[^"\\]|\\.)*)"@(\w+) ?[;.]$')
_LINK = re.compile(r"^   skos:(\w+) (unescothes:\w+) ?[;.]$")
_SYNONYM = re.compile(r'^synonym: "((?:[^"\\]|\\.)*)" (\w+) ')


@dataclass
class Counts:
    """What a vocabulary contains. `forms` by (type, language)."""

    concepts: int = 0
    forms: Counter[tuple[str, str]] = field(default_factory=Counter)
    definitions: int = 0
    relations: Counter[str] = field(default_factory=Counter)
    obsolete: int = 0
    cross_references: int = 0
    dangling: int = 0
    """Relations to concepts that the file does not have."""


def vocabulary(name: str) -> bytes:
    """The content of a public vocabulary; the test is skipped without it."""
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no {name} in {DATA}: name a folder with it in ANNOTARIUM_CORPORA")
    return path.read_bytes()


def counts_of_terms(terms: Iterable[dict[str, Any]]) -> Counts:
    """What exported terms contain."""
    counts = Counts()
    targets: list[str] = []
    identifiers: set[str] = set()
    for term in terms:
        identifiers.add(term["identifier"])
        properties = term.get("properties") or {}
        counts.concepts += 1
        only = [{"form": term["preferredForm"], "type": "preferred"}]
        counts.forms.update((form["type"], form.get("language", "")) for form in properties.get("forms", only))
        counts.definitions += len(properties.get("definitions", ()))
        counts.relations.update({name: len(properties.get(name, ())) for name in ("broader", "related")})
        counts.obsolete += properties.get("obsolete") is True
        counts.cross_references += len(properties.get("crossReferences", ()))
        targets += [*properties.get("broader", ()), *properties.get("related", ())]
    counts.dangling = sum(target not in identifiers for target in targets)
    return counts


def counts_of_turtle(content: bytes) -> Counts:
    """What the UNESCO thesaurus contains: one statement a line, concepts separated by their first line."""
    counts = Counts()
    broader: set[tuple[str, str]] = set()
    related: list[str] = []
    names: set[str] = set()
    text = re.sub(r'"""((?:[^"\\]|\\.)*)"""', lambda found: '"' + found[1].replace("\n", " ") + '"', content.decode())
    for block in re.split(r"\n(?=unescothes:\w+ a )", text):
        lines = block.split("\n")
        if not re.match(r"unescothes:\w+ a skos:Concept;", lines[0]):
            continue
        name = lines[0].split()[0]
        counts.concepts += 1
        literals = {
            (found[1], " ".join(found[2].split()), found[3]) for line in lines if (found := _LITERAL.match(line))
        }
        types = {"prefLabel": "preferred", "altLabel": "alternative", "hiddenLabel": "hidden"}
        counts.forms.update((types[kind], language) for kind, _, language in literals if kind in types)
        counts.definitions += sum(kind == "definition" for kind, _, _ in literals)
        links = {(found[1], found[2]) for line in lines if (found := _LINK.match(line))}
        counts.relations["related"] += sum(kind == "related" for kind, _ in links)
        broader |= {(name, target) for kind, target in links if kind == "broader"}
        broader |= {(target, name) for kind, target in links if kind == "narrower"}
        related += [target for kind, target in links if kind == "related"]
        names.add(name)
    counts.relations["broader"] = len(broader)
    counts.dangling = sum(target not in names for target in (*related, *(target for _, target in broader)))
    return counts


def counts_of_obo(content: bytes) -> Counts:
    """What an ontology in OBO contains."""
    counts = Counts()
    lines = content.decode().split("\n[Typedef]")[0].split("\n")
    tags = Counter(line.partition(":")[0] for line in lines)
    counts.concepts = lines.count("[Term]")
    counts.forms["preferred", ""] = counts.concepts
    counts.forms.update((found[2].lower(), "") for line in lines if (found := _SYNONYM.match(line)))
    counts.definitions, counts.cross_references = tags["def"], tags["xref"]
    counts.relations.update({"broader": tags["is_a"], "related": 0})
    counts.obsolete = lines.count("is_obsolete: true")
    names = {line[4:] for line in lines if line.startswith("id: ")}
    counts.dangling = sum(line.split()[1] not in names for line in lines if line.startswith("is_a: "))
    return counts


COUNTERS: dict[str, Callable[[bytes], Counts]] = {"skos": counts_of_turtle, "obo": counts_of_obo}


def rows_of_table(content: bytes) -> list[dict[str, str]]:
    """Rows of HumanDO.tsv: id, label, label of the broader term."""
    return list(csv.DictReader(content.decode().splitlines(), delimiter="\t"))
