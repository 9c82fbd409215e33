"""Broken and hostile files of terms through the API: each problem has its message, and what was good is in (E-047)."""

from __future__ import annotations

import io
import socket
import zipfile
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from support.factories import Corpus
from support.hostile_test_sizes import hostile_test_size
from support.project_archives import upload_archive

TURTLE = (
    "@prefix skos: <http://www.w3.org/2004/02/skos/core#> .\n"
    "@prefix owl: <http://www.w3.org/2002/07/owl#> .\n"
    "@prefix : <http://e.org/> .\n"
    ':cat a skos:Concept ; skos:prefLabel "cat"@en .\n'
)
MEBIBYTE = 1 << 20


@pytest.fixture
def lists(client: Any, as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> Corpus:
    corpus = Corpus(as_admin, make_project(), run_jobs)
    corpus.post("/lexicons", json={"label": "Lists"})
    return corpus


def load(
    corpus: Corpus, content: str | bytes, name: str, **importer: Any
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """Import a file; returns the ended job and the lines of its report."""
    data = content.encode() if isinstance(content, str) else content
    body: dict[str, Any] = {"files": [{"id": upload_archive(corpus.caller, data, name)}]}
    started = corpus.post("/lexicons/lists/_load", json=body | ({"importer": importer} if importer else {}))
    corpus.run_jobs()
    lines: list[dict[str, Any]] = corpus.get(f"/job/{started['id']}/items")["items"]
    return corpus.get(f"/job/{started['id']}"), lines


def forms(corpus: Corpus) -> list[str]:
    answer = corpus.post("/lexicons/lists/_export")
    return sorted(term["preferredForm"] for term in answer)


def test_broken_turtle_names_its_line(lists: Corpus) -> None:
    content = TURTLE + ':dog skos:prefLabel .\n:cow a skos:Concept ; skos:prefLabel "cow"@en .\n'
    job, lines = load(lists, content, "terms.ttl")
    assert (job["status"], forms(lists)) == ("COMPLETED", ["cat", "cow"])
    assert any("line 5" in line["item"] and line["message"] and line["outcome"] == "refused" for line in lines), lines


def test_a_turtle_file_is_read_as_skos_unless_another_importer_is_named(lists: Corpus) -> None:
    """Several importers read `.ttl`: the one that names it earliest among its own extensions is taken."""
    job, _ = load(lists, TURTLE, "terms.ttl")
    assert (job["result"]["imported"], forms(lists)) == (1, ["cat"])
    classes = (
        "@prefix owl: <http://www.w3.org/2002/07/owl#> . @prefix rdfs: <http://www.w3.org/2000/01/rdf-schema#> .\n"
        '<http://e.org/1> a owl:Class ; rdfs:label "class" .\n'
    )
    job, _ = load(lists, classes, "terms.ttl", format="owl")
    assert (job["result"]["imported"], forms(lists)) == (1, ["cat", "class"])


def test_terms_that_are_above_each_other_are_cut_once(lists: Corpus) -> None:
    links = "".join(f":t{number} skos:broader :t{(number + 1) % 50} .\n" for number in range(50))
    names = "".join(f':t{number} a skos:Concept ; skos:prefLabel "t{number}" .\n' for number in range(50))
    job, lines = load(lists, TURTLE + names + links, "terms.ttl")
    assert (job["status"], job["result"]["imported"]) == ("COMPLETED", 51)
    (cut,) = [line for line in lines if "above each other" in line.get("message", "")]
    assert cut["fix"]
    roots = lists.get("/lexicons/lists/_roots")
    assert roots["total"] == 2


def test_a_column_that_is_missing_is_named_with_those_there_are(lists: Corpus) -> None:
    job, lines = load(
        lists, "id,label\n1,cat\n", "terms.csv", format="csv", parameters={"synonym_columns": ["synonyme"]}
    )
    assert job["status"] == "FAILED"
    assert "There is no column synonyme" in job["error"]["message"]
    assert any("synonyme" in line["message"] and line["fix"] for line in lines)


def test_two_terms_of_one_identifier(lists: Corpus) -> None:
    job, lines = load(lists, "id,label\n1,cat\n1,dog\n2,cow\n", "terms.csv")
    assert (job["result"], forms(lists)) == ({"imported": 2, "refused": 1, "openRelations": 0}, ["cat", "cow"])
    assert [line["message"] for line in lines if line["outcome"] == "refused"] == [
        "Another term of the file has this identifier; the first one is imported"
    ]


@pytest.mark.parametrize(
    ("name", "start", "end"),
    [
        ("terms.csv", b"id,label,note\n1,cat,\n2,dog,", b"\n3,cow,\n"),
        ("terms.txt", b"cat\n", b"\ncow\n"),
        ("terms.jsonl", b'{"id": "1", "label": "cat"}\n{"id": "2", "label": "', b'"}\n{"id": "3", "label": "cow"}\n'),
        ("terms.obo", b"[Term]\nid: 1\nname: cat\n[Term]\nid: 2\nname: ", b"\n[Term]\nid: 3\nname: cow\n"),
    ],
    ids=["csv", "list", "json", "obo"],
)
def test_a_field_of_100_mb_is_refused_and_the_others_are_in(lists: Corpus, name: str, start: bytes, end: bytes) -> None:
    size = hostile_test_size(20, 100)
    job, lines = load(lists, start + b"x" * (size * MEBIBYTE) + end, name)
    assert (job["status"], {"cat", "cow"} <= set(forms(lists))) == ("COMPLETED", True), job
    assert [line for line in lines if line.get("message") and line["outcome"] == "refused"], lines


def test_a_million_synonyms_of_one_term_are_cut(lists: Corpus) -> None:
    count = hostile_test_size(100_000, 1_000_000)
    synonyms = "".join(f'synonym: "s{number}" EXACT []\n' for number in range(count))
    job, lines = load(lists, f"[Term]\nid: 1\nname: cat\n{synonyms}\n[Term]\nid: 2\nname: cow\n", "terms.obo")
    assert (job["status"], job["result"]["imported"], forms(lists)) == ("COMPLETED", 2, ["cat", "cow"])
    (cut,) = [line for line in lines if "over the limit" in line.get("message", "")]
    assert f"{count - 4_999:,} forms" in cut["message"]
    found = lists.post("/lexicons/_search", params={"query": "s17", "highlight": True})
    assert (found["total"]["value"], len(orjson.dumps(found)) < 50_000) == (1, True)


def test_remote_imports_are_never_fetched(lists: Corpus) -> None:
    """An owl:imports, a JSON-LD context and a document type name a port that nobody connects to."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}"
        turtle = f"{TURTLE}<http://e.org/> owl:imports <{address}/o.owl> .\n"
        job, lines = load(lists, turtle, "terms.ttl")
        assert job["status"] == "COMPLETED"
        assert any(f"{address}/o.owl, which is never fetched" in line.get("message", "") for line in lines)
        linked = {"@context": f"{address}/c.json", "@id": "http://e.org/dog", "prefLabel": "dog"}
        job, lines = load(lists, orjson.dumps(linked), "terms.jsonld")
        assert any("never fetched" in line.get("message", "") for line in lines)
        head = f'<?xml version="1.0"?><!DOCTYPE a SYSTEM "{address}/a.dtd">'
        rdf = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"/>'
        job, _ = load(lists, head + rdf, "terms.rdf")
        assert (job["status"], "document type" in job["error"]["message"]) == ("FAILED", True)
        with pytest.raises(BlockingIOError):
            listening.accept()
    assert forms(lists) == ["cat", "dog"]


# --- archives (C-053) -------------------------------------------------------------------------------------------------


def packed(**members: str | bytes) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def spreadsheet(*lines: str) -> bytes:
    """A workbook with the cells of comma-separated lines."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package, main = "http://schemas.openxmlformats.org/package/2006", "http://schemas.openxmlformats.org/spreadsheetml"
    cells = [[f'<c t="inlineStr"><is><t>{cell}</t></is></c>' for cell in line.split(",")] for line in lines]
    rows = "".join(f"<row>{''.join(row)}</row>" for row in cells)

    def relation(kind: str, target: str) -> str:
        one = f'<Relationship Id="r1" Type="{office}/{kind}" Target="{target}"/>'
        return f'<Relationships xmlns="{package}/relationships">{one}</Relationships>'

    sheets = '<sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets>'
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"/>',
        "_rels/.rels": relation("officeDocument", "xl/workbook.xml"),
        "xl/workbook.xml": f'<workbook xmlns="{main}/2006/main" xmlns:r="{office}">{sheets}</workbook>',
        "xl/_rels/workbook.xml.rels": relation("worksheet", "worksheets/s.xml"),
        "xl/worksheets/s.xml": f'<worksheet xmlns="{main}/2006/main"><sheetData>{rows}</sheetData></worksheet>',
    }
    return packed(**parts)


def test_members_of_an_archive_are_one_import(lists: Corpus) -> None:
    members = {"a.txt": "cat\ndog\n", "folder/b.txt": "dog\ncow\n", "c.pdf": "%PDF"}
    job, lines = load(lists, packed(**members), "terms.zip")
    assert (job["result"]["imported"], forms(lists)) == (3, ["cat", "cow", "dog"])
    refused = [line["item"] for line in lines if line["outcome"] == "refused"]
    assert ["folder/b.txt" in refused[0], "c.pdf" in refused[1], len(refused)] == [True, True, 2], refused


def test_each_format_is_read_within_an_archive(lists: Corpus) -> None:
    """C-053: the importer of a member is chosen by its name, as for a file of its own."""
    rdf = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:s="http://www.w3.org/2004/02/skos/core#"'
    owl = 'xmlns:o="http://www.w3.org/2002/07/owl#" xmlns:r="http://www.w3.org/2000/01/rdf-schema#"'
    concept = '<s:Concept rdf:about="http://e.org/3"><s:prefLabel>rdf</s:prefLabel></s:Concept>'
    triple = '<http://e.org/4> <http://www.w3.org/2004/02/skos/core#prefLabel> "nt"@en .\n'
    linked = {
        "@context": {"s": "http://www.w3.org/2004/02/skos/core#"},
        "@id": "http://e.org/5",
        "s:prefLabel": "jsonld",
    }
    members: dict[str, str | bytes] = {
        "1.csv": "id,label\n1,csv\n",
        "2.tsv": "id\tlabel\n2\ttsv\n",
        "3.json": '[{"id": "7", "label": "json"}]',
        "4.jsonl": '{"id": "8", "label": "jsonl"}\n',
        "5.txt": "txt\n",
        "6.ttl": TURTLE,
        "7.rdf": f"<rdf:RDF {rdf}>{concept}</rdf:RDF>",
        "8.nt": triple,
        "9.jsonld": orjson.dumps(linked),
        "10.obo": "[Term]\nid: M:9\nname: obo\n",
        "11.owl": f'<rdf:RDF {rdf} {owl}><o:Class rdf:about="http://e.org/6"><r:label>owl</r:label></o:Class></rdf:RDF>',
        "12.xlsx": spreadsheet("id,label", "9,xlsx"),
    }
    job, lines = load(lists, packed(**members), "terms.zip")
    assert job["status"] == "COMPLETED", lines
    wanted = ["cat", "csv", "json", "jsonl", "jsonld", "nt", "obo", "owl", "rdf", "tsv", "txt", "xlsx"]
    assert forms(lists) == wanted, lines


def test_an_archive_bomb_is_refused(lists: Corpus) -> None:
    job, _ = load(lists, packed(**{"a.txt": b"a\n" * (100 * MEBIBYTE)}), "terms.zip")
    assert (job["status"], "times its size" in job["error"]["message"]) == ("FAILED", True), job
    assert forms(lists) == []


def test_an_archive_within_an_archive_is_not_a_way_around(lists: Corpus) -> None:
    inner = packed(**{"a.txt": b"a\n" * (100 * MEBIBYTE)})
    job, _ = load(lists, packed(**{"inner.zip": inner, "b.txt": "cat\n"}), "terms.zip")
    assert forms(lists) in ([], ["cat"])
    assert job["result"].get("refused", 1) if job["status"] == "COMPLETED" else job["error"]["message"]


def test_a_member_outside_of_the_archive_is_not_read(lists: Corpus) -> None:
    job, lines = load(lists, packed(**{"../a.txt": "dog\n", "/etc/b.txt": "cow\n", "c.txt": "cat\n"}), "terms.zip")
    assert (job["result"]["imported"], forms(lists)) == (1, ["cat"])
    assert len([line for line in lines if line["outcome"] == "refused" and line["message"]]) == 2


def test_a_link_in_an_archive_is_not_followed(lists: Corpus) -> None:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        link = zipfile.ZipInfo("a.txt")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
        archive.writestr("b.txt", "cat\n")
    job, lines = load(lists, made.getvalue(), "terms.zip")
    assert (job["status"], forms(lists)) == ("COMPLETED", ["cat"]), lines


def test_a_damaged_archive_is_explained(lists: Corpus) -> None:
    job, _ = load(lists, b"PK\x03\x04 no archive", "terms.zip", format="list")
    assert (job["status"], bool(job["error"]["message"]), bool(job["error"].get("fix"))) == ("FAILED", True, True)


def test_an_archive_does_not_lead_to_importers_that_the_caller_may_not_use(
    lists: Corpus, as_user: Any, client: Any
) -> None:
    """P-038: neither do members, nor content that differs from the name of the file."""
    rights = ("importTerms", "importDocuments", "readProject:*", "writeProject:*", "useTermImporter:csv")
    writer = as_user(client, "wim", *rights)
    for name in ("terms.zip", "terms.csv"):
        data = packed(**{"a.ttl": TURTLE, "b.csv": "id,label\n1,dog\n"})
        file = upload_archive(writer, data, name)
        answer = writer.post(f"{lists.path}/lexicons/lists/_load", json={"files": [{"id": file}]})
        assert answer.status_code == 200, answer.text
        lists.run_jobs()
        job = lists.get(f"/job/{answer.json()['id']}")
        assert (job["status"], forms(lists)) == ("COMPLETED", ["dog"]), job
    file = upload_archive(writer, TURTLE.encode(), "a.ttl")
    answer = writer.post(f"{lists.path}/lexicons/lists/_load", json={"files": [{"id": file}]})
    assert answer.status_code == 403
