"""A learner that needs no labels: it finds the topics of a corpus and assigns texts to them.

Its kind is learner (group `annotarium.learners`); a class that derives from `TopicLearner` is a learner without labels.
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
    """A group of texts that are about the same subject.

    Attributes:
        name: category name that `predict` assigns; unique, built from the topic's words, the same for the same
            corpus and parameters.
        title: a few words that users see.
        words: words and phrases with their weights (positive, any scale), the most characteristic first.
        size: number of texts of the corpus in the topic.
        quality: 0..1, None when it was not measured.
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
    """Topics found in a corpus.

    Attributes:
        topics: largest first.
        pieces: number of texts that were read.
        outliers: number of texts in no topic.
        quality: of the whole result, 0..1; `measure` names the metric.
        used: the choices that were made where the parameters leave them open (for example when a tokenizer is not
            installed).
    """

    topics: tuple[Topic, ...]
    pieces: int
    outliers: int
    quality: float
    measure: str
    used: dict[str, Any] = field(default_factory=dict)


class TopicLearner(Learner[P]):
    """Finds topics. `predict` assigns to a text the category of its topic (exclusive), and none to an outlier."""

    needs_labels: ClassVar[bool] = False

    @property
    def collection(self) -> Collection:
        """Return what one text is: a whole document or a segment."""
        return "documents"

    @property
    def scope(self) -> Scope:
        """Return which texts are read: all, or only those with a confirmed label."""
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
        """Find the topics. The result depends on the texts, the parameters and the version only, not on the order of
        the texts.

        Args:
            documents: texts without labelling. They can be iterated several times, and each iteration reads them
                from the database again: store what is learned, not the texts, because a corpus has no size limit.
            labels: not used.

        Raises:
            ComponentError: there is not enough text to find topics in.
        """

    @abstractmethod
    def topics(self) -> Topics:
        """Return the topics that `fit` found or `load` read."""
