"""Kind learner: learns to annotate or to categorise from annotated documents."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from annotarium_plugins.base.component import Component, P, Progress, no_progress
from annotarium_schemas.documents import Document


class Learner(Component[P]):
    """A trainable annotator.

    Training documents are segments of the corpus given as documents: `text` is the segment's text, annotations and
    categories are those confirmed on it (status OK or None), with offsets into that text. Rejected ones come with
    status KO and are negative evidence. A discontinuous annotation comes as its hull, without fragments; relations do
    not come. `labels` are the label names to learn.

    Class attributes:
        needs_labels: False for one that learns from bare texts: derive that from `TopicLearner`.
    """

    needs_labels: ClassVar[bool] = True

    @abstractmethod
    def fit(
        self, documents: Sequence[Document], *, labels: Sequence[str], language: str, progress: Progress = no_progress
    ) -> None:
        """Train from scratch. Deterministic for the same input, parameters and version."""

    @abstractmethod
    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Copies of the documents that hold only the predictions, each with `score` 0..1 and creation mode automatic.

        A categorising learner yields for each document the categories it would assign, best first, and may give the
        whole ranking when asked through `rank`.
        """

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """Like `predict`, with up to `limit` competing candidates per decision (for suggesters that look at margins).

        Competing categories of a document are listed best first; competing annotations of a span share start and end.
        """
        return self.predict(documents, language)

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the model into an existing empty folder, in safe formats only (JSON, plain numpy, CRF bytes)."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""
