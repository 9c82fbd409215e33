"""Files that are uploaded in chunks: an upload resumes where it was interrupted, even after a restart of the server."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.hypothesis_example_count import hypothesis_example_count

from annotarium.db.models import PartialUpload, Upload
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.imports.chunked_uploads import chunks_path
from annotarium.server.process_lifecycle import _remove_temporary_files
from annotarium.settings import get_settings


@pytest.fixture
def marie(as_user: Any, client: Any) -> Any:
    return as_user(client, "marie", "ProjectManager")


def begin(caller: Any, size: int, name: str = "a.txt") -> dict[str, Any]:
    answer = caller.post("/api/uploads/_pieces", json={"filename": name, "contentType": "text/plain", "size": size})
    assert answer.status_code == 200, answer.text
    state: dict[str, Any] = answer.json()
    return state


def add(caller: Any, upload_id: str, offset: int, data: bytes) -> Any:
    return caller.patch(f"/api/uploads/_pieces/{upload_id}", params={"offset": offset}, content=data)


@settings(
    max_examples=hypothesis_example_count(15),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(pieces=st.lists(st.binary(max_size=40), max_size=6))
def test_chunks_become_the_file(marie: Any, pieces: list[bytes]) -> None:
    """For any chunk sizes the result is their concatenation, an ordinary upload with its hash."""
    whole = b"".join(pieces)
    state = begin(marie, len(whole))
    offset = 0
    for piece in [*pieces, b""]:
        answer = add(marie, state["id"], offset, piece)
        assert answer.status_code == 200, answer.text
        offset += len(piece)
        assert answer.json()["offset"] == offset
    done = marie.get(f"/api/uploads/_pieces/{state['id']}").json()
    assert done["uploaded"] == {"id": state["id"], "filename": "a.txt", "contentType": "text/plain"}
    assert (get_settings().uploads_folder / state["id"]).read_bytes() == whole
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get_one(Upload, state["id"]).sha256 == hashlib.sha256(whole).hexdigest()
        assert unit.session.get(PartialUpload, state["id"]) is None
    again = add(marie, state["id"], offset, b"")  # the response to the last chunk was lost
    assert again.json()["uploaded"]["id"] == state["id"]


def test_a_chunk_at_the_wrong_offset_changes_nothing(marie: Any) -> None:
    state = begin(marie, 10)
    assert add(marie, state["id"], 0, b"abcd").json()["offset"] == 4
    for offset in (0, 3, 5, 10):
        refused = add(marie, state["id"], offset, b"xx")
        assert refused.status_code == 409
        assert refused.json()["details"][0]["offset"] == 4
    assert add(marie, state["id"], -1, b"x").status_code == 400
    assert add(marie, state["id"], 11, b"x").status_code == 400
    over = add(marie, state["id"], 4, b"0123456")
    assert (over.status_code, marie.get(f"/api/uploads/_pieces/{state['id']}").json()["offset"]) == (400, 4)
    assert add(marie, state["id"], 4, b"efghij").json()["uploaded"]


def test_received_chunks_survive_cleanup_and_a_crash(marie: Any) -> None:
    """After a restart, the file on disk determines the offset to continue at, and cleanup does not delete it."""
    state = begin(marie, 6)
    add(marie, state["id"], 0, b"abc")
    _remove_temporary_files()
    assert marie.get(f"/api/uploads/_pieces/{state['id']}").json()["offset"] == 3
    with chunks_path(state["id"]).open("ab") as file:
        file.write(b"def")
    chunks_path(state["id"]).rename(get_settings().uploads_folder / state["id"])  # renamed, without an upload row yet
    assert marie.get(f"/api/uploads/_pieces/{state['id']}").json()["offset"] == 6


def test_an_upload_resumes_without_its_id(marie: Any, as_user: Any, client: Any) -> None:
    """Name, size and `mark` identify the file and return the offset received. A different file or user starts a
    new upload.
    """
    told = {"filename": "big.zip", "size": 6, "mark": "m1"}

    def announce(caller: Any, **change: Any) -> dict[str, Any]:
        state: dict[str, Any] = caller.post("/api/uploads/_pieces", json=told | change).json()
        return state

    first = announce(marie)
    add(marie, first["id"], 0, b"abc")
    again = announce(marie)
    assert (again["id"], again["offset"]) == (first["id"], 3)
    others = [
        announce(marie, mark="m2"),
        announce(marie, size=7),
        announce(marie, filename="b"),
        announce(marie, mark=""),
    ]
    others.append(announce(as_user(client, "oscar", "ProjectManager")))
    assert all((one["id"] != first["id"], one["offset"]) == (True, 0) for one in others)


def test_concurrent_chunks(marie: Any) -> None:
    import fcntl

    state = begin(marie, 6)
    with chunks_path(state["id"]).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        refused = add(marie, state["id"], 0, b"abc")
    assert (refused.status_code, refused.json()["message"]) == (409, "Another part of this file is being received")


def test_chunks_respect_the_size_limit_and_ownership(
    marie: Any, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-047: the limit applies before the first byte; no user can write to another user's file."""
    state = begin(marie, 4, "../../é\u0007.txt")
    assert state["filename"] == "é.txt"
    path = f"/api/uploads/_pieces/{state['id']}"
    oscar, rita = as_user(client, "oscar", "ProjectManager"), as_user(client, "rita", "Reader")
    assert client.post("/api/uploads/_pieces", json={"filename": "a", "size": 1}).status_code == 401
    assert rita.post("/api/uploads/_pieces", json={"filename": "a", "size": 1}).status_code == 403
    assert marie.post("/api/uploads/_pieces", json={"filename": "a", "size": -1}).status_code == 400
    assert client.patch(path, params={"offset": 0}, content=b"a").status_code == 401
    assert rita.patch(path, params={"offset": 0}, content=b"a").status_code == 403
    assert add(oscar, state["id"], 0, b"evil").status_code == 404
    assert oscar.get(path).status_code == 404
    assert client.get(path).status_code == 401
    assert oscar.delete(path).status_code == 404
    assert client.delete(path).status_code == 401
    assert marie.get(path).json()["offset"] == 0
    monkeypatch.setattr(get_settings(), "upload_limit", 3)
    too_large = marie.post("/api/uploads/_pieces", json={"filename": "a", "size": 4})
    assert too_large.status_code == 413
    assert marie.delete(path).status_code == 204
    assert marie.get(path).status_code == 404
    assert not chunks_path(state["id"]).exists()


def test_chunked_uploads_expire(marie: Any) -> None:
    state = begin(marie, 4)
    add(marie, state["id"], 0, b"ab")
    with unit_of_work(actor="", write=True) as unit:
        unit.session.get_one(PartialUpload, state["id"]).expires_at = 1
    assert add(marie, state["id"], 2, b"cd").status_code == 404
    begin(marie, 1)
    assert not chunks_path(state["id"]).exists()


def test_too_many_pending_uploads_are_refused(as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("annotarium.domains.imports.chunked_uploads.MAX_OPEN_UPLOADS", 1)
    lea = as_user(client, "lea", "ProjectManager")
    begin(lea, 1)
    assert lea.post("/api/uploads/_pieces", json={"filename": "b", "size": 1}).status_code == 409
