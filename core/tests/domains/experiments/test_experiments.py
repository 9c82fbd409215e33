"""Experiments on real data: lifecycle, parameters, report, split, model files, cancellation, rights."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus, document
from support.real_corpora import entity_documents, question_documents

from annotarium.access.call import Call
from annotarium.domains.experiments import training_tasks
from annotarium.domains.jobs.service import request_cancel
from annotarium.domains.trainables.service import next_free_label
from annotarium.errors import Conflict, NotFound
from annotarium.jobs.context import JobContext
from annotarium.registry.model_signatures import MARKER_FILES
from annotarium.registry.model_store import load_learner
from annotarium.settings import get_settings

FAST = {"iterations": 8}


def create(corpus: Corpus, engine: str = "crf", **more: Any) -> str:
    body = {"engine": engine, "label": "Names", "parameters": FAST if engine == "crf" else {}} | more
    name: str = corpus.post("/experiments", json=body)["name"]
    return name


def train(corpus: Corpus, name: str, **parameters: Any) -> dict[str, Any]:
    job = corpus.post(f"/experiments/{name}/_launch", params=parameters)
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    return ended


def model_folder(corpus: Corpus) -> Path:
    (found,) = (get_settings().models_folder / str(corpus.project.id)).glob("experiment-*/*")
    return found


def test_a_taken_label_gets_the_next_free_number() -> None:
    assert next_free_label("A", []) == "A"
    assert next_free_label("A", ["A"]) == "A 2"
    assert next_free_label("A 2", ["A", "A 2", "A 3"]) == "A 4"
    assert next_free_label("Model 7", ["Model 7"]) == "Model 2"


def test_hints_and_missing_labels(corpus: Corpus) -> None:
    assert corpus.post("/experiments/_label_hint", json={"label": "Names"}) == {"labelHint": "Names"}
    first = create(corpus)
    assert corpus.post("/experiments/_label_hint", json={"label": "Names"}) == {"labelHint": "Names 2"}
    assert (first, create(corpus)) == ("names", "names_2")
    unnamed = corpus.post("/experiments", json={"engine": "crf"})["name"]
    assert corpus.get(f"/experiments/{unnamed}")["label"] == "Conditional random field"


def test_parameters_are_validated_by_field(corpus: Corpus) -> None:
    wrong = {"iterations": 0, "algorithm": "magic", "colour": 1}
    refused = corpus.post("/experiments", 400, json={"engine": "crf", "parameters": wrong})
    assert {detail["field"].split(".")[-1] for detail in refused["details"]} == set(wrong)
    assert all(detail["message"] for detail in refused["details"])
    assert corpus.get("/experiments") == []
    name = create(corpus)
    assert corpus.get(f"/experiments/{name}")["parameters"]["algorithm"] == "lbfgs", "defaults are filled in"
    corpus.patch(f"/experiments/{name}", 400, json={"parameters": {"iterations": "many"}})
    corpus.post("/experiments", 404, json={"engine": "nothing"})


def test_lifecycle_with_real_entities(corpus: Corpus) -> None:
    """T-026, T-027, conflicts 27 to 29; E.: a training reports what it needs."""
    corpus.add(*entity_documents(200))
    name = create(corpus)
    fresh = corpus.get(f"/experiments/{name}")
    assert (fresh["models"], fresh["timestamp"], fresh["uptodate"], fresh["running"]) == (0, 0, False, False)
    job = corpus.post(f"/experiments/{name}/_launch")
    running = corpus.get(f"/experiments/{name}")
    assert (job["type"], job["status"]) == ("EXPERIMENT_TRAINING", "STARTED")
    asked = job["parameters"]
    assert (asked["engine"], asked["annotate_corpus"]) == ("crf", False)
    assert asked["train"] == fresh["parameters"]
    assert (running["running"], running["jobId"]) == (True, job["id"])
    assert "already" in corpus.post(f"/experiments/{name}/_launch", 409)["message"]
    corpus.run_jobs()
    assert corpus.get(f"/job/{job['id']}")["status"] == "COMPLETED"
    trained = corpus.get(f"/experiments/{name}")
    assert (trained["models"], trained["uptodate"], trained["running"]) == (1, True, False)
    assert "jobId" not in trained
    assert trained["annotateService"] == name
    assert trained["findsTopics"] is False
    assert trained["timestamp"] > 1_600_000_000_000
    assert trained["duration"] > 0
    report = trained["report"]
    assert set(report["microAvg"]) == {"f1", "precision", "recall", "support"}
    assert {"macroAvg", "weightedAvg", "classes", "config"} <= set(report)
    assert report["config"] == {"name": "crf", "type": "learner"}
    assert sum(figures["support"] for figures in report["classes"].values()) == report["microAvg"]["support"] > 0
    assert trained["quality"] == round(100 * report["microAvg"]["f1"]) > 0
    assert report["split"] == "held out 20 %"
    assert report["trainingSize"] + report["testSize"] == 200
    assert corpus.patch(f"/experiments/{name}", json={"favorite": True})["uptodate"] is True
    assert corpus.patch(f"/experiments/{name}", json={"label": "Other"})["uptodate"] is False
    train(corpus, name)
    assert corpus.get(f"/experiments/{name}")["uptodate"] is True
    history = corpus.get(f"/experiments/{name}")["history"]
    assert [one["timestamp"] for one in history] == sorted((one["timestamp"] for one in history), reverse=True)
    assert len(history) == 2, "the last two trainings, to compare them"
    assert corpus.patch(f"/experiments/{name}", json={"parameters": {"iterations": 5}})["uptodate"] is False
    train(corpus, name)
    found = corpus.get("/documents", params={"limit": 1})[0]
    corpus.annotate(found["identifier"], "person", 0, 1)
    assert corpus.get(f"/experiments/{name}")["uptodate"] is False, "it does not know what was annotated since"


def test_model_files_are_safe_and_changes_are_noticed(corpus: Corpus, open_as: Any) -> None:
    corpus.add(*entity_documents(80))
    name = create(corpus)
    train(corpus, name)
    folder = model_folder(corpus)
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert (folder / "manifest.annotarium.json").exists()
    assert not {path.suffix for path in files} & {".pkl", ".pickle", ".joblib", ".pt", ".bin"}
    for path in files:
        assert path.read_bytes()[:2] != b"\x80\x04", f"{path.name} is a pickle"
    _, _, owner = folder.parent.name.partition("-")
    load_learner(corpus.project.id, "experiment", int(owner))
    victim = next(path for path in files if path.name not in MARKER_FILES)
    victim.write_bytes(victim.read_bytes() + b" ")
    with pytest.raises(Conflict, match="changed"):
        load_learner(corpus.project.id, "experiment", int(owner))
    refused = corpus.post(f"/annotators/{name}/_annotate_corpus")
    corpus.run_jobs()
    assert "changed" in corpus.get(f"/job/{refused['id']}")["error"]["message"]
    assert corpus.delete("/models", 204) is None
    assert not list(folder.parent.glob("[0-9]*"))
    assert corpus.get(f"/experiments/{name}")["models"] == 0
    with pytest.raises(NotFound):
        load_learner(corpus.project.id, "experiment", int(owner))


def test_progress_names_the_step_and_its_percentage(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """S-044: what a running training does, for the list and the page of jobs."""
    told: list[tuple[int, int, str]] = []
    original = JobContext.progress

    def remembered(context: JobContext, step: int, total: int, words: str) -> None:
        told.append((step, total, str(words)))
        original(context, step, total, words)

    corpus.add(*entity_documents(60))
    monkeypatch.setattr(JobContext, "progress", remembered)
    train(corpus, create(corpus))
    assert {total for _, total, _ in told} == {100}
    steps = [step for step, _, _ in told]
    assert steps == sorted(steps), "percentages never go back"
    words = [text for _, _, text in told]
    assert "Choosing the test part" in words
    assert "Training the model to be measured · pass 2 of 8" in words
    assert "Testing on 12 segments" in words
    assert "Training the final model on all documents · pass 8 of 8" in words
    assert words[-1] == "Saving the model"


def test_the_split_is_respected(corpus: Corpus) -> None:
    """T-032: splitting again overwrites."""
    corpus.add(*entity_documents(120))
    name = create(corpus)
    for share in (0.5, 0.25):
        corpus.post("/_split_corpus", 204, params={"testSize": share})
        train(corpus, name)
        report = corpus.get(f"/experiments/{name}")["report"]
        assert report["split"] == "project"
        assert report["testSize"] == 120 * share
        assert report["trainingSize"] == 120 - report["testSize"]


def test_categories_are_learned(topics: Corpus) -> None:
    topics.add(*question_documents(200))
    name = create(topics, "sklearn_text_classifier", label="Topics")
    job = train(topics, name)
    assert job["status"] == "COMPLETED"
    assert job["statusMessage"].startswith("Trained on 200 documents, F1")
    trained = topics.get(f"/experiments/{name}")
    assert trained["classes"] == ["abbr", "desc", "enty", "hum", "loc", "num"]
    assert trained["report"]["microAvg"]["f1"] > 0.3
    assert "samplesAvg" in trained["report"]


def test_too_little_training_data_is_refused(corpus: Corpus) -> None:
    corpus.add(document("d1", "Nothing is annotated here."))
    name = create(corpus)
    ended = train(corpus, name)
    assert ended["status"] == "FAILED"
    assert (ended["error"]["message"], bool(ended["error"]["fix"])) == (
        "There are too few annotations to learn from",
        True,
    )
    state = corpus.get(f"/experiments/{name}")
    assert (state["running"], state["models"]) == (False, 0)


def test_training_is_cancelled_before_and_while_it_runs(
    corpus: Corpus, open_as: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """T-026: running is false and job is empty; the model trained before stays."""
    corpus.add(*entity_documents(60))
    name = create(corpus)
    job = corpus.post(f"/experiments/{name}/_launch")
    assert corpus.post(f"/experiments/{name}/_cancel", 204) is None
    stopped = corpus.get(f"/experiments/{name}")
    assert (stopped["running"], "jobId" in stopped) == (False, False)
    corpus.run_jobs()
    assert corpus.get(f"/job/{job['id']}")["status"] == "CANCELLED"
    assert corpus.get(f"/experiments/{name}")["models"] == 0

    launched = corpus.post(f"/experiments/{name}/_launch")
    original = training_tasks.train

    def cancelled_meanwhile(*arguments: Any, **named: Any) -> Any:
        with open_as("root") as call:
            assert isinstance(call, Call)
            request_cancel(call, launched["id"])
        return original(*arguments, **named)

    monkeypatch.setattr(training_tasks, "train", cancelled_meanwhile)
    monkeypatch.setattr("annotarium.jobs.context.PROGRESS_SECONDS", 0.0)  # otherwise it checks twice a second
    corpus.run_jobs()
    assert corpus.get(f"/job/{launched['id']}")["status"] == "CANCELLED"
    assert corpus.get(f"/experiments/{name}")["models"] == 0
    assert not list((get_settings().models_folder / str(corpus.project.id)).glob("experiment-*/[0-9]*"))


def test_experiments_are_deleted_and_tagged(corpus: Corpus) -> None:
    first = create(corpus, tags=["clustering-shortcut", "x"])
    second, third = create(corpus), create(corpus)
    listed = corpus.get("/experiments", params={"tags": "clustering-shortcut"})
    assert [one["name"] for one in listed] == [first]
    corpus.delete("/experiments", 404, params={"names": f"{second},nobody"})
    assert corpus.delete("/experiments", params={"names": f"{second},{third}"}) == {"removedCount": 2}
    assert corpus.delete(f"/experiments/{first}") == {"removedCount": 1}
    assert corpus.get("/experiments") == []
    for path in ("", "/_launch"):
        corpus._call("post" if path else "get", f"/experiments/{first}{path}", 404, {})


def test_a_deleted_experiment_is_restored_with_its_report(corpus: Corpus, client: Any, as_user: Any) -> None:
    name = create(corpus, tags=["x"])
    before = corpus.get(f"/experiments/{name}")
    corpus.delete(f"/experiments/{name}")
    path = f"{corpus.path}/experiments/{name}/_restore"
    assert client.post(path).status_code == 401
    onlooker = as_user(client, "olga", "ProjectManager", "useEngine:*", f"readProject:{corpus.project.name}")
    assert onlooker.post(path).status_code == 403
    restored = corpus.post(f"/experiments/{name}/_restore")
    changing = {"version", "modifiedDate", "modifiedBy"}
    assert {key: restored[key] for key in before.keys() - changing} == {
        key: before[key] for key in before.keys() - changing
    }
    corpus.post(f"/experiments/{name}/_restore", 404)


def test_permissions_to_train(corpus: Corpus, as_user: Any, client: Any) -> None:
    """`useEngine:` permits a learner; training needs write access to the project."""
    name = create(corpus)
    path, project = f"{corpus.path}/experiments", corpus.project.name
    body = {"engine": "crf"}
    onlooker = as_user(client, "olga", "ProjectManager", "useEngine:*", f"readProject:{project}")
    assert onlooker.post(path, json=body).json()["message"] == "The project is read-only"
    assert onlooker.get(path).status_code == 200
    manager = as_user(client, "max", "ProjectManager", f"writeProject:{project}")
    for method, where in (("POST", path), ("PATCH", f"{path}/{name}"), ("POST", f"{path}/{name}/_launch")):
        assert manager.request(method, where, json=body).status_code == 403, where
    assert manager.delete(f"{path}/{name}").status_code == 403
    narrow = as_user(client, "max", "ProjectManager", "useEngine:crf", f"writeProject:{project}")
    assert narrow.post(path, json=body).status_code == 200
    assert narrow.post(path, json={"engine": "sklearn_text_classifier"}).status_code == 403
