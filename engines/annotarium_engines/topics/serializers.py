"""Reads and writes topics as JSON for the model folder."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from annotarium_plugins.base.topic_learner import Topic, Topics


def topics_to_json(topics: Topics) -> dict[str, Any]:
    """Return the topics as JSON values."""
    return asdict(topics)


def topics_from_json(body: dict[str, Any]) -> Topics:
    """Restore topics. Raises KeyError, TypeError or ValueError for anything but the result of `topics_to_json`."""
    found = tuple(
        Topic(**{**one, "words": tuple((str(word), float(weight)) for word, weight in one["words"])})
        for one in body["topics"]
    )
    return Topics(**{**body, "topics": found})
