"""Formatter `csv`: a table of documents, or of their annotations and categories, for spreadsheet programs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Literal

from pydantic import Field

from annotarium_plugins.base.formatter import Formatter
from annotarium_plugins.base.spreadsheet import BOM, csv_rows
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Category, Document

DOCUMENT_COLUMNS = ("identifier", "title", "text", "categories", "annotations", "metadata")
LABEL_COLUMNS = (
    *("document", "kind", "label", "start", "end", "text", "status", "score", "createdBy", "createdDate"),
    "fragments",
)


class CsvFormatterParameters(Parameters):
    """Parameters of `csv`."""

    rows: Literal["documents", "annotations"] = Field(
        "documents",
        title="Rows",
        description="One row per document, or one row per annotation, category and relation.",
    )
    separator: Literal["comma", "semicolon", "tab"] = Field("comma", title="Separator")


class CsvFormatter(Formatter[CsvFormatterParameters]):
    """Writes a table with a header. Rejected annotations and categories are included with their status.

    The row of a relation contains the texts of its two annotations; `fragments` are the ranges of a discontinuous one.
    """

    title = "CSV"
    description = "A table for spreadsheet programs: the documents, or their annotations and categories."
    parameters_model = CsvFormatterParameters
    content_type = "text/csv; charset=utf-8"
    extension = "csv"

    def format(self, documents: Iterable[Document]) -> Iterator[bytes]:
        """Yield the table, one chunk per row."""
        by_document = self.parameters.rows == "documents"
        delimiter = {"comma": ",", "semicolon": ";", "tab": "\t"}[self.parameters.separator]
        yield BOM
        yield from csv_rows([DOCUMENT_COLUMNS if by_document else LABEL_COLUMNS], delimiter)
        for document in documents:
            yield from csv_rows([_document_row(document)] if by_document else _label_rows(document), delimiter)


def _document_row(document: Document) -> Sequence[object]:
    standing = [item.label_name or "" for item in document.categories if item.status != "KO"]
    metadata = json.dumps(document.metadata, ensure_ascii=False, sort_keys=True) if document.metadata else ""
    annotations = sum(item.status != "KO" for item in document.annotations)
    return document.identifier, document.title, document.text, "; ".join(standing), annotations, metadata


def _label_rows(document: Document) -> Iterator[Sequence[object]]:
    for span in document.annotations:
        yield _label_row(document, "annotation", span, span.text or document.text[span.start : span.end])
    for category in document.categories:
        part = document.text[category.start : category.end] if category.start is not None else ""
        yield _label_row(document, "category", category, part)
    for sentence in document.sentences or ():
        for category in sentence.categories or ():
            inside = category.model_copy(update={"start": sentence.start, "end": sentence.end})
            yield _label_row(document, "category", inside, document.text[sentence.start : sentence.end])
    texts = {span.identifier: document.text[span.start : span.end] for span in document.annotations}
    for relation in document.relations or ():
        ends = f"{texts.get(relation.source, '')} \u2192 {texts.get(relation.target, '')}"
        place = (document.identifier, "relation", relation.name, None, None, ends)
        yield (*place, None, None, relation.created_by, relation.created_date, "")


def _label_row(document: Document, kind: str, item: Annotation | Category, text: str) -> Sequence[object]:
    place = (document.identifier, kind, item.label_name, item.start, item.end, text)
    pieces = item.fragments if isinstance(item, Annotation) else None
    fragments = "; ".join(f"{start}-{end}" for start, end in pieces or ())
    return (*place, item.status, item.score, item.created_by, item.created_date, fragments)
