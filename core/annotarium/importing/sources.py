"""From an uploaded file to its documents: identified, unpacked, converted, one item after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from annotarium.content.validation import InvalidContent
from annotarium.importing import archives
from annotarium.importing.convert import ConversionTask, ConverterProcess, RefusedItem
from annotarium.importing.document_preparation import PreparedDocument
from annotarium.importing.identify import ARCHIVE, identify
from annotarium_schemas.messages import message

FindConverter = Callable[[str], str | None]
"""From an extension to the name of a converter."""

_NAME_LENGTH = 400


@dataclass(frozen=True)
class Source:
    """A file to import: `filename` as the user gave it, `name` the same made unique; `sha256` of the upload."""

    path: Path
    name: str
    filename: str
    content_type: str | None
    sha256: str


@dataclass(frozen=True)
class SourceItem:
    """A document of a file, or why there is none. `item` is unique within the import, the same at each run."""

    item: str
    document: PreparedDocument | None = None
    identifier: str | None = None
    message: str = ""
    fix: str | None = None
    count: int = 1
    summed: bool = False
    """`count` items more, of a kind that lines were made of already."""


class SourceReader:
    """Reads sources.

    Args:
        process: where converters run.
        find_converter: which converter reads files of an extension.
        folder: for the members of archives, one at a time.
        limits: of archives.
        language: of the project.
        folder_categories: a text from a folder of an archive gets the folder's name as its category.
        parameters: of converters by their names; one that is not there has its defaults.
    """

    def __init__(
        self,
        process: ConverterProcess,
        find_converter: FindConverter,
        folder: Path,
        limits: archives.ArchiveLimits,
        language: str,
        *,
        folder_categories: bool = False,
        parameters: Mapping[str, dict[str, Any]] | None = None,
    ) -> None:
        self._process, self._find_converter, self._folder = process, find_converter, folder
        self._limits, self._language, self._folder_categories = limits, language, folder_categories
        self._parameters = parameters or {}

    def read(self, source: Source) -> Iterator[SourceItem]:
        """The items of a source. A fault of the file as a whole is an item too."""
        try:
            kind = identify(source.path, source.filename).kind
            if kind == ARCHIVE:
                yield from self._archive(source)
            else:
                yield from self._file(source, kind)
        except InvalidContent as error:
            yield _refused(source.name, error.message, error.fix)

    def _archive(self, source: Source) -> Iterator[SourceItem]:
        for member in archives.read_members(source.path, self._folder, self._limits):
            name = f"{source.name}/{member.name}"
            if isinstance(member, archives.UnreadArchiveMember):
                yield _refused(name, member.message, member.fix)
                continue
            try:
                kind = identify(member.path, member.name).kind
                if kind == ARCHIVE:
                    raise InvalidContent(
                        message("archive.nested", "It is an archive within an archive"),
                        message("fix.unpack", "Unpack it and send its files"),
                    )
                yield from self._file(Source(member.path, name, member.name, None, source.sha256), kind)
            except InvalidContent as error:
                yield _refused(name, error.message, error.fix)

    def _file(self, source: Source, kind: str) -> Iterator[SourceItem]:
        component = self._find_converter(kind)
        if component is None:
            raise InvalidContent(
                message(
                    "file.noConverter",
                    "Files of the type {kind} cannot be imported: no converter reads them",
                    kind=kind,
                ),
                message("fix.asText", "Save it as text or JSON, or have a converter for this type installed"),
            )
        folder = PurePosixPath(source.filename).parent.name if self._folder_categories and kind != "json" else None
        key = f"{source.sha256}:{source.filename}"
        task = ConversionTask(
            component,
            str(source.path),
            source.filename,
            source.content_type,
            self._language,
            key,
            folder or None,
            self._parameters.get(component, {}),
        )
        count = 0
        for found in self._process.convert(task):
            name = f"{source.name}#{count + 1}"
            if isinstance(found, RefusedItem):
                count += found.count
                refused = _refused(name, found.message, found.fix, found.identifier)
                yield replace(refused, count=found.count, summed=found.summed)
            else:
                count += 1
                yield SourceItem(_bounded_item_name(name), found, found.identifier)
        if not count:
            raise InvalidContent(
                message("file.noDocument", "The file holds no document."),
                message("fix.oneDocument", "Put at least one document into it"),
            )


def _refused(name: str, message: str, fix: str | None, identifier: str | None = None) -> SourceItem:
    return SourceItem(_bounded_item_name(name), None, identifier, message, fix)


def _bounded_item_name(item: str) -> str:
    """The item's name within the width of its column, still unique."""
    if len(item) <= _NAME_LENGTH:
        return item
    return f"{item[:_NAME_LENGTH]}~{sha256(item.encode()).hexdigest()[:16]}"
