"""Public vocabularies are read whole: counts equal those of small independent counters; read again: equal."""

import csv
import os
import re
from collections import Counter
from pathlib import Path

import pytest
from term_samples import read

from annotarium_plugins.builtin.term_importers.csv_importer import CsvImporter
from annotarium_plugins.builtin.term_importers.obo_importer import OboImporter
from annotarium_plugins.builtin.term_importers.rdf_importers import SkosImporter
from annotarium_plugins.term_formats import FORMATS, write_terms

ROOT = Path(__file__).resolve().parents[3]
DATA = Path(os.environ.get("ANNOTARIUM_CORPORA", ROOT.parent / "shared" / "data"))
READERS = {"skos": SkosImporter, "obo": OboImporter, "csv": CsvImporter, "tsv": CsvImporter}


def content_of(name: str) -> bytes:
    path = DATA / name
    if not path.is_file():
        pytest.skip(f"no {name} in {DATA}: name a folder with it in ANNOTARIUM_CORPORA")
    return path.read_bytes()


def test_unesco_thesaurus(tmp_path):
    content = content_of("unesco-thesaurus/unescothes.ttl")
    terms, problems = read(SkosImporter, tmp_path, content, "unescothes.ttl", "fr")
    text = re.sub(r'"""((?:[^"\\]|\\.)*)"""', r'"\1"', content.decode())
    blocks = re.split(r"\n(?=unescothes:\w+ a )", text)
    concepts = [block for block in blocks if re.match(r"unescothes:\w+ a skos:Concept;", block)]
    assert not [one for one in problems if one.refused]
    assert len(terms) == len(concepts) > 4_000
    counted = Counter()
    broader = set()
    for block in concepts:
        name = block.split()[0]
        for kind, language in set(re.findall(r'skos:(prefLabel|altLabel|hiddenLabel) "(?:[^"\\]|\\.)*"@(\w+)', block)):
            pattern = rf'skos:{kind} "((?:[^"\\]|\\.)*)"@{language}'
            counted[kind, language] += len({" ".join(label.split()) for label in re.findall(pattern, block)})
        counted["related"] += len(set(re.findall(r"skos:related (unescothes:\w+)", block)))
        broader |= {(name, target) for target in re.findall(r"skos:broader (unescothes:\w+)", block)}
        broader |= {(target, name) for target in re.findall(r"skos:narrower (unescothes:\w+)", block)}
    found = Counter()
    kinds = {"preferred": "prefLabel", "alternative": "altLabel", "hidden": "hiddenLabel"}
    for term in terms:
        for form in term.properties["forms"]:
            found[kinds[form["type"]], form["language"]] += 1
        found["related"] += len(term.properties.get("related", ()))
    assert found == counted
    assert sum(len(term.properties.get("broader", ())) for term in terms) == len(broader)
    check_round_trip(tmp_path, terms)


def test_disease_ontology_in_obo(tmp_path):
    content = content_of("doid/DO_cancer_slim.obo")
    terms, problems = read(OboImporter, tmp_path, content, "DO_cancer_slim.obo")
    lines = content.decode().split("[Typedef]")[0].splitlines()
    starts = Counter(line.split(":")[0] for line in lines)
    assert not problems
    assert len(terms) == lines.count("[Term]") > 700
    assert sum(len(term.properties.get("definitions", ())) for term in terms) == starts["def"]
    assert sum(len(term.properties.get("broader", ())) for term in terms) == starts["is_a"]
    assert sum(len(term.properties.get("crossReferences", ())) for term in terms) == starts["xref"]
    assert sum("obsolete" in (term.properties or {}) for term in terms) == lines.count("is_obsolete: true")
    synonyms = [form for term in terms for form in term.properties.get("forms", ()) if form["type"] != "preferred"]
    assert Counter(form["type"].upper() for form in synonyms) == Counter(
        re.match(r'synonym: "(?:[^"\\]|\\.)*" (\w+)', line)[1] for line in lines if line.startswith("synonym:")
    )
    check_round_trip(tmp_path, terms)


def test_disease_ontology_in_tsv(tmp_path):
    content = content_of("doid/HumanDO.tsv")
    rows = list(csv.DictReader(content.decode().splitlines(), delimiter="\t"))
    terms, problems = read(CsvImporter, tmp_path, content, "HumanDO.tsv", broader_by="form")
    assert len(terms) == len({row["id"] for row in rows}) > 12_000
    labels = {}
    for row in rows:
        labels.setdefault(row["label"].casefold(), row["id"])
    by_identifier = {term.identifier: term for term in terms}
    row = next(row for row in rows if row["subClassOf"].casefold() in labels)
    assert by_identifier[row["id"]].properties["broader"] == [labels[row["subClassOf"].casefold()]]
    assert not [one for one in problems if one.refused]
    assert sum(len(term.properties["broader"]) for term in terms if term.properties) == sum(
        row["subClassOf"].casefold() in labels for row in rows
    )


def check_round_trip(folder, terms):
    for name, importer in READERS.items():
        content = b"".join(write_terms(terms, name))
        again, _ = read(importer, folder, content, f"terms.{FORMATS[name].extension}")
        assert {one.identifier: one for one in again} == {one.identifier: one for one in terms}, name
