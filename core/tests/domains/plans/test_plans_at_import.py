"""The active conversion plan reads imported files (T-031): precedence, check, report, failures, steps."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project
from support.real_corpora import entity_documents

from annotarium.content.plans.runner import PlanRunner
from annotarium.db.models import Plan
from annotarium.db.unit_of_work import unit_of_work
from annotarium.jobs.run import run_job
from annotarium_schemas.plans import AnnotationPlan

CSV = {"name": "csv", "parameters": {"text_columns": ["body"], "identifier_column": "nr"}}
SHEET = b"nr,body,other\nr1,Marie sleeps. It rains.,x\nr2,Paul wakes.,y\n"
ACTIVE = "active-conversion"


@pytest.fixture
def corpus(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    return corpus


def plan(corpus: Corpus, *steps: dict[str, Any], label: str = "Sheets", **parts: Any) -> str:
    body = {"label": label, "parameters": {"converter": CSV, "pipeline": list(steps)} | parts, "tags": [ACTIVE]}
    name: str = corpus.post("/plans", json=body)["name"]
    return name


def load(corpus: Corpus, name: str, content: bytes, status: int = 200, **options: Any) -> dict[str, Any]:
    files = [("file", (name, content))]
    job: dict[str, Any] = corpus.post("/documents", status, files=files, params={"wait": "true", **options})
    return job


def texts(corpus: Corpus) -> dict[str, str]:
    return {one["identifier"]: one["text"] for one in corpus.get("/documents")}


READ = {"r1": "Marie sleeps. It rains.", "r2": "Paul wakes."}


def test_the_active_plan_reads_files_of_any_type(corpus: Corpus) -> None:
    """T-031, C-050: also a type without any other converter; the job names the plan."""
    plan(corpus)
    assert texts(corpus) == {}
    check = load(corpus, "odd.strange", SHEET, dryRun="true")
    assert check["statusMessage"] == "Check only: 2 imported of 2 received"
    assert (check["parameters"]["plan"], texts(corpus)) == ("Sheets", {})
    job = load(corpus, "odd.strange", SHEET)
    assert (job["status"], job["parameters"]["plan"]) == ("COMPLETED", "Sheets")
    assert texts(corpus) == READ
    again = load(corpus, "odd.strange", SHEET)
    assert again["result"] == {"unchanged": 2}


def test_the_active_plan_reads_only_future_imports(corpus: Corpus) -> None:
    """T-031."""
    load(corpus, "before.txt", b"Plain.")
    before = texts(corpus)
    plan(corpus)
    assert texts(corpus) == before


@pytest.mark.parametrize(
    "options", [{"converter": "txt"}, {"useActivePlan": "false"}], ids=["a converter is named", "without the plan"]
)
def test_options_of_the_import_take_precedence_over_the_plan(corpus: Corpus, options: dict[str, str]) -> None:
    plan(corpus)
    job = load(corpus, "a.txt", SHEET, **options)
    assert "plan" not in job["parameters"]
    assert list(texts(corpus).values()) == [SHEET.decode()]


def test_parameters_of_the_import_take_precedence_over_those_of_the_plan(corpus: Corpus) -> None:
    plan(corpus)
    load(corpus, "a.txt", SHEET, converterParameters='{"csv": {"text_columns": ["other"]}}')
    assert sorted(texts(corpus).values()) == ["x", "y"]


def test_documents_sent_as_json_bypass_the_plan(corpus: Corpus) -> None:
    plan(corpus)
    corpus.add(document("j", "As it was sent."))
    assert texts(corpus) == {"j": "As it was sent."}


def test_an_unusable_plan_is_reported_and_uploads_stay(corpus: Corpus) -> None:
    """The error names plan, part and fix; the uploaded file is kept for the next attempt; the plan itself reports the
    error.
    """
    name = plan(corpus)
    (ref,) = corpus.caller.post("/api/uploads", files=[("file", ("a.csv", SHEET))]).json()
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.query(Plan).filter_by(project_id=corpus.project.id, name=name).one()
        row.parameters = row.parameters | {"converter": {"name": "gone"}}
    refused = corpus.post("/documents/_load", 400, json=[ref])
    assert refused["message"] == "The active conversion plan Sheets cannot be used: There is no converter named gone"
    assert "deactivate" in refused["fix"]
    assert refused["said"]["message"]["code"] == "plan.unusable"
    assert refused["details"][0]["field"] == "converter.name"
    told = corpus.get(f"/plans/{name}")
    assert told["problem"] == "There is no converter named gone"
    assert told["said"]["problem"]["code"] == "component.none"
    assert told["said"]["problem"]["values"]["kind"]["code"] == "component.converter"
    assert refused["details"][0]["said"]["message"] == told["said"]["problem"]
    corpus.patch(f"/plans/{name}", json={"tags": []})
    job = corpus.post("/documents/_load", json=[ref], params={"wait": "true"})
    assert job["result"] == {"imported": 2}


def test_a_waiting_import_still_uses_a_deleted_plan(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting: list[str] = []
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: waiting.append(job_id))
    name = plan(corpus)
    corpus.post("/documents", files=[("file", ("a.strange", SHEET))])
    corpus.delete(f"/plans/{name}")
    for job_id in waiting:
        run_job(job_id)
    assert texts(corpus) == READ


def test_the_segmenter_of_the_plan_segments_imported_texts(corpus: Corpus) -> None:
    """Also as a step with a condition: texts that do not fulfil it are segmented by the project's settings."""
    plan(corpus, segmenter={"name": "document"})
    load(corpus, "a.csv", SHEET)
    assert [len(corpus.get(f"/documents/{one}")["sentences"]) for one in READ] == [1, 1]
    step = {"segmenter": "document", "condition": {"text": "PAUL"}}
    plan(corpus, step, label="Some")
    load(corpus, "b.csv", SHEET.replace(b"r1", b"s1").replace(b"r2,Paul wakes.", b"s2,Paul wakes. Now."))
    assert [len(corpus.get(f"/documents/{one}")["sentences"]) for one in ("s1", "s2")] == [2, 1]


