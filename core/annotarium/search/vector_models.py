"""The models that make vectors: where they are, what they are called in the index, opening one.

Only workers and the helper of `query_vectors` open models; the API never builds a component.
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
    """One model: project, row of the vectorization, moment it was made."""

    project_id: int
    owner_id: int
    model: int


def indexed_vectors_name(name: str, model: int) -> str:
    """What the index calls the vectors of a model: those of two models are never mixed."""
    return f"{name}@{model}"


def hybrid_weight(probe: Any) -> float:
    """What the rank by vectors counts in a hybrid search beside the rank by words (C-036: the same unless measured)."""
    weight = json_object_or_empty(probe).get("weight")
    return min(1.0, max(0.0, float(weight))) if isinstance(weight, (int, float)) else 1.0


def open_vectorizer(key: ModelKey) -> Vectorizer[Any]:
    """The vectorizer, ready. Errors as `model_store.load_model`."""
    component, _ = model_store.load_model(key.project_id, KIND, key.owner_id, kind=KIND, timestamp=key.model)
    assert isinstance(component, Vectorizer)
    return component
