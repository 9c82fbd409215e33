"""Every office format gives the same text, title, metadata, tables and notes, to the character (C-050)."""

from __future__ import annotations

from pathlib import Path

import pytest
from office_samples import BOOK, CONVERTERS, ROWS, SHOW, TABLE, TEXT, TEXTS, TITLE, content, convert, documents

from annotarium_schemas.documents import Document

FORMATS = sorted(CONVERTERS)
TEXT_FORMATS = ("doc", "docx", "odt", "rtf")
BOOK_FORMATS = ("xls", "xlsx", "ods")
SHOW_FORMATS = ("ppt", "pps", "pptx", "ppsx", "odp")


def spans(document: Document) -> list[str]:
    """Return the texts of the segments of a document."""
    return [document.text[one.start : one.end] for one in document.sentences or ()]


def facts(document: Document) -> list[dict[str, object]]:
    """Return the metadata of the segments."""
    return [dict(one.metadata or {}) for one in document.sentences or ()]


@pytest.mark.parametrize("extension", FORMATS)
def test_text_title_and_metadata_are_exact(extension: str, tmp_path: Path) -> None:
    """C-050: the exact text, with emojis, Arabic and the cells of the table; the title; author and dates."""
    (document,) = documents(tmp_path, extension)
    kind = CONVERTERS[extension][1]
    assert document.text == TEXTS[kind]
    assert document.title == TITLE
    assert document.identifier == f"{kind}.{extension}"
    metadata = dict(document.metadata)
    assert metadata["author"] == "Zoé Ångström"
    assert metadata["subject"] == "Mesures"
    assert metadata["description"] == "Un échantillon"
    assert metadata["keywords"] == ["été", "capteurs"]
    moments = ("2024-05-31T12:00:00", "2024-06-01T08:30:00")
    zone = "" if extension == "rtf" else "Z"  # rich text has no time zones
    assert (metadata["created"], metadata["modified"]) == tuple(moment + zone for moment in moments)
    assert "BRUIT" not in document.text and "secret" not in document.text


def test_table_of_formats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The table type x (text, title, metadata, tables, offsets), printed; every cell must be yes."""
    lines, wrong = [], []
    for extension in FORMATS:
        kind = CONVERTERS[extension][1]
        (document,) = documents(tmp_path, extension, segments="rows" if kind == "book" else "blocks")
        table = ROWS if kind == "book" else TABLE
        found = [document.text[one.start : one.end] for one in document.sentences or ()]
        cells = {
            "text": document.text == TEXTS[kind],
            "title": document.title == TITLE,
            "metadata": {"author", "created", "modified", "subject", "keywords"} <= set(document.metadata),
            "tables": table in found or (kind == "book" and ROWS.split("\n") == found[1:5]),
            "offsets": "".join(found) == "".join(document.text.split("\n\n") if kind != "book" else found)
            and all(part.strip() == part != "" for part in found),
        }
        lines.append(f"{extension:5}" + "".join(f"{name}: {'yes' if good else 'NO':5}" for name, good in cells.items()))
        wrong += [f"{extension}: {name}" for name, good in cells.items() if not good]
    with capsys.disabled():
        print("\n" + "\n".join(lines))
    assert wrong == []


@pytest.mark.parametrize("extension", TEXT_FORMATS)
def test_headings_are_sections_and_blocks_have_offsets(extension: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, extension, segments="sections")
    first = TEXT[: TEXT.index("\n\nمقدمة")]
    assert spans(document) == [first, TEXT[len(first) + 2 :]]
    assert facts(document) == [
        {"kind": "section", "level": 1, "title": "Première partie"},
        {"kind": "section", "level": 2, "title": "مقدمة"},
    ]
    (document,) = documents(tmp_path, extension, segments="blocks")
    known = dict(zip(spans(document), facts(document), strict=True))
    assert known[TABLE] == {"kind": "table", "rows": 3, "columns": 3}
    assert known["Une note é 🎈"] == {"kind": "note"}
    assert "\n\n".join(spans(document)) == TEXT


@pytest.mark.parametrize("extension", TEXT_FORMATS)
def test_parameters_of_word_processor_converters_apply(extension: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, extension, notes=False, separator=" | ", title="heading")
    assert "Une note" not in document.text
    assert "Québec |  | 😀\nالقاهرة | 35,5 | ok" in document.text
    assert document.title == "Première partie"
    assert document.sentences is None
    (document,) = documents(tmp_path, extension, title="file")
    assert document.title == "text"


@pytest.mark.parametrize("extension", SHOW_FORMATS)
def test_slides_become_sections_or_documents(extension: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, extension, segments="slides")
    first, second = SHOW.split("\n\nTableau", 1)
    assert spans(document) == [first, f"Tableau{second}"]
    assert facts(document)[0] == {"kind": "slide", "slide": 1, "title": "Bienvenue é 😀"}
    assert facts(document)[1]["slide"] == 2
    one, two = documents(tmp_path, extension, documents="slide", notes=False)
    assert (one.identifier, one.title) == (f"show.{extension}#1", "Bienvenue é 😀")
    assert one.text == first.replace("\n\nNote de l’orateur 🎈", "")
    assert two.text == f"Tableau{second}" and two.metadata["slide"] == 2


@pytest.mark.parametrize("extension", BOOK_FORMATS)
def test_workbook_rows_become_segments_or_documents(extension: str, tmp_path: Path) -> None:
    (document,) = documents(tmp_path, extension)
    assert spans(document) == BOOK.replace("\n\n", "\n").split("\n")
    assert facts(document)[1] == {"kind": "header", "sheet": "Données", "row": 1}
    assert facts(document)[4] == {"kind": "row", "sheet": "Données", "row": 5}
    (document,) = documents(tmp_path, extension, segments="sheets")
    assert spans(document) == [f"Données\n\n{ROWS}", "Second\n\nSeul\tTRUE"]
    assert [one["sheet"] for one in facts(document)] == ["Données", "Second"]
    made = convert(tmp_path, extension, content(extension), documents="row", text_column="note", title_column="Nom")
    rows = [one for one in made if isinstance(one, Document)]
    wrong = [one for one in made if not isinstance(one, Document)]
    assert [(one.title, one.text) for one in rows] == [("Zoé 😀", "ligne un\nligne deux"), ("Łukasz 𝔘", "fin")]
    assert rows[0].identifier == f"book.{extension}#Données!2"
    assert rows[0].metadata["Âge"] == "36" and rows[0].metadata["Date"] == "2024-05-31" and rows[0].metadata["row"] == 2
    assert [one.item for one in wrong] == ["Données, row 3", "Second"]
    assert wrong[1].message == "The sheet Second has no column note. The columns are: A, B."


@pytest.mark.parametrize("extension", BOOK_FORMATS)
def test_parameters_of_workbook_converters_apply(extension: str, tmp_path: Path) -> None:
    first, second = documents(tmp_path, extension, documents="sheet", layout="records", hidden=False)
    assert first.text.startswith(
        "Nom: Zoé 😀\nÂge: 36\nDate: 2024-05-31\nPart: 25%\nNote: ligne un ligne deux\n\nNom: عمر"
    )
    assert (second.text, second.identifier) == ("Seul\nTRUE", f"book.{extension}#Second")
    assert second.title == f"{TITLE} - Second"
    (document,) = documents(tmp_path, extension, hidden=True, header="none")
    assert document.text.endswith("Caché\n\nsecret")
    assert facts(document)[1]["kind"] == "row"
