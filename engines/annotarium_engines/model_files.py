"""Model folders: a manifest with the name and SHA-256 of every file; only JSON, numpy without pickle, and CRF bytes."""

from __future__ import annotations

import hashlib
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from annotarium_plugins.base.component import ComponentError

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Floats = npt.NDArray[np.float32]

MANIFEST = "manifest.json"


def library_versions(*names: str) -> dict[str, str]:
    """Return the installed versions of libraries, to store with a model."""
    from importlib.metadata import PackageNotFoundError, version

    found = {}
    for name in names:
        try:
            found[name] = version(name)
        except PackageNotFoundError:
            continue
    return found


def write_model(folder: Path, files: dict[str, bytes], facts: dict[str, Any]) -> None:
    """Write the files, then `manifest.json`: `facts` and the SHA-256 of each file."""
    fingerprints = {}
    for name, content in sorted(files.items()):
        (folder / name).write_bytes(content)
        fingerprints[name] = hashlib.sha256(content).hexdigest()
    manifest = {**facts, "files": fingerprints}
    (folder / MANIFEST).write_text(json.dumps(manifest, ensure_ascii=False, indent=1), encoding="utf-8")


def read_model(
    folder: Path, *, component: str, version: str, names: tuple[str, ...]
) -> tuple[dict[str, Any], list[bytes]]:
    """Return the manifest and the content of the files `names`, in this order.

    Raises:
        ComponentError: a file is missing or differs from the manifest, or another component or version wrote it.
    """
    try:
        manifest: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        contents = [(folder / name).read_bytes() for name in names]
        fingerprints = [manifest["files"][name] for name in names]
        written_by = (manifest["component"], manifest["version"])
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise _unreadable_model_error(f"{type(error).__name__}: {error}") from error
    if written_by != (component, version):
        raise _unreadable_model_error(
            f"it was written by {written_by[0]} version {written_by[1]}, this is {component} version {version}"
        )
    for name, content, fingerprint in zip(names, contents, fingerprints, strict=True):
        if hashlib.sha256(content).hexdigest() != fingerprint:
            raise _unreadable_model_error(f"{name} is damaged: its SHA-256 is not the one in {MANIFEST}")
    return manifest, contents


def component_version_of_model(folder: Path) -> str:
    """Return the version of the component that wrote a model; empty when the manifest cannot be read."""
    try:
        return str(json.loads((folder / MANIFEST).read_text(encoding="utf-8"))["version"])
    except (OSError, ValueError, KeyError, TypeError):
        return ""


def pack_arrays(arrays: dict[str, Floats]) -> bytes:
    """Return the content of an .npz file without pickle."""
    import numpy as np

    buffer = io.BytesIO()
    np.savez(buffer, allow_pickle=False, **arrays)
    return buffer.getvalue()


def read_arrays(content: bytes) -> dict[str, Floats]:
    """Return the arrays of an .npz file. Raises ValueError for pickled content or types other than float32."""
    import numpy as np

    with np.load(io.BytesIO(content), allow_pickle=False) as archive:
        arrays = {name: archive[name] for name in archive.files}
    if any(array.dtype != np.float32 for array in arrays.values()):
        raise ValueError("only float32 arrays are expected")
    return arrays


def _unreadable_model_error(cause: str) -> ComponentError:
    return ComponentError("The model cannot be read.", cause=cause, fix="Train the experiment again.")


def not_trained_error() -> ComponentError:
    """Return the error of a learner that is used before `fit` or `load`."""
    return ComponentError(
        "This model is not trained.", cause="Neither fit nor load was called.", fix="Train the experiment first."
    )


def no_examples_error(what: str) -> ComponentError:
    """Return the error of a learner whose training documents contain no example."""
    return ComponentError(
        f"There is nothing to learn from: no confirmed {what} with one of the labels in the training documents.",
        fix=f"Confirm some {what}s on training documents, or choose labels that are in use, and train again.",
    )
