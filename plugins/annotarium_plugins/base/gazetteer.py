"""Kind gazetteer: an annotator built from the terms of lexicons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotarium_plugins.base.component import Component, P, Progress, no_progress
from annotarium_schemas.documents import Document, Term


class Gazetteer(Component[P]):
    """Builds a matcher from terms and annotates their occurrences."""

    @abstractmethod
    def synchronize(self, terms: Iterable[Term], *, language: str, progress: Progress = no_progress) -> None:
        """Build the matcher from all terms; replaces an earlier one."""

    @abstractmethod
    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the same documents with the occurrences of terms annotated."""

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the matcher in a safe format (no pickle)."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote."""
