"""Office files through the API: uploaded, converted in the child process, stored, read back."""

from __future__ import annotations

from typing import Any

import pytest
from office_samples import BOOK, CONVERTERS, SHOW, TEXTS, TITLE, content
from support.document_imports import import_files, read_document, report_lines


@pytest.fixture
def project(marie: Any) -> str:
    answer = marie.post("/api/projects", json={"label": "Essais", "lang": "fr", "nature": "sequence_labelling"})
    assert answer.status_code == 200, answer.text
    name: str = answer.json()["projectName"]
    return name


def outcomes(caller: Any, project: str, files: dict[str, bytes]) -> dict[str, tuple[str, str | None]]:
    """Import files in one call and wait; returns outcome and message of the report by item."""
    return {item: (outcome, message) for item, outcome, message in report_lines(import_files(caller, project, files))}


def test_office_files_become_documents(marie: Any, project: str) -> None:
    """C-050: each uploaded office type becomes a document with its exact text, its title and its metadata."""
    outcomes(marie, project, {f"{kind}.{extension}": content(extension) for extension, (_, kind) in CONVERTERS.items()})
    for extension, (_, kind) in CONVERTERS.items():
        document = read_document(marie, project, f"{kind}.{extension}")
        assert document["text"] == TEXTS[kind], extension
        assert document["title"] == TITLE, extension
        assert document["metadata"]["author"] == "Zoé Ångström", extension
        assert document["metadata"]["keywords"] == ["été", "capteurs"], extension
        for one in document["sentences"]:
            assert document["text"][one["start"] : one["end"]].strip(), extension


def test_rows_of_a_workbook_are_segments(marie: Any, project: str) -> None:
    outcomes(marie, project, {"book.xlsx": content("xlsx")})
    document = read_document(marie, project, "book.xlsx")
    found = [document["text"][one["start"] : one["end"]] for one in document["sentences"]]
    assert found == BOOK.replace("\n\n", "\n").split("\n")
    assert document["sentences"][2]["metadata"] == {"kind": "row", "sheet": "Données", "row": 2}


def test_a_bad_office_file_does_not_affect_others(marie: Any, project: str) -> None:
    """T05, T10: locked, truncated or misnamed files get a message, the valid file of the same call is imported."""
    found = outcomes(
        marie,
        project,
        {
            "locked.docx": content("docx", "locked"),
            "locked.odp": content("odp", "locked"),
            "cut.doc": content("doc")[:6000],
            "wrong.pptx": b"only a text",
            "good.odp": content("odp"),
        },
    )
    assert read_document(marie, project, "good.odp")["text"] == SHOW
    words = {
        "locked.docx": "protected with a password",
        "locked.odp": "protected with a password",
        "cut.doc": "damaged or cut off",
        "wrong.pptx": "The file name says pptx",
    }
    for name, expected in words.items():
        outcome, message = found[name]
        assert outcome == "refused" and expected in (message or ""), (name, message)
