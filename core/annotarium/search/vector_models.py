"""Models that compute vectors: their location, their name in the index, and loading them.

Only workers and the helper process of `query_vectors` load models; the API never builds a component.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from annotarium.db.corruption import json_object_or_empty
from annotarium.registry import model_store
from annotarium_plugins.base.vectorizer import Vectorizer

KIND = "vectorizer"
"""Kind of the components, and of the owner in the model store."""
DEFAULT = "default"
"""Name of the vectorization that searches use when they name none (published description)."""


class ModelKey(NamedTuple):
    """Identifies a model: project, id of the vectorization, and the timestamp of the model."""

    project_id: int
    owner_id: int
    model: int


def indexed_vectors_name(name: str, model: int) -> str:
    """Return the name of a model's vectors in the index. It contains the model, so vectors of two models are never
    mixed.
    """
    return f"{name}@{model}"


def hybrid_weight(probe: Any) -> float:
    """Return the weight of vector ranks relative to text ranks in a hybrid search: measured, else 1 (C-036)."""
    weight = json_object_or_empty(probe).get("weight")
    return min(1.0, max(0.0, float(weight))) if isinstance(weight, (int, float)) else 1.0


def open_vectorizer(key: ModelKey) -> Vectorizer[Any]:
    """Load the vectorizer. Raises as `model_store.load_model`."""
    component, _ = model_store.load_model(key.project_id, KIND, key.owner_id, kind=KIND, timestamp=key.model)
    assert isinstance(component, Vectorizer)
    return component
