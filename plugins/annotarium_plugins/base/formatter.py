"""Kind formatter: documents become a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


class Formatter(Component[P]):
    """Writes documents in a format of its own."""

    content_type: ClassVar[str] = "application/octet-stream"
    extension: ClassVar[str] = "bin"

    @abstractmethod
    def format(self, documents: Iterable[Document]) -> Iterator[bytes]:
        """The file in chunks."""
