"""Trained models on disk: a folder per training with the component's own safe files and our manifest.

`<models>/<project id>/<kind>-<id>/<timestamp>/`. A model is written beside and renamed in: a reader
sees all of it or none.
"""

from __future__ import annotations

import hashlib
import shutil
import tempfile
from pathlib import Path
from typing import Any

import orjson

from annotarium.corpus.leftovers import held
from annotarium.errors import Conflict, NotFound
from annotarium.registry import get_registry
from annotarium.settings import get_settings
from annotarium_plugins.base.learner import Learner

MANIFEST = "manifest.annotarium.json"


def _folder(project_id: int, kind: str, owner_id: int) -> Path:
    return get_settings().models_folder / str(project_id) / f"{kind}-{owner_id}"


def _hashes(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != MANIFEST
    }


def save_model(
    learner: Learner[Any], *, project_id: int, kind: str, owner_id: int, timestamp: int, facts: dict[str, Any]
) -> Path:
    """Write a trained model; older ones of the same owner go. `facts` end up in the manifest."""
    home = _folder(project_id, kind, owner_id)
    home.mkdir(parents=True, exist_ok=True)
    written = Path(tempfile.mkdtemp(prefix=".new-", dir=home))
    final = home / str(timestamp)
    with held(written):
        learner.save(written)
        manifest = facts | {"timestamp": timestamp, "files": _hashes(written)}
        (written / MANIFEST).write_bytes(orjson.dumps(manifest, option=orjson.OPT_INDENT_2))
        written.rename(final)
    for old in home.iterdir():
        if old != final:
            shutil.rmtree(old, ignore_errors=True)
    return final


def load_model(project_id: int, kind: str, owner_id: int) -> tuple[Learner[Any], dict[str, Any]]:
    """The newest model of an owner, ready to predict, and its manifest.

    Raises:
        NotFound: nothing was trained.
        Conflict: the files are not those that were written, or another version of the component wrote them.
    """
    home = _folder(project_id, kind, owner_id)
    versions = sorted((path for path in home.glob("[0-9]*") if path.is_dir()), key=lambda path: int(path.name))
    if not versions:
        raise NotFound("There is no trained model", fix="Train it first")
    folder = versions[-1]
    manifest: dict[str, Any] = orjson.loads((folder / MANIFEST).read_bytes())
    if _hashes(folder) != manifest["files"]:
        raise Conflict("The files of the model were changed", fix="Train it again")
    learner = get_registry().build("learner", manifest["learner"], manifest["parameters"])
    assert isinstance(learner, Learner)
    if learner.version != manifest["version"]:
        raise Conflict("Another version of the learner made this model", fix="Train it again")
    learner.load(folder)
    return learner, manifest


def delete_models(project_id: int, kind: str, owner_id: int) -> None:
    """Remove all models of an owner."""
    shutil.rmtree(_folder(project_id, kind, owner_id), ignore_errors=True)
