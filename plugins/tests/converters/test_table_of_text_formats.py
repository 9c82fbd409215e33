"""The table type x (text, title, metadata, tables, offsets) of the text formats; that of the office files is in
`test_office_formats`. A dash: the type, or its sample, does not have it.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

import pytest
from test_text_formats import MAIL, PAGE, REPORT, convert, parts

from annotarium_plugins.base.converter import Converter
from annotarium_plugins.builtin.converters.csv_converter import CsvConverter
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter
from annotarium_plugins.builtin.converters.json_converter import JsonConverter
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter
from annotarium_plugins.builtin.converters.msg_converter import MsgConverter
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter
from annotarium_schemas.documents import Document

MARKED = (
    '[{"text": "😀 Ada codes", "title": "One", "metadata": {"year": "1843"},'
    ' "annotations": [{"start": 2, "end": 5, "labelName": "person"}]}]'
)


class Sample(NamedTuple):
    """A file and the expected content of its first document."""

    converter: type[Converter[Any]]
    file: str
    text: str
    title: str
    metadata: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    options: dict[str, Any] = {}  # noqa: RUF012 - never changed


SAMPLES = (
    Sample(
        *(HtmlConverter, "page.html", PAGE, "L’été à Québec", ("author", "created", "keywords", "language")),
        table=("Ville", "Mesure", "Québec", "35,5"),
    ),
    Sample(HtmlConverter, "page.xhtml", "One\n\nFirst é.\n\nTwo\n\nSecond 😀.", "Strict page", ("language",)),
    Sample(
        *(PdfConverter, "report.pdf", REPORT + "\n\nDeuxième page, courte.", "Rapport d’été"),
        metadata=("author", "created", "pages"),
    ),
    Sample(
        *(PdfConverter, "plan.pdf", "Annual plan of the archive\n\nThe archive keeps letters,", "Plan"),
        metadata=("created", "pages"),
        table=("What", "Euro", "When", "Boxes", "120", "March"),
    ),
    Sample(EmlConverter, "message.eml", MAIL, "Réunion d’équipe 😀 مرحبا", ("from", "to", "cc", "date", "attachments")),
    Sample(MsgConverter, "message.msg", MAIL, "Réunion d’équipe 😀 مرحبا", ("from", "to", "cc", "date", "attachments")),
    Sample(CsvConverter, "rows.csv", 'Il fait chaud ; très\nchaud, "dit" Zoé', "L'été", ("id", "année")),
    Sample(CsvConverter, "rows.tsv", "Hello 😀, world", "rows 1", ("lang",)),
    Sample(JsonlConverter, "doccano.jsonl", "😀 Ada wrote code", "doccano 1", ("id", "year")),
    Sample(JsonConverter, "marked.json", "😀 Ada codes", "One", ("year",)),
    Sample(
        *(XmlConverter, "articles.xml", "Il fait très chaud.\nLe thé est froid.", "L'été", ("authors",)),
        options={
            **{"document": "article", "text": "body", "without": ["note"]},
            "metadata": [{"name": "authors", "xpath": "author"}],
        },
    ),
    Sample(
        *(TxtConverter, "note-cp1252.txt", "Le cœur déçu : l’âme plutôt naïve, 12 €.\nÀ bientôt.\n", "note-cp1252"),
        metadata=("encoding",),
    ),
)


def offsets_are_right(document: Document) -> bool:
    """Whether spans, segments and layout are within the text, spans on their words, segments in order."""
    segments = [(one.start, one.end) for one in document.sentences or ()]
    marks = [(one.start, one.end) for one in document.layout or ()]
    inside = all(0 <= start <= end <= len(document.text) for start, end in [*segments, *marks])
    ordered = all(before[1] <= after[0] for before, after in pairwise(segments))
    spans = all(document.text[one.start : one.end] in ("Ada", "code") for one in document.annotations)
    return inside and ordered and spans and all(part.strip() for part in parts(document))


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.file)
def test_row_of_the_table(sample: Sample, tmp_path: Any, capsys: pytest.CaptureFixture[str]) -> None:
    """C-050: every cell must be yes."""
    file: Any = sample.file
    if sample.converter is JsonConverter:
        file = tmp_path / sample.file
        file.write_text(MARKED, encoding="utf-8")
    document = convert(sample.converter, file, **sample.options)[0]
    assert isinstance(document, Document), document
    cells = [document.text[one.start : one.end] for one in document.layout or () if one.kind == "cell"]
    row = {
        "text": document.text.startswith(sample.text),
        "title": document.title == sample.title,
        "metadata": set(sample.metadata) <= set(document.metadata) if sample.metadata else None,
        "tables": tuple(cells[: len(sample.table)]) == sample.table if sample.table else None,
        "offsets": offsets_are_right(document),
    }
    words = {True: "yes", False: "NO", None: "-"}
    with capsys.disabled():
        print(f"\n{sample.file:16}" + "".join(f"{name}: {words[good]:5}" for name, good in row.items()), end="")
    assert False not in row.values(), (row, document.title, document.text[:80], cells[:6])
