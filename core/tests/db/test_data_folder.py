"""An external database and its data folder belong together; an embedded index belongs to one machine."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotarium.db.data_folder import (
    DataFolderMismatch,
    adopt_data_folder,
    claim_data_folder,
    require_same_machine,
    write_serving_machine,
)
from annotarium.db.database import get_database
from annotarium.db.models import Base
from annotarium.settings import get_settings

SwitchFolder = Callable[[str], Path]


@pytest.fixture
def switch_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SwitchFolder]:
    """Yield a function that switches the process to another data folder with the same database."""
    for name in ("REDIS_URL", "OPENSEARCH_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ANNOTARIUM_DATABASE_URL", f"sqlite:///{tmp_path / 'elsewhere.sqlite'}")

    def use_folder(name: str) -> Path:
        monkeypatch.setenv("ANNOTARIUM_DATA", str(tmp_path / name))
        get_settings.cache_clear()
        return tmp_path / name

    use_folder("first")
    get_database.cache_clear()
    Base.metadata.create_all(get_database().write_engine)
    yield use_folder
    get_database().dispose()
    get_database.cache_clear()
    get_settings.cache_clear()


def test_a_database_accepts_only_the_folder_it_was_first_used_with(switch_folder: SwitchFolder) -> None:
    claim_data_folder()
    claim_data_folder()
    folder = switch_folder("second")
    with pytest.raises(DataFolderMismatch, match="is not the data folder of this database") as refused:
        claim_data_folder()
    assert f"annotarium adopt --data {folder}" in refused.value.one_line()
    switch_folder("first")
    claim_data_folder()


def test_another_folder_can_be_adopted(switch_folder: SwitchFolder) -> None:
    claim_data_folder()
    switch_folder("second")
    adopt_data_folder()
    claim_data_folder()
    switch_folder("first")
    with pytest.raises(DataFolderMismatch):
        claim_data_folder()


def test_a_new_database_accepts_an_existing_folder(
    switch_folder: SwitchFolder, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    claim_data_folder()
    monkeypatch.setenv("ANNOTARIUM_DATABASE_URL", f"sqlite:///{tmp_path / 'restored.sqlite'}")
    switch_folder("first")
    get_database().dispose()
    get_database.cache_clear()
    Base.metadata.create_all(get_database().write_engine)
    claim_data_folder()
    switch_folder("second")
    with pytest.raises(DataFolderMismatch):
        claim_data_folder()


def test_an_embedded_index_is_refused_on_another_machine(
    switch_folder: SwitchFolder, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_same_machine()  # no machine serves yet
    write_serving_machine()
    require_same_machine()
    one_line = get_settings().run_folder / "machine"
    boot, _, host = one_line.read_text(encoding="utf-8").partition(" ")
    one_line.write_text(f"{boot} another", encoding="utf-8")  # another container on this machine
    require_same_machine()
    one_line.write_text(f"before {host}", encoding="utf-8")  # before a reboot of this machine
    require_same_machine()
    one_line.write_text("other another", encoding="utf-8")
    with pytest.raises(DataFolderMismatch, match="served by another machine"):
        require_same_machine()
    monkeypatch.setenv("OPENSEARCH_URL", "http://search.example:9200")
    switch_folder("first")
    require_same_machine()
