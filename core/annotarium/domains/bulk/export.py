"""The file of an export: the documents as they travel, or in the words of a formatter. Written as it is read."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import orjson

from annotarium.access.call import ProjectCall
from annotarium.corpus.leftovers import hold
from annotarium.domains.components.service import require_component
from annotarium.domains.documents.fields import EXPORTED_FIELDS, parse_fields
from annotarium.domains.documents.read import Reader, read_found
from annotarium.registry import get_registry
from annotarium.settings import get_settings
from annotarium_plugins.base.formatter import Formatter
from annotarium_schemas.documents import Document


@dataclass(frozen=True)
class File:
    """What a file will hold, made while the call was open; it can be written after."""

    reader: Reader
    fields: frozenset[str]
    formatter: Formatter[Any] | None
    filename: str

    @classmethod
    def of(cls, call: ProjectCall, fields: Iterable[str], format: str, parameters: dict[str, Any]) -> File:
        """Raises `NotFound` or `AccessDenied` for a formatter, `InvalidInput` for its parameters."""
        formatter = None
        if format:
            require_component(call.access, "formatter", format)
            formatter = cast(Formatter[Any], get_registry().build("formatter", format, parameters))
        extension = formatter.extension if formatter is not None else "json"
        name = f"{call.project.name}.{extension}"
        return cls(Reader(call.access, call.project.id), parse_fields(fields, EXPORTED_FIELDS), formatter, name)

    @property
    def content_type(self) -> str:
        """Media type."""
        return self.formatter.content_type if self.formatter is not None else "application/json"

    def chunks(self, ids: Iterable[int]) -> Iterator[bytes]:
        """The file over some documents, by id, in their order."""
        if self.formatter is not None:
            found = read_found(self.reader, ids, self.fields | {"text"})
            yield from self.formatter.format(Document.model_validate(wire) for wire in found)
            return
        separator = b"["
        for wire in read_found(self.reader, ids, self.fields):
            yield separator + orjson.dumps(wire)
            separator = b",\n"
        yield b"[]" if separator == b"[" else b"]"

    def write(self, job_id: str, ids: Iterable[int]) -> int:
        """Write the file of a job; its bytes. It appears whole or not at all."""
        target = path_of(job_id)
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(".part")
        with part.open("wb") as file:
            hold(file.fileno())
            for chunk in self.chunks(ids):
                file.write(chunk)
            file.flush()
            os.fsync(file.fileno())
            size = file.tell()
        part.replace(target)
        return size


def path_of(job_id: str) -> Path:
    """Where the file of a job is."""
    return get_settings().exports_folder / f"{job_id}.export"
