"""Kind suggester: selects the segments that a user should look at next, with proposals for them.

Most train a learner on what people annotate. One that knows its answers without training derives from
`UntrainedSuggester`; it is a suggester like the others (group `annotarium.suggesters`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

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
    """Derives suggestions from ranked candidates.

    Class attributes:
        needs_labels: False for a suggester that is not trained; derive such a suggester from `UntrainedSuggester`.
    """

    needs_labels: ClassVar[bool] = True

    @property
    @abstractmethod
    def learner(self) -> tuple[str, dict[str, object]] | None:
        """Return the name and the parameters of the learner that this suggester trains, None if it is not trained."""

    @abstractmethod
    def suggest(self, ranked: Iterable[Document], *, labels: Sequence[str]) -> Iterator[Suggestion]:
        """Yield suggestions for segments with scored candidates. A segment without proposals is left out.

        Args:
            ranked: segments as `Learner.rank` returns them, or as `UntrainedSuggester.find_candidates` does.
            labels: labels that may be proposed.
        """


class UntrainedSuggester(Suggester[P]):
    """Finds its candidates itself, such as by a dictionary or a server; it is ready before anything is annotated."""

    needs_labels: ClassVar[bool] = False

    @property
    def learner(self) -> None:
        """Return None: nothing is trained."""
        return None

    @abstractmethod
    def find_candidates(self, segments: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies of the segments, in order and with unchanged texts, that have only the candidates, each with a
        score.

        Raises:
            ComponentError: what it asks cannot answer.
        """
