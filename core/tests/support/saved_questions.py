"""Calls on saved questions: `from support.saved_questions import judge, listed, save`."""

from __future__ import annotations

import json
from typing import Any

from support.factories import Corpus

TEXT = "Ines Calderon was born in Valdivia. She made nine films."


def save(corpus: Corpus, text: str, *answers: str, status: int = 200, **more: Any) -> dict[str, Any]:
    """Save a question."""
    found: dict[str, Any] = corpus.post("/questions", status, json={"text": text, "answers": list(answers)} | more)
    return found


def listed(corpus: Corpus, **asked: Any) -> list[str]:
    """Return the texts of the saved questions."""
    return [one["text"] for one in corpus.get("/questions", params=asked)["questions"]]


def judge(corpus: Corpus, question: str, start: int, end: int, grade: int = 1, status: int = 200, **more: Any) -> Any:
    """Judge a passage of the document `d1`."""
    body = {"documentIdentifier": "d1", "start": start, "end": end, "grade": grade} | more
    return corpus.put(f"/questions/{question}/judgements", status, json=body)


def judged(corpus: Corpus, question: str) -> list[tuple[str, int, int, int]]:
    """Return the judged passages of a question: document, start, end, grade."""
    found = corpus.get(f"/questions/{question}/judgements")
    return [(one["documentIdentifier"], one["start"], one["end"], one["grade"]) for one in found]


def upload(corpus: Corpus, *files: tuple[str, Any]) -> list[str]:
    """Upload files, given by name and content (bytes, or a value written as JSON)."""
    parts = [
        ("file", (name, content if isinstance(content, bytes) else json.dumps(content).encode()))
        for name, content in files
    ]
    answer = corpus.caller.post("/api/uploads", files=parts)
    assert answer.status_code == 200, answer.text
    return [one["id"] for one in answer.json()]


def import_files(corpus: Corpus, *files: tuple[str, Any], **parameters: Any) -> dict[str, Any]:
    """Import files of questions and return the ended job."""
    ids = upload(corpus, *files)
    job = corpus.post("/questions/_import", json=[{"id": one} for one in ids], params=parameters)
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    return ended
