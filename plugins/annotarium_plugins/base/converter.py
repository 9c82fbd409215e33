"""Kind converter: reads documents from a file."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from annotarium_plugins.base.component import Component, P
from annotarium_schemas.documents import Document


@dataclass(frozen=True)
class SourceFile:
    """A file to convert: `path` on disk (a name that the server chose), `name` as the user uploaded it, `language` of
    the project.
    """

    path: Path
    name: str
    content_type: str | None = None
    language: str = "xx"


@dataclass(frozen=True)
class ItemError:
    """An item of a file that cannot become a document: `item` identifies it (line, member, index, identifier).

    A `count` above 1 means that many consecutive items, starting with `item`.
    """

    item: str
    message: str
    fix: str | None = None
    count: int = 1


class Converter(Component[P]):
    """Reads one file and yields its documents. An invalid item is yielded as an `ItemError`, and conversion continues.

    Raises `ComponentError` when the whole file cannot be read.
    """

    extensions: ClassVar[tuple[str, ...]] = ()
    """Lower-case file name extensions without the dot."""

    @abstractmethod
    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Yield the documents of the file in order, without reading the whole file into memory where the format allows
        it.
        """
