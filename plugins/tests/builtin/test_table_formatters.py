"""CSV and JSON Lines: the contract of formatters, and cells that spreadsheet programs do not run as formulas."""

from __future__ import annotations

import csv
import io
import json
from typing import Any, ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_plugins.base.spreadsheet import csv_rows, safe_cell
from annotarium_plugins.builtin.formatters.csv_formatter import CsvFormatter, CsvFormatterParameters
from annotarium_plugins.builtin.formatters.jsonl_formatter import JsonlFormatter
from annotarium_plugins.testing import FormatterContract
from annotarium_plugins.testing.samples import linked_document
from annotarium_schemas.documents import Annotation, Category, Document, Sentence

TEXT = "=cmd() wrote. Ada read."
DOCUMENT = Document(
    identifier="d1",
    title="@title",
    text=TEXT,
    metadata={"year": 1843},
    annotations=[
        Annotation(start=0, end=5, label_name="tool", text="=cmd(", status="OK", score=0.5),
        Annotation(start=14, end=17, label_name="person", text="Ada", status="KO"),
    ],
    categories=[Category(label_name="history", status="OK"), Category(label_name="sport", status="KO")],
    sentences=[Sentence(start=14, end=23, categories=[Category(label_name="reading", status="OK")])],
)


class TestCsvOfDocuments(FormatterContract):
    component = CsvFormatter


class TestCsvOfAnnotations(FormatterContract):
    component = CsvFormatter
    parameters: ClassVar = {"rows": "annotations", "separator": "tab"}


class TestJsonl(FormatterContract):
    component = JsonlFormatter


def table(**parameters: Any) -> list[dict[str, str]]:
    made = CsvFormatter(CsvFormatterParameters(**parameters)).format([DOCUMENT])
    return list(csv.DictReader(io.StringIO(b"".join(made).decode("utf-8-sig"), newline="")))


def test_one_row_per_document() -> None:
    (row,) = table()
    assert (row["identifier"], row["title"], row["text"]) == ("d1", "'@title", "'" + TEXT)
    assert (row["categories"], row["annotations"]) == ("history", "1")
    assert json.loads(row["metadata"]) == {"year": 1843}


def test_one_row_per_annotation_and_category() -> None:
    rows = table(rows="annotations")
    said = [(row["kind"], row["label"], row["start"], row["text"], row["status"]) for row in rows]
    assert said == [
        ("annotation", "tool", "0", "'=cmd(", "OK"),
        ("annotation", "person", "14", "Ada", "KO"),
        ("category", "history", "", "", "OK"),
        ("category", "sport", "", "", "KO"),
        ("category", "reading", "14", "Ada read.", "OK"),
    ]
    assert rows[0]["score"] == "0.5"


def test_relations_are_rows_and_fragments_a_column() -> None:
    made = CsvFormatter(CsvFormatterParameters(rows="annotations")).format([linked_document()])
    rows = list(csv.DictReader(io.StringIO(b"".join(made).decode("utf-8-sig"), newline="")))
    assert [row["fragments"] for row in rows] == ["0-6; 23-29", "", "", "", ""]
    said = [(row["kind"], row["label"], row["text"]) for row in rows[3:]]
    whole = rows[0]["text"]
    assert said == [
        ("relation", "speaks of", f"Ada \u2192 {whole}"),
        ("relation", "is like", f"{whole} \u2192 ovarian cancer"),
    ]


@pytest.mark.parametrize("beginning", list("=+-@\t\r\n"))
def test_cells_are_not_interpreted_as_formulas(beginning: str) -> None:
    assert safe_cell(f"{beginning}1+1") == f"'{beginning}1+1"
    assert safe_cell(-5) == "-5"


@given(st.lists(st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",))), min_size=1, max_size=4))
def test_any_text_is_read_back_unchanged(cells: list[str]) -> None:
    (line,) = csv_rows([["x", *cells]])
    (read,) = csv.reader(io.StringIO(line.decode(), newline=""))
    assert [cell.removeprefix("'") for cell in read[1:]] == [cell.removeprefix("'") for cell in cells]
    assert not any(cell.startswith(("=", "+", "-", "@")) for cell in read)