def test_the_annotators_of_the_plan_annotate_imported_texts(corpus: Corpus) -> None:
    """S-053: an annotator of a project can be a step; a disabled step or one with an unfulfilled condition does
    nothing.
    """
    corpus.add(*entity_documents(150))
    made = corpus.post("/experiments", json={"engine": "crf", "parameters": {"iterations": 50}})["name"]
    corpus.post(f"/experiments/{made}/_launch")
    text = " ".join(one["text"].replace(chr(34), "") for one in entity_documents(10))
    sheet = f'nr,body\nz1,"{text}"\n'.encode()
    outcomes = {}
    for label, more in {
        "found": {"applyTo": {"path": "segments"}},
        "off": {"disabled": True},
        "unless": {"condition": {"not": {"text": text[:5].upper()}}},
    }.items():
        cut = {"segmenter": "rule_sentence"}
        plan(corpus, cut, {"annotator": made} | more, label=label)
        job = load(corpus, f"{label}.csv", sheet.replace(b"z1", label.encode()))
        assert job["status"] == "COMPLETED"
        outcomes[label] = corpus.get(f"/documents/{label}")
    assert outcomes["off"]["annotations"] == outcomes["unless"]["annotations"] == []
    spans = outcomes["found"]["annotations"]
    assert spans
    for one in spans:
        assert outcomes["found"]["text"][one["start"] : one["end"]] == one["text"]
        assert (one["creationMode"], one["createdBy"]) == ("automatic", made)
    corpus.delete(f"/experiments/{made}")
    refused = load(corpus, "later.csv", sheet, 400)
    assert f"There is no annotator named {made}" not in texts(corpus).values()
    assert made in refused["message"]


def test_a_failing_step_refuses_only_its_document(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(self: PlanRunner, number: int, step: Any, document: Any, language: str) -> Any:
        if "Paul" in document.text:
            raise ValueError("no")
        return document, language

    monkeypatch.setattr(PlanRunner, "_step", fail)
    plan(corpus, {"segmenter": "document"})
    job = load(corpus, "a.csv", SHEET)
    assert job["result"] == {"imported": 1, "refused": 1}
    items = corpus.get(f"/job/{job['id']}/items")["items"]
    (line,) = [one for one in items if one["outcome"] == "refused"]
    assert line["documentIdentifier"] == "r2"
    assert line["message"] == "Step 1 of the plan (document) failed (ValueError: no)"


def test_plans_are_exported_and_imported_with_their_project(corpus: Corpus) -> None:
    """After export and import of a project it has the same plans, still active."""
    name = plan(corpus, {"segmenter": "document", "condition": {"text": "x"}}, label="Along")
    copy, _ = import_project(corpus, export_project(corpus))
    copied = Corpus(corpus.caller, type("P", (), {"name": copy}), corpus.run_jobs)
    one, other = corpus.get(f"/plans/{name}"), copied.get(f"/plans/{name}")
    for who in ("createdBy", "modifiedBy"):
        assert other.pop(who) == f"imported:{one.pop(who)}", "nobody of this installation made the copy"
    assert one == other
    load(copied, "odd.strange", SHEET)
    assert texts(copied) == READ


def test_the_stored_plan_equals_the_request() -> None:
    sent = {"pipeline": [{"languageGuesser": "x", "applyTo": {"path": "document"}, "disabled": True}]}
    stored = AnnotationPlan.model_validate(sent).stored()
    assert stored["pipeline"][0].items() >= sent["pipeline"][0].items()
    assert AnnotationPlan.model_validate(stored).stored() == stored
