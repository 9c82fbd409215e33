"""A data folder and an archive of an earlier version are opened by the current one, with all the work in them.

Both were written by the version of migration 0028: thirty letters, one of them annotated by hand, an annotation undone,
and a trained model. The database was not closed: the last changes are in its log file (WAL).
"""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from annotarium.db.migrate import upgrade_database
from annotarium.jobs.testing import run_pending_jobs

HERE = Path(__file__).parent
PASSWORD = "journey-password"
TEXT = "Ada met Grace \N{ROCKET} in Rome on day 25. She wrote to Zo\N{LATIN SMALL LETTER E WITH DIAERESIS}."
pytestmark = pytest.mark.parametrize("database_kind", ["sqlite"], indirect=True, scope="module")


@pytest.fixture(scope="module")
def earlier_folder(data_folder: Path) -> Path:
    """The data folder of the process, with the files of the earlier version."""
    for path in data_folder.glob("annotarium.sqlite*"):
        path.unlink()
    with zipfile.ZipFile(HERE / "data_folder_0028.zip") as archive:
        archive.extractall(data_folder)
    return data_folder


@pytest.fixture(scope="module")
def admin(earlier_folder: Path, request: pytest.FixtureRequest) -> Callable[..., Any]:
    """A function that sends requests as the administrator of the folder, signed in with the password of that
    version.
    """
    upgrade_database()
    client: TestClient = request.getfixturevalue("client")
    signed_in = client.post("/api/auth/login", json={"email": "admin", "password": PASSWORD})
    assert signed_in.status_code == 200, signed_in.text
    headers = {"Authorization": f"Bearer {signed_in.json()['access_token']}"}

    def call(method: str, path: str, **arguments: Any) -> Any:
        answer = client.request(method, f"/api{path}", headers=headers, **arguments)
        assert answer.status_code < 300, answer.text
        return answer.json()

    return call


def test_documents_annotations_and_history_are_readable(admin: Callable[..., Any]) -> None:
    assert len(admin("GET", "/projects/letters/documents")) == 30
    document = admin("GET", "/projects/letters/documents/a25")
    assert document["text"] == TEXT
    assert [(one["text"], one["labelName"], one["createdBy"]) for one in document["annotations"]] == [
        ("Ada", "person", "admin")
    ]
    assert document["metadata"] == {"year": 1865}
    undone = admin("GET", "/projects/letters/documents/a26/_history")
    assert undone["redo"]["count"] == 1
    assert not admin("GET", "/projects/letters/documents/a26")["annotations"]
    admin("POST", "/projects/letters/documents/a26/_history/_redo", json={})
    assert [one["text"] for one in admin("GET", "/projects/letters/documents/a26")["annotations"]] == ["Grace"]


def test_the_search_index_is_usable(admin: Callable[..., Any]) -> None:
    found = admin("POST", "/projects/letters/documents/_search", json={"query": "rome"})
    assert found["total"]["value"] == 30


def test_the_trained_model_annotates(admin: Callable[..., Any]) -> None:
    experiment = admin("GET", "/projects/letters/experiments/first")
    assert (experiment["engine"], experiment["models"], experiment["quality"]) == ("crf", 1, 100)
    started = admin("POST", "/projects/letters/annotators/first/_annotate_corpus")
    run_pending_jobs()
    assert admin("GET", f"/projects/letters/job/{started['id']}")["status"] == "COMPLETED"
    found = admin("GET", "/projects/letters/documents/a27")["annotations"]
    assert {(one["text"], one["labelName"]) for one in found} == {("Ada", "person"), ("Rome", "place")}


def test_an_archive_of_that_version_is_restored(admin: Callable[..., Any]) -> None:
    archive = (HERE / "archive_0028.spa").read_bytes()
    [upload] = admin("POST", "/uploads", files={"file": ("archive.spa", archive)})
    started = admin("POST", "/projects/_load", json={"id": upload["id"], "filename": "archive.spa"})
    run_pending_jobs()
    name = started["projectName"]
    assert admin("GET", f"/projects/{name}/job/{started['id']}")["status"] == "COMPLETED"
    assert admin("GET", f"/projects/{name}/documents/a25")["text"] == TEXT
    assert len(admin("GET", f"/projects/{name}/documents")) == 30
