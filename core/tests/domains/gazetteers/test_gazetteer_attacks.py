"""Gazetteers and hostile callers: rights of every operation, other projects, large bodies, forged archives, waiting."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document
from support.forged_archives import Files, forge_archive
from support.vocabularies import add_gazetteer, add_lexicon, engine, linked, synchronize

from annotarium.domains.annotators import jobs as annotator_jobs
from annotarium.domains.annotators.predictions import BATCH_CHARACTERS, batch_by_document
from annotarium.domains.trainables.examples import Example
from annotarium.jobs.context import JobContext
from annotarium.registry.model_signatures import MANIFEST
from annotarium.registry.model_store import gazetteer_versions
from annotarium.settings import get_settings
from annotarium_schemas.documents import Document

READ, WRITE = "read", "write"
OPERATIONS = (
    ("GET", "", READ),
    ("GET", "/finder", READ),
    ("POST", "/_label_hint", READ),
    ("POST", "", WRITE),
    ("PATCH", "/finder", WRITE),
    ("POST", "/finder/_synchronize", WRITE),
    ("POST", "/finder/_cancel_synchronize", WRITE),
    ("POST", "/_export", "exportModels"),
    ("POST", "/finder/_export", "exportModels"),
    ("POST", "/_load", "importModels"),
    ("POST", "/_import", "importModels"),
    ("DELETE", "/finder", WRITE),
    ("DELETE", "", WRITE),
)
"""Method, path and right of every operation, in an order in which each of them is valid."""


@pytest.fixture
def diseases(corpus: Corpus) -> Corpus:
    """Two documents and the synchronised gazetteer `finder` over the lexicon `diseases`."""
    corpus.add(document("a", "He has asthma and gout."), document("b", "Rubeola is another name of measles."))
    add_gazetteer(corpus, add_lexicon(corpus))
    synchronize(corpus, "finder")
    return corpus


def call(caller: Any, corpus: Corpus, method: str, path: str) -> int:
    """The status of an operation with a valid body."""
    more: dict[str, Any] = {}
    if (method, path) == ("POST", "/_load"):
        more["json"] = []
    elif (method, path) == ("POST", "/_import"):
        archive = corpus.caller.post(f"{corpus.path}/gazetteers/_export").content
        more["files"] = {"file": ("models.zip", archive, "application/zip")}
    elif (method, path) == ("DELETE", ""):
        more["params"] = {"names": ",".join(one["name"] for one in corpus.get("/gazetteers"))}
    elif path in ("", "/finder") and method in ("POST", "PATCH"):
        more["json"] = {"engine": engine(), "label": "Other", "parameters": {}}
    elif path == "/_label_hint":
        more["json"] = {"label": "x"}
    return int(getattr(caller, method.lower())(f"{corpus.path}/gazetteers{path}", **more).status_code)


def test_every_operation_is_refused_without_its_right(diseases: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, in another project, without the right, and with it."""
    name = diseases.project.name
    reading, writing = (f"readProject:{name}",), (f"readProject:{name}", f"writeProject:{name}", "useEngine:*")
    for method, path, right in OPERATIONS:
        told = f"{method} {path}"
        assert call(client, diseases, method, path) == 401, told
        stranger = as_user(client, "stranger", "useEngine:*", "exportModels", "importModels", "annotateCorpus")
        assert call(stranger, diseases, method, path) == 404, told
        reader = as_user(client, "reader", *reading, "useEngine:*", "importModels")
        assert call(reader, diseases, method, path) == (200 if right == READ else 403), told
        writer = as_user(client, "writer", *writing)
        expected = 200 if right in (READ, WRITE) else 403
        if method != "DELETE":
            assert call(writer, diseases, method, path) in (expected, 204), told
        able = as_user(client, "able", *writing, "exportModels", "importModels")
        assert call(able, diseases, method, path) in (200, 204, 409), told
    assert diseases.get("/gazetteers") == []


