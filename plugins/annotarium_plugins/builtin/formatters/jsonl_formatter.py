"""Formatter `jsonl`: one document per line, for programs that read large exports line by line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotarium_plugins.base.formatter import Formatter
from annotarium_plugins.parameters import NoParameters
from annotarium_schemas.documents import Document


class JsonlFormatter(Formatter[NoParameters]):
    """Writes one document per line. Fields without a value are left out."""

    title = "JSON Lines"
    description = "One document per line, with its annotations and categories, for programs that read line by line."
    parameters_model = NoParameters
    content_type = "application/x-ndjson"
    extension = "jsonl"

    def format(self, documents: Iterable[Document]) -> Iterator[bytes]:
        """Yield the file, one chunk per document."""
        for document in documents:
            yield document.model_dump_json(exclude_none=True).encode() + b"\n"
