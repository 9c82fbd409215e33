"""Kind processor: changes annotations and categories of documents (consolidates, renames, filters), never the text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


class Processor(Component[P]):
    """Yields each document with changed annotations and categories."""

    by_default: ClassVar[bool] = False
    """Whether new plans contain it as a step."""

    @abstractmethod
    def process(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Return the same documents, in order."""
