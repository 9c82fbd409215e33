"""Files of trained models in archives: safe names inside the folder of the model, and no format that can run code."""

from __future__ import annotations

import re
import shutil
from pathlib import Path
from typing import NamedTuple

from annotarium.content.validation import InvalidContent
from annotarium.registry.model_signatures import LOCAL_MARKER_FILES
from annotarium.registry.model_store import model_folder
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

_NAME = re.compile(
    r"models/(?P<kind>[a-z]{1,40})-(?P<owner>\d{1,19})/(?P<moment>\d{1,19})/(?P<path>[\w.@+-]+(?:/[\w.@+-]+)*)",
    re.ASCII,
)
_UNSAFE = frozenset({".pkl", ".pickle", ".joblib", ".dill", ".pt", ".pth", ".ckpt", ".py", ".pyc", ".so", ".sh"})
_PICKLE = re.compile(rb"\x80[\x02-\x05]")
_TRAIN_HERE = message("fix.trainHere", "Train the model here")


def _model_folders_of_owner(project_id: int, owner_id: int) -> list[Path]:
    return sorted((get_settings().models_folder / str(project_id)).glob(f"*-{owner_id}"))


def newest_model(project_id: int, owner_id: int) -> Path | None:
    """The folder of the newest model of a row (experiment, suggester, ...), None if it was never trained."""
    found = [
        path
        for home in _model_folders_of_owner(project_id, owner_id)
        for path in home.glob("[0-9]*")
        if path.is_dir() and path.name.isdecimal()
    ]
    return max(found, key=lambda path: int(path.name), default=None)


class ModelFile(NamedTuple):
    """Name of a model's file in an archive: kind and id of the row, timestamp of the training, path in its folder."""

    kind: str
    owner_id: int
    moment: str
    path: str


def unknown_file_error(name: str) -> InvalidContent:
    """Error for a file name that archives do not have."""
    return InvalidContent(
        message("archive.strangeName", "The archive contains a file with an invalid name: {name}", name=name[:80])
    )


def parse_model_file_name(name: str) -> ModelFile:
    """Parse the name of a model's file.

    Raises:
        InvalidContent: the name is not valid, or its suffix is that of a format that can run code.
    """
    found = _NAME.fullmatch(name)
    if found is None or any(part in (".", "..") for part in found["path"].split("/")):
        raise unknown_file_error(name)
    if Path(found["path"]).suffix.lower() in _UNSAFE:
        words = "The archive contains {name}, a format that can run code"
        raise InvalidContent(message("archive.code", words, name=found["path"][:80]), _TRAIN_HERE)
    return ModelFile(found["kind"], int(found["owner"]), found["moment"], found["path"])


def check_not_pickled(path: Path) -> None:
    """Raise `InvalidContent` if the file is a pickle, whatever its name."""
    with path.open("rb") as file:
        if _PICKLE.match(file.read(2)):
            words = "A model of the archive is a pickle, a format that can run code"
            raise InvalidContent(message("archive.pickle", words), _TRAIN_HERE)


def place_model(source: Path, project_id: int, kind: str, owner_id: int) -> None:
    """Move the unpacked folder of a model, named by its timestamp, into the model store. Replaces an existing one.

    The signature is kept. Files that record on another installation that the model was accepted or crashed are removed.
    """
    for name in LOCAL_MARKER_FILES:
        (source / name).unlink(missing_ok=True)
    home = model_folder(project_id, kind, owner_id)
    home.mkdir(parents=True, exist_ok=True)
    shutil.rmtree(home / source.name, ignore_errors=True)
    shutil.move(source, home / source.name)
