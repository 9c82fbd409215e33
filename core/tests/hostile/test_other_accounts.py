"""Other accounts of the machine cannot read any file that the installation writes, whatever the umask."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from support.api_processes import PASSWORD, ServeProcess, wait_for

from annotarium.db.database import Database
from annotarium.files import private_files
from annotarium.files.private_files import FolderUnsafe, protect_data_folder
from annotarium.settings import Settings, get_settings

TEXTS = ("Mara met Idris in Halden.", "Agnes left Varn on monday.", "Nobody saw the tram.", "Priya likes Osterby.")


@contextmanager
def umask(mask: int) -> Iterator[None]:
    before = os.umask(mask)
    try:
        yield
    finally:
        os.umask(before)


def open_to_others(folder: Path) -> list[str]:
    """Return the paths whose mode lets other accounts in, with the mode; links have none of their own."""
    found = [(path, path.lstat().st_mode) for path in (folder, *folder.rglob("*"))]
    return [f"{path} {stat.filemode(mode)}" for path, mode in found if not stat.S_ISLNK(mode) and mode & 0o077]


def data_folder_of_an_older_version(folder: Path) -> Path:
    """Create a data folder as an older version left it under umask 000; returns a nested file of it."""
    for name in ("", "uploads", "models", "index", "run"):
        (folder / name).mkdir(mode=0o777)
        (folder / name).chmod(0o777)
    (folder / "secret.key").write_bytes(b"k" * 64)
    (folder / "uploads" / "old").write_bytes(b"x")
    for path in (folder / "secret.key", folder / "uploads" / "old"):
        path.chmod(0o666)
    return folder / "uploads" / "old"


def write_all_kinds_of_files(server: ServeProcess) -> None:
    """Run everything that writes files: an import, a training, the search index."""
    made = server.call("POST", "/projects", {"label": "P", "nature": "sequence_labelling", "lang": "en"})
    documents = [
        {"identifier": f"d{n}", "text": TEXTS[n % 4], "annotations": [{"start": 0, "end": 4, "labelName": "name"}]}
        for n in range(24)
    ]
    path = f"/projects/{made['projectName']}"
    server.call("POST", f"{path}/documents/_import_documents?wait=true", documents)
    experiment = server.call("POST", f"{path}/experiments", {"engine": "crf", "parameters": {"iterations": 3}})["name"]
    server.call("POST", f"{path}/experiments/{experiment}/_launch", {})
    wait_for(lambda: server.call("GET", f"{path}/experiments/{experiment}")["models"] == 1, 90)
    server.call("POST", f"{path}/documents/_search", {})


def test_files_are_private_under_any_umask(tmp_path: Path) -> None:
    """Database, index, uploads, models, sockets, backups; the folder of an older version is restricted at the start."""
    old = data_folder_of_an_older_version(tmp_path / "data")
    with umask(0):
        server = ServeProcess(tmp_path, processes=1)
        try:
            write_all_kinds_of_files(server)
            backup = [sys.executable, "-m", "annotarium.cli", "backup", str(tmp_path / "copy"), "--data"]
            subprocess.run([*backup, str(tmp_path / "data")], check=True, capture_output=True, timeout=60)
            found = [one for one in open_to_others(tmp_path / "data") if not one.startswith(f"{old} ")]
            assert not found, found
            assert not open_to_others(tmp_path / "copy")
            kinds = {path.relative_to(tmp_path / "data").parts[0] for path in (tmp_path / "data").rglob("*")}
            assert {"annotarium.sqlite", "annotarium.sqlite-wal", "index", "models", "run", "secret.key"} <= kinds
        finally:
            server.stop()


@pytest.mark.parametrize("mode", [0o1777, 0o1707])
def test_a_world_writable_folder_is_refused(tmp_path: Path, mode: int) -> None:
    """`--data /tmp`: others could put files there, and restricting its mode would lock them out of it."""
    shared = tmp_path / "shared"
    shared.mkdir()
    shared.chmod(mode)
    with pytest.raises(FolderUnsafe, match="Every account"):
        protect_data_folder(shared)
    done = subprocess.run(
        [sys.executable, "-m", "annotarium.cli", "serve", "--data", str(shared), "--port", "0"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
        env=os.environ | {"ANNOTARIUM_ADMIN_PASSWORD": PASSWORD},
    )
    assert done.returncode == 1
    assert "Every account of this machine may write" in done.stderr
    assert stat.S_IMODE(shared.stat().st_mode) == mode
    assert not list(shared.iterdir())


def test_a_folder_of_another_account_is_reported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its owner can read everything; if it is writable by all, it is refused."""
    monkeypatch.setattr("annotarium.files.private_files.os.geteuid", lambda: os.getuid() + 1)
    tmp_path.chmod(0o755)
    assert "belongs to another account" in (protect_data_folder(tmp_path) or "")
    assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
    tmp_path.chmod(0o757)
    with pytest.raises(FolderUnsafe):
        protect_data_folder(tmp_path)


def test_a_database_outside_the_data_folder_is_restricted_when_opened(tmp_path: Path) -> None:
    """DATABASE_URL=sqlite:///...: a file created by an older version."""
    path = tmp_path / "record.sqlite"
    path.touch()
    path.chmod(0o644)
    Database(f"sqlite:///{path}").dispose()
    assert open_to_others(path) == []


def test_every_folder_of_the_settings_is_restricted() -> None:
    """Files that an older version left readable are restricted by name."""
    folders = {name for name in vars(Settings) if name.endswith("_folder")}
    assert len(folders) > 4
    assert {getattr(get_settings(), name).name for name in folders} <= set(private_files._FOLDERS)


def test_links_and_unknown_files_keep_their_modes(tmp_path: Path) -> None:
    """A data folder may contain links to other disks, and files that its owner put there."""
    data, outside = tmp_path / "data", tmp_path / "outside"
    data.mkdir()
    outside.mkdir(mode=0o755)
    (data / "models").symlink_to(outside)
    (data / "notes.txt").write_text("mine")
    (data / "notes.txt").chmod(0o644)
    assert protect_data_folder(data) is None
    assert stat.S_IMODE(data.stat().st_mode) == 0o700
    assert stat.S_IMODE((data / "notes.txt").stat().st_mode) == 0o644
    assert stat.S_IMODE(outside.stat().st_mode) == 0o755


def test_restricting_inspects_direct_entries_only(tmp_path: Path) -> None:
    """Only direct entries of the folder are inspected: an installation may hold millions of files."""
    (tmp_path / "uploads").mkdir()
    for number in range(50):
        (tmp_path / "uploads" / f"{number}").touch(mode=0o644)
    protect_data_folder(tmp_path)
    assert {stat.S_IMODE(path.stat().st_mode) & 0o077 for path in (tmp_path / "uploads").iterdir()} != {0}
