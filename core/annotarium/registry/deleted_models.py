"""Models of a deleted owner, kept for a while so that the deletion can be undone.

`<models>/<project id>/deleted/<owner>-<owner id>/`: `owner.json` with the owner's row, and its models under `models`.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from annotarium.db.identifiers import now_ms
from annotarium.registry.model_store import model_folder
from annotarium.settings import get_settings

KEPT_MS = 60 * 60 * 1000
"""How long a deletion can be undone."""
_FOLDER, _OWNER, _MODELS = "deleted", "owner.json", "models"


def _deleted_folder(project_id: int) -> Path:
    return get_settings().models_folder / str(project_id) / _FOLDER


def set_models_aside(project_id: int, owner: str, owner_id: int, row: dict[str, Any]) -> None:
    """Move the models of a deleted owner aside, with its row; removes those that were kept long enough."""
    remove_expired_models()
    kept = _deleted_folder(project_id) / f"{owner}-{owner_id}"
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    with suppress(FileNotFoundError):  # it was never trained
        model_folder(project_id, owner, owner_id).rename(kept / _MODELS)
    part = kept / f"{_OWNER}.part"
    part.write_bytes(orjson.dumps({"deletedAt": now_ms(), "row": row}))
    part.rename(kept / _OWNER)


def find_deleted_owner(project_id: int, owner: str, name: str) -> dict[str, Any] | None:
    """The row of the owner of that name that was deleted last, if its models are still kept."""
    found = [
        kept
        for folder in _deleted_folder(project_id).glob(f"{owner}-*")
        if (kept := _read_owner(folder)) is not None and kept["row"]["name"] == name
    ]
    newest = max(found, key=lambda kept: int(kept["deletedAt"]), default=None)
    return None if newest is None or _is_expired(newest) else dict(newest["row"])


def bring_models_back(project_id: int, owner: str, owner_id: int) -> None:
    """Move the models of an owner back after its row was restored."""
    kept = _deleted_folder(project_id) / f"{owner}-{owner_id}"
    with suppress(FileNotFoundError):
        (kept / _MODELS).rename(model_folder(project_id, owner, owner_id))
    shutil.rmtree(kept, ignore_errors=True)


def remove_expired_models() -> None:
    """Delete for good what was kept long enough, in all projects."""
    for folder in _folders():
        kept = _read_owner(folder)
        if _is_expired(kept) if kept is not None else _is_old(folder):
            shutil.rmtree(folder, ignore_errors=True)


def _folders() -> Iterator[Path]:
    return get_settings().models_folder.glob(f"[0-9]*/{_FOLDER}/*")


def _is_expired(kept: dict[str, Any]) -> bool:
    return int(kept["deletedAt"]) < now_ms() - KEPT_MS


def _is_old(folder: Path) -> bool:
    """Whether a folder without a row was left by a process that ended while it filled it."""
    try:
        return folder.stat().st_mtime * 1000 < now_ms() - KEPT_MS
    except FileNotFoundError:
        return False


def _read_owner(folder: Path) -> dict[str, Any] | None:
    """None while the folder is being filled."""
    try:
        kept: dict[str, Any] = orjson.loads((folder / _OWNER).read_bytes())
    except (FileNotFoundError, NotADirectoryError, orjson.JSONDecodeError):
        return None
    return kept
