"""Kind suggester: selects the segments that a user should look at next, with proposals for them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Annotation, Category, Document


@dataclass
class Suggestion:
    """Proposals for one segment.

    Attributes:
        document: the segment, unchanged.
        annotations, categories: the proposals, each with `score` 0..1; offsets into the segment's text.
        confidence: 0..1, certainty of the model about the whole segment (for sorting best or worst first).
        priority: 0..1, how much the model would learn from a decision (sort `sampling`); 1 - margin for margin
            sampling.
    """

    document: Document
    confidence: float
    priority: float
    annotations: list[Annotation] = field(default_factory=list)
    categories: list[Category] = field(default_factory=list)


class Suggester(Component[P]):
    """Derives suggestions from the ranked candidates of a trained learner."""

    @property
    @abstractmethod
    def learner(self) -> tuple[str, dict[str, object]]:
        """Return the name and the parameters of the learner that this suggester trains."""

    @abstractmethod
    def suggest(self, ranked: Iterable[Document], *, labels: Sequence[str]) -> Iterator[Suggestion]:
        """Yield suggestions for segments that `Learner.rank` scored. A segment without proposals is left out."""
