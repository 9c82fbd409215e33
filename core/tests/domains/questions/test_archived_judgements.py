"""Archives contain saved questions and judgements; forged judgements are refused or left out."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus
from support.forged_archives import Files, forge_archive
from support.project_archives import export_project, import_project
from support.saved_questions import judge, judged, save

TABLE = "tables/passage_judgements.jsonl"


@pytest.fixture
def archive(filled: Corpus) -> bytes:
    save(filled, "Where was Ines born?", "Valdivia", identifier="q1")
    judge(filled, "q1", 0, 36, 2)
    judge(filled, "q1", 0, 7, 0, documentIdentifier="d2")
    return export_project(filled)


def restored(corpus: Corpus, archive: bytes) -> tuple[Corpus, dict[str, Any]]:
    name, job = import_project(corpus, archive)
    return Corpus(corpus.caller, type("Named", (), {"name": name}), corpus.run_jobs), job


def test_judgements_are_restored(filled: Corpus, archive: bytes) -> None:
    again, job = restored(filled, archive)
    assert job["status"] == "COMPLETED"
    assert judged(again, "q1") == [("d1", 0, 36, 2), ("d2", 0, 7, 0)]
    assert again.get("/questions/q1")["answers"] == ["Valdivia"]


def _first(change: Callable[[dict[str, Any]], None]) -> Callable[[Files], None]:
    def forge(files: Files) -> None:
        rows = [json.loads(line) for line in files[TABLE].splitlines()]
        change(rows[0])
        files[TABLE] = b"\n".join(json.dumps(row).encode() for row in rows)

    return forge


@pytest.mark.parametrize(
    "values",
    [{"end": 99}, {"start": 36}, {"start": -1}, {"grade": 4}, {"grade": "2"}, {"grade": None}, {"created_by": 7}],
    ids=str,
)
def test_impossible_values_are_refused(filled: Corpus, archive: bytes, values: dict[str, Any]) -> None:
    _, job = restored(filled, forge_archive(archive, _first(lambda row: row.update(values))))
    assert job["status"] == "FAILED"


def test_a_passage_judged_twice_is_refused(filled: Corpus, archive: bytes) -> None:
    def forge(files: Files) -> None:
        first, second = files[TABLE].splitlines()
        files[TABLE] = b"\n".join([first, json.dumps(json.loads(first) | {"id": json.loads(second)["id"]}).encode()])

    assert restored(filled, forge_archive(archive, forge))[1]["status"] == "FAILED"


@pytest.mark.parametrize("name", ["question_id", "document_id"])
def test_judgements_of_nothing_are_left_out(filled: Corpus, archive: bytes, name: str) -> None:
    def swap(row: dict[str, Any]) -> None:
        row[name] = row["document_id" if name == "question_id" else "question_id"]

    for change in (swap, lambda row: row.update({name: 12345})):
        again, job = restored(filled, forge_archive(archive, _first(change)))
        assert job["status"] == "COMPLETED"
        assert judged(again, "q1") == [("d2", 0, 7, 0)]
