"""Builds the context of an answer: numbered passages within a number of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from annotarium_plugins.base.rag_context_builder import Passage, RagContextBuilder
from annotarium_plugins.parameters import Parameters


class NumberedPassagesParameters(Parameters):
    """Which passages the context contains."""

    passages: int = Field(8, ge=1, le=50, title="Number of passages")
    window: int = Field(0, ge=0, le=5, title="Neighbours", description="Segments added before and after each passage.")
    budget: int = Field(12_000, ge=200, le=200_000, title="Maximum characters")


class NumberedPassages(RagContextBuilder[NumberedPassagesParameters]):
    """Numbers the best passages; offsets are exact, also of passages that were extended."""

    title: ClassVar[str] = "Numbered passages"
    description: ClassVar[str] = "The best passages with their numbers, within a number of characters."
    parameters_model: ClassVar[type[Parameters]] = NumberedPassagesParameters
    version: ClassVar[str] = "1"

    def neighbours(self) -> int:
        """Return the parameter `window`."""
        return self.parameters.window

    def build(self, question: str, passages: Sequence[Passage]) -> tuple[str, list[Passage]]:
        """Return the context and the passages that fit, best first; a first passage that is too long is cut."""
        taken: list[Passage] = []
        left = self.parameters.budget
        for passage in passages:
            found = _extended(passage)
            if len(taken) >= self.parameters.passages or any(_overlap(found, other) for other in taken):
                continue
            if len(found.text) > left:
                found = replace(passage, before="", after="")
            if len(found.text) > left and not taken:
                found = replace(found, text=found.text[:left], end=found.start + left)
            if len(found.text) <= left:
                taken.append(found)
                left -= len(found.text)
        return "\n\n".join(f"[{number}] {one.text}" for number, one in enumerate(taken, 1)), taken


def _extended(passage: Passage) -> Passage:
    start, end = passage.start - len(passage.before), passage.end + len(passage.after)
    text = passage.before + passage.text + passage.after
    return replace(passage, text=text, start=start, end=end, before="", after="")


def _overlap(one: Passage, other: Passage) -> bool:
    return one.document_id == other.document_id and one.start < other.end and other.start < one.end
