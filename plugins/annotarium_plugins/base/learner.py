"""Kind learner: learns from annotated documents to annotate or to categorise."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from annotarium_plugins.base.component import Component, P, Progress, no_progress
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_schemas.documents import Document


class Learner(Component[P]):
    """A trainable annotator.

    Training documents are segments of the corpus, passed as documents: `text` is the segment's text; annotations and
    categories are those that a user confirmed (status OK or None), with offsets into that text. Rejected ones have the
    status KO and are negative evidence. A discontinuous annotation is passed as one range from its first to its last
    character, without fragments; relations are not passed. `labels` are the names of the labels to learn.

    Class attributes:
        needs_labels: False for a learner of unlabelled texts; derive such a learner from `TopicLearner`.
    """

    needs_labels: ClassVar[bool] = True

    @abstractmethod
    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Train from scratch. The result must depend on the input, the parameters and the version only."""

    @abstractmethod
    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies of the documents that contain only the predictions, each with `score` 0..1 and creation mode
        automatic.

        A categorising learner yields for each document the categories it would assign, best first; `rank` may return
        the whole ranking.
        """

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Like `predict`, with up to `limit` competing candidates per decision (for suggesters that compare them).

        Competing categories of a document are listed best first; competing annotations of a span have the same start
        and end.
        """
        return self.predict(documents, language)

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the model into an existing empty folder, in safe formats only (JSON, numpy arrays without objects, CRF
        bytes).
        """

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""


class GazetteerLearner(Learner[P]):
    """A learner that can use what gazetteers find in the texts.

    If `wants_gazetteers` is true, `use_gazetteers` is called once before `fit`, with the gazetteers of the project that
    are synchronised; there may be none. The model must contain what it needs of them: `predict` and `rank` give the
    same results when the gazetteers were synchronised again or deleted, and `load` gets no gazetteers.
    """

    @property
    @abstractmethod
    def wants_gazetteers(self) -> bool:
        """Whether the parameters ask for gazetteers."""

    @abstractmethod
    def use_gazetteers(self, gazetteers: Sequence[Gazetteer[Any]]) -> None:
        """Use these gazetteers, which are ready to annotate, in the next `fit`.

        Raises:
            ComponentError: one of them cannot be stored in a model of this learner.
        """
