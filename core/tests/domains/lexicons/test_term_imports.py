"""Imports of terms: upload, job, report, relations, resuming; previews and exports (D-021, C-053, E-047)."""

from __future__ import annotations

import io
import zipfile
from typing import Any

import orjson
import pytest
from support.factories import Corpus
from support.forged_archives import forge_archive
from support.killed_jobs import kill_job_after
from support.project_archives import export_project, import_project, upload_archive

from annotarium.domains.lexicons import jobs, term_writing
from annotarium.jobs.context import Cancelled, JobContext


@pytest.fixture
def animals(corpus: Corpus) -> Corpus:
    corpus.post("/lexicons", json={"label": "Animals"})
    return corpus


def term(identifier: str, form: str = "", **properties: Any) -> dict[str, Any]:
    return {"identifier": identifier, "preferredForm": form or identifier.title(), "properties": properties}


def load(
    corpus: Corpus, *terms: dict[str, Any], name: str = "terms.json", data: bytes | None = None, format: str = ""
) -> Any:
    """Import a file and return the ended job."""
    file = upload_archive(corpus.caller, orjson.dumps(list(terms)) if data is None else data, name)
    started = corpus.post("/lexicons/animals/_load", json={"files": [{"id": file}], "importer": {"format": format}})
    assert (started["type"], started["status"]) == ("TERM_IMPORT", "STARTED")
    corpus.run_jobs()
    return corpus.get(f"/job/{started['id']}")


