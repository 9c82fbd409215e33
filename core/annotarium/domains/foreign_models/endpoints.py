"""Endpoints of foreign models, for platform administrators."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.access.repository import PLATFORM_PERMISSION
from annotarium.domains.foreign_models import service
from annotarium.domains.foreign_models.schemas import ForeignModels
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["external models"])
Identifier = Annotated[str, Path(description="SHA-256 of the model's manifest", pattern="^[0-9a-f]{64}$")]


@router.get("/foreign_models")
@guarded(PLATFORM_PERMISSION)
def list_foreign_models(call: Call) -> ForeignModels:
    """List the models that this installation did not train; they run only after acceptance (extension)."""
    return service.list_foreign_models(call)


@router.post("/foreign_models/{model_id}/_accept")
@guarded(PLATFORM_PERMISSION)
def accept_foreign_model(call: Call, model_id: Identifier) -> ForeignModels:
    """Accept a foreign model: it may run in a separate process without rights. Returns the updated list (extension)."""
    return service.accept_foreign_model(call, model_id)


@router.delete("/foreign_models/{model_id}")
@guarded(PLATFORM_PERMISSION)
def reject_foreign_model(call: Call, model_id: Identifier) -> ForeignModels:
    """Delete a foreign model; its experiment or suggester stays, untrained. Returns the updated list (extension)."""
    return service.reject_foreign_model(call, model_id)
