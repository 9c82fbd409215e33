"""Broken, encrypted and hostile office files give an error with message, cause and fix; never a crash (T03,
T04, T10).
"""

from __future__ import annotations

import io
import random
import zipfile
import zlib
from pathlib import Path

import pytest
from office_samples import CONVERTERS, SAMPLES, TEXTS, content, convert

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Document

FORMATS = sorted(CONVERTERS)
PACKAGES = sorted(set(FORMATS) - {"doc", "xls", "ppt", "pps", "rtf"})
MAIN = {
    **dict.fromkeys(("odt", "ods", "odp"), "content.xml"),
    "docx": "word/document.xml",
    "xlsx": "xl/worksheets/sheet1.xml",
    **dict.fromkeys(("pptx", "ppsx"), "ppt/slides/slide1.xml"),
}
BOMB = b'<!DOCTYPE a [<!ENTITY b "boom"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;"><!ENTITY d "&c;&c;&c;&c;&c;&c;&c;">]>'


def refused(folder: Path, extension: str, data: bytes) -> ComponentError:
    """Return the error for a file after checking its texts."""
    with pytest.raises(ComponentError) as raised:
        convert(folder, extension, data)
    error = raised.value
    assert error.message and error.cause and error.fix, (error.message, error.cause, error.fix)
    return error


def repacked(data: bytes, name: str, body: bytes | None) -> bytes:
    """Return a package with a member replaced or removed."""
    target = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as source, zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as made:
        for info in source.infolist():
            if info.filename != name:
                made.writestr(info.filename, source.read(info))
            elif body is not None:
                made.writestr(name, body)
    return target.getvalue()


def main_part(extension: str) -> bytes:
    """Return the XML that contains the text."""
    with zipfile.ZipFile(io.BytesIO(content(extension))) as package:
        return package.read(MAIN[extension])


@pytest.mark.parametrize(
    "path",
    [one for one in sorted(SAMPLES.glob("locked.*")) if one.suffix[1:] in CONVERTERS],
    ids=lambda path: path.suffix[1:],
)
def test_encrypted_files_are_reported(path: Path, tmp_path: Path) -> None:
    error = refused(tmp_path, path.suffix[1:], path.read_bytes())
    assert error.message == "The file is protected with a password."
    assert error.fix == "Save it without a password and upload it again"


def test_encrypted_ppt_files_are_reported(tmp_path: Path) -> None:
    data = content("ppt")
    assert (
        data.count(b"\x5f\xc0\x91\xe3") == 1
    )  # header token of an unencrypted file; 0xF3D1C4DF is that of an encrypted one
    locked = data.replace(b"\x5f\xc0\x91\xe3", b"\xdf\xc4\xd1\xf3")
    assert refused(tmp_path, "ppt", locked).message == "The file is protected with a password."


@pytest.mark.parametrize("extension", FORMATS)
def test_truncated_files_are_reported(extension: str, tmp_path: Path) -> None:
    """A truncated file is refused, not read in part; if only its properties are lost, the text is complete."""
    data = content(extension)
    for share in (0.02, 0.25, 0.5, 0.75):
        refused(tmp_path, extension, data[: int(len(data) * share)])
    for share in (0.9, 0.95, 0.99):
        try:
            (made,) = convert(tmp_path, extension, data[: int(len(data) * share)])
        except ComponentError:
            continue
        assert isinstance(made, Document)
        assert made.text == TEXTS[CONVERTERS[extension][1]]


@pytest.mark.parametrize("extension", FORMATS)
def test_random_byte_changes_never_crash(extension: str, tmp_path: Path) -> None:
    """300 files with bytes changed at random (fixed seed) give documents with valid offsets, or errors with an
    explanation.
    """
    data = content(extension)
    chance = random.Random(extension)
    for _ in range(300):
        spoilt = bytearray(data)
        for _ in range(chance.choice((1, 2, 8, 60))):
            spoilt[chance.randrange(len(spoilt))] = chance.choice((0, 255, 1, chance.randrange(256)))
        try:
            made = convert(tmp_path, extension, bytes(spoilt))
        except ComponentError:
            continue
        for document in made:
            assert isinstance(document, Document)
            assert document.text.strip() and "\x00" not in document.text
            document.text.encode()
            ends = [0] + [place for one in document.sentences or () for place in (one.start, one.end)]
            assert ends == sorted(ends) and ends[-1] <= len(document.text)


@pytest.mark.parametrize("extension", PACKAGES)
def test_random_xml_changes_never_crash(extension: str, tmp_path: Path) -> None:
    """As above, within the compressed XML, where checksums do not detect it."""
    body = main_part(extension)
    chance = random.Random(extension)
    refusals = 0
    for _ in range(60):
        spoilt = bytearray(body)
        for _ in range(chance.choice((1, 3))):
            place = chance.randrange(len(spoilt))
            spoilt[place : place + chance.randrange(1, 5)] = chance.choice((b"", b"9", b"<", b'"', b"-1", b"\xff"))
        try:
            convert(tmp_path, extension, repacked(content(extension), MAIN[extension], bytes(spoilt)))
        except ComponentError:
            refusals += 1
    assert refusals > 0


