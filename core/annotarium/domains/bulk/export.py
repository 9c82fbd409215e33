"""The file of an export: documents as JSON, or as written by a formatter. Documents are streamed into it."""

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
    """The settings of an export file, resolved while the call is open; it can be written after the call."""

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
        """The contents of the file, for documents by id, in this order."""
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
        """Write the result file of a job; returns its size in bytes."""
        return write_result_file(job_id, self.chunks(ids))
