"""A small corpus with saved questions, known answers and judged passages."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document

TEXTS = {
    "canal": "The lock gates were made of oak. Barges carried coal to the city.",
    "river": "Salmon return to the river every autumn. The river rises in the hills.",
    "tower": "The tower was built in 1889. It stands in the old city beside the river.",
    "train": "Trains carry coal and people. The gates of the station close at midnight.",
}
QUESTIONS = {
    "What were the lock gates made of?": ("canal", "The lock gates were made of oak.", "oak"),
    "When do salmon return?": ("river", "Salmon return to the river every autumn.", "every autumn"),
    "When was the tower built?": ("tower", "The tower was built in 1889.", "1889"),
    "What do trains carry?": ("train", "Trains carry coal and people.", "coal and people"),
    "What did barges carry to the city?": ("canal", "Barges carried coal to the city.", "coal"),
    "Where does the river rise?": ("river", "The river rises in the hills.", "in the hills"),
}
"""The document, the passage that answers, and the answer, by question."""


def add_judged_questions(corpus: Corpus) -> None:
    """Add documents, questions and judgements."""
    corpus.add(*(document(name, text) for name, text in TEXTS.items()))
    for number, (question, (name, passage, answer)) in enumerate(QUESTIONS.items()):
        body = {"identifier": f"q{number}", "text": question, "answers": [answer]}
        corpus.post("/questions", json=body)
        start = TEXTS[name].index(passage)
        judge(corpus, f"q{number}", name, start, start + len(passage))


def judge(corpus: Corpus, question: str, name: str, start: int, end: int, grade: int = 1) -> None:
    """Judge a passage."""
    body = {"documentIdentifier": name, "start": start, "end": end, "grade": grade}
    corpus.put(f"/questions/{question}/judgements", json=body)


def create(corpus: Corpus, kind: str = "ranking", **grid: Any) -> str:
    """Create an experiment and return its name."""
    body = {"kind": kind, "label": "Ways", "parameters": {kind: grid}}
    name: str = corpus.post("/ranking_experiments", json=body)["name"]
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
