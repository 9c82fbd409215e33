"""Trials of plans: the result after each step, who may try what, and the limits. Nothing is stored."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pytest
from support.factories import Corpus
from support.fake_components import CountProcessor, install_fake_components

from annotarium.content.plans import trial
from annotarium.content.plans.runner import PlanRunner
from annotarium.content.plans.trial import TRIAL_CHARACTERS, try_plan
from annotarium_schemas.documents import Annotation, Document
from annotarium_schemas.plans import AnnotationPlan

CAPITALS = {"annotator": "capitals"}
COUNT = {"processor": "count"}
GUESS = {"languageGuesser": "french"}
TEXT = "Marie met Paul. It rained."


@pytest.fixture(autouse=True)
def components(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fake components, and jobs that run in the call that starts them."""
    from annotarium.jobs.run import run_job

    install_fake_components(monkeypatch)
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))


def attempt(corpus: Corpus, *steps: dict[str, Any], status: int = 200, **more: Any) -> Any:
    body = {"parameters": {"pipeline": list(steps)}, "text": TEXT} | more
    return corpus.post("/plans/_try", status, json=body)


def texts(found: dict[str, Any], ids: list[int]) -> list[str]:
    items = {one["id"]: one for one in found["items"]}
    return [items[one].get("text") or items[one]["labelName"] for one in ids]


def test_each_step_has_what_it_added_and_how_long_it_took(corpus: Corpus) -> None:
    """S-053, S-056: an edited plan on a sent text."""
    found = attempt(corpus, CAPITALS, GUESS, COUNT)
    assert found["text"] == TEXT
    assert not found["cut"]
    assert found["start"]["items"] == []
    assert found["start"]["segmentCount"] == len(found["start"]["segments"]) == 2
    annotated, guessed, counted = found["steps"]
    assert [one["state"] for one in found["steps"]] == ["done"] * 3
    assert texts(found, annotated["added"]) == ["Marie", "Paul", "It"]
    assert (annotated["addedCount"], annotated["removedCount"], annotated["keptCount"]) == (3, 0, 0)
    assert (guessed["language"], guessed["metadata"], guessed["added"]) == ("fr", {"language": "fr"}, [])
    assert texts(found, counted["added"]) == ["fr 3"]
    assert counted["keptCount"] == 3
    assert all(one["seconds"] >= 0 and one["loadingSeconds"] >= 0 for one in found["steps"])
    first = found["items"][0]
    assert (first["kind"], first["labelName"], first["start"], first["end"]) == ("annotation", "name", 0, 5)
    assert corpus.post("/documents/_search")["total"] == 0


def test_skipped_steps_have_a_reason(corpus: Corpus) -> None:
    found = attempt(
        corpus,
        CAPITALS | {"disabled": True},
        CAPITALS | {"condition": {"text": "snow"}},
        {"segmenter": "document"},
        CAPITALS | {"condition": {"text": "RAIN"}},
    )
    assert [one["state"] for one in found["steps"]] == ["off", "notMet", "done", "done"]
    assert found["steps"][2]["segments"] == [[0, len(TEXT)]]
    assert found["steps"][3]["addedCount"] == 3


def test_removed_items_are_named(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    def drop_first(self: Any, documents: Iterable[Document], language: str) -> Iterator[Document]:
        for document in documents:
            document.annotations = document.annotations[1:]
            yield document

    monkeypatch.setattr(CountProcessor, "process", drop_first)
    found = attempt(corpus, CAPITALS, COUNT)
    assert texts(found, found["steps"][1]["removed"]) == ["Marie"]
    assert (found["steps"][1]["removedCount"], found["steps"][1]["keptCount"]) == (1, 2)


def test_a_failing_step_ends_the_trial_and_keeps_what_was_found(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: Any, documents: Iterable[Document], language: str) -> Iterator[Document]:
        raise ValueError("no luck")

    monkeypatch.setattr(CountProcessor, "process", fail)
    found = attempt(corpus, CAPITALS, COUNT, GUESS)
    assert [one["state"] for one in found["steps"]] == ["done", "failed", "notReached"]
    assert "no luck" in found["steps"][1]["problem"]
    assert found["steps"][1]["said"]["problem"]["code"] == "plan.stepFailed"
    assert found["steps"][0]["addedCount"] == 3


def test_a_stored_plan_is_tried_on_a_document(corpus: Corpus) -> None:
    """A document brings the labelling that the caller may see; it stays as it is."""
    marked = {"start": 0, "end": 5, "text": "Marie", "label": "Who"}
    corpus.add({"identifier": "d", "text": TEXT, "annotations": [marked]})
    before = corpus.get("/documents/d")
    corpus.post("/plans", json={"label": "Chain", "parameters": {"pipeline": [CAPITALS]}})
    found = corpus.post("/plans/_try", json={"plan": "chain", "document": "d"})
    assert texts(found, found["start"]["items"]) == ["Marie"]
    assert texts(found, found["steps"][0]["added"]) == ["Marie", "Paul", "It"]
    assert corpus.get("/documents/d") == before


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"text": TEXT},
        {"plan": "chain"},
        {"plan": "chain", "parameters": {"pipeline": []}, "text": TEXT},
        {"parameters": {"pipeline": []}, "text": TEXT, "document": "d"},
        {"parameters": {"pipeline": []}, "text": "  "},
        {"parameters": {"pipeline": []}, "text": "a\u0000b"},
        {"parameters": {"pipeline": [{"annotator": "nobody"}]}, "text": TEXT},
        {"parameters": {"pipeline": []}, "text": "x" * (TRIAL_CHARACTERS + 1)},
        {"parameters": {"pipeline": []}, "text": TEXT, "more": 1},
    ],
)
def test_incomplete_and_oversized_trials_are_refused(corpus: Corpus, body: dict[str, Any]) -> None:
    corpus.post("/plans/_try", 400, json=body)


