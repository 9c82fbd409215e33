"""Experiments that measure searches on saved questions with judged passages (R-022, S-045)."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.db.identifiers import new_id
from annotarium.db.models import Document, PassageJudgement
from annotarium.db.unit_of_work import unit_of_work

TEXTS = {
    "canal": "The lock gates were made of oak. Barges carried coal to the city.",
    "river": "Salmon return to the river every autumn. The river rises in the hills.",
    "tower": "The tower was built in 1889. It stands in the old city beside the river.",
    "train": "Trains carry coal and people. The gates of the station close at midnight.",
}
QUESTIONS = {
    "What were the lock gates made of?": ("canal", "The lock gates were made of oak."),
    "When do salmon return?": ("river", "Salmon return to the river every autumn."),
    "When was the tower built?": ("tower", "The tower was built in 1889."),
    "What do trains carry?": ("train", "Trains carry coal and people."),
    "What did barges carry to the city?": ("canal", "Barges carried coal to the city."),
    "Where does the river rise?": ("river", "The river rises in the hills."),
}


def judge(corpus: Corpus, question: str, identifier: str, start: int, end: int, grade: int = 1) -> None:
    """Store a judgement."""
    with unit_of_work(actor="tests", write=True) as unit:
        ids = dict(
            unit.session.execute(
                select(Document.identifier, Document.id).where(Document.project_id == corpus.project.id)
            ).all()
        )
        unit.session.add(
            PassageJudgement(
                id=new_id(),
                project_id=corpus.project.id,
                question_id=ids[question],
                document_id=ids[identifier],
                start=start,
                end=end,
                grade=grade,
            )
        )


@pytest.fixture
def judged(corpus: Corpus) -> Corpus:
    """A project with documents, questions and judgements."""
    corpus.add(*(document(name, text) for name, text in TEXTS.items()))
    asked = [document(f"q{number}", text, metadata={"question": True}) for number, text in enumerate(QUESTIONS)]
    corpus.add(*asked)
    for number, (name, passage) in enumerate(QUESTIONS.values()):
        start = TEXTS[name].index(passage)
        judge(corpus, f"q{number}", name, start, start + len(passage))
    return corpus


def create(corpus: Corpus, **grid: Any) -> str:
    name: str = corpus.post("/ranking_experiments", json={"label": "Ways", "parameters": {"ranking": grid}})["name"]
    return name


def run(corpus: Corpus, name: str) -> dict[str, Any]:
    """Launch an experiment and return it when the job has ended."""
    job = corpus.post(f"/ranking_experiments/{name}/_launch")
    assert job["status"] == "STARTED" and corpus.get(f"/ranking_experiments/{name}")["jobId"] == job["id"]
    corpus.run_jobs()
    ended = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    read: dict[str, Any] = corpus.get(f"/ranking_experiments/{name}")
    return read


def test_a_run_measures_each_configuration_on_each_question(judged: Corpus) -> None:
    """S-045, C-076: ndcg, rr, ap per configuration and question, with text search as the baseline."""
    name = create(judged, rerankers=["", "feature_reranker"])
    before = judged.get(f"/ranking_experiments/{name}")
    assert (before["uptodate"], before["running"], before["timestamp"]) == (False, False, 0) and "report" not in before
    found = run(judged, name)
    report = found["report"]
    assert (found["uptodate"], found["running"], found["kind"]) == (True, False, "ranking")
    assert report["questions"] == report["judged"] == len(QUESTIONS)
    assert [one["key"] for one in report["configurations"]] == ["text", "text+feature_reranker"]
    assert report["figures"][:3] == ["ndcg", "rr", "ap"] and report["baseline"] == "text"
    text = report["configurations"][0]
    assert text["ndcg"] == text["rr"] == text["ap"] == text["recall5"] == 1.0, "each question has its own words"
    page = judged.get(f"/ranking_experiments/{name}/questions", params={"size": 4})
    assert page["total"] == len(QUESTIONS) and len(page["questions"]) == 4
    assert set(page["questions"][0]["figures"]) == {"text", "text+feature_reranker"}
    assert page["questions"][0]["text"] in QUESTIONS
