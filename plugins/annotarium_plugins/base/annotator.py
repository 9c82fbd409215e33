"""Kind annotator: adds annotations and categories to documents without training."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


class Annotator(Component[P]):
    """Yields each document with the annotations and categories it found (`creation_mode` automatic, `score` 0..1).

    Texts must not change.
    """

    @abstractmethod
    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Return the same documents, in order."""
