"""Schemas of suggesters, as published."""

from __future__ import annotations

from annotarium.domains.trainables.schemas import NewTrainable, TrainablePatch, TrainableRead
from annotarium_schemas.shape import Shape


class SuggesterRead(TrainableRead):
    """A suggester. `running`: it retrains as answers come in. `jobId` is present while it trains."""

    training: bool = False
    answers: int = 0


class NewSuggester(NewTrainable):
    """A new suggester."""


class SuggesterPatch(TrainablePatch):
    """Changes of a suggester."""


class SuggesterDecisions(Shape):
    """How people decided about what a suggester proposed. `acceptanceRate` is accepted / (accepted + rejected), absent
    before the first decision; skipped suggestions do not count.
    """

    name: str
    accepted: int
    rejected: int
    acceptance_rate: float | None = None
