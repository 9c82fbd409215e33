"""A learner that needs nothing of anybody: it finds the topics of a corpus and puts texts into them.

It is of kind learner (group `annotarium.learners`); deriving from `TopicLearner` is what makes it one without labels.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

from annotarium_plugins.base.component import P, Progress, no_progress
from annotarium_plugins.base.learner import Learner
from annotarium_schemas.documents import Document

Collection = Literal["documents", "segments"]
Scope = Literal["all", "dataset"]


@dataclass(frozen=True)
class Topic:
    """What some texts have in common.

    Attributes:
        name: what `predict` calls it; unique, made of its words, the same for the same corpus and parameters.
        title: a few words for people.
        words: words and phrases with their weight (positive, any scale), the most telling first.
        size: texts of the corpus that are in it.
        quality: 0..1, None where nothing is known.
        facts: further figures by name.
    """

    name: str
    title: str
    words: tuple[tuple[str, float], ...]
    size: int
    quality: float | None = None
    facts: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Topics:
    """What was found in a corpus.

    Attributes:
        topics: the biggest first.
        pieces: texts that were read.
        outliers: those of them that are in no topic.
        quality: of all of it, 0..1; `measure` names what it is.
        used: what was really done, where parameters leave it open (a tokenizer that is not installed).
    """

    topics: tuple[Topic, ...]
    pieces: int
    outliers: int
    quality: float
    measure: str
    used: dict[str, Any] = field(default_factory=dict)


class TopicLearner(Learner[P]):
    """Finds topics. `predict` gives a text the category of its topic (exclusive), an outlier none."""

    needs_labels: ClassVar[bool] = False

    @property
    def collection(self) -> Collection:
        """What a text is: a whole document or a segment."""
        return "documents"

    @property
    def scope(self) -> Scope:
        """Which texts are read: all, or those that carry a confirmed label."""
        return "all"

    @abstractmethod
    def fit(
        self,
        documents: Iterable[Document],
        *,
        labels: Sequence[str] = (),
        language: str,
        progress: Progress = no_progress,
    ) -> None:
        """Find the topics. Deterministic for the same texts, parameters and version, whatever their order.

        Args:
            documents: texts without any labelling. They may be walked through several times, each time being read
                anew: hold what is learned, not the texts of a corpus without bounds.
            labels: none.

        Raises:
            ComponentError: there is too little to find topics in.
        """

    @abstractmethod
    def topics(self) -> Topics:
        """What was found, after `fit` or `load`."""
