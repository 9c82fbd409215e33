"""Kind formatter: writes documents to a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


class Formatter(Component[P]):
    """Writes documents in one file format."""

    content_type: ClassVar[str] = "application/octet-stream"
    extension: ClassVar[str] = "bin"

    @abstractmethod
    def format(self, documents: Iterable[Document]) -> Iterator[bytes]:
        """Yield the file in chunks of bytes."""
