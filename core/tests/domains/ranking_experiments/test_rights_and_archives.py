"""Who may use search experiments; what archives contain of them, and forged values."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus
from support.forged_archives import Files, forge_archive
from support.judged_questions import create, run
from support.project_archives import export_project, import_project

EXPERIMENTS, RESULTS = "tables/ranking_experiments.jsonl", "tables/ranking_results.jsonl"


def test_who_may_do_what(judged: Corpus, as_user: Any, client: Any, make_project: Any) -> None:
    """R-022: readers of the project see experiments, writers launch them; others do not know of them."""
    name = create(judged)
    run(judged, name)
    path = f"{judged.path}/ranking_experiments"
    calls = [
        ("GET", path, None),
        ("POST", path, {}),
        ("GET", f"{path}/{name}", None),
        ("PATCH", f"{path}/{name}", {"favorite": True}),
        ("GET", f"{path}/{name}/questions", None),
        ("GET", f"{path}/{name}/_estimate", None),
        ("GET", f"{path}/{name}/_export", None),
        ("POST", f"{path}/{name}/_clone", None),
        ("POST", f"{path}/{name}/_make_default", {"configuration": "text"}),
        ("POST", f"{path}/{name}/_launch", None),
        ("POST", f"{path}/{name}/_cancel", None),
        ("POST", f"{path}/_compare", {"searches": [{}, {}]}),
        ("DELETE", f"{path}/{name}", None),
    ]
    stranger = as_user(client, "stranger", "Project Manager")
    reader = as_user(client, "reader", "useSearch", "seeExperiments", f"readProject:{judged.project.name}")
    writer = as_user(client, "writer", f"readProject:{judged.project.name}", f"writeProject:{judged.project.name}")
    for method, address, body in calls:
        assert client.request(method, address, json=body).status_code == 401, address
        assert stranger.request(method, address, json=body).status_code == 404, address
        reads = method == "GET" or address.endswith("_compare")
        assert reader.request(method, address, json=body).status_code == (200 if reads else 403), address
    assert writer.post(f"{path}/{name}/_launch").status_code == 403, "without useSearch"
    assert writer.post(f"{path}/{name}/_make_default", json={"configuration": "text"}).status_code == 403
    assert writer.post(f"{path}/_compare", json={"searches": [{}, {}]}).status_code == 403
    assert writer.post(path, json={}).status_code == 200


def test_other_rerankers_need_a_permission(judged: Corpus, as_user: Any, client: Any) -> None:
    rights = (f"readProject:{judged.project.name}", f"writeProject:{judged.project.name}", "useSearch")
    writer = as_user(client, "measurer", *rights)
    path = f"{judged.path}/ranking_experiments"
    for grid, status in (
        ({"rerankers": ["feature_reranker"]}, 200),
        ({"rerankers": ["learned_reranker"]}, 403),
        ({"learned": True}, 403),
        ({"searchTypes": ["hybrid"]}, 403),
    ):
        name = writer.post(path, json={"parameters": {"ranking": grid}}).json()["name"]
        assert writer.post(f"{path}/{name}/_launch").status_code == status, grid


def test_archives_contain_reports(judged: Corpus) -> None:
    name = create(judged, rerankers=["", "feature_reranker"])
    report = run(judged, name)["report"]
    judged.patch("/config", 204, json={"searchDefaults": {"reranker": "feature_reranker"}})
    page = judged.get(f"/ranking_experiments/{name}/questions")
    restored, job = import_project(judged, export_project(judged))
    assert job["status"] == "COMPLETED", job
    again = Corpus(judged.caller, type("Named", (), {"name": restored}), judged.run_jobs)
    found = again.get(f"/ranking_experiments/{name}")
    assert found["report"] == report and found["running"] is False
    assert again.get(f"/ranking_experiments/{name}/questions")["total"] == page["total"]
    assert again.get("/config")["searchDefaults"]["reranker"] == "feature_reranker"


def _first(table: str, change: Callable[[dict[str, Any]], None]) -> Callable[[Files], None]:
    def forge(files: Files) -> None:
        rows = [json.loads(line) for line in files[table].splitlines()]
        change(rows[0])
        files[table] = b"\n".join(json.dumps(row).encode() for row in rows)

    return forge


@pytest.fixture
def archive(judged: Corpus) -> bytes:
    run(judged, create(judged))
    return export_project(judged)


def test_forged_values_are_refused(judged: Corpus, archive: bytes) -> None:
    def report(**values: Any) -> Callable[[dict[str, Any]], None]:
        return lambda row: row["report"].update(values)

    forged: list[tuple[str, Callable[[dict[str, Any]], None]]] = [
        (EXPERIMENTS, lambda row: row.update(kind="other")),
        (EXPERIMENTS, lambda row: row.update(name="a/b")),
        (EXPERIMENTS, lambda row: row.update(parameters={"ranking": {"depth": -1}})),
        (EXPERIMENTS, lambda row: row.update(parameters={"surprise": 1})),
        (EXPERIMENTS, report(configurations=[])),
        (EXPERIMENTS, report(judged=-1)),
        (EXPERIMENTS, report(choice={"best": "text", "folds": "many"})),
        (EXPERIMENTS, report(learned={"used": True, "reason": "<script>"})),
        (RESULTS, lambda row: row.update(figures=[[20_000]])),
        (RESULTS, lambda row: row.update(figures={"a": 1})),
        (RESULTS, lambda row: row.update(quality=-1)),
    ]
    for table, change in forged:
        _, job = import_project(judged, forge_archive(archive, _first(table, change)))
        assert job["status"] == "FAILED", (table, job)
