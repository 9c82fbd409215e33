"""A backup is made while others write, and is itself a data folder."""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from annotarium.db.backup import back_up
from annotarium.db.database import get_database
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import Conflict
from annotarium.jobs.run import run_job
from annotarium.settings import get_settings


def test_a_backup_holds_what_was_committed_and_the_files(
    client: Any, as_user: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    marie = as_user(client, "marie", "ProjectManager")
    project = marie.post("/api/projects", json={"label": "Kept", "lang": "en"}).json()["projectName"]
    document = {"identifier": "one", "title": "One", "text": "Zoë was here."}
    marie.post(f"/api/projects/{project}/documents/_import_documents?wait=true", content=json.dumps([document]))
    upload = marie.post("/api/uploads", files={"file": ("a.txt", b"some bytes")}).json()
    settings = get_settings()
    (settings.uploads_folder / "half.part").write_bytes(b"-")
    model = settings.models_folder / "1" / "a model" / "weights.npy"
    model.parent.mkdir(parents=True)
    model.write_bytes(b"numbers")
    (settings.models_folder / "1" / ".new-x").mkdir()
    with unit_of_work(actor="", write=True) as unit:  # a concurrent write: neither waits for the other
        unit.touch(1, "rebuild")
        unit.write_appended()
        copied = back_up(tmp_path / "copy")
        unit.session.rollback()
    copy = tmp_path / "copy"
    names = {str(path.relative_to(copy)) for path in copy.rglob("*") if path.is_file()}
    upload_id = (upload[0] if isinstance(upload, list) else upload)["id"]
    assert {"annotarium.sqlite", "secret.key", f"uploads/{upload_id}", "models/1/a model/weights.npy"} <= names
    assert not any("part" in name or "new-" in name or name.startswith(("index", "run")) for name in names)
    assert copied.database and copied.files == len(names) - 1
    assert copied.size == sum((copy / name).stat().st_size for name in names)
    with closing(sqlite3.connect(copy / "annotarium.sqlite")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT text FROM documents").fetchall() == [("Zoë was here.",)]
        assert database.execute("SELECT count(*) FROM outbox WHERE operation = 'rebuild'").fetchone() == (0,)
    assert (copy / "secret.key").stat().st_mode & 0o077 == 0


def test_a_backup_overwrites_nothing(client: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("x", encoding="ascii")
    for folder, words in ((tmp_path, "is not empty"), (get_settings().data / "copy", "does not lie in")):
        with pytest.raises(Conflict, match=words):
            back_up(folder)
    assert get_database().is_sqlite
