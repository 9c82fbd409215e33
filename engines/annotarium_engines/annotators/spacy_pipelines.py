"""Available spaCy pipelines: installed packages and the administrator's folders; never a path from a request."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import TYPE_CHECKING

from annotarium_plugins.base.component import ComponentError

if TYPE_CHECKING:
    from spacy.language import Language

FOLDER = "ANNOTARIUM_SPACY_PIPELINES"
"""Environment variable with the folder whose subfolders are pipelines."""
GROUP = "spacy_models"
"""Entry point group of packages that contain a pipeline."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_MARKS = ("config.cfg", "meta.json")


def pipelines() -> dict[str, Path | None]:
    """Return pipelines by name, sorted, with the folder of those that are not packages. Nothing is loaded."""
    found: dict[str, Path | None] = {point.name: None for point in entry_points(group=GROUP)}
    parent = os.environ.get(FOLDER, "")
    folders = sorted(Path(parent).iterdir()) if parent and Path(parent).is_dir() else []
    for folder in folders:
        if _NAME.fullmatch(folder.name) and all((folder / mark).is_file() for mark in _MARKS):
            found[folder.name] = folder
    return dict(sorted(found.items()))


def load_pipeline(name: str) -> Language:
    """Load a pipeline. The process caches it until another one is requested.

    Raises:
        ComponentError: no pipeline has that name (any more), or it cannot be loaded.
    """
    known = pipelines()
    if name not in known:
        raise ComponentError(
            f"There is no spaCy pipeline {name or 'here'}.",
            cause=f"Pipelines of this server: {', '.join(known) or 'none'}",
            fix=f"Choose another one, or have its package installed or its folder put into {FOLDER}.",
        )
    return _load(name, known[name])


@lru_cache(maxsize=1)
def _load(name: str, folder: Path | None) -> Language:
    import spacy

    try:
        return spacy.load(folder if folder is not None else name)
    except Exception as error:  # a third-party pipeline may raise anything while it is loaded
        cause = f"{type(error).__name__}: {error}"
        fix = "Install the version of the pipeline that fits the installed spaCy."
        raise ComponentError(f"The spaCy pipeline {name} cannot be loaded.", cause=cause, fix=fix) from error
