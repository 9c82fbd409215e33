"""Experiments that compare all ways to search, with vectors that a job computed (S-045, C-076)."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document
from support.judged_questions import create, judge, run

SUBJECTS = {
    "captain": (
        *("The captain steers the ship over the sea.", "Sailors on the ship obey the captain."),
        *("The ship sails over the sea in a storm.", "A storm at sea frightens the sailors."),
        *("The harbour shelters the ship from the storm.", "The boat and its sailors reach the harbour."),
    ),
    "baker": (
        *("The baker kneads the dough for the bread.", "The bread needs flour and an oven."),
        *("The oven bakes the dough of the baker.", "Flour and water make the dough."),
        *("The baker sells the bread of the oven.", "The bread is made of flour and water."),
    ),
}
"""Sentences by the word that is asked for; they share words in pairs, and not all of them contain it."""
TIMES = ("today", "tomorrow", "yesterday", "tonight", "monday", "tuesday", "friday", "sunday", "noon", "midnight")


def _fill(corpus: Corpus) -> int:
    """Add documents, questions and their judgements, and compute vectors; returns the number of questions."""
    corpus.add(*(document(word, " ".join(sentences), title=word) for word, sentences in SUBJECTS.items()))
    for word, sentences in SUBJECTS.items():
        for when in TIMES:
            name, at = f"{word}-{when}", 0
            corpus.post("/questions", json={"identifier": name, "text": f"{word} {when}"})
            for sentence in sentences:
                judge(corpus, name, word, at, at + len(sentence), grade=2 if word in sentence else 1)
                at += len(sentence) + 1
    corpus.post("/segments/_vectorize", json={"vectorizer": "lsa", "parameters": {"dimension": 9}})
    corpus.run_jobs()
    return len(SUBJECTS) * len(TIMES)


def test_all_ways_to_search_are_measured_with_vectors(corpus: Corpus) -> None:
    """S-045: search types, weights of vectors, a reranker, a plan and learning in one run of the job."""
    count = _fill(corpus)
    plan: dict[str, Any] = {"pipeline": [{"searchParamsBuilder": "question_search"}]}
    plan_name = corpus.post("/plans", json={"label": "Derived", "parameters": plan})["name"]
    grid = {
        "searchTypes": ["text", "vector", "hybrid"],
        "vectorWeights": [0.5, 2],
        "rerankers": ["", "feature_reranker"],
        "plans": [plan_name],
        "learned": True,
    }
    name = create(corpus, **grid)
    found = run(corpus, name)
    report = found["report"]
    by_key = {one["key"]: one for one in report["configurations"]}
    ways = ("text", "vector", "hybrid::0.5", "hybrid::2")
    expected = {*ways, *(f"{way}+feature_reranker" for way in ways), f"plan:{plan_name}"}
    assert expected <= set(by_key) <= expected | {"learned"}
    assert report["judged"] == count and report["learned"]["base"] in ways
    assert by_key["text"]["recall10"] < 0.5, "it finds the sentences with the word"
    assert by_key["vector"]["recall10"] > 0.9, "the others are found by their meaning"
    assert by_key["hybrid::2"]["settings"]["vectorWeight"] == 2
    page = corpus.get(f"/ranking_experiments/{name}/questions", params={"size": 50})
    assert page["total"] == count
    for key, one in by_key.items():
        mean = sum(row["figures"][key]["ndcg"] for row in page["questions"]) / count
        assert abs(mean - one["ndcg"]) < 1e-3, key
    assert report["best"] not in ("text", "text+feature_reranker") and report["choice"]["significant"]
