"""Models that this installation did not train: who lists, accepts and rejects them, and what becomes of them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest
from support.factories import Corpus

from annotarium.db.models import AuditEntry, Experiment
from annotarium.db.unit_of_work import unit_of_work
from annotarium.registry import model_signatures
from annotarium.registry.model_store import model_folder

PATH = "/api/foreign_models"
UNKNOWN = "0" * 64


def store_model(corpus: Corpus, label: str = "Names", content: bytes = b"weights", *, signed: bool = False) -> Path:
    """Create an experiment with the files of a model as an archive brings them; returns their folder."""
    name = corpus.post("/experiments", json={"label": label, "engine": "crf"})["name"]
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.query(Experiment).filter_by(project_id=corpus.project.id, name=name).one()
        row.timestamp = 1_700_000_000_000
        folder = model_folder(row.project_id, "experiment", row.id) / str(row.timestamp)
    folder.mkdir(parents=True)
    (folder / "model.bin").write_bytes(content)
    (folder / model_signatures.MANIFEST).write_bytes(orjson.dumps({"learner": "crf", "content": content.hex()}))
    if signed:
        model_signatures.sign_model(folder)
    return folder


def listed(corpus: Corpus) -> list[dict[str, Any]]:
    """The models of this project in the list."""
    found: list[dict[str, Any]] = corpus.caller.get(PATH).json()["models"]
    return [one for one in found if one["projectName"] == corpus.project.name]


def test_who_may_list_accept_and_reject(corpus: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid: also the owner of the project and the administrator of its group are refused."""
    folder = store_model(corpus)
    identifier = listed(corpus)[0]["id"]
    owner = as_user(client, "olga", "ProjectManager", f"writeProject:{corpus.project.name}", "createProject")
    group = as_user(client, "gina", "GroupUserAdmin", "GroupProjectAdmin", groups=("harbour",))
    for caller, status in ((client, 401), (owner, 403), (group, 403)):
        assert caller.get(PATH).status_code == status
        assert caller.post(f"{PATH}/{identifier}/_accept").status_code == status
        assert caller.delete(f"{PATH}/{identifier}").status_code == status
    assert (listed(corpus)[0]["state"], folder.exists()) == ("waiting", True)
    assert corpus.caller.post(f"{PATH}/{identifier}/_accept").status_code == 200


def test_what_the_list_shows(corpus: Corpus) -> None:
    """The waiting one first; what was trained here is not in it."""
    store_model(corpus, "Accepted", b"one")
    corpus.caller.post(f"{PATH}/{listed(corpus)[0]['id']}/_accept")
    store_model(corpus, "Waiting", b"two")
    store_model(corpus, "Ours", b"three", signed=True)
    shown = listed(corpus)
    assert [(one["label"], one["state"]) for one in shown] == [("Waiting", "waiting"), ("Accepted", "accepted")]
    assert (shown[0]["kind"], shown[0]["engine"], shown[0]["size"] > 3) == ("experiment", "crf", True)


def test_accepting_is_audited_and_lasts(corpus: Corpus) -> None:
    folder = store_model(corpus, content=b"audited")
    identifier = listed(corpus)[0]["id"]
    for _ in range(2):  # a repetition is no error
        answer = corpus.caller.post(f"{PATH}/{identifier}/_accept")
        assert [one["state"] for one in answer.json()["models"] if one["id"] == identifier] == ["accepted"]
    assert model_signatures.origin_of_model(folder) == "accepted"
    (folder / "model.bin").write_bytes(b"other weights")
    assert model_signatures.origin_of_model(folder) != "own"
    with unit_of_work(actor="tests", write=False) as unit:
        entries = unit.session.query(AuditEntry).filter_by(action="model.accept").all()
        assert any(identifier in str(vars(entry)) for entry in entries)


def test_rejecting_deletes_the_files_and_leaves_the_experiment(corpus: Corpus) -> None:
    """Of every project that has the same model; it can be trained here afterwards."""
    folders = [store_model(corpus, label, b"same") for label in ("First", "Second")]
    (identifier,) = {one["id"] for one in listed(corpus)}
    answer = corpus.caller.delete(f"{PATH}/{identifier}")
    assert identifier not in {one["id"] for one in answer.json()["models"]}
    assert [folder.exists() for folder in folders] == [False, False]
    assert {one["label"] for one in corpus.get("/experiments")} == {"First", "Second"}
    assert corpus.caller.delete(f"{PATH}/{identifier}").status_code == 404


@pytest.mark.parametrize(
    ("identifier", "status"), [(UNKNOWN, 404), ("x", 400), ("A" * 64, 400), ("0" * 65, 400), ("0" * 5_000, 400)]
)
def test_identifiers_that_name_no_model(corpus: Corpus, identifier: str, status: int) -> None:
    assert corpus.caller.post(f"{PATH}/{identifier}/_accept").status_code == status
    assert corpus.caller.delete(f"{PATH}/{identifier}").status_code == status


def test_models_of_a_deleted_project_are_not_listed(corpus: Corpus) -> None:
    store_model(corpus, content=b"gone")
    identifier = listed(corpus)[0]["id"]
    corpus.caller.delete(f"{corpus.path}")
    assert listed(corpus) == []
    assert corpus.caller.post(f"{PATH}/{identifier}/_accept").status_code == 404
