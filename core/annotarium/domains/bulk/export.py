"""The file of an export: the documents as they travel, or in the words of a formatter. Written as it is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, cast

import orjson

from annotarium.access.call import ProjectCall
from annotarium.content.output_fields import EXPORTED_FIELDS, parse_fields
from annotarium.domains.components.service import require_component
from annotarium.domains.documents.loader import ProjectReadAccess, iterate_by_ids
from annotarium.jobs.result_files import write_result_file
from annotarium.registry import get_registry
from annotarium_plugins.base.formatter import Formatter
from annotarium_schemas.documents import Document


@dataclass(frozen=True)
class ExportFile:
    """What a file will hold, made while the call was open; it can be written after."""

    reader: ProjectReadAccess
    fields: frozenset[str]
    formatter: Formatter[Any] | None
    filename: str

    @classmethod
    def of(cls, call: ProjectCall, fields: Iterable[str], format: str, parameters: dict[str, Any]) -> ExportFile:
        """Raises `NotFound` or `AccessDenied` for a formatter, `InvalidInput` for its parameters."""
        formatter = None
        if format:
            require_component(call.access, "formatter", format)
            formatter = cast(Formatter[Any], get_registry().build("formatter", format, parameters))
        extension = formatter.extension if formatter is not None else "json"
        name = f"{call.project.name}.{extension}"
        return cls(
            ProjectReadAccess(call.access, call.project.id), parse_fields(fields, EXPORTED_FIELDS), formatter, name
        )

    @property
    def content_type(self) -> str:
        """Media type."""
        return self.formatter.content_type if self.formatter is not None else "application/json"

    def chunks(self, ids: Iterable[int]) -> Iterator[bytes]:
        """The file over some documents, by id, in their order."""
        if self.formatter is not None:
            found = iterate_by_ids(self.reader, ids, self.fields | {"text"})
            yield from self.formatter.format(Document.model_validate(document) for document in found)
            return
        separator = b"["
        for document in iterate_by_ids(self.reader, ids, self.fields):
            yield separator + orjson.dumps(document)
            separator = b",\n"
        yield b"[]" if separator == b"[" else b"]"

    def write(self, job_id: str, ids: Iterable[int]) -> int:
        """Write the file of a job; its bytes."""
        return write_result_file(job_id, self.chunks(ids))
