"""Limits of experiments whose answers come from a language model: rate, cost, failures one after the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.factories import Corpus
from support.judged_questions import QUESTIONS, create, run
from support.language_model_server import Model, served_models

from annotarium.domains.ranking_experiments.answers_run import MAX_FAILURES


@pytest.fixture(scope="module")
def server(data_folder: Any) -> Iterator[list[Model]]:
    """Serve as the language model; each token of a question costs 0.001."""
    with served_models(ANNOTARIUM_LANGUAGE_MODEL_PRICES="1000,0") as models:
        yield models


@pytest.fixture
def model(server: list[Model]) -> Model:
    server[0] = Model()
    server[0].words = ("The lock gates were made of oak. [1]",)
    server[0].usage = {"prompt_tokens": 2_000, "completion_tokens": 10}
    server[0].allow()
    return server[0]


def experiment(corpus: Corpus, **limits: Any) -> str:
    return create(corpus, "answers", answerers=["language_model_answerer"], **({"callsPerMinute": 600} | limits))


def test_calls_keep_to_the_rate(judged: Corpus, model: Model) -> None:
    report = run(judged, experiment(judged, callsPerMinute=240))["report"]
    (figures,) = report["configurations"]
    assert len(model.asked) == figures["calls"] == len(QUESTIONS) and figures["failed"] == 0
    assert figures["cost"] == pytest.approx(2.0 * len(QUESTIONS))
    assert model.asked_at[-1] - model.asked_at[1] >= 0.8 * 0.25 * (len(QUESTIONS) - 2), (
        "the first one waits for a start"
    )


def test_a_run_ends_at_the_limit_of_cost(judged: Corpus, model: Model) -> None:
    """The answer that reaches the limit is the last one; what was measured is reported."""
    report = run(judged, experiment(judged, maxCost=3.0))["report"]
    assert len(model.asked) == report["judged"] == 2
    assert report["skipped"] == {"cost": len(QUESTIONS) - 2}
    assert report["configurations"][0]["cost"] == pytest.approx(4.0)


def test_a_run_ends_after_failures_one_after_the_other(judged: Corpus, model: Model) -> None:
    """It does not ask a server that refuses everything 200 times; the former report stays."""
    name = experiment(judged)
    before = run(judged, name)["report"]
    model.asked.clear()
    model.status = 401
    job = judged.post(f"/ranking_experiments/{name}/_launch")
    judged.run_jobs()
    failed = judged.get(f"/job/{job['id']}")
    assert failed["status"] == "FAILED" and "again and again" in failed["statusMessage"]
    assert len(model.asked) == MAX_FAILURES
    assert judged.get(f"/ranking_experiments/{name}")["report"] == before


def test_single_failures_are_counted_and_the_run_goes_on(judged: Corpus, model: Model) -> None:
    model.refusals = ((400, "0"), (400, "0"))
    report = run(judged, experiment(judged))["report"]
    assert report["configurations"][0]["failed"] == 2 and report["judged"] == len(QUESTIONS)
