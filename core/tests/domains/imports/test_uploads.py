"""Uploads through the API."""

from __future__ import annotations

import os
import struct
from typing import Any

import orjson
import pytest

from annotarium.db.models import Upload
from annotarium.db.unit_of_work import unit_of_work
from annotarium.settings import get_settings

PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sIIB", 13, b"IHDR", 2, 2, 8) + bytes(200)


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


def _stored_files() -> list[str]:
    folder = get_settings().uploads_folder
    return sorted(os.listdir(folder)) if folder.exists() else []


def test_files_are_stored_under_generated_names(marie: Any, as_user: Any, client: Any) -> None:
    """C-047; conflict 40 of the contract: an array, even for one file."""
    files = [("file", ("../../etc/pässwd", b"abc", "text/plain")), ("file", ("b.json", b"")), ("other", ("c", b"c"))]
    answer = marie.post("/api/uploads", files=files)
    assert answer.status_code == 200, answer.text
    uploaded = answer.json()
    assert [one["filename"] for one in uploaded] == ["pässwd", "b.json"]
    assert uploaded[0]["contentType"] == "text/plain"
    assert marie.get(f"/api/uploads/{uploaded[0]['id']}").json() == {"id": uploaded[0]["id"]}
    assert (get_settings().uploads_folder / uploaded[0]["id"]).read_bytes() == b"abc"
    with unit_of_work(actor="", write=False) as unit:
        row = unit.session.get_one(Upload, uploaded[0]["id"])
        assert row.size == 3
        assert row.sha256 == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    other = as_user(client, "oscar", "ProjectManager")
    assert other.get(f"/api/uploads/{uploaded[0]['id']}").status_code == 404


def test_a_refused_upload_leaves_no_files(
    marie: Any, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _stored_files()
    assert client.post("/api/uploads", files={"file": ("a", b"a")}).status_code == 401
    assert as_user(client, "rita", "Reader").post("/api/uploads", files={"file": ("a", b"a")}).status_code == 403
    assert marie.post("/api/uploads", content=b"raw").status_code == 400
    assert marie.post("/api/uploads", files={"wrong": ("a", b"a")}).status_code == 400
    headers = {"content-type": "multipart/form-data; boundary=x"}
    cut = b'--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nabc'
    assert marie.post("/api/uploads", content=cut, headers=headers).status_code == 400
    assert marie.post("/api/uploads", content=b"no boundary at all", headers=headers).status_code == 400
    monkeypatch.setattr(get_settings(), "upload_limit", 1000)
    large = marie.post("/api/uploads", files=[("file", ("s", b"small")), ("file", ("large.txt", bytes(1001)))])
    assert large.status_code == 413
    assert "large.txt" in large.json()["message"]
    assert _stored_files() == before


def test_large_bodies_are_accepted_by_upload_endpoints_only(
    marie: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only requests that are streamed to disk may exceed the limit for bodies in memory, and only from permitted
    callers.
    """
    monkeypatch.setattr(get_settings(), "body_limit", 1_000)
    form = {"Content-Type": "multipart/form-data; boundary=x"}
    for body in (b"a" * 1_001, iter([b"a" * 600, b"a" * 600])):
        answer = client.post("/api/auth/login", content=body, headers=form)
        assert answer.status_code == 413, answer.text
    chunks = iter([b"a" * 600, b"a" * 600])
    answer = client.post("/api/auth/login", content=chunks)
    assert (answer.status_code, answer.json()["message"]) == (413, "The request body is over 1000 bytes")
    sent = marie.post("/api/uploads", files=[("file", ("long.txt", b"a" * 5_000))])
    assert sent.status_code == 200, sent.text


def test_uploads_expire(marie: Any) -> None:
    uploaded = marie.post("/api/uploads?ttl=5", files={"file": ("a", b"a")}).json()[0]["id"]
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(Upload, uploaded).expires_at = 1
    assert marie.get(f"/api/uploads/{uploaded}").status_code == 404
    marie.post("/api/uploads", files={"file": ("b", b"b")})
    assert uploaded not in _stored_files()


def test_project_images(marie: Any, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-048: png, jpg, gif by content, within the limit; stored as long as a project displays it."""
    answer = marie.post("/api/uploads?image=true", files={"file": ("a.png", PNG)})
    image = answer.json()[0]
    assert image["contentType"] == "image/png"
    shown = client.get(f"/api/images/projects/{image['id']}", headers=marie.headers)
    assert (shown.content, shown.headers["content-type"]) == (PNG, "image/png")
    assert client.get(f"/api/images/projects/{image['id']}").status_code == 401
    assert marie.get("/api/images/projects/unknown").status_code == 404
    stolen = as_user(client, "oscar", "ProjectManager").post(
        "/api/projects", json={"label": "X", "imageId": image["id"]}
    )
    assert stolen.status_code == 400
    body = {"label": "With image", "imageId": image["id"], "imageFilename": "a.png"}
    name = marie.post("/api/projects", json=body).json()["projectName"]
    bean = marie.get(f"/api/projects/{name}/config").json()
    assert (bean["imageId"], bean["imageFilename"]) == (image["id"], "a.png")
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get_one(Upload, image["id"]).expires_at is None
    before = _stored_files()
    wrong = marie.post("/api/uploads?image=true", files={"file": ("a.png", b"<svg onload=alert(1)>")})
    assert wrong.status_code == 400
    monkeypatch.setattr(get_settings(), "image_limit", 100)
    assert marie.post("/api/uploads?image=true", files={"file": ("a.png", PNG)}).status_code == 413
    assert _stored_files() == before


@pytest.mark.parametrize(
    "name", ["sample-simple.json", "sample-NER-normal.json", "sample-catego-normal.json", "sample-questions.json"]
)
def test_samples_are_served_and_consistent(client: Any, name: str) -> None:
    """C-052."""
    answer = client.get(f"/api/samples/{name}")
    assert answer.status_code == 200
    for document in orjson.loads(answer.content):
        assert document["identifier"]
        for annotation in document.get("annotations", ()):
            assert document["text"][annotation["start"] : annotation["end"]] == annotation["text"]


def test_only_samples_are_served(client: Any) -> None:
    assert client.get("/api/samples/secret.json").status_code == 404
    assert client.get("/api/samples/..%2Fcli.py").status_code in (404, 400)
