"""Trained learners on disk; see `registry.model_store`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotarium.registry import model_store
from annotarium_plugins.base.learner import Learner

delete_models = model_store.delete_models


def save_model(
    learner: Learner[Any], *, project_id: int, kind: str, owner_id: int, timestamp: int, facts: dict[str, Any]
) -> Path:
    """Write a trained model; older ones of the same owner go. `facts` end up in the manifest."""
    return model_store.save_model(
        learner, project_id=project_id, owner=kind, owner_id=owner_id, timestamp=timestamp, facts=facts
    )


def load_model(project_id: int, kind: str, owner_id: int) -> tuple[Learner[Any], dict[str, Any]]:
    """The newest model of an owner, ready to predict, and its manifest. Errors as `model_store.load_model`."""
    learner, manifest = model_store.load_model(project_id, kind, owner_id, kind="learner")
    assert isinstance(learner, Learner)
    return learner, manifest
