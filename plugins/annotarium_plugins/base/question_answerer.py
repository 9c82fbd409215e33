"""Kind questionAnswerer: answers a question from a context, with citations."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.rag_context_builder import Passage


@dataclass(frozen=True)
class Citation:
    """A quotation: `passage` is the number of the passage, from 1; `start` and `end` are code points in its text."""

    passage: int
    start: int
    end: int
    quote: str


@dataclass(frozen=True)
class Answer:
    """An answer; `supported` is False when a citation could not be verified."""

    text: str
    citations: list[Citation] = field(default_factory=list)
    supported: bool = True
    model: str = ""


class QuestionAnswerer(Component[P]):
    """Answers from the given passages only."""

    @abstractmethod
    def answer(self, question: str, context: str, passages: Sequence[Passage], language: str) -> Answer:
        """Answer `question` in `language`; `context` is the text that was built from `passages`."""
