"""Kind processor: changes what is on a document (consolidate, rename, filter), never its text."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


class Processor(Component[P]):
    """Yields each document changed."""

    by_default: ClassVar[bool] = False
    """Proposes itself as a step of new plans."""

    @abstractmethod
    def process(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """The same documents, in order."""