def test_gazetteers_of_another_project_are_out_of_reach(diseases: Corpus, make_project: Any, as_user: Any) -> None:
    """Neither by name, nor as an annotator, nor as a step of a plan."""
    own = make_project(lang="en", owner="eve")
    eve = as_user(diseases.caller, "eve", f"readProject:{own.name}", f"writeProject:{own.name}", "annotateCorpus")
    path = f"/api/projects/{own.name}"
    assert eve.get(f"{path}/gazetteers/finder").status_code == 404
    elsewhere = {"annotatorProject": diseases.project.name, "annotator": "finder", "query": ""}
    answer = eve.post(f"{path}/documents/_search_and_annotate", params=elsewhere)
    assert answer.status_code == 404, answer.text
    step = {"annotator": "finder", "projectName": diseases.project.name}
    refused = eve.post(f"{path}/plans", json={"label": "P", "parameters": {"pipeline": [step]}})
    assert refused.status_code in (400, 403, 404), refused.text


def test_large_parameters_are_refused(diseases: Corpus) -> None:
    """Each with the field that is too long; nothing that was sent is stored."""
    stored = diseases.get("/gazetteers/finder")["parameters"]
    for wrong in (
        {"stop_terms": ["x"] * 5_001},
        {"stop_terms": ["x" * 300]},
        {"lexicons": ["diseases"] * 201},
        {"labels": [{"found": "x", "label": "y"}] * 501},
        {"label_property": "x" * 300},
        {"minimum_length": 10**9},
    ):
        refused = diseases.patch("/gazetteers/finder", 400, json={"parameters": wrong})
        assert next(iter(wrong)) in refused["details"][0]["field"], refused
    diseases.patch("/gazetteers/finder", 413, json={"parameters": {"stop_terms": ["x" * 1_000] * 1_100}})
    assert diseases.get("/gazetteers/finder")["parameters"] == stored


def _rows(change: Callable[[list[dict[str, Any]]], None]) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        rows = [json.loads(line) for line in files["tables/gazetteers.jsonl"].splitlines()]
        change(rows)
        files["tables/gazetteers.jsonl"] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)

    return apply


def _load(corpus: Corpus, project: str, archive: bytes) -> Any:
    sent = {"file": ("models.zip", io.BytesIO(archive), "application/zip")}
    (file,) = corpus.caller.post("/api/uploads", files=sent).json()
    return corpus.caller.post(f"/api/projects/{project}/gazetteers/_load", json=[file])


def test_forged_archives(diseases: Corpus, make_project: Any) -> None:
    """Two rows of one name, values of other types, other engines, other kinds of jobs: refused or left out."""
    archive = diseases.caller.post(f"{diseases.path}/gazetteers/_export").content
    other = make_project(lang="en").name

    def twice(rows: list[dict[str, Any]]) -> None:
        rows.append(rows[0] | {"id": "99"})

    answer = _load(diseases, other, forge_archive(archive, _rows(twice)))
    assert (answer.status_code, answer.json()["configs"], answer.json()["ignored"]) == (200, ["Finder"], ["Finder"])
    empty = make_project(lang="en").name
    for values in ({"terms": -1}, {"terms": "x"}, {"lexicon_versions": []}, {"parameters": []}, {"name": "../x"}):
        answer = _load(diseases, empty, forge_archive(archive, _rows(lambda rows, v=values: rows[0].update(v))))  # type: ignore[misc]
        assert answer.status_code == 400, (values, answer.text)
    answer = _load(diseases, empty, forge_archive(archive, _rows(lambda rows: rows[0].update(engine="crf"))))
    assert (answer.status_code, answer.json()["ignored"]) == (200, ["Finder"])
    stranger = {"job_id": "0" * 32, "project_id": diseases.project.id, "uptodate": True}
    answer = _load(diseases, empty, forge_archive(archive, _rows(lambda rows: rows[0].update(stranger))))
    found = diseases.caller.get(f"/api/projects/{empty}/gazetteers").json()
    if answer.status_code == 200:
        assert [(one["uptodate"], "jobId" in one) for one in found] == [(False, False)]
    else:
        assert found == []


