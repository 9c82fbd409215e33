"""Schemas of suggesters, as published."""

from __future__ import annotations

from annotarium.domains.trainables.schemas import NewTrainable, TrainablePatch, TrainableRead


class SuggesterRead(TrainableRead):
    """A suggester. `running`: it retrains as answers come in. `jobId` is present while it trains."""

    training: bool = False
    answers: int = 0


class NewSuggester(NewTrainable):
    """A new suggester."""


class SuggesterPatch(TrainablePatch):
    """Changes of a suggester."""
