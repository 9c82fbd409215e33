"""The origin of a model: trained by this installation, accepted by an administrator, or neither.

A model folder contains the component's files and our manifest with the SHA-256 of each. `signature.annotarium` in the
same folder is an HMAC-SHA256 of the manifest, with a key derived from the secret of the installation: a model trained
here and imported again from an archive is recognised by its content, wherever it is stored. Models trained elsewhere,
and those with a changed manifest, have no valid signature: they wait until a platform administrator accepts them. This
writes a second HMAC to `accepted.annotarium`, which never makes them the installation's own.

If the process that runs a model crashes, `crashed.annotarium` is written: the model is not run until accepted again.
"""

from __future__ import annotations

import hashlib
import hmac
from contextlib import suppress
from pathlib import Path
from typing import Any, Literal

import orjson

from annotarium.access.tokens import signing_secret
from annotarium.db.identifiers import now_ms

MANIFEST = "manifest.annotarium.json"
SIGNATURE, ACCEPTED, CRASHED = "signature.annotarium", "accepted.annotarium", "crashed.annotarium"
MARKER_FILES = frozenset({MANIFEST, SIGNATURE, ACCEPTED, CRASHED})
"""Files of a model folder that are not the component's."""
LOCAL_MARKER_FILES = frozenset({ACCEPTED, CRASHED})
"""Files that apply to this installation only: archives neither contain nor restore them."""

ForeignState = Literal["accepted", "waiting", "crashed"]
Origin = Literal["own"] | ForeignState
"""`own`: trained by this installation. Models trained elsewhere: accepted by an administrator, waiting for acceptance,
or crashed when they were run.
"""

_TRAINED, _ACCEPTED = b"annotarium: model trained here, 1", b"annotarium: model accepted, 1"


def _signature(purpose: bytes, manifest: bytes) -> str:
    key = hmac.new(signing_secret(), purpose, hashlib.sha256).digest()
    return hmac.new(key, manifest, hashlib.sha256).hexdigest()


def _read_json_file(path: Path) -> dict[str, Any]:
    try:
        found = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}


def _is_valid_signature(path: Path, purpose: bytes, manifest: bytes) -> bool:
    given = _read_json_file(path).get("hmac")
    return isinstance(given, str) and given.isascii() and hmac.compare_digest(given, _signature(purpose, manifest))


def _write_json_file(path: Path, facts: dict[str, Any]) -> None:
    draft = path.with_name(f".{path.name}.new")
    draft.write_bytes(orjson.dumps(facts))
    draft.replace(path)


def sign_model(folder: Path) -> None:
    """Sign the current manifest of a model as trained by this installation."""
    _write_json_file(folder / SIGNATURE, {"hmac": _signature(_TRAINED, (folder / MANIFEST).read_bytes())})


def is_trained_here(folder: Path) -> bool:
    """Whether this installation signed the model's manifest."""
    try:
        manifest = (folder / MANIFEST).read_bytes()
    except OSError:
        return False
    return _is_valid_signature(folder / SIGNATURE, _TRAINED, manifest)


def origin_of_model(folder: Path) -> Origin:
    """The origin of a model, which decides whether it may be run. Does not compare the files with the manifest."""
    if is_trained_here(folder):
        return "own"
    if (folder / CRASHED).exists():
        return "crashed"
    try:
        manifest = (folder / MANIFEST).read_bytes()
    except OSError:
        return "waiting"
    return "accepted" if _is_valid_signature(folder / ACCEPTED, _ACCEPTED, manifest) else "waiting"


def accept_model(folder: Path, username: str) -> None:
    """Allow a foreign model to run, in a separate process; removes the mark of an earlier crash."""
    manifest = (folder / MANIFEST).read_bytes()
    _write_json_file(folder / ACCEPTED, {"hmac": _signature(_ACCEPTED, manifest), "by": username, "at": now_ms()})
    (folder / CRASHED).unlink(missing_ok=True)


def mark_crashed(folder: Path, reason: str) -> None:
    """Mark a model as crashed, so that it is not run again."""
    with suppress(OSError):  # the model was deleted in the meantime
        _write_json_file(folder / CRASHED, {"reason": reason, "at": now_ms()})


def read_crash_reason(folder: Path) -> str:
    """The reason of a model's crash; empty if it never crashed."""
    return str(_read_json_file(folder / CRASHED).get("reason", ""))


def model_content_id(folder: Path) -> str:
    """An id of the model's content: the SHA-256 of its manifest, with the hashes of all files; empty without one."""
    try:
        return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    except OSError:
        return ""