def report(corpus: Corpus, job: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = corpus.get(f"/job/{job['id']}/items")["items"]
    return found


def export(corpus: Corpus, lexicon: str = "animals", project: str = "", **parameters: Any) -> bytes:
    path = f"/api/projects/{project or corpus.project.name}/lexicons/{lexicon}/_export"
    answer = corpus.caller.post(path, params=parameters)
    assert answer.status_code == 200, answer.text
    assert "attachment" in answer.headers["content-disposition"]
    return bytes(answer.content)


def roots(corpus: Corpus) -> list[str]:
    return [one["identifier"] for one in corpus.get("/lexicons/animals/_roots")["terms"]]


def test_a_file_becomes_terms_that_are_found_and_linked(animals: Corpus) -> None:
    cat = term("cat", broader=["mammal"], altForms=["kitty"])
    job = load(animals, cat, term("mammal"), term("dog", broader=["x"]))
    assert (job["status"], job["result"]) == ("COMPLETED", {"imported": 3, "openRelations": 1})
    assert roots(animals) == ["dog", "mammal"]
    found = animals.post("/lexicons/_search", params={"query": "kitty"})
    assert [hit["term"]["identifier"] for hit in found["hits"]] == ["cat"]
    again = load(animals, term("cat", "Lynx"), term("x"))
    assert again["result"] == {"imported": 1, "replaced": 1, "openRelations": 0}
    assert roots(animals) == ["cat", "mammal", "x"]
    assert animals.post("/lexicons/_search", params={"query": "kitty"})["total"]["value"] == 0


def test_what_was_good_is_in_and_the_rest_is_reported(animals: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two terms of one identifier, huge fields, broader terms in a circle."""
    monkeypatch.setattr(jobs, "BATCH", 2)
    terms = [
        term("cat"),
        term("cat", "Other"),
        term("x" * 600),
        term("a", broader=["b"]),
        term("b", broader=["a"]),
        term("dog"),
    ]
    job = load(animals, *terms)
    assert (job["status"], job["result"]["imported"], job["result"]["refused"]) == ("COMPLETED", 4, 2)
    lines = report(animals, job)
    refused = [line for line in lines if line["outcome"] == "refused"]
    assert [bool(line.get("message") and line.get("fix")) for line in refused] == [True, True]
    assert len([line for line in lines if "not a broader term" in line.get("message", "")]) == 1
    exported = {one["identifier"]: one for one in orjson.loads(export(animals))}
    assert exported["cat"]["preferredForm"] == "Cat"
    stated = [name for name in ("a", "b") if (exported[name].get("properties") or {}).get("broader")]
    assert len(stated) == 1
    assert len(roots(animals)) == 3


def test_a_million_forms_of_one_term_are_cut_off_and_reported(animals: Corpus) -> None:
    forms = [f"form {number}" for number in range(60_000)]
    job = load(animals, term("cat", altForms=forms), term("dog"))
    assert (job["status"], job["result"]["imported"]) == ("COMPLETED", 2)
    assert any("forms" in line.get("message", "") for line in report(animals, job))


def test_a_file_without_terms_fails_with_the_reason(animals: Corpus) -> None:
    for data in (b"[]", b"{", b"\x00\x01\x02"):
        job = load(animals, data=data)
        assert (job["status"], bool(job["error"]["message"])) == ("FAILED", True)
    assert roots(animals) == []


def test_archives_are_unpacked_within_their_limits(animals: Corpus) -> None:
    """C-053."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("one.json", orjson.dumps([term("cat")]))
        archive.writestr("two.json", orjson.dumps([term("dog"), term("cat")]))
    file = upload_archive(animals.caller, packed.getvalue(), "terms.zip")
    body = {"files": [{"id": file}], "importer": {"format": "json"}}
    started = animals.post("/lexicons/animals/_load", json=body)
    animals.run_jobs()
    job = animals.get(f"/job/{started['id']}")
    assert (job["result"]["imported"], job["result"]["refused"]) == (2, 1), job
    with zipfile.ZipFile(packed, "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("bomb.json", b" " * 50_000_000)
    job = load(animals, data=packed.getvalue(), name="terms.zip", format="json")
    assert (job["status"], job["error"]["message"] != "") == ("FAILED", True), job


def test_importers_and_uploads_are_checked(animals: Corpus, as_user: Any, client: Any) -> None:
    """Unknown importer or parameters, uploads of others, the permission on the importer (P-038)."""
    file = upload_archive(animals.caller, b"[]", "terms.json")
    path = "/lexicons/animals/_load"
    animals.post(path, 404, json={"files": [{"id": file}], "importer": {"format": "nothing"}})
    animals.post(path, 404, json={"files": [{"id": "unknown"}], "importer": {"format": "json"}})
    animals.post(path, 400, json={"files": [], "importer": {"format": "json"}})
    animals.post(path, 400, json={"files": [{"id": file}], "importer": {"format": "", "parameters": {"a": 1}}})
    odd = upload_archive(animals.caller, b"x", "terms.xyz")
    animals.post(path, 400, json={"files": [{"id": odd}]})
    writer = as_user(client, "wim", "importTerms", "readProject:*", "writeProject:*", "importDocuments")
    own = upload_archive(writer, b"[]", "terms.json")
    assert writer.post(f"{animals.path}{path}", json={"files": [{"id": own}]}).status_code == 403
    allowed = as_user(client, "ada", "importTerms", "readProject:*", "writeProject:*", "useTermImporter:*")
    body = {"files": [{"id": file}], "importer": {"format": "json"}}
    assert allowed.post(f"{animals.path}{path}", json=body).status_code == 404


def test_a_preview_stores_nothing(animals: Corpus) -> None:
    file = upload_archive(animals.caller, orjson.dumps([term("cat"), term("x" * 600)]), "terms.json")
    started = animals.post("/lexicons/_preview", json={"files": [{"id": file}]})
    animals.run_jobs()
    result = animals.get(f"/job/{started['id']}")["result"]
    assert [one["identifier"] for one in result["terms"]] == ["cat"]
    assert (result["format"], len(result["problems"])) == ("json", 1)
    assert roots(animals) == []


@pytest.mark.parametrize("format", ["json", "csv", "tsv", "skos", "obo"])
def test_what_is_exported_is_imported_equal(animals: Corpus, format: str) -> None:
    load(animals, term("cat", broader=["mammal"], definitions=[{"text": "Purrs.", "language": "en"}]), term("mammal"))
    data = export(animals, format=format)
    before = orjson.loads(export(animals))
    assert [one["identifier"] for one in before] == ["cat", "mammal"]
    animals.post("/lexicons/animals/_clear")
    extension = "ttl" if format == "skos" else format
    importer = "csv" if format == "tsv" else format
    job = load(animals, data=data, name=f"terms.{extension}", format=importer)
    assert job["status"] == "COMPLETED", job["error"]
    after = {one["identifier"]: one for one in orjson.loads(export(animals))}
    assert after == {one["identifier"]: one for one in before}


def test_an_unknown_format_and_an_empty_lexicon(animals: Corpus) -> None:
    animals.post("/lexicons/animals/_export", 400, params={"format": "doc"})
    animals.post("/lexicons/nowhere/_export", 404)
    assert orjson.loads(export(animals)) == []


def test_an_archived_project_has_the_same_terms_and_links(animals: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(term_writing, "LINK_BATCH", 1)
    load(animals, term("cat", broader=["mammal"], related=["dog"]), term("mammal"), term("dog", broader=["mammal"]))
    animals.post("/lexicons", json={"label": "Gone"})
    animals.post("/lexicons/gone", json={"preferredForm": "Old"})
    animals.delete("/lexicons/gone")
    name, job = import_project(animals, export_project(animals))
    assert (job["status"], job["result"]["leftOut"]) == ("COMPLETED", {})
    assert orjson.loads(export(animals, project=name)) == orjson.loads(export(animals))
    path = f"/api/projects/{name}/lexicons"
    (lexicon,) = animals.caller.get(path, params={"computeMetrics": True}).json()
    assert (lexicon["name"], lexicon["terms"]) == ("animals", 3)
    card = animals.caller.post(f"{path}/animals/_get_term", json={"identifier": "mammal"}).json()
    assert [one["identifier"] for one in card["narrower"]] == ["cat", "dog"]
    found = animals.caller.post(f"{path}/_search", params={"query": "cat"}).json()
    assert found["total"]["value"] == 1


def test_a_forged_archive_has_no_circles_and_no_hidden_roots(animals: Corpus) -> None:
    for name in ("cat", "mammal"):
        animals.post("/lexicons/animals", json=term(name))
    data = export_project(animals)

    def change(files: dict[str, bytes]) -> None:
        rows = [orjson.loads(line) for line in files["tables/terms.jsonl"].splitlines()]
        for row, other in zip(rows, ("mammal", "cat"), strict=True):
            row |= {"properties": {"broader": [other]}, "broader_count": 7, "sort_key": "z", "deleted_at": 1}
        files["tables/terms.jsonl"] = b"\n".join(map(orjson.dumps, rows)) + b"\n"

    name, job = import_project(animals, forge_archive(data, change))
    assert job["status"] == "COMPLETED", job
    found = animals.caller.get(f"/api/projects/{name}/lexicons/animals/_roots").json()
    assert (found["total"], len(found["terms"])) == (1, 1)


def test_terms_that_are_twice_in_an_archive_are_refused(animals: Corpus) -> None:
    animals.post("/lexicons/animals", json=term("cat"))
    data = export_project(animals)

    def change(files: dict[str, bytes]) -> None:
        files["tables/terms.jsonl"] *= 2
        manifest = orjson.loads(files["manifest.json"])
        manifest["counts"]["terms"] = 2
        files["manifest.json"] = orjson.dumps(manifest)

    _, job = import_project(animals, forge_archive(data, change))
    assert job["status"] == "FAILED"


def test_what_a_cancelled_import_wrote_stays_and_is_linked(animals: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "BATCH", 2)
    terms = [term("mammal"), term("cat", broader=["mammal"]), term("dog", broader=["mammal"]), term("x")]
    file = upload_archive(animals.caller, orjson.dumps(terms), "terms.json")
    started = animals.post("/lexicons/animals/_load", json={"files": [{"id": file}]})
    progress = JobContext.progress

    def cancelled(self: JobContext, step: int, total: int, text: str) -> None:
        if step == 3:
            raise Cancelled
        progress(self, step, total, text)

    monkeypatch.setattr(JobContext, "progress", cancelled)
    animals.run_jobs()
    monkeypatch.setattr(JobContext, "progress", progress)
    animals.run_jobs()
    assert animals.get(f"/job/{started['id']}")["status"] == "CANCELLED"
    assert roots(animals) == ["mammal"]
    card = animals.post("/lexicons/animals/_get_term", json={"identifier": "mammal"})
    assert [one["identifier"] for one in card["narrower"]] == ["cat"]
    assert load(animals, *terms)["result"] == {"imported": 2, "replaced": 2, "openRelations": 0}


def test_an_import_goes_on_after_its_worker_died(animals: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second run leaves what the first one wrote, and the report has each line once."""
    monkeypatch.setattr(jobs, "BATCH", 2)
    terms = [term("mammal"), term("cat", broader=["mammal"]), term("cat"), term("dog", broader=["cat"])]
    file = upload_archive(animals.caller, orjson.dumps(terms), "terms.json")
    started = animals.post("/lexicons/animals/_load", json={"files": [{"id": file}]})
    kill_job_after(monkeypatch, started["id"], 2)
    assert [hit["term"]["version"] for hit in animals.post("/lexicons/_search")["hits"]] == [1, 1]
    animals.run_jobs()
    job = animals.get(f"/job/{started['id']}")
    assert (job["status"], job["result"]) == ("COMPLETED", {"imported": 3, "refused": 1, "openRelations": 0})
    assert [line["outcome"] for line in report(animals, job)] == ["refused"]
    assert {hit["term"]["version"] for hit in animals.post("/lexicons/_search")["hits"]} == {1}
    assert roots(animals) == ["mammal"]
