"""Reads uploaded files into documents: identifies, unpacks and converts them, one item after the other."""

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
"""Returns the name of the converter for an extension."""

_NAME_LENGTH = 400


@dataclass(frozen=True)
class Source:
    """A file to import: `filename` as the user named it, `name` the same made unique; `sha256` of the upload."""

    path: Path
    name: str
    filename: str
    content_type: str | None
    sha256: str


@dataclass(frozen=True)
class SourceItem:
    """A document of a file, or the reason why there is none. `item` is unique within the import and the same at each
    run.
    """

    item: str
    document: PreparedDocument | None = None
    identifier: str | None = None
    message: str = ""
    fix: str | None = None
    count: int = 1
    summed: bool = False
    """The item stands for `count` more errors of a kind that already has lines."""


class SourceReader:
    """Reads sources.

    Args:
        process: where converters run.
        find_converter: returns the converter for an extension.
        folder: where members of archives are unpacked, one at a time.
        limits: limits for archives.
        language: language of the project.
        folder_categories: a text from a folder of an archive gets the folder's name as a category.
        parameters: parameters of converters by their names; a missing converter has its defaults.
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
        """Yield the items of a source. An error of the file as a whole becomes an item too."""
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
                        message("fix.unpack", "Unpack it and upload its files"),
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
                message(
                    "fix.asText",
                    "Save it as text or JSON, or ask an administrator to install a converter for this type",
                ),
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
                message("file.noDocument", "The file contains no documents."),
                message("fix.oneDocument", "Add at least one document"),
            )


def _refused(name: str, message: str, fix: str | None, identifier: str | None = None) -> SourceItem:
    return SourceItem(_bounded_item_name(name), None, identifier, message, fix)


def _bounded_item_name(item: str) -> str:
    """Shorten the item's name to the width of its column and keep it unique."""
    if len(item) <= _NAME_LENGTH:
        return item
    return f"{item[:_NAME_LENGTH]}~{sha256(item.encode()).hexdigest()[:16]}"
