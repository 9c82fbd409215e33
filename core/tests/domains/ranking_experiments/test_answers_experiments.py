"""Experiments that measure answers on saved questions with known answers."""

from __future__ import annotations

import pytest
from support.factories import Corpus
from support.judged_questions import QUESTIONS, create, run

from annotarium.domains.ranking_experiments.answers_run import sample_of
from annotarium_engines.answers.extractive_answerer import ExtractiveAnswerer


def test_answers_are_measured_as_users_get_them(judged: Corpus) -> None:
    """S-045: exact match, F1, citations against judged passages, told or not told right and wrong."""
    judged.post("/questions", json={"identifier": "none", "text": "Who won the football cup of 1998?", "answers": []})
    judged.post("/documents/_tag", 204, params={"identifier": "none"}, json={"name": "unanswerable", "value": True})
    name = create(judged, "answers", answerers=["", "extractive_answerer"])
    estimate = judged.get(f"/ranking_experiments/{name}/_estimate")
    assert (estimate["questions"], estimate["answers"], estimate["calls"]) == (len(QUESTIONS) + 1, 14, 0)
    found = run(judged, name)
    report = found["report"]
    assert report["figures"][0] == "f1" and report["judged"] == len(QUESTIONS) + 1
    used, named = report["configurations"]
    assert (used["key"], named["key"]) == ("default", "extractive_answerer")
    assert all(used[one] == named[one] for one in ("f1", "em", "toldRight"))
    assert used["toldRight"] + used["notToldWrong"] == len(QUESTIONS) and used["failed"] == used["calls"] == 0
    assert used["notToldRight"] + used["toldWrong"] == 1
    assert used["em"] + used["f1"] > 0 and used["contained"] >= used["em"]
    assert used["citationPrecision"] > 0.5 and 0 < used["citationRecall"] <= 1
    page = judged.get(f"/ranking_experiments/{name}/questions", params={"sort": "best"})["questions"]
    oak = next(one for one in page if one["identifier"] == "q0")
    assert "oak" in oak["answers"]["default"] and oak["figures"]["default"]["contained"] == 1
    refused = judged.post(f"/ranking_experiments/{name}/_make_default", 400, json={"configuration": "default"})
    assert refused["details"][0]["field"] == "configuration"


def test_calls_to_servers_are_limited(judged: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ExtractiveAnswerer, "calls_server", True)
    name = create(judged, "answers", maxCalls=2, callsPerMinute=600)
    estimate = judged.get(f"/ranking_experiments/{name}/_estimate")
    assert (estimate["questions"], estimate["calls"], estimate["limited"]) == (2, 2, True)
    report = run(judged, name)["report"]
    assert report["judged"] == 2 and report["skipped"] == {"limit": 4}
    assert report["configurations"][0]["calls"] == 2
    none = create(judged, "answers", maxCalls=0)
    refused = judged.post(f"/ranking_experiments/{none}/_launch", 400)
    assert refused["details"][0]["field"] == "parameters.answers.maxCalls"


def test_an_unknown_answerer_is_refused(judged: Corpus) -> None:
    refused = judged.post(f"/ranking_experiments/{create(judged, 'answers', answerers=['none_such'])}/_launch", 400)
    assert refused["details"][0]["field"] == "parameters.answers.answerers"


def test_samples_are_repeatable() -> None:
    ids = list(range(100))
    assert sample_of(ids, 100, 1) == ids and sample_of(ids, 0, 1) == []
    assert sample_of(ids, 10, 1) == sorted(sample_of(ids, 10, 1)) != sample_of(ids, 10, 2)
