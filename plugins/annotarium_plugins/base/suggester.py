"""Kind suggester: chooses what a person should look at next, and with which proposals."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Annotation, Category, Document


@dataclass
class Suggestion:
    """Proposals on one segment.

    Attributes:
        document: the segment, as given.
        annotations, categories: the proposals, each with `score` 0..1; offsets into the segment's text.
        confidence: 0..1, how sure the model is of the whole segment (sorts best and worst).
        priority: 0..1, how much an answer would teach (sort `sampling`); for margin sampling 1 - margin.
    """

    document: Document
    confidence: float
    priority: float
    annotations: list[Annotation] = field(default_factory=list)
    categories: list[Category] = field(default_factory=list)


class Suggester(Component[P]):
    """Turns ranked candidates of a trained learner into suggestions."""

    @property
    @abstractmethod
    def learner(self) -> tuple[str, dict[str, object]]:
        """Name and parameters of the learner this suggester trains."""

    @abstractmethod
    def suggest(self, ranked: Iterable[Document], *, labels: Sequence[str]) -> Iterator[Suggestion]:
        """Suggestions for segments that `Learner.rank` scored; a segment with nothing to propose is left out."""
