"""Rerankers learned from judged passages: measured on held-out questions, kept only where they win."""

from __future__ import annotations

import numpy as np
import pytest
from support.factories import Corpus, document
from support.judged_questions import create, judge, run

from annotarium.domains.ranking_experiments.configurations import SearchConfiguration
from annotarium.domains.ranking_experiments.judged_passages import FIGURES, Matches, figures_of
from annotarium.domains.ranking_experiments.learning import Candidates, learn
from annotarium.domains.ranking_experiments.report import Measured
from annotarium_engines.answers.ranking_features import FEATURES

TITLE = FEATURES.index("title")


def _learn(candidates: list[Candidates], folds: int = 5) -> dict[str, object]:
    values = np.array([[figures_of(one.matches)] for one in candidates])
    measured = Measured(["text"], ["text"], [{}], [0.0], FIGURES, values)
    base = SearchConfiguration("text")
    found = learn(candidates, measured, base, folds=folds, seed=0, report_progress=lambda: None)
    assert (found.configuration is not None) == (found.values is not None) == found.report["used"]
    return found.report


def _candidates(count: int, *, tells: bool) -> list[Candidates]:
    """Questions with ten candidates of which one, at a random place, is relevant; `tells`: the title shows which."""
    chance = np.random.default_rng(11)
    found = []
    for _ in range(count):
        right = int(chance.integers(10))
        features = chance.random((10, len(FEATURES))).astype(np.float32)
        features[:, 0] = -np.log(np.arange(1, 11))
        if tells:
            features[:, TITLE] = np.arange(10) == right
        grades = (np.arange(10) == right).astype(np.float32)
        found.append(Candidates(features, grades, Matches({right: (0,)}, (1,), 10)))
    return found


def test_a_useful_feature_is_learned() -> None:
    report = _learn(_candidates(60, tells=True))
    assert report["used"] and report["reason"] == "better" and report["p"] < 0.01  # type: ignore[operator]
    weights = report["weights"]
    assert isinstance(weights, dict) and max(weights, key=lambda name: abs(weights[name]) * (name != "bias")) == "title"
    assert report["heldOut"]["ndcg"] > 0.9  # type: ignore[index]


def test_noise_is_not_learned() -> None:
    report = _learn(_candidates(60, tells=False))
    assert (report["used"], report["reason"]) == (False, "notBetter")


@pytest.mark.parametrize("count", [0, 19])
def test_too_few_questions(count: int) -> None:
    assert _learn(_candidates(count, tells=True) or _candidates(1, tells=True))["reason"] == "fewQuestions"


def test_nothing_to_learn_without_relevant_candidates() -> None:
    none = [Candidates(one.features, one.grades * 0, Matches({}, (1,), 10)) for one in _candidates(30, tells=True)]
    assert _learn(none)["reason"] == "nothingToLearn"


def test_a_learned_ranking_becomes_the_default_of_searching(corpus: Corpus) -> None:
    """Titles show which document is meant, and text search is misled by frequent words: learning finds that out."""
    names = [f"vessel{number:02}" for number in range(24)]
    corpus.add(
        *(document(name, f"It crossed the lake in 18{number:02}.", title=name) for number, name in enumerate(names)),
        *(document(f"d{number}", f"{name} {name} sank, crossed lake, when?", title="Notes")
          for number, name in enumerate(names)),
    )  # fmt: skip
    for number, name in enumerate(names):
        corpus.post("/questions", json={"identifier": f"q{number}", "text": f"When {name} crossed the lake?"})
        judge(corpus, f"q{number}", name, 0, 28)
    name = create(corpus, learned=True)
    report = run(corpus, name)["report"]
    learned = report["learned"]
    assert learned["used"] and learned["base"] == "text" and report["best"] == "learned"
    assert report["choice"]["significant"] and report["choice"]["heldOut"]["ndcg"] > report["configurations"][0]["ndcg"]
    made = corpus.post(f"/ranking_experiments/{name}/_make_default", json={"configuration": "learned"})
    assert made["searchDefaults"]["rerankerParameters"]["title"] == learned["weights"]["title"] > 0
    params = {"query": "When vessel07 crossed the lake?", "simpleQuery": True, "queryFilter": "-metadata.question:true"}
    first = corpus.post("/segments/_search", params=params)["hits"][0]["segment"]
    assert first["documentIdentifier"] == "vessel07"
    plain = corpus.post("/segments/_search", params=params | {"searchType": "text"})["hits"][0]["segment"]
    assert plain["documentIdentifier"] == "d7", "an explicit type is that of the request"
