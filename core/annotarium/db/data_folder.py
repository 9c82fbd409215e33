"""Ensures that a process uses the data folder that belongs to the database. Uploads, models, exports and the embedded
search index are in that folder: a process with another folder would store files where others do not find them, and
search another index.
"""

from __future__ import annotations

import os
import socket
import tempfile
from pathlib import Path
from uuid import uuid4

from sqlalchemy.exc import IntegrityError

from annotarium.db.models import InstanceFact
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import Conflict, NotFound
from annotarium.settings import DATABASE_FILE, get_settings

KEY = "data folder"
_BOOT = Path("/proc/sys/kernel/random/boot_id")


class DataFolderMismatch(Conflict):
    """The data folder of this process must not be used with the database."""


def database_exists() -> bool:
    """Whether there is a database already: a file in the data folder, or one that DATABASE_URL names."""
    settings = get_settings()
    return settings.database_url is not None or (settings.data / DATABASE_FILE).exists()


def require_database() -> None:
    """Check that a database exists, so that a misspelt folder does not silently become a new, empty installation.

    Raises:
        NotFound: the data folder contains no database.
    """
    if not database_exists():
        fix = "Set the folder with --data or ANNOTARIUM_DATA; annotarium serve creates a new one"
        raise NotFound(f"There is no Annotarium in the folder {get_settings().data.resolve()}", fix=fix)


def claim_data_folder() -> None:
    """Link database and data folder to each other if one of them is new.

    Only a database on a server (DATABASE_URL) can be used with a wrong folder: an SQLite file is in its own.

    Raises:
        DataFolderMismatch: the database belongs to another folder.
    """
    settings = get_settings()
    if settings.database_url is None:
        return
    mark = settings.data / "installation"
    known = _stored_folder_id()  # before the file is read: it is written before the id is stored
    if known is None:
        if not mark.exists():
            _create_folder_id_file(mark, uuid4().hex)
        known = _store_folder_id(_read_folder_id(mark))
    if known != _read_folder_id(mark):
        raise DataFolderMismatch(
            f"The folder {settings.data.resolve()} is not the data folder of this database",
            cause="The database belongs to another folder, with the uploads, models and search index that all "
            "processes of an installation share",
            fix="Use the folder that the first process was started with (--data). If it is permanently lost, replace "
            f"it by this one: annotarium adopt --data {settings.data}",
        )


def adopt_data_folder() -> None:
    """Make the current data folder the one of the database; processes with another folder no longer start."""
    mark = get_settings().data / "installation"
    own = uuid4().hex
    mark.unlink(missing_ok=True)
    _create_folder_id_file(mark, own)
    with unit_of_work(actor="", write=True) as unit:
        fact = unit.session.get(InstanceFact, KEY, with_for_update=True)
        if fact is None:
            unit.session.add(InstanceFact(key=KEY, value={"id": own}))
        else:
            fact.value = {"id": own}


def write_serving_machine() -> None:
    """Write the identity of the serving machine to the data folder."""
    settings = get_settings()
    settings.run_folder.mkdir(parents=True, exist_ok=True)
    (settings.run_folder / "machine").write_text(_machine_identity(), encoding="utf-8")


def require_same_machine() -> None:
    """Check that a worker may write the search index: the embedded one works only within one machine (shared memory).

    Raises:
        DataFolderMismatch: the folder is served by another machine, and the index is not on a server.
    """
    settings = get_settings()
    told = settings.run_folder / "machine"
    if settings.engine_name != "embedded" or not told.exists():
        return
    boot, _, host = told.read_text(encoding="utf-8").partition(" ")
    own_boot, _, own_host = _machine_identity().partition(" ")
    if boot != own_boot and host != own_host:  # the boot id changes with each start of a machine
        raise DataFolderMismatch(
            f"The folder {settings.data.resolve()} is served by another machine ({host})",
            cause="The embedded search index works on one machine only, also when its folder is shared",
            fix="Store the index on an OpenSearch server (OPENSEARCH_URL) before running workers on other machines",
        )


def _machine_identity() -> str:
    boot = _BOOT.read_text(encoding="ascii").strip() if _BOOT.exists() else "-"  # shared by a machine's containers
    return f"{boot} {socket.gethostname()}"


def _stored_folder_id() -> str | None:
    with unit_of_work(actor="", write=False) as unit:
        fact = unit.session.get(InstanceFact, KEY)
        return None if fact is None else str(fact.value["id"])


def _store_folder_id(own: str | None) -> str | None:
    try:
        with unit_of_work(actor="", write=True) as unit:
            unit.session.add(InstanceFact(key=KEY, value={"id": own}))
    except IntegrityError:  # another process was first
        return _stored_folder_id()
    return own


def _read_folder_id(mark: Path) -> str | None:
    return mark.read_text(encoding="ascii").strip() if mark.exists() else None


def _create_folder_id_file(mark: Path, own: str) -> None:
    """Create the file atomically; of two processes that start together the first one wins."""
    mark.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=mark.parent, prefix=".installation-")
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(own + "\n")
    try:
        os.link(draft, mark)
    except FileExistsError:
        return
    finally:
        os.unlink(draft)
