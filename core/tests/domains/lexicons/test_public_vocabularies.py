"""Public vocabularies imported whole by the API: what they contain is what a parser of its own counts in the file;
exported in each format and imported again they are equal, and so is the archive of the project (E-047, C-053).
"""

from __future__ import annotations

from typing import Any

import orjson
import pytest
from support import public_vocabularies
from support.factories import Corpus, document
from support.project_archives import export_project, import_project, upload_archive

FORMATS = {
    "json": ("json", "json"),
    "csv": ("csv", "csv"),
    "tsv": ("tsv", "csv"),
    "skos": ("ttl", "skos"),
    "obo": ("obo", "obo"),
}
"""By format of an export: extension and importer."""
UNESCO, CANCER, DISEASES = "unesco-thesaurus/unescothes.ttl", "doid/DO_cancer_slim.obo", "doid/HumanDO.tsv"


def load(corpus: Corpus, lexicon: str, data: bytes, name: str, **importer: Any) -> dict[str, Any]:
    """Import a file into a new lexicon and return the ended job."""
    corpus.post("/lexicons", json={"label": lexicon})
    body: dict[str, Any] = {"files": [{"id": upload_archive(corpus.caller, data, name)}]}
    started = corpus.post(f"/lexicons/{lexicon}/_load", json=body | ({"importer": importer} if importer else {}))
    corpus.run_jobs()
    job: dict[str, Any] = corpus.get(f"/job/{started['id']}")
    assert job["status"] == "COMPLETED", job
    return job


def export(corpus: Corpus, lexicon: str, project: str = "", **parameters: Any) -> bytes:
    path = f"/api/projects/{project or corpus.project.name}/lexicons/{lexicon}/_export"
    answer = corpus.caller.post(path, params=parameters)
    assert answer.status_code == 200, answer.text
    return bytes(answer.content)


def terms_of(exported: bytes) -> dict[str, dict[str, Any]]:
    return {term.pop("identifier"): term | {"lexicon": ""} for term in orjson.loads(exported)}


def relations_in_the_tree(corpus: Corpus, lexicon: str) -> int:
    """How many relations to broader terms the tree has, read from its roots down, each term once."""
    path, seen, found = f"/lexicons/{lexicon}", set[str](), 0
    page = corpus.get(f"{path}/_roots", params={"size": 1_000})
    assert page["total"] > 0
    level = [*page["terms"]]
    for first in range(1_000, page["total"], 1_000):
        level += corpus.get(f"{path}/_roots", params={"size": 1_000, "from": first})["terms"]
    while level:
        node = level.pop()
        if node["identifier"] in seen:
            continue
        seen.add(node["identifier"])
        found += node["narrowerCount"]
        if node["narrowerCount"]:
            body = {"identifier": node["identifier"]}
            level += corpus.post(f"{path}/_children", json=body, params={"size": 1_000})["terms"]
    return found


@pytest.mark.parametrize(
    ("name", "importer"), [(UNESCO, "skos"), (CANCER, "obo")], ids=["unesco_thesaurus", "disease_ontology"]
)
def test_a_vocabulary_is_imported_whole_and_comes_back_from_every_format(
    corpus: Corpus, name: str, importer: str
) -> None:
    """Without a chosen importer, the extension decides."""
    content = public_vocabularies.vocabulary(name)
    counted = public_vocabularies.COUNTERS[importer](content)
    job = load(corpus, "first", content, name.rpartition("/")[2])
    assert job["result"] == {"imported": counted.concepts, "openRelations": counted.dangling}
    first = export(corpus, "first")
    assert public_vocabularies.counts_of_terms(orjson.loads(first)) == counted
    assert relations_in_the_tree(corpus, "first") == counted.relations["broader"]
    assert corpus.get("/lexicons/first", params={"computeMetrics": True})["terms"] == counted.concepts
    assert corpus.post("/lexicons/_search")["total"]["value"] == counted.concepts
    for format, (extension, reader) in FORMATS.items():
        again = load(corpus, format, export(corpus, "first", format=format), f"terms.{extension}", format=reader)
        assert again["result"]["imported"] == counted.concepts
        assert terms_of(export(corpus, format)) == terms_of(first), format


def test_a_table_of_terms_is_imported_whole(corpus: Corpus) -> None:
    """A term with several broader terms has a row for each of them."""
    content = public_vocabularies.vocabulary(DISEASES)
    rows = public_vocabularies.rows_of_table(content)
    by_label = {row["label"]: row["id"] for row in rows}
    wanted = {(row["id"], by_label[row["subClassOf"]]) for row in rows if row["subClassOf"] in by_label}
    job = load(corpus, "do", content, "HumanDO.tsv", format="csv", parameters={"broader_by": "form"})
    assert job["result"] == {"imported": len(by_label), "openRelations": 0}
    terms = terms_of(export(corpus, "do"))
    assert {identifier: term["preferredForm"] for identifier, term in terms.items()} == {
        identifier: label for label, identifier in by_label.items()
    }
    found = {(key, one) for key, term in terms.items() for one in (term.get("properties") or {}).get("broader", ())}
    assert found == wanted
    assert relations_in_the_tree(corpus, "do") == len(wanted)
    missing = {row["subClassOf"] for row in rows} - by_label.keys()
    lines = corpus.get(f"/job/{job['id']}/items")["items"]
    assert all(any(label in line["message"] for line in lines) for label in missing)


def test_the_archive_of_a_project_keeps_terms_relations_and_links(corpus: Corpus) -> None:
    load(corpus, "do", public_vocabularies.vocabulary(CANCER), "terms.obo")
    corpus.add_labels("Disease")
    corpus.add(document("d1", "An angiosarcoma was found.", ("angiosarcoma", "disease")))
    (annotation,) = corpus.get("/documents/d1")["annotations"]
    link = {"terms": [{"identifier": "DOID:0001816", "lexicon": "do"}]}
    corpus.patch(f"/annotations/{annotation['identifier']}", json=link)
    project, job = import_project(corpus, export_project(corpus))
    assert (job["status"], job["result"]["leftOut"]) == ("COMPLETED", {})
    assert terms_of(export(corpus, "do", project)) == terms_of(export(corpus, "do"))
    path = f"/api/projects/{project}"
    (copied,) = corpus.caller.get(f"{path}/documents/d1").json()["annotations"]
    (before,) = corpus.get("/documents/d1")["annotations"]
    assert copied["terms"] == before["terms"]
    assert before["terms"][0]["identifier"] == "DOID:0001816"
    tree = corpus.caller.get(f"{path}/lexicons/do/_roots", params={"size": 1_000}).json()
    assert tree == corpus.get("/lexicons/do/_roots", params={"size": 1_000})
    found = corpus.caller.post(f"{path}/lexicons/_search", params={"query": "angiosarcoma"}).json()
    assert found["total"] == corpus.post("/lexicons/_search", params={"query": "angiosarcoma"})["total"]
