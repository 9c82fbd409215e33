"""Formatter `json`: documents in the published JSON format, which the `json` converter reads."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from pydantic import Field

from annotarium_plugins.base.formatter import Formatter
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Document


class JsonFormatterParameters(Parameters):
    """Parameters of `json`."""

    indent: bool = Field(False, title="Indent", description="Easier to read, larger.")
    lines: bool = Field(False, title="JSON Lines", description="One document per line instead of one list.")


class JsonFormatter(Formatter[JsonFormatterParameters]):
    """Writes a list of documents, or one document per line. Fields without a value are left out."""

    title = "JSON"
    description = "Documents with their annotations and categories; can be imported again."
    parameters_model = JsonFormatterParameters
    content_type = "application/json"
    extension = "json"

    def format(self, documents: Iterable[Document]) -> Iterator[bytes]:
        """Yield the file, one chunk per document."""
        if self.parameters.lines:
            for document in documents:
                yield document.model_dump_json(exclude_none=True).encode() + b"\n"
            return
        separator = b"["
        for document in documents:
            indent = 2 if self.parameters.indent else None
            yield separator + document.model_dump_json(exclude_none=True, indent=indent).encode()
            separator = b",\n"
        yield b"]\n" if separator != b"[" else b"[]\n"
