"""Follow-up questions: those that refer to what was asked before."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Turn:
    """A question of a conversation, and its answer; empty if there was none."""

    question: str
    answer: str = ""
