"""Which data folder belongs to the record. Uploads, models, exports and the embedded search index lie in that folder:
a process that keeps them elsewhere would lose what others need, and find other documents than they do.
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
    """This process may not work on the record with the folder it was given."""


def database_exists() -> bool:
    """Whether there is a database already: a file in the data folder, or one that DATABASE_URL names."""
    settings = get_settings()
    return settings.database_url is not None or (settings.data / DATABASE_FILE).exists()


def require_database() -> None:
    """See that there is a record already: a folder misspelt would be answered from an empty one made on the way.

    Raises:
        NotFound: the data folder holds none.
    """
    if not database_exists():
        fix = "Give the folder with --data or ANNOTARIUM_DATA; annotarium serve makes a new one"
        raise NotFound(f"There is no Annotarium in the folder {get_settings().data.resolve()}", fix=fix)


def claim_data_folder() -> None:
    """Tie record and data folder to each other when one of them is new.

    Only a record elsewhere (DATABASE_URL) can meet a wrong folder: an SQLite file lies in its own.

    Raises:
        HomeDiffers: the record belongs to another folder.
    """
    settings = get_settings()
    if settings.database_url is None:
        return
    mark = settings.data / "installation"
    known = _stored_folder_id()  # before the mark is looked for: whoever ties them writes the mark first
    if known is None:
        if not mark.exists():
            _create_folder_id_file(mark, uuid4().hex)
        known = _store_folder_id(_read_folder_id(mark))
    if known != _read_folder_id(mark):
        raise DataFolderMismatch(
            f"The folder {settings.data.resolve()} is not the data folder of this database",
            cause="The database belongs to another folder, which holds the uploads, models and search index that all "
            "processes of an installation share",
            fix="Give the folder the first of them was started with (--data). If that one is lost for good, this one "
            f"takes its place with: annotarium adopt --data {settings.data}",
        )


def adopt_data_folder() -> None:
    """Make the data folder the one of the record from now on; who is on another one does not start any more."""
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
    """Leave word in the data folder of the machine that serves."""
    settings = get_settings()
    settings.run_folder.mkdir(parents=True, exist_ok=True)
    (settings.run_folder / "machine").write_text(_machine_identity(), encoding="utf-8")


def require_same_machine() -> None:
    """That a worker may write the search index: the embedded one is files of one machine, whose processes share memory.

    Raises:
        HomeDiffers: the folder is served by another machine, and the index is not on a server.
    """
    settings = get_settings()
    told = settings.run_folder / "machine"
    if settings.engine_name != "embedded" or not told.exists():
        return
    boot, _, host = told.read_text(encoding="utf-8").partition(" ")
    own_boot, _, own_host = _machine_identity().partition(" ")
    if boot != own_boot and host != own_host:  # the boot is another after each start of one machine too
        raise DataFolderMismatch(
            f"The folder {settings.data.resolve()} is served by another machine ({host})",
            cause="The embedded search index works on one machine only, also when its folder is shared",
            fix="Have an OpenSearch server hold the index (OPENSEARCH_URL) before workers run on further machines",
        )


def _machine_identity() -> str:
    boot = _BOOT.read_text(encoding="ascii").strip() if _BOOT.exists() else "-"  # one kernel: its containers too
    return f"{boot} {socket.gethostname()}"


def _stored_folder_id() -> str | None:
    with unit_of_work(actor="", write=False) as unit:
        fact = unit.session.get(InstanceFact, KEY)
        return None if fact is None else str(fact.value["id"])


def _store_folder_id(own: str | None) -> str | None:
    try:
        with unit_of_work(actor="", write=True) as unit:
            unit.session.add(InstanceFact(key=KEY, value={"id": own}))
    except IntegrityError:  # somebody else was first
        return _stored_folder_id()
    return own


def _read_folder_id(mark: Path) -> str | None:
    return mark.read_text(encoding="ascii").strip() if mark.exists() else None


def _create_folder_id_file(mark: Path, own: str) -> None:
    """It appears whole; of two that start together the first one wins."""
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