@pytest.mark.parametrize("extension", PACKAGES)
def test_document_type_declarations_are_refused(extension: str, tmp_path: Path) -> None:
    """T04: entities that expand exponentially or include a file are not resolved."""
    body = main_part(extension).split(b"?>", 1)[1]
    outside = b'<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'
    for declared in (BOMB, outside, b"<!DOCTYPE a>"):
        data = repacked(content(extension), MAIN[extension], b'<?xml version="1.0"?>' + declared + body)
        assert "DTD" in refused(tmp_path, extension, data).message


@pytest.mark.parametrize("extension", PACKAGES)
def test_decompression_bombs_are_refused(extension: str, tmp_path: Path) -> None:
    """T03: a part that decompresses to 120 MB; a part nested 100 000 deep; a missing part."""
    sample = content(extension)
    with zipfile.ZipFile(io.BytesIO(sample)) as package:
        head, _, tail = package.read(MAIN[extension]).rpartition(b"</")
    swollen = repacked(sample, MAIN[extension], head + b" " * (120 << 20) + b"</" + tail)
    assert len(swollen) < 2 << 20
    assert "unpacks to more than" in refused(tmp_path, extension, swollen).message
    deep = repacked(sample, MAIN[extension], b"<a>" * 100_000)
    assert refused(tmp_path, extension, deep).message == "The file is nested too deep."
    if extension in ("docx", "odt", "ods", "odp"):
        refused(tmp_path, extension, repacked(sample, MAIN[extension], None))


def test_shared_text_counts_for_each_cell_that_uses_it(tmp_path: Path) -> None:
    """T03: one long shared text in many cells is a bomb too."""
    text = b"<sst><si><t>" + b"x" * 1_000_000 + b"</t></si></sst>"
    cells = b"".join(b'<row><c t="s"><v>0</v></c></row>' for _ in range(5_000))
    data = repacked(content("xlsx"), "xl/sharedStrings.xml", text)
    data = repacked(data, MAIN["xlsx"], b"<worksheet><sheetData>" + cells + b"</sheetData></worksheet>")
    assert "together are too long" in refused(tmp_path, "xlsx", data).message


def test_distant_and_repeated_cells_are_bounded(tmp_path: Path) -> None:
    """T03: a cell at the end of a sheet, and a cell repeated over all columns of a million rows."""
    rows = b'<row r="1"><c r="A1"><v>1</v></c></row><row r="1048576"><c r="XFD1048576"><v>2</v></c></row>'
    body = b'<worksheet><dimension ref="A1:XFD1048576"/><sheetData>' + rows + b"</sheetData></worksheet>"
    (made,) = convert(tmp_path, "xlsx", repacked(content("xlsx"), MAIN["xlsx"], body), documents="sheet")[:1]
    assert isinstance(made, Document)
    assert made.text == "1\n" + "\t" * 16_383 + "2" or made.text == "1\n2"
    body = main_part("ods").replace(b"<table:table-row", b'<table:table-row table:number-rows-repeated="1000000000"', 1)
    with pytest.raises(ComponentError):
        convert(tmp_path, "ods", repacked(content("ods"), MAIN["ods"], body), row_limit=1000)


def test_a_cell_with_an_invalid_reference_is_named(tmp_path: Path) -> None:
    body = b'<worksheet><sheetData><row r="1"><c r="B1" t="s"><v>999</v></c></row></sheetData></worksheet>'
    error = refused(tmp_path, "xlsx", repacked(content("xlsx"), MAIN["xlsx"], body))
    assert error.cause == "xl/worksheets/sheet1.xml: the cell B1 points to a text that is not there."


@pytest.mark.parametrize(("extension", "other"), [("docx", "xlsx"), ("pptx", "docx"), ("ods", "odt"), ("xls", "doc")])
def test_a_file_of_another_type_is_reported(extension: str, other: str, tmp_path: Path) -> None:
    """T10: the content determines the type, and the error names the expected one."""
    assert refused(tmp_path, extension, content(other)).message.startswith("The file is not ")


@pytest.mark.parametrize("extension", FORMATS)
def test_plain_text_and_empty_zip_are_refused(extension: str, tmp_path: Path) -> None:
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    for data in (b"some text", empty.getvalue(), b"PK\x03\x04" + zlib.compress(b"x" * 999)):
        refused(tmp_path, extension, data)


def test_hostile_rich_text_is_bounded(tmp_path: Path) -> None:
    """Endless groups are reported as damage; raw data is skipped; old fonts are decoded with their character set."""
    refused(tmp_path, "rtf", b"{\\rtf1 " + b"{" * 100_000)
    refused(tmp_path, "rtf", b"{\\rtf1 text")
    data = (
        rb"{\rtf1\ansi\ansicpg1251{\fonttbl{\f0\fcharset204 A;}{\f1\fcharset128 B;}{\f2\fcharset178 C;}}"
        rb"\f0 \'cf\'f0\'e8\f1\'93\'fa\'96\'7b\f2\'d3\'e1\f0{\*\unknown lost}{\pict\bin4 }}}}}\u-10179?\u-8704?\par}"
    )
    (made,) = convert(tmp_path, "rtf", data)
    assert isinstance(made, Document)
    assert made.text == "При日本سل😀"
