"""Two searches compared on the judged questions (S-031)."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest
from support.factories import Corpus, document
from support.judged_questions import QUESTIONS, judge

from annotarium.domains.ranking_experiments import comparison

SEARCHES = [{"type": "text"}, {"type": "text", "filtering": {"queryFilter": "documentIdentifier:canal"}}]


def test_figures_of_two_searches(judged: Corpus) -> None:
    found = judged.post("/ranking_experiments/_compare", json={"searches": SEARCHES})
    assert found["judged"] == len(QUESTIONS) and "jobId" not in found
    overall = {one["name"]: one for one in found["overall"]}
    assert overall["ndcg"]["means"][0] == 1 and overall["ndcg"]["means"][1] == pytest.approx(2 / 6, abs=1e-4)
    assert overall["ndcg"]["difference"] == pytest.approx(-4 / 6, abs=1e-4)
    assert overall["ndcg"]["p"] == 0.125, "of the 16 signs of the four differences, two give as great a sum"
    differences = [abs(one["difference"]) for one in found["perQuestion"]]
    assert differences == sorted(differences, reverse=True) and len(differences) == len(QUESTIONS)


def test_many_questions_are_compared_by_a_job(judged: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    directly = judged.post("/ranking_experiments/_compare", json={"searches": SEARCHES})
    monkeypatch.setattr(comparison, "DIRECT", 2)
    started = judged.post("/ranking_experiments/_compare", json={"searches": SEARCHES})
    judged.run_jobs()
    job = judged.get(f"/job/{started['jobId']}")
    assert job["status"] == "COMPLETED" and job["result"] == directly


def test_a_worker_compares_more_than_a_hundred_questions(judged: Corpus) -> None:
    """In a process that has loaded only what workers load."""
    count = comparison.DIRECT + 1 - len(QUESTIONS)
    text = "The lock gates were made of oak."
    judged.add(*(document(f"m{n}", f"{text} Number {n}?", metadata={"question": True}) for n in range(count)))
    for number in range(count):
        judge(judged, f"m{number}", "canal", 0, len(text))
    started = judged.post("/ranking_experiments/_compare", json={"searches": SEARCHES})
    code = "import sys; from annotarium.jobs.run import run_job; run_job(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, started["jobId"]], check=True, timeout=120)
    job = judged.get(f"/job/{started['jobId']}")
    assert job["status"] == "COMPLETED", job
    assert job["result"]["judged"] == comparison.DIRECT + 1


@pytest.mark.parametrize(
    ("searches", "status"),
    [
        (SEARCHES[:1], 400),
        ([*SEARCHES, {}], 400),
        ([{}, {"reranker": "none_such"}], 400),
        ([{}, {"filtering": {"queryFilter": "title:("}}], 400),
    ],
)
def test_wrong_searches_are_refused(judged: Corpus, searches: list[dict[str, Any]], status: int) -> None:
    """V-035: a comparison needs two searches."""
    judged.post("/ranking_experiments/_compare", status, json={"searches": searches})


def test_nothing_to_compare_without_judgements(corpus: Corpus) -> None:
    assert "judged" in corpus.post("/ranking_experiments/_compare", 400, json={"searches": SEARCHES})["message"]
