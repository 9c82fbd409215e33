"""Trained models on disk: one folder per model with the component's own safe files and our manifest.

`<models>/<project id>/<owner>-<owner id>/<timestamp>/`. A model is written to a temporary folder that is then renamed,
so a reader sees either all of it or nothing.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any, ClassVar, NamedTuple, Protocol, cast

import orjson

from annotarium.errors import Conflict, NotFound
from annotarium.files.file_locks import locked_folder
from annotarium.registry.foreign_model_client import load_foreign_model, model_crashed_error
from annotarium.registry.loading import AnyComponent
from annotarium.registry.model_signatures import (
    MANIFEST,
    MARKER_FILES,
    ForeignState,
    origin_of_model,
    read_crash_reason,
    sign_model,
)
from annotarium.registry.registry import get_registry
from annotarium.settings import get_settings
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_plugins.base.learner import Learner
from annotarium_schemas.messages import message

GAZETTEER = "gazetteer"
"""The owner of the matchers of gazetteers."""

UNTRAINED_VALUES: dict[str, Any] = {
    "models": 0,
    "timestamp": 0,
    "duration": 0,
    "uptodate": False,
    "quality": 0,
    "report": None,
    "classes": [],
    "history": [],
    "terms": 0,
    "lexicon_versions": {},
}
"""Values of a row without model files."""


class StorableComponent(Protocol):
    """A component that can save and load its trained state."""

    version: ClassVar[str]

    def save(self, folder: Path) -> None:
        """Write the trained state in a safe format."""
        ...

    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""
        ...


def model_folder(project_id: int, owner: str, owner_id: int) -> Path:
    """The folder for the models of an owner (an experiment, a vectorization); it need not exist."""
    return get_settings().models_folder / str(project_id) / f"{owner}-{owner_id}"


def _file_hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name not in MARKER_FILES
    }


def save_model(
    component: StorableComponent,
    *,
    project_id: int,
    owner: str,
    owner_id: int,
    timestamp: int,
    facts: dict[str, Any],
    keep: Collection[int] = (),
) -> Path:
    """Write and sign a model; deletes other models of the owner except for the timestamps in `keep`.

    `facts` become part of the manifest; they name the component under its kind (`{"learner": "crf", "parameters":
    {}}`).
    """
    home = model_folder(project_id, owner, owner_id)
    home.mkdir(parents=True, exist_ok=True)
    written = Path(tempfile.mkdtemp(prefix=".new-", dir=home))
    final = home / str(timestamp)
    with locked_folder(written):
        component.save(written)
        manifest = facts | {"timestamp": timestamp, "files": _file_hashes(written)}
        (written / MANIFEST).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
        sign_model(written)
        written.rename(final)
    delete_other_models(project_id, owner, owner_id, {timestamp, *keep})
    return final


def delete_other_models(project_id: int, owner: str, owner_id: int, timestamps: Collection[int]) -> None:
    """Delete the owner's models except for those with these timestamps."""
    names = {str(timestamp) for timestamp in timestamps}
    for old in model_folder(project_id, owner, owner_id).glob("*"):
        if old.name not in names:
            shutil.rmtree(old, ignore_errors=True)


def load_model(
    project_id: int, owner: str, owner_id: int, *, kind: str, timestamp: int | None = None
) -> tuple[AnyComponent, dict[str, Any]]:
    """Load a model of an owner (the newest unless `timestamp` is given), and its manifest.

    All models are loaded here. A model not trained by this installation must have been accepted by a platform
    administrator and runs in a separate process, never in this one.

    Raises:
        NotFound: there is no model.
        Conflict: the files were changed, another version of the component wrote them, or the model was trained
            elsewhere
            and waits for acceptance or crashed.
    """
    folder = _find_model_version(model_folder(project_id, owner, owner_id), timestamp)
    if folder is None:
        raise NotFound(message("model.none", "There is no trained model"), fix=message("fix.train", "Train it first"))
    origin = origin_of_model(folder)
    if origin == "waiting":
        raise Conflict(
            message("model.waiting", "The model is external and waits for an administrator to accept it"),
            fix=message("fix.acceptModel", "Ask an administrator to accept it, or train it here"),
        )
    if origin == "crashed":
        raise model_crashed_error(read_crash_reason(folder))
    manifest: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
    if _file_hashes(folder) != manifest["files"]:
        raise Conflict(
            message("model.changed", "The files of the model were changed"),
            fix=message("fix.trainAgain", "Train it again"),
        )
    if origin == "accepted":
        facts = manifest[kind], manifest["parameters"], manifest["version"]
        return load_foreign_model(folder, kind, *facts), manifest
    component = get_registry().build(kind, manifest[kind], manifest["parameters"], trained=True)
    if component.version != manifest["version"]:
        raise Conflict(
            message("model.otherVersion", "This model was created by another version of the {kind}", kind=kind),
            fix=message("fix.trainAgain", "Train it again"),
        )
    cast(StorableComponent, component).load(folder)
    return component, manifest


