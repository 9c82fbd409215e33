"""SQLite finds documents by their ids: a scan of a project with 200,000 documents for a page takes a second."""

from __future__ import annotations

from typing import Any

import pytest
from support.executed_statements import recorded_statements
from support.factories import Corpus
from support.judged_questions import create, run

from annotarium.db.database import get_database

BY_PROJECT = "(project_id=?)"
"""How a plan says that all rows of a project are read."""


def scans_of_documents(statements: list[tuple[str, Any]]) -> list[str]:
    """Return the statements that read all documents of a project."""
    found = []
    with get_database().read_engine.connect() as connection:
        for statement in {statement for statement, _ in statements}:
            if not statement.startswith("SELECT") or "documents" not in statement:
                continue
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", (None,) * statement.count("?"))
            steps = [row[3] for row in rows]
            if any(" documents " in f" {one} " and (one.startswith("SCAN") or BY_PROJECT in one) for one in steps):
                found.append(f"{statement}\n{steps}")
    return found


def test_no_query_of_questions_and_experiments_reads_all_documents(judged: Corpus, database_kind: str) -> None:
    if database_kind != "sqlite":
        pytest.skip("plans of SQLite")
    with recorded_statements() as statements:
        for kind in ("ranking", "answers"):
            name = create(judged, kind)
            run(judged, name)
            judged.get(f"/ranking_experiments/{name}/_estimate")
            for sort in ("worst", "best", "difference"):
                judged.get(f"/ranking_experiments/{name}/questions", params={"sort": sort, "size": 3})
        judged.post("/ranking_experiments/_compare", json={"searches": [{}, {}]})
        judged.get("/questions")
        judged.get("/questions/q0/judgements")
        passages = [{"documentIdentifier": "canal", "start": 0, "end": 8, "cited": True}]
        judged.post("/answers/_feedback", json={"question": "Why?", "verdict": "right", "passages": passages})
        judged.get("/answers/_feedback")
    scans = scans_of_documents(statements)
    assert not scans, "\n\n".join(scans)
