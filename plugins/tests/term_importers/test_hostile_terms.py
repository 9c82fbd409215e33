"""Broken and hostile files of terms: each problem has a message, what was good is read, nothing is fetched."""

import socket

import pytest
from term_samples import read
from test_term_importer_contracts import JSON_LD, TURTLE

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.term_properties import FORMS, VALUES
from annotarium_plugins.builtin.term_importers.csv_importer import CsvImporter
from annotarium_plugins.builtin.term_importers.json_importer import JsonImporter
from annotarium_plugins.builtin.term_importers.list_importer import ListImporter
from annotarium_plugins.builtin.term_importers.obo_importer import OboImporter
from annotarium_plugins.builtin.term_importers.rdf_importers import OwlImporter, SkosImporter

SKOS = "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + ']><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><a>&j;</a></rdf:RDF>'
)


@pytest.fixture(autouse=True)
def no_network(monkeypatch):
    def refuse(*args, **given):
        raise AssertionError("something is fetched")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


def test_broken_turtle_names_the_line_and_keeps_the_rest(tmp_path):
    content = TURTLE + b':m3 skos:prefLabel .\n:m4 a skos:Concept ; skos:prefLabel "last" .\n'
    terms, problems = read(SkosImporter, tmp_path, content, "a.ttl")
    assert [term.preferred_form for term in terms] == ["tumour", "lymphoma", "last"]
    assert [problem.line for problem in problems] == [len(TURTLE.splitlines()) + 1]


def test_turtle_without_an_end_gives_what_precedes(tmp_path):
    terms, problems = read(SkosImporter, tmp_path, TURTLE + b':m3 skos:prefLabel """never closed', "a.ttl")
    assert len(terms) == 2
    assert len(problems) == 1


@pytest.mark.parametrize(
    ("line", "count", "text"),
    [
        (b"x:m skos:prefLabel 'a' .", 2, "The prefix x: is not declared"),
        (b":m skos:prefLabel 'a' ]", 3, "] is not expected here"),
        (b":m skos:prefLabel " + b"[ skos:note " * 100, 2, "It is nested too deep"),
        (b":m skos:prefLabel 'a'", 3, "The file ends within a statement"),
    ],
)
def test_errors_of_turtle_are_explained(tmp_path, line, count, text):
    terms, problems = read(SkosImporter, tmp_path, TURTLE + line, "a.ttl")
    assert len(terms) == count
    assert [str(problem.message) for problem in problems] == [text]


def test_tokens_across_the_chunks_of_a_large_file(tmp_path):
    text = "x" * 90_000
    concept = f'<http://e.org/%d> a skos:Concept; skos:prefLabel "l%d"; skos:definition """{text}\n.\n"""@en .\n'
    content = SKOS + "".join(concept % (number, number) for number in range(20))
    terms, problems = read(SkosImporter, tmp_path, content.encode(), "a.ttl")
    assert not problems
    assert [term.preferred_form for term in terms] == [f"l{number}" for number in range(20)]
    assert {len(term.properties["definitions"][0]["text"]) for term in terms} == {90_002}


def test_bad_line_of_triples(tmp_path):
    good = '<http://e.org/{}> <http://www.w3.org/2004/02/skos/core#prefLabel> "a" .\n'
    terms, problems = read(
        SkosImporter, tmp_path, (good.format(1) + "<http://e.org/2> nonsense .\n" + good.format(3)).encode(), "a.nt"
    )
    assert len(terms) == 2
    assert [problem.line for problem in problems] == [2]


def test_scattered_and_inverse_statements_are_one_term(tmp_path):
    content = SKOS + (
        '<http://e.org/1> skos:prefLabel "one" .\n<http://e.org/2> skos:prefLabel "two" .\n'
        '<http://e.org/1> skos:narrower <http://e.org/2> ; skos:altLabel "ONE" .\n'
    )
    terms, problems = read(SkosImporter, tmp_path, content.encode(), "a.ttl")
    assert not problems
    assert [term.properties.get("altForms") for term in terms] == [["ONE"], None]
    assert terms[1].properties["broader"] == ["http://e.org/1"]


def test_entity_bomb_is_refused(tmp_path):
    with pytest.raises(ComponentError, match="document type"):
        read(SkosImporter, tmp_path, BOMB.encode(), "a.rdf")


def test_remote_imports_and_contexts_are_reported(tmp_path):
    ontology = "<http://e.org/> <http://www.w3.org/2002/07/owl#imports> <http://remote.example/o.owl> .\n"
    terms, problems = read(SkosImporter, tmp_path, TURTLE + ontology.encode(), "a.ttl")
    assert len(terms) == 2
    assert "http://remote.example/o.owl, which is never fetched" in problems[0].message
    remote = b'{"@context": "https://remote.example/c.json", "@id": "http://e.org/1", "prefLabel": "a"}'
    terms, problems = read(SkosImporter, tmp_path, remote, "a.jsonld")
    assert [term.preferred_form for term in terms] == ["a"]
    assert "https://remote.example/c.json is never fetched" in problems[0].message


