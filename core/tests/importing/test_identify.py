"""Which converter reads an office file: its bytes decide, the name chooses among the types they allow (T10)."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from office_samples import CONVERTERS, content

from annotarium.content.validation import InvalidContent
from annotarium.importing.identify import identify


def kind(folder: Path, data: bytes, name: str) -> str:
    path = folder / "upload"
    path.write_bytes(data)
    return identify(path, name).kind


@pytest.mark.parametrize("extension", sorted(CONVERTERS))
def test_office_files_are_identified_by_their_bytes(extension: str, tmp_path: Path) -> None:
    assert kind(tmp_path, content(extension), f"file.{extension.upper()}") == extension
    if extension not in ("xls", "ppt", "pps", "ppsx"):  # their bytes are those of other types too
        assert kind(tmp_path, content(extension), "file") == extension
        assert kind(tmp_path, content(extension), "file.txt") == extension


@pytest.mark.parametrize(
    ("sample", "name", "expected"),
    [
        ("docx", "macros.docm", "docx"),
        ("docx", "template.dotx", "docx"),
        ("xlsx", "macros.xlsm", "xlsx"),
        ("ppsx", "macros.ppsm", "pptx"),
        ("doc", "template.dot", "doc"),
        ("xls", "template.xlt", "xls"),
        ("ppt", "template.pot", "ppt"),
        ("rtf", "renamed.doc", "rtf"),
    ],
)
def test_related_office_types_are_accepted(sample: str, name: str, expected: str, tmp_path: Path) -> None:
    assert kind(tmp_path, content(sample), name) == expected


def test_open_document_templates_are_not_taken_for_archives(tmp_path: Path) -> None:
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content("odt"))) as source, zipfile.ZipFile(target, "w") as made:
        for info in source.infolist():
            body = source.read(info)
            made.writestr(info.filename, body + b"-template" if info.filename == "mimetype" else body)
    assert kind(tmp_path, target.getvalue(), "letter.ott") == "odt"


@pytest.mark.parametrize("extension", sorted(CONVERTERS))
def test_text_under_an_office_name_is_refused(extension: str, tmp_path: Path) -> None:
    with pytest.raises(InvalidContent, match=f"The file name says {extension}"):
        kind(tmp_path, b"only a text", f"file.{extension}")