def load_learner(project_id: int, owner: str, owner_id: int) -> Learner[Any]:
    """Load the newest model of an owner (an experiment, a suggester) for prediction. Errors as in `load_model`."""
    learner, _ = load_model(project_id, owner, owner_id, kind="learner")
    assert isinstance(learner, Learner)
    return learner


def gazetteer_versions(project_id: int) -> dict[str, int]:
    """When each gazetteer of a project was last synchronised, by its id, for those built by this installation.

    Those built elsewhere are left out: they run in a process of their own, and cannot become part of another model.
    """
    found: dict[str, int] = {}
    for home in (get_settings().models_folder / str(project_id)).glob(f"{GAZETTEER}-*"):
        owner_id = home.name.removeprefix(f"{GAZETTEER}-")
        folder = _find_model_version(home, None) if owner_id.isdecimal() else None
        if folder is not None and origin_of_model(folder) == "own":
            found[owner_id] = int(folder.name)
    return dict(sorted(found.items(), key=lambda item: int(item[0])))


def load_gazetteers(project_id: int) -> list[Gazetteer[Any]]:
    """Load the newest matchers that `gazetteer_versions` lists. Errors as in `load_model`."""
    gazetteers: list[Gazetteer[Any]] = []
    for owner_id in gazetteer_versions(project_id):
        gazetteer, _ = load_model(project_id, GAZETTEER, int(owner_id), kind="gazetteer")
        assert isinstance(gazetteer, Gazetteer)
        gazetteers.append(gazetteer)
    return gazetteers


def read_manifest(project_id: int, owner: str, owner_id: int, timestamp: int) -> dict[str, Any] | None:
    """The manifest of a model, None if there is no such model."""
    folder = _find_model_version(model_folder(project_id, owner, owner_id), timestamp)
    if folder is None:
        return None
    manifest: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
    return manifest


def _find_model_version(home: Path, timestamp: int | None) -> Path | None:
    wanted = "[0-9]*" if timestamp is None else str(timestamp)
    versions = sorted((path for path in home.glob(wanted) if path.is_dir()), key=lambda path: int(path.name))
    return versions[-1] if versions else None


def state_of_foreign_model(project_id: int, owner: str, owner_id: int) -> ForeignState | None:
    """The state of the owner's newest model if it was trained elsewhere; None for own models and without a model."""
    folder = _find_model_version(model_folder(project_id, owner, owner_id), None)
    origin = origin_of_model(folder) if folder is not None else "own"
    return None if origin == "own" else origin


class StoredModel(NamedTuple):
    """The folder of a model, and its owner."""

    folder: Path
    project_id: int
    owner: str
    owner_id: int
    timestamp: int


def list_stored_models() -> Iterator[StoredModel]:
    """All models on disk, of any origin."""
    for home in sorted(get_settings().models_folder.glob("*/*-*")):
        owner, _, owner_id = home.name.rpartition("-")
        if not (home.parent.name.isdecimal() and owner_id.isdecimal()):
            continue
        for folder in sorted(home.glob("[0-9]*")):
            if folder.is_dir() and folder.name.isdecimal():
                yield StoredModel(folder, int(home.parent.name), owner, int(owner_id), int(folder.name))


def delete_models(project_id: int, owner: str, owner_id: int) -> None:
    """Delete all models of an owner."""
    shutil.rmtree(model_folder(project_id, owner, owner_id), ignore_errors=True)
