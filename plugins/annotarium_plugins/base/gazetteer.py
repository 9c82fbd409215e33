"""Kind gazetteer: an annotator built from the terms of lexicons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotarium_plugins.base.component import Component, P, Progress, no_progress
from annotarium_schemas.documents import Document, Term


class Gazetteer(Component[P]):
    """Builds a matcher from terms and annotates with it."""

    @abstractmethod
    def synchronize(self, terms: Iterable[Term], *, language: str, progress: Progress = no_progress) -> None:
        """Build the matcher."""

    @abstractmethod
    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """The same documents with the terms found."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the matcher in a safe format."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""
