"""Builds the context of an answer: numbered passages within a number of characters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from pydantic import Field

from annotarium_engines.tokens import tokenize
from annotarium_plugins.base.rag_context_builder import Passage, RagContextBuilder
from annotarium_plugins.parameters import Parameters


class NumberedPassagesParameters(Parameters):
    """Which passages the context contains."""

    passages: int = Field(8, ge=1, le=50, title="Number of passages")
    window: int = Field(0, ge=0, le=5, title="Neighbours", description="Segments added before and after each passage.")
    merge: bool = Field(
        True, title="Merge neighbours", description="Passages that follow each other in a document become one."
    )
    budget: int = Field(12_000, ge=200, le=200_000, title="Maximum characters")
    diversity: float = Field(
        0.0, ge=0, le=1, title="Diversity", description="0 = by score only, 1 = as different as possible."
    )


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
        """Return the context and the passages that fit, best first; a first passage that is too long is cut.

        With the parameter `merge`, passages of a document that follow each other are merged at the place of the better
        one.
        """
        taken: list[Passage] = []
        left = self.parameters.budget
        for passage in _diverse(passages, self.parameters.diversity):
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
        merged = _merged(taken) if self.parameters.merge else taken
        return "\n\n".join(f"[{number}] {one.text}" for number, one in enumerate(merged, 1)), merged


def _diverse(passages: Sequence[Passage], diversity: float) -> list[Passage]:
    """Return the passages by maximal marginal relevance: the next one has a high score and few words of those before.

    Scores count by their order only, since they are comparable within one result only.
    """
    if not diversity:
        return list(passages)
    left = list(passages)
    relevance = {id(one): 1 - place / len(left) for place, one in enumerate(left)}
    bags = {id(one): {token.text.casefold() for token in tokenize(one.text)} for one in left}
    closest = dict.fromkeys(relevance, 0.0)
    taken: list[Passage] = []
    while left:
        best = max(left, key=lambda one: (1 - diversity) * relevance[id(one)] - diversity * closest[id(one)])
        left = [one for one in left if one is not best]
        taken.append(best)
        for one in left:
            closest[id(one)] = max(closest[id(one)], _similarity(bags[id(best)], bags[id(one)]))
    return taken


def _similarity(one: set[str], other: set[str]) -> float:
    return len(one & other) / len(one | other) if one or other else 0.0


def _merged(passages: Sequence[Passage]) -> list[Passage]:
    """Merge passages of a document that touch each other; no text lies between them."""
    merged: list[Passage] = []
    for passage in passages:
        current, position = passage, len(merged)
        for place in reversed(range(len(merged))):
            other = merged[place]
            first, second = sorted((other, current), key=lambda one: one.start)
            if first.document_id == second.document_id and first.end == second.start:
                current = replace(other, text=first.text + second.text, start=first.start, end=second.end)
                del merged[place]
                position = place
        merged.insert(position, current)
    return merged


def _extended(passage: Passage) -> Passage:
    start, end = passage.start - len(passage.before), passage.end + len(passage.after)
    text = passage.before + passage.text + passage.after
    return replace(passage, text=text, start=start, end=end, before="", after="")


def _overlap(one: Passage, other: Passage) -> bool:
    return one.document_id == other.document_id and one.start < other.end and other.start < one.end
