"""Kind converter: a file becomes documents."""

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
    """A file to convert: `path` on disk (a name of ours), `name` as the user gave it, language of the project."""

    path: Path
    name: str
    content_type: str | None = None
    language: str = "xx"


@dataclass(frozen=True)
class ItemError:
    """One item of a file that cannot become a document: `item` says which (line, member, index, identifier).

    With a `count` over 1 it stands for so many items in a row, from `item` on.
    """

    item: str
    message: str
    fix: str | None = None
    count: int = 1


class Converter(Component[P]):
    """Reads one file and yields documents, or an `ItemError` for an item that is wrong; the others go on.

    Raises `ComponentError` when the whole file cannot be read.
    """

    extensions: ClassVar[tuple[str, ...]] = ()
    """Lower-case extensions without the dot."""

    @abstractmethod
    def convert(self, source: SourceFile) -> Iterator[Document | ItemError]:
        """Documents of the file, in order, streamed."""
