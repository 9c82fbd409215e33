"""Shapes of suggesters, as published."""

from __future__ import annotations

from annotarium.domains.engines.schemas import EnginePatch, EngineRead, NewEngine


class SuggesterRead(EngineRead):
    """A suggester. `running` = it retrains as answers come in; `jobId` while it trains."""

    training: bool = False
    answers: int = 0


class NewSuggester(NewEngine):
    """A new suggester."""


class SuggesterPatch(EnginePatch):
    """Changes of a suggester."""
