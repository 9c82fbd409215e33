"""Kind termImporter: reads terms from a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_schemas.documents import Term


class TermImporter(Component[P]):
    """Reads one file and yields terms; an invalid one is yielded as an `ItemError`."""

    extensions: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def parse(self, source: SourceFile) -> Iterator[Term | ItemError]:
        """Yield terms while the file is read."""
