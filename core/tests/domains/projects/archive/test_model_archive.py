"""Archives of models through the API: trained in one project, used in another; and models in a project archive."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document
from support.project_archives import export_project, import_project, upload_archive

PEOPLE = ["Ada Lovelace", "Grace Hopper", "Alan Turing", "Kurt Goedel", "Emmy Noether", "Marie Curie"]


def trained(corpus: Corpus) -> str:
    """Name of an experiment with a model."""
    corpus.add(*(document(f"d{n}", f"Yesterday {one} met a friend.", (one, "person")) for n, one in enumerate(PEOPLE)))
    body = {"label": "Names", "engine": "crf", "groupField": "author", "trainOnAll": False}
    name: str = corpus.post("/experiments", json=body)["name"]
    corpus.post(f"/experiments/{name}/_launch")
    corpus.run_jobs()
    assert corpus.get(f"/experiments/{name}")["models"] == 1
    return name


def test_models_are_imported_into_another_project(corpus: Corpus, make_project: Any, as_user: Any, client: Any) -> None:
    """E-037: counts of what was imported and what was ignored; the file is named after the project."""
    name = trained(corpus)
    answer = corpus.caller.post(f"{corpus.path}/_export_models", params={"experiments": name})
    assert f'filename="{corpus.project.name}.zip"' in answer.headers["content-disposition"]
    assert corpus.caller.post(f"{corpus.path}/_export_models", params={"experiments": "absent"}).status_code == 404
    other = make_project(owner="root")
    reference = [{"id": upload_archive(corpus.caller, answer.content), "filename": "m.zip"}]
    load = f"/api/projects/{other.name}/_load_models"
    assert corpus.caller.post(load, json=reference).json() == {"configs": ["Names"], "ignored": [], "models": 1}
    assert corpus.caller.post(load, json=reference).json() == {"configs": [], "ignored": ["Names"], "models": 0}
    moved = corpus.caller.get(f"/api/projects/{other.name}/experiments/{name}").json()
    assert (moved["models"], moved["engine"], moved["quality"]) == (
        1,
        "crf",
        corpus.get(f"/experiments/{name}")["quality"],
    )
    files = {"file": ("m.zip", answer.content)}
    sent = corpus.caller.post("/api/projects/_import_models", files=files, params={"projectName": "for-models"})
    assert sent.json() == [{"projectName": "for-models", "status": "created"}]
    again = corpus.caller.post(f"{corpus.path}/_import_models", files=files).json()
    assert (again["models"], again["ignored"]) == (0, ["Names"])
    wrong = corpus.caller.post(f"{corpus.path}/_import_models", files={"file": ("p.spa", export_project(corpus))})
    assert (wrong.status_code, "not an archive of models" in wrong.json()["message"]) == (400, True)
    reader = as_user(client, "rita", "Reader", f"readProject:{corpus.project.name}")
    for path in ("_export_models", "_load_models", "_import_models"):
        assert client.post(f"{corpus.path}/{path}").status_code == 401
        assert reader.post(f"{corpus.path}/{path}", json=[]).status_code == 403


def test_project_archive_carries_models_on_request(corpus: Corpus) -> None:
    """D-020."""
    name = trained(corpus)
    full, _ = import_project(corpus, export_project(corpus))
    bare, _ = import_project(corpus, export_project(corpus, includeModels="false"))
    kept = corpus.caller.get(f"/api/projects/{full}/experiments/{name}").json()
    original = corpus.get(f"/experiments/{name}")
    assert kept == original
    left = corpus.caller.get(f"/api/projects/{bare}/experiments/{name}").json()
    assert (left["models"], left["timestamp"], left["quality"], left["parameters"]) == (0, 0, 0, original["parameters"])