@pytest.mark.parametrize("signed", [True, False])
def test_changed_model_files_are_those_of_a_stranger(diseases: Corpus, make_project: Any, signed: bool) -> None:
    """Files that differ from the signed manifest are refused when they are read; with a manifest that this installation
    did not sign, the matcher waits for an administrator. Neither annotates.
    """
    archive = diseases.caller.post(f"{diseases.path}/gazetteers/_export").content

    def change(files: Files) -> None:
        words = next(one for one in files if one.endswith("words-0.txt"))
        files[words] = files[words].replace(b"asthma", b"nausea")
        if not signed:
            manifest = next(one for one in files if one.startswith("models/") and one.endswith(f"/{MANIFEST}"))
            facts = json.loads(files[manifest])
            facts["files"][words.rpartition("/")[2]] = hashlib.sha256(files[words]).hexdigest()
            files[manifest] = json.dumps(facts).encode()

    other = make_project(lang="en")
    assert _load(diseases, other.name, forge_archive(archive, change)).status_code == 200
    path = f"/api/projects/{other.name}"
    (found,) = diseases.caller.get(f"{path}/gazetteers").json()
    assert found.get("foreignModel") == (None if signed else "waiting")
    assert gazetteer_versions(other.id).keys() == (set(_ids(other.id)) if signed else set())
    job = diseases.caller.post(f"{path}/annotators/finder/_annotate_corpus").json()
    diseases.run_jobs()
    ended = diseases.caller.get(f"{path}/job/{job['id']}").json()
    assert ended["status"] == "FAILED"
    assert ("changed" if signed else "administrator") in json.dumps(ended["error"])


def test_an_accepted_matcher_of_a_stranger_runs_confined(diseases: Corpus, make_project: Any) -> None:
    """After an administrator accepted it, it annotates in a process of its own, until it is synchronised here."""
    archive = diseases.caller.post(f"{diseases.path}/gazetteers/_export").content

    def change(files: Files) -> None:
        name = next(one for one in files if one.startswith("models/") and one.endswith(f"/{MANIFEST}"))
        files[name] = json.dumps(json.loads(files[name]) | {"note": "not signed here, accepted"}).encode()

    other = make_project(lang="en")
    assert _load(diseases, other.name, forge_archive(archive, change)).status_code == 200
    path = f"/api/projects/{other.name}"
    listed = diseases.caller.get("/api/foreign_models").json()["models"]
    (waiting,) = [one for one in listed if one["projectName"] == other.name]
    assert diseases.caller.post(f"/api/foreign_models/{waiting['id']}/_accept").status_code == 200
    (found,) = diseases.caller.get(f"{path}/gazetteers").json()
    assert (found["foreignModel"], found["uptodate"]) == ("accepted", False)
    there = Corpus(diseases.caller, other, diseases.run_jobs)
    there.add(document("a", "He has asthma."))
    there.add_labels("diseases")
    there.post("/annotators/finder/_annotate_corpus")
    there.run_jobs()
    assert linked(there) == {"asthma": ["D1"]}
    assert gazetteer_versions(other.id) == {}, "no learner uses it"


def _ids(project_id: int) -> list[str]:
    folder = get_settings().models_folder / str(project_id)
    return [home.name.removeprefix("gazetteer-") for home in folder.glob("gazetteer-*")]


def test_a_batch_of_long_documents_is_short() -> None:
    """It is written in one transaction: documents that are long end the batch early, and none is split."""

    def examples_of(number: int, length: int) -> list[Example]:
        text = "x" * (length // 2)
        return [
            Example(Document(text=text), number, start, start + len(text), None, True, False, f"d{number}")
            for start in (0, len(text))
        ]

    short = [piece for number in range(120) for piece in examples_of(number, 100)]
    assert [len(batch) for batch in batch_by_document(short, 50)] == [100, 100, 40]
    long = [piece for number in range(4) for piece in examples_of(number, BATCH_CHARACTERS)]
    assert [[one.document_id for one in batch] for batch in batch_by_document(long, 50)] == [[n, n] for n in range(4)]


def test_others_write_while_it_runs(diseases: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """No transaction is open while terms are read, the matcher is built and documents are annotated."""
    diseases.add(*(document(f"m{number}", "More asthma.") for number in range(30)))
    diseases.add_labels("other")
    monkeypatch.setattr("annotarium.jobs.context.PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("annotarium.domains.gazetteers.jobs._REPORT_EVERY", 1)
    monkeypatch.setattr(annotator_jobs, "BATCH", 5)
    progress, written = JobContext.progress, []

    def write_and_go_on(context: Any, *given: Any) -> None:
        number = len(written)
        written.append(diseases.annotate("b", "other", number, number + 1)["identifier"])
        progress(context, *given)

    monkeypatch.setattr(JobContext, "progress", write_and_go_on)
    synchronize(diseases, "finder", annotateCorpus=True)
    assert len(written) > 10
    assert linked(diseases)["asthma"] == ["D1"] * 31
