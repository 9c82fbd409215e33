"""Where a model comes from: trained by this installation, accepted by an administrator, or neither.

A model folder holds the component's files and our manifest with the SHA-256 of each. `signature.annotarium` beside them
is an HMAC-SHA256 over the manifest's bytes, with a key derived from the secret of the installation: what was trained
here, and comes back in an archive, is known by its content, wherever it lies. Models from elsewhere, and those whose
manifest was changed, have no valid signature: they wait until a platform administrator accepts them, which is a second
HMAC in `accepted.annotarium` and never turns them into the installation's own.

A crash of the process that ran a model leaves `crashed.annotarium`: it is not run again until it is accepted anew.
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
"""Those that hold for this place only: no archive brings them or takes them along."""

ForeignState = Literal["accepted", "waiting", "crashed"]
Origin = Literal["own"] | ForeignState
"""`own`: trained by this installation. Of those from elsewhere: accepted by an administrator, waiting for it, or ended
their process when they were run."""

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
    """Mark a model as trained by this installation, as its manifest stands."""
    _write_json_file(folder / SIGNATURE, {"hmac": _signature(_TRAINED, (folder / MANIFEST).read_bytes())})


def is_trained_here(folder: Path) -> bool:
    """Whether this installation signed the manifest of the model."""
    try:
        manifest = (folder / MANIFEST).read_bytes()
    except OSError:
        return False
    return _is_valid_signature(folder / SIGNATURE, _TRAINED, manifest)


def origin_of_model(folder: Path) -> Origin:
    """Where a model comes from, and whether it may be run. Its files are compared with the manifest elsewhere."""
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
    """Let a model from elsewhere run, in a process of its own; a former crash is forgotten."""
    manifest = (folder / MANIFEST).read_bytes()
    _write_json_file(folder / ACCEPTED, {"hmac": _signature(_ACCEPTED, manifest), "by": username, "at": now_ms()})
    (folder / CRASHED).unlink(missing_ok=True)


def mark_crashed(folder: Path, reason: str) -> None:
    """Have a model not run again: it ended its process."""
    with suppress(OSError):  # it was deleted meanwhile
        _write_json_file(folder / CRASHED, {"reason": reason, "at": now_ms()})


def read_crash_reason(folder: Path) -> str:
    """Why a model is not run again; empty for one that never crashed."""
    return str(_read_json_file(folder / CRASHED).get("reason", ""))


def model_content_id(folder: Path) -> str:
    """What tells a model by its content: the SHA-256 of its manifest, which names the hash of every file."""
    try:
        return hashlib.sha256((folder / MANIFEST).read_bytes()).hexdigest()
    except OSError:
        return ""