def test_what_is_missing_is_not_found(corpus: Corpus) -> None:
    attempt(corpus, status=404, text="", document="gone")
    corpus.post("/plans/_try", 404, json={"plan": "gone", "text": TEXT})


def test_an_error_names_the_step_and_the_field(corpus: Corpus) -> None:
    refused = attempt(corpus, CAPITALS, {"processor": "nothing"}, status=400)
    assert refused["details"][0]["field"] == "pipeline.1.name"


def test_of_a_long_document_the_beginning_is_tried(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.domains.annotators.trials.TRIAL_CHARACTERS", 12)
    crossing = {"start": 10, "end": 14, "text": "Paul", "label": "Who"}
    corpus.add({"identifier": "d", "text": TEXT, "annotations": [crossing]})
    found = attempt(corpus, CAPITALS, text="", document="d")
    assert (found["text"], found["cut"], found["start"]["count"]) == (TEXT[:12], True, 0)
    assert texts(found, found["steps"][0]["added"]) == ["Marie", "Pa"]


def test_items_over_the_limit_are_counted_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "MAX_ITEMS", 2)
    monkeypatch.setattr(trial, "MAX_SEGMENTS", 1)
    plan = AnnotationPlan.model_validate({"pipeline": [CAPITALS]})
    found = try_plan(Document(text=TEXT), PlanRunner(plan, "en"), lambda text, language: [(0, 15), (15, len(text))])
    assert len(found["items"]) == len(found["steps"][0]["added"]) == 2
    assert found["steps"][0]["addedCount"] == 3
    assert (found["start"]["segments"], found["start"]["segmentCount"]) == ([(0, 15)], 2)


def test_equal_annotations_are_counted_separately() -> None:
    same = [Annotation(start=0, end=5, label_name="name") for _ in range(2)]
    plan = AnnotationPlan.model_validate({"pipeline": [CAPITALS]})
    found = try_plan(Document(text=TEXT, annotations=same), PlanRunner(plan, "en"), None)
    assert found["start"]["items"] == [0, 1]
    assert (found["steps"][0]["keptCount"], found["steps"][0]["addedCount"]) == (2, 3)


def test_only_readers_of_the_project_try_plans(corpus: Corpus, client: Any, as_user: Callable[..., Any]) -> None:
    path, body = f"{corpus.path}/plans/_try", {"parameters": {"pipeline": [CAPITALS]}, "text": TEXT}
    assert client.post(path, json=body).status_code == 401
    assert as_user(client, "zoe").post(path, json=body).status_code == 404


def test_a_reader_tries_stored_plans_but_edited_ones_only_of_own_components(
    corpus: Corpus, client: Any, as_user: Callable[..., Any], make_project: Callable[..., Any]
) -> None:
    shared = Corpus(corpus.caller, make_project("shared", readers=("zoe",), lang="en"), corpus.run_jobs)
    shared.post("/plans", json={"label": "Chain", "parameters": {"pipeline": [CAPITALS]}})
    path, zoe = f"{shared.path}/plans/_try", as_user(client, "zoe")
    stored = zoe.post(path, json={"plan": "chain", "text": TEXT})
    assert stored.status_code == 200, stored.text
    assert stored.json()["steps"][0]["addedCount"] == 3
    edited = {"parameters": {"pipeline": [CAPITALS]}, "text": TEXT}
    assert zoe.post(path, json=edited).status_code == 403
    assert as_user(client, "ada", "useAnnotator:capitals").post(path, json=edited).status_code == 404
