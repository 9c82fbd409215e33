"""Rules of foreign models: platform administrators inspect, accept or reject them."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import orjson

from annotarium.access import audit
from annotarium.access.call import Call
from annotarium.domains.foreign_models import repository
from annotarium.domains.foreign_models.repository import ModelOwner
from annotarium.domains.foreign_models.schemas import ForeignModelRead, ForeignModels
from annotarium.errors import NotFound
from annotarium.registry import model_signatures
from annotarium.registry.model_store import UNTRAINED_VALUES, list_stored_models
from annotarium_schemas.messages import message

_ORDER = {"waiting": 0, "crashed": 1, "accepted": 2}


def list_foreign_models(call: Call) -> ForeignModels:
    """Foreign models of projects that are not deleted: waiting, crashed, accepted."""
    found = [_to_foreign_model_read(folder, kind, owner) for folder, kind, owner in _find_foreign_models(call)]
    found.sort(key=lambda one: (_ORDER[one.state], one.project_label, one.label))
    return ForeignModels(models=found)


def accept_foreign_model(call: Call, identifier: str) -> ForeignModels:
    """Accept a model in every project that has it, so that it runs in a process without rights.

    Raises:
        NotFound: there is no foreign model with this content id.
    """
    for folder, kind, owner in _find_by_content_id(call, identifier):
        model_signatures.accept_model(folder, call.username)
        _audit_decision(call, "model.accept", kind, owner, identifier)
    return list_foreign_models(call)


def reject_foreign_model(call: Call, identifier: str) -> ForeignModels:
    """Delete the files of a model in every project that has it, after the commit.

    Its experiment or suggester stays and can be trained here.

    Raises:
        NotFound: there is no foreign model with this content id.
    """
    for folder, kind, owner in _find_by_content_id(call, identifier):
        for name, value in UNTRAINED_VALUES.items():
            if hasattr(owner.row, name):
                setattr(owner.row, name, value)
        call.unit.after_commit(partial(shutil.rmtree, folder, ignore_errors=True))
        _audit_decision(call, "model.reject", kind, owner, identifier)
    call.session.flush()
    return ForeignModels(models=[one for one in list_foreign_models(call).models if one.id != identifier])


def _audit_decision(call: Call, action: str, kind: str, owner: ModelOwner, identifier: str) -> None:
    target = f"{owner.project.name}/{kind}/{owner.row.name}"
    audit.add_entry(call.session, call.username, action, target, content=identifier)
    call.unit.emit(f"{kind}s", {"type": action, "name": owner.row.name}, project=owner.project.name)


def _find_foreign_models(call: Call) -> Iterator[tuple[Path, str, ModelOwner]]:
    """`(folder, kind, owner)` of the stored models that this installation did not sign."""
    folders = [
        one
        for one in list_stored_models()
        if one.owner in repository.ENGINES and not model_signatures.is_trained_here(one.folder)
    ]
    for kind in repository.ENGINES:
        own = [one for one in folders if one.owner == kind]
        rows = repository.find_model_owners(call.session, kind, {one.owner_id for one in own})
        for one in own:
            owner = rows.get(one.owner_id)
            if owner is not None and owner.project.id == one.project_id:
                yield one.folder, kind, owner


def _find_by_content_id(call: Call, identifier: str) -> list[tuple[Path, str, ModelOwner]]:
    found = [one for one in _find_foreign_models(call) if model_signatures.model_content_id(one[0]) == identifier]
    if not found:
        raise NotFound(message("none.foreignModel", "There is no external model with this content"))
    return found


def _to_foreign_model_read(folder: Path, kind: str, owner: ModelOwner) -> ForeignModelRead:
    origin = model_signatures.origin_of_model(folder)
    return ForeignModelRead(
        id=model_signatures.model_content_id(folder),
        project_name=owner.project.name,
        project_label=owner.project.label,
        kind=kind,
        name=owner.row.name,
        label=owner.row.label,
        engine=str(_read_manifest(folder).get("learner", owner.row.engine))[:255],
        timestamp=owner.row.timestamp,
        size=sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()),
        state="waiting" if origin == "own" else origin,
        reason=model_signatures.read_crash_reason(folder) if origin == "crashed" else "",
    )


def _read_manifest(folder: Path) -> dict[str, Any]:
    try:
        found = orjson.loads((folder / model_signatures.MANIFEST).read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    return found if isinstance(found, dict) else {}
