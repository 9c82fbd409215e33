"""The layout of a PDF is marked where it is certain, and the text does not change."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_plugins.base.converter import SourceFile
from annotarium_plugins.builtin.converters.common.pdf_layout import FontSizes, write_page
from annotarium_plugins.builtin.converters.common.pdf_paragraphs import paragraphs_of
from annotarium_plugins.builtin.converters.common.pdf_text import (
    Line,
    LinePart,
    join_side_by_side,
    open_pdf,
    page_lines,
)
from annotarium_plugins.builtin.converters.common.text_builder import TextBuilder
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter, PdfConverterParameters
from annotarium_schemas.documents import Document, LayoutMark

SAMPLES = Path(__file__).parent / "samples"
USUAL, WIDE = 10.0, 5.0
"""Usual font size in points; width of a character."""


def document(name: str, **parameters: object) -> Document:
    path = SAMPLES / name
    converter = PdfConverter(PdfConverterParameters.model_validate(parameters))
    (found,) = converter.convert(SourceFile(path, path.name))
    assert isinstance(found, Document)
    return found


def shown(found: Document, kind: str) -> list[str]:
    return [found.text[one.start : one.end] for one in found.layout or () if one.kind == kind]


def test_headings_lists_and_a_table() -> None:
    """A file of LibreOffice: marking the layout neither adds nor removes text."""
    found = document("plan.pdf")
    headings = [(one.level, found.text[one.start : one.end]) for one in found.layout or () if one.kind == "heading"]
    assert headings == [
        (1, "Annual plan of the archive"),
        (2, "1. What is to be done"),
        (2, "2. Who does it"),
        (3, "Costs of the year"),
    ]
    items = shown(found, "item")
    assert [one.split()[0] for one in items] == ["•", "•", "•", "1.", "2.", "3."]
    assert shown(found, "syntax") == ["•", "•", "•", "1.", "2.", "3."]
    assert items[0].endswith("describe each of them in a line")
    assert [one.ordered for one in found.layout or () if one.kind == "list"] == [None, True]
    assert shown(found, "cell") == [
        *("What", "Euro", "When", "Boxes", "120", "March", "Paper without acid", "80", "June"),
        *("Help", "1,500", "October"),
    ]
    assert shown(found, "row")[2] == "Paper without acid 80 June"
    assert "Costs of the year\n\nWhat Euro When\n\nBoxes 120 March\n\nPaper without acid 80 June" in found.text
    assert document("plan.pdf", join_lines=False).layout is None


def test_bullets_of_symbol_fonts_are_recognised() -> None:
    """Word processors write them as private-use characters, which no font displays and which were not recognised as
    lists.
    """
    found = document("bullets.pdf")
    assert shown(found, "item") == ["• The quay closes", "• The market stays"]
    assert "\uf0b7" not in found.text


def test_a_heading_in_the_sample_report_is_marked() -> None:
    """`report.pdf` has a heading and plain paragraphs."""
    assert shown(document("report.pdf"), "heading") == ["Rapport d’été"]


def line(text: str, base: float, *, size: float = USUAL, left: float = 50.0, parts: Sequence[LinePart] = ()) -> Line:
    right = max((one.right for one in parts), default=left + WIDE * len(text))
    own = tuple(parts) or (LinePart(len(text.split()), left, right),)
    return Line(text, left, right, base - 2, base + 8, base, size, own)


def row(base: float, *cells: tuple[str, float]) -> Line:
    """Return a line whose cells begin at these positions."""
    parts = []
    for text, left in cells:
        for word in text.split():
            parts.append(LinePart(1, left, left + WIDE * len(word)))
            left = parts[-1].right + 2.5
    return line(" ".join(text for text, _ in cells), base, left=cells[0][1], parts=parts)


def page(lines: list[Line]) -> tuple[str, list[LayoutMark]]:
    builder = TextBuilder()
    write_page(builder, lines, FontSizes([*lines, line("usual letters " * 200, 0)]), str, 1)
    return builder.text, builder.layout or []


def kinds(lines: list[Line]) -> list[str]:
    return [one.kind for one in page(lines)[1]]


def test_table_columns_must_be_clearly_separated() -> None:
    table = [row(700 - 12 * place, ("left part", 50), ("right", 200), ("3", 300)) for place in range(3)]
    assert kinds(table).count("cell") == 9
    ragged = [
        row(700, ("a", 50), ("b", 200)),
        row(688, ("long words", 50), ("c", 98)),
        row(676, ("x", 120), ("y", 300)),
    ]
    assert "table" not in kinds(ragged)
    prose = [
        row(700 - 12 * place, ("many words of a column " * 4, 50), ("of another one " * 5, 600)) for place in range(5)
    ]
    assert "table" not in kinds(prose)
    assert "table" not in kinds([row(700, ("only", 50), ("one", 200), ("row", 300))])


def test_cells_written_as_separate_lines_form_a_row() -> None:
    """Some programs write each cell as a line of its own."""
    cells = [line(text, base, left=left) for base in (700, 688, 676) for text, left in (("a b", 50), ("c", 200))]
    text, marks = page(cells)
    assert [text[one.start : one.end] for one in marks if one.kind == "row"] == ["a b\nc"] * 3


@pytest.mark.parametrize(
    "texts",
    [
        ["— Bonjour, dit-elle.", "Il ne dit rien."],
        ["1. One", "3. Three"],
        ["12. of the month it was", "and so on"],
        ["a) first", "c) third"],
    ],
)
def test_isolated_list_markers_are_not_a_list(texts: list[str]) -> None:
    assert "list" not in kinds([line(text, 700 - 30 * place) for place, text in enumerate(texts)])


def test_large_text_that_is_not_a_heading() -> None:
    """Dots that lead to a page number, a number alone, a bullet, a whole paragraph in large letters."""
    for text in ("Introduction . . . . . . . . 12", "1234", "• large", "word " * 60):
        assert "heading" not in kinds([line(text.strip(), 700, size=18)]), text
    assert page([line("A title", 700, size=18), line("smaller", 650, size=14)])[1][1].level == 2


def test_lines_split_by_superscripts_are_joined() -> None:
    """`E = mc²`, a note reference, a formula: programs write them as separate parts next to each other."""
    raised = Line("2", 80.0, 83.5, 704.0, 710.0, 705.0, 7.0, (LinePart(1, 80.0, 83.5),))
    rest = line(" is known", 700, left=86)
    first, after = join_side_by_side([line("E = mc", 700), raised, rest, line("The next line", 688)])
    assert (first.text, after.text) == ("E = mc2 is known", "The next line")
    assert (first.size, first.base, first.right) == (USUAL, 700.0, rest.right)
    assert sum(part.words for part in first.parts) == len(first.text.split())
    cells = [line("one", 700), line("two", 700, left=80)]
    assert join_side_by_side(cells) == cells, "a wide gap parts two cells"


def rotated_page(rotation: int, lines: Sequence[str]) -> bytes:
    """Return a PDF with a rotated page whose lines are displayed upright."""
    matrix = {0: "1 0 0 1 50 500", 90: "0 1 -1 0 300 50", 180: "-1 0 0 -1 545 342", 270: "0 -1 1 0 295 792"}[rotation]
    shown = " T* ".join(f"({text}) Tj" for text in lines)
    stream = f"BT /F 11 Tf 14 TL {matrix} Tm {shown} ET"
    objects = [
        "<</Type/Catalog/Pages 2 0 R>>",
        "<</Type/Pages/Kids[3 0 R]/Count 1>>",
        f"<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Rotate {rotation}/Contents 4 0 R"
        "/Resources<</Font<</F 5 0 R>>>>>>",
        f"<</Length {len(stream)}>>stream\n{stream}\nendstream",
        "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    content, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(content))
        content += f"{number} 0 obj{body}endobj\n".encode()
    table = "".join(f"{place:010} 00000 n \n" for place in places)
    end = f"trailer<</Size 6/Root 1 0 R>>\nstartxref\n{len(content)}\n%%EOF"
    return content + f"xref\n0 6\n0000000000 65535 f \n{table}{end}".encode()


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_a_rotated_page_is_read_as_displayed(tmp_path: Path, rotation: int) -> None:
    """Paragraphs of landscape pages are joined like those of any other page."""
    lines = ["The first line of a paragraph that", "goes on in a second line and then", "ends. "]
    texts = []
    for turn in (0, rotation):
        path = tmp_path / f"{turn}.pdf"
        path.write_bytes(rotated_page(turn, lines))
        with open_pdf(path) as pdf:
            found = page_lines(pdf, 0)
        assert [one.base for one in found] == sorted((one.base for one in found), reverse=True)
        texts.append([one.text for one in paragraphs_of(found)])
    assert texts[0] == texts[1] == ["The first line of a paragraph that goes on in a second line and then ends."]


WORDS = st.text(alphabet="ab•1.)—- é😀\u00a0א", min_size=1, max_size=12).filter(lambda text: bool(text.strip()))
LINES = st.lists(
    st.builds(
        lambda cells, base, size, left: (
            row(base, *((text.strip(), left + 60 * at) for at, text in enumerate(cells)))
            if size == USUAL
            else line(" ".join(cells).strip(), base, size=size, left=left)
        ),
        st.lists(WORDS, min_size=1, max_size=4),
        st.integers(0, 800).map(float),
        st.sampled_from([USUAL, USUAL, 14.0, 24.0]),
        st.sampled_from([50.0, 52.0, 80.0, 300.0]),
    ),
    max_size=12,
)


@given(LINES)
def test_the_text_is_that_of_the_paragraphs(lines: list[Line]) -> None:
    """Marks are within the text, rows in order within their table, cells within their row, and no word is left over."""
    plain = TextBuilder()
    for one in paragraphs_of(lines):
        plain.add(one.text, "paragraph", gap=one.gap or "\n\n")
    text, marks = page(lines)
    assert text == plain.text
    assert all(0 <= one.start <= one.end <= len(text) for one in marks)
    for outer, inner in (("table", "row"), ("row", "cell"), ("list", "item")):
        for holder in (one for one in marks if one.kind == outer):
            own = [one for one in marks if one.kind == inner and holder.start <= one.start and one.end <= holder.end]
            assert own
            assert all(before.end <= after.start for before, after in pairwise(own))
            between = text[holder.start : own[0].start] + text[own[-1].end : holder.end]
            between += "".join(text[before.end : after.start] for before, after in pairwise(own))
            assert not between.strip()