def test_json_ld_labels_and_relations(tmp_path):
    terms, problems = read(SkosImporter, tmp_path, JSON_LD, "a.jsonld")
    assert not problems
    assert terms[0].properties["forms"] == [{"form": "tumour", "language": "en", "type": "preferred"}]
    assert terms[1].properties["broader"] == ["http://example.org/m1"]


def test_missing_column_names_the_ones_there_are(tmp_path):
    with pytest.raises(ComponentError, match="There is no column synonyme") as caught:
        read(CsvImporter, tmp_path, b"id,label\n1,a\n", "a.csv", synonym_columns=["synonyme"])
    assert "id, label" in caught.value.cause


def test_one_identifier_twice(tmp_path):
    terms, problems = read(CsvImporter, tmp_path, b"id,label\n1,a\n1,b\n2,c\n", "a.csv")
    assert [term.preferred_form for term in terms] == ["a", "c"]
    assert [problem.subject for problem in problems] == ["1"]


def test_successive_rows_of_one_term_are_one_term(tmp_path):
    content = b"id,label,parent,note\n1,a,x,n\n1,a,y,n\n1,a,x,\n2,b,,\n2,b,,other\n1,a,z,\n"
    terms, problems = read(CsvImporter, tmp_path, content, "a.csv")
    assert [(term.identifier, term.properties) for term in terms] == [
        ("1", {"broader": ["x", "y"], "note": "n"}),
        ("2", None),
    ]
    assert [problem.subject for problem in problems] == ["2", "1"]


def test_a_term_of_very_many_rows_is_cut(tmp_path):
    content = "id,label,parent\n" + "".join(f"1,a,p{number}\n" for number in range(VALUES + 5))
    terms, problems = read(CsvImporter, tmp_path, content.encode(), "a.csv")
    assert len(terms[0].properties["broader"]) == VALUES
    assert "5 values over the limit" in problems[0].message


@pytest.mark.parametrize(
    ("component", "start", "end", "name"),
    [
        (CsvImporter, b"id,label\n1,a\n2,", b"\n3,c\n", "a.csv"),
        (ListImporter, b"a\n", b"\nc\n", "a.txt"),
        (JsonImporter, b'[{"id": 1, "label": "a"}, {"id": 2, "label": "', b'"}, {"id": 3, "label": "c"}]', "a.json"),
        (OboImporter, b"[Term]\nid: 1\nname: a\nname: ", b"\n[Term]\nid: 3\nname: c\n", "a.obo"),
    ],
)
def test_field_of_20_mb_is_refused_and_the_others_are_read(tmp_path, component, start, end, name):
    terms, problems = read(component, tmp_path, start + b"x" * (20 << 20) + end, name)
    assert [term.preferred_form for term in terms] == ["a", "c"]
    assert len(problems) == 1


def test_too_many_synonyms_are_cut(tmp_path):
    synonyms = "".join(f'synonym: "s{number}" EXACT []\n' for number in range(FORMS + 500))
    content = f"[Term]\nid: 1\nname: a\n{synonyms}\n[Term]\nid: 2\nname: b\n"
    terms, problems = read(OboImporter, tmp_path, content.encode(), "a.obo")
    assert [len((term.properties or {}).get("altForms", [])) for term in terms] == [FORMS - 1, 0]
    assert "501 forms over the limit" in problems[0].message
    assert not problems[0].refused


def test_bad_line_of_obo_leaves_the_term(tmp_path):
    content = b"[Term]\nid: M:1\nname: a\nsynonym: no quotes\nnonsense\n\n[Term]\nname: without id\n"
    terms, problems = read(OboImporter, tmp_path, content, "a.obo")
    assert [term.identifier for term in terms] == ["M:1"]
    assert [problem.line for problem in problems] == [4, 5, 8, 7]


def test_obsolete_classes_and_restrictions_of_owl(tmp_path):
    content = (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<http://purl.obolibrary.org/obo/M_1> a owl:Class ; rdfs:label "a" ; owl:deprecated true ;\n'
        " rdfs:subClassOf [ a owl:Restriction ], <http://purl.obolibrary.org/obo/M_2> .\n"
    )
    terms, _ = read(OwlImporter, tmp_path, content.encode(), "a.ttl")
    assert terms[0].identifier == "M:1"
    assert terms[0].properties == {"broader": ["M:2"], "obsolete": True}
