"""Deleting a suggester is undone: parameters, model and suggestions are there again, for a while and under rights."""

from __future__ import annotations

from typing import Any

import pytest
from domains.suggesters.test_suggesters import half_annotated, jobs_of, page, start
from support.factories import Corpus

from annotarium.registry import deleted_models
from annotarium.settings import get_settings


def model_files(corpus: Corpus) -> list[str]:
    home = get_settings().models_folder / str(corpus.project.id)
    return sorted(str(path.relative_to(home)) for path in home.rglob("*") if path.is_file())


def test_a_deleted_suggester_comes_back_with_its_model(corpus: Corpus) -> None:
    half_annotated(corpus, 60)
    name = start(corpus, label="Mine")
    before, files = corpus.get(f"/suggesters/{name}"), model_files(corpus)
    assert page(corpus)
    corpus.delete(f"/suggesters/{name}")
    assert (page(corpus), corpus.get("/suggesters")) == ([], [])
    restored = corpus.post(f"/suggesters/{name}/_restore")
    assert restored["training"] is True, "it was active: it makes its suggestions again"
    same = ("name", "label", "engine", "parameters", "models", "timestamp", "quality", "tags")
    assert {key: restored[key] for key in same} == {key: before[key] for key in same}
    assert model_files(corpus) == files
    corpus.run_jobs()
    assert page(corpus)
    corpus.post(f"/suggesters/{name}/_restore", 404)


def test_a_stopped_one_stays_stopped_and_takes_another_name_if_its_own_is_in_use(corpus: Corpus) -> None:
    name = corpus.post("/suggesters", json={"engine": "margin", "label": "Mine"})["name"]
    corpus.delete(f"/suggesters/{name}")
    assert corpus.post("/suggesters", json={"engine": "margin", "label": "Mine"})["name"] == name
    restored = corpus.post(f"/suggesters/{name}/_restore")
    assert (restored["label"], restored["running"], jobs_of(corpus)) == ("Mine 2", False, 0)
    assert restored["name"] != name
    assert {one["label"] for one in corpus.get("/suggesters")} == {"Mine", "Mine 2"}


def test_it_is_gone_after_a_while(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    half_annotated(corpus, 60)
    name = start(corpus)
    corpus.delete(f"/suggesters/{name}")
    deleted_models.remove_expired_models()
    assert model_files(corpus)
    monkeypatch.setattr(deleted_models, "KEPT_MS", -1)
    corpus.post(f"/suggesters/{name}/_restore", 404)
    deleted_models.remove_expired_models()
    assert model_files(corpus) == []


def test_who_may_restore(corpus: Corpus, as_user: Any, client: Any, make_project: Any) -> None:
    """Anonymous, forbidden, another project, without the component, valid."""
    name = corpus.post("/suggesters", json={"engine": "margin"})["name"]
    corpus.delete(f"/suggesters/{name}")
    path, project = f"{corpus.path}/suggesters/{name}/_restore", corpus.project.name
    assert client.post(path).status_code == 401
    assert as_user(client, "stranger", "ProjectManager").post(path).status_code == 404
    assert as_user(client, "rene", "Reader", f"readProject:{project}").post(path).status_code == 403
    assert as_user(client, "alan", "Annotator", f"writeProject:{project}").post(path).status_code == 403
    assert as_user(client, "max", "ProjectManager", f"writeProject:{project}").post(path).status_code == 403
    other = make_project(lang="en")
    elsewhere = f"/api/projects/{other.name}/suggesters/{name}/_restore"
    assert corpus.caller.post(elsewhere).status_code == 404
    manager = as_user(client, "max", "ProjectManager", "useEngine:*", "useSuggester:*", f"writeProject:{project}")
    assert manager.post(path).status_code == 200
