"""Samples of every text format become the expected documents: text, title, metadata, offsets."""

from __future__ import annotations

from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest

from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_plugins.builtin.converters.csv_converter import CsvConverter
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter
from annotarium_plugins.builtin.converters.msg_converter import MsgConverter
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter
from annotarium_schemas.documents import Document

SAMPLES = Path(__file__).parent / "samples"
PAGE = (
    "- Accueil\n- Contact\n\nL’été à Québec\n\nIl fait très chaud\u00a0: 35\u00a0°C 😀\nLe cœur\u00a0& l’âme."
    "\n\nVilles\n\nVille\tMesure\nQuébec\t35,5\n\n1. Un\n2. Deux\n  - Deux bis\n\nمرحبا بالعالم"
    "\n\nx = 1\n  y = 2\n\nFin"
)
REPORT = (
    "Rapport d’été\n\nIl a fait très chaud à Québec cet été, si chaud que l’on a peut-être atteint un sommet. "
    "Le cœur de l’été a été plus chaud que jamais, et l’anticonstitutionnellement long mot le montre : "
    "un portemonnaie, peut-être. Les relevés des mois de juin, de juillet et d’août le disent tous les trois."
    "\n\nمرحبا بالعالم"
)
MAIL = "Bonjour,\n\nà demain au café — œuvre 😀\nمرحبا بالعالم"


def convert(
    component: type[Converter[Any]], file: str | Path, *, language: str = "fr", **parameters: Any
) -> list[Document | ItemError]:
    path = SAMPLES / file
    converter = component(component.parameters_model.model_validate(parameters))
    return list(converter.convert(SourceFile(path, path.name, language=language)))


def one(component: type[Converter[Any]], file: str | Path, **options: Any) -> Document:
    (document,) = convert(component, file, **options)
    assert isinstance(document, Document), document
    return document


def parts(document: Document) -> list[str]:
    return [document.text[part.start : part.end] for part in document.sentences or ()]


def test_html_page_becomes_readable_text():
    document = one(HtmlConverter, "page.html")
    assert document.text == PAGE
    assert (document.identifier, document.title) == ("page.html", "L’été à Québec")
    assert document.metadata == {
        "author": "Zoé Ångström",
        "keywords": ["été", "canicule"],
        "created": "2024-05-31T12:00:00Z",
        "language": "fr",
    }
    assert document.sentences is None
    assert document.alt_texts == []


def test_html_page_with_declared_encoding():
    document = one(HtmlConverter, "page-cp1252.html", language="xx")
    assert document.text == PAGE.replace(" 😀", "").replace("مرحبا بالعالم\n\n", "")
    assert document.metadata["encoding"] == "cp1252"


def test_sections_and_blocks_of_a_page():
    sections = one(HtmlConverter, "page.html", segments="sections", navigation=False, images=True)
    assert [part.split("\n")[0] for part in parts(sections)] == ["L’été à Québec", "Villes"]
    assert [part.metadata for part in sections.sentences or ()] == [
        {"kind": "section", "level": 1},
        {"kind": "section", "level": 2},
    ]
    assert "Accueil" not in sections.text
    assert sections.text.endswith("Fin image")
    blocks = one(HtmlConverter, "page.html", segments="blocks", separator=" | ")
    assert "Ville | Mesure\nQuébec | 35,5" in parts(blocks)
    assert {"kind": "table", "rows": 2, "columns": 2} in [part.metadata for part in blocks.sentences or ()]


def test_stored_html_cannot_run_scripts():
    (kept,) = one(HtmlConverter, "page.html", keep_html=True).alt_texts
    assert kept.name == "html"
    assert "<em>à Québec</em>" in kept.text
    for wrong in ("script", "alert", "onclick", "<img", "style", "<title"):
        assert wrong not in kept.text


def test_xhtml_with_its_doctype():
    document = one(HtmlConverter, "page.xhtml")
    assert document.text == "One\n\nFirst é.\n\nTwo\n\nSecond 😀."
    assert document.title == "Strict page"


def test_layout_tables_are_not_marked_as_tables(tmp_path):
    page = tmp_path / "old.html"
    page.write_text(
        "<table><tr><td><ul><li>a</li></ul></td><td><table><tr><td>x</td><td>y</td></tr></table></td></tr></table>"
        "<table><tr><td>only</td></tr><tr><td>one</td></tr></table>"
    )
    assert one(HtmlConverter, page).text == "- a\n\nx\ty\n\nonly\none"


def test_pdf_in_reading_order():
    document = one(PdfConverter, "report.pdf")
    assert document.text == REPORT + "\n\nDeuxième page, courte."
    assert document.title == "Rapport d’été"
    assert document.metadata["author"] == "Zoé Ångström"
    assert document.metadata["pages"] == 2
    assert str(document.metadata["created"]).endswith("Z")


def test_pdf_pages_as_segments_and_as_documents():
    document = one(PdfConverter, "report.pdf", segments="pages")
    assert parts(document) == [REPORT, "Deuxième page, courte."]
    assert [part.metadata for part in document.sentences or ()] == [
        {"kind": "page", "page": 1},
        {"kind": "page", "page": 2},
    ]
    first, second = convert(PdfConverter, "report.pdf", documents="pages")
    assert isinstance(first, Document) and isinstance(second, Document)
    assert (first.text, second.text) == (REPORT, "Deuxième page, courte.")
    assert (second.identifier, second.title, second.metadata["page"]) == ("report.pdf#page=2", "Rapport d’été (2)", 2)


def test_pdf_lines_as_printed():
    text = one(PdfConverter, "report.pdf", join_lines=False).text
    assert "l’anticonsti-\ntutionnellement" in text
    kept = one(PdfConverter, "report.pdf", join_hyphens=False).text
    assert "l’anticonsti-\ntutionnellement" in kept
    assert "atteint un sommet" in kept


@pytest.mark.parametrize(("component", "file"), [(EmlConverter, "message.eml"), (MsgConverter, "message.msg")])
def test_mail_message_becomes_a_document(component, file):
    document = one(component, file)
    assert document.text.startswith(MAIL)
    assert document.title == "Réunion d’équipe 😀 مرحبا"
    facts = document.metadata
    assert (facts["from"], facts["date"]) == ("Zoé Ångström <zoe@example.org>", "2024-05-31T12:00:00Z")
    assert facts["cc"] == ["Équipe <team@example.org>"]
    assert "eric@example.org>" in str(facts["to"])
    assert str(facts["messageId"]).endswith("1@example.org")
    assert facts["attachments"][0] == "note été.txt"  # type: ignore[index]


@pytest.mark.parametrize(("component", "file"), [(EmlConverter, "message.eml"), (MsgConverter, "message.msg")])
def test_attachments_become_documents(component, file):
    """The name of an attachment that is not converted (the picture) is in the metadata."""
    _, note, inner = convert(component, file, attachments=True)
    assert isinstance(note, Document) and isinstance(inner, Document)
    assert (note.identifier, note.title, note.text) == (f"{file}#note été.txt", "note été", "Note à part")
    assert note.metadata["attachedTo"] == file
    assert (inner.title, inner.text) == ("Avant", "Le message d’avant.")


def test_attachments_of_other_types(tmp_path):
    """Each is converted by the converter of its type; several documents of one file are numbered; a damaged one is an
    error.
    """
    message = EmailMessage()
    message["Subject"] = "Files"
    message.set_content("See the files.")
    for name in ("text.docx", "rows.csv", "scanned.pdf"):
        message.add_attachment((SAMPLES / name).read_bytes(), maintype="application", subtype="x", filename=name)
    path = tmp_path / "files.eml"
    path.write_bytes(message.as_bytes())
    _, office, first, second, error = convert(EmlConverter, path, attachments=True)
    assert isinstance(office, Document) and isinstance(first, Document) and isinstance(second, Document)
    assert office.identifier == "files.eml#text.docx" and office.text
    assert (first.identifier, second.identifier) == ("files.eml#rows.csv", "files.eml#rows.csv#2")
    assert second.metadata["attachedTo"] == "files.eml"
    assert isinstance(error, ItemError)
    assert error.item == "files.eml#scanned.pdf"


def test_html_only_message_with_a_wrong_charset(tmp_path):
    path = tmp_path / "x.eml"
    path.write_bytes(
        "From: Zoé <z@e.org>\r\nSubject: =?iso-8859-1?Q?Caf=E9?= déjà\r\nDate: no date\r\n"
        "Content-Type: text/html; charset=x-unknown\r\n\r\n<p>Déjà <b>vu</b></p>".encode("cp1252")
    )
    document = one(EmlConverter, path)
    assert (document.title, document.text) == ("Café déjà", "Déjà vu")
    assert document.metadata == {"from": "Zoé <z@e.org>"}


def test_french_csv():
    first, second = convert(CsvConverter, "rows.csv")
    assert isinstance(first, Document) and isinstance(second, Document)
    assert first.text == 'Il fait chaud ; très\nchaud, "dit" Zoé'
    assert (first.identifier, first.title, second.title) == ("rows#1", "L'été", "Thé")
    assert [one.label for one in first.categories] == ["météo"]
    assert first.metadata == {"id": "1", "année": "2024"}
    assert second.text == "Le thé coûte 2 €"


def test_tsv_with_several_classes():
    first, second = convert(CsvConverter, "rows.tsv", label_separator="|")
    assert isinstance(first, Document) and isinstance(second, Document)
    assert (first.text, second.text) == ("Hello 😀, world", "مرحبا بالعالم")
    assert [one.label for one in first.categories] == ["greeting", "short"]
    assert second.metadata == {"lang": "ar"}


def test_columns_are_selected(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("1,Été,un,deux\n2,Thé,trois,quatre\n")
    made = convert(CsvConverter, path, header="none", text_columns=["3", "4"], title_column="2", identifier_column="1")
    assert [(d.identifier, d.title, d.text, d.metadata) for d in made if isinstance(d, Document)] == [
        ("1", "Été", "un\ndeux", {}),
        ("2", "Thé", "trois\nquatre", {}),
    ]


def test_doccano_spans():
    first, second = convert(JsonlConverter, "doccano.jsonl")
    assert isinstance(first, Document) and isinstance(second, Document)
    assert [(one.label, one.text) for one in first.annotations] == [("PERSON", "Ada"), ("WORK", "code")]
    assert first.metadata == {"id": 1, "year": 1843}
    assert (second.text, second.annotations) == ("Élan vital", [])


def test_xml_by_rules():
    first, second = convert(
        XmlConverter,
        "articles.xml",
        document="article",
        text="body",
        without=["note"],
        categories="@topic",
        metadata=[{"name": "authors", "xpath": "author"}, {"name": "lang", "xpath": "@e:lang"}],
        namespaces=[{"prefix": "e", "uri": "urn:example"}],
    )
    assert isinstance(first, Document) and isinstance(second, Document)
    assert (first.identifier, first.title, first.text) == ("a1", "L'été", "Il fait très chaud.\nLe thé est froid.")
    assert first.metadata == {"authors": ["Zoé", "Éric"], "lang": "fr"}
    assert [one.label for one in first.categories] == ["météo"]
    assert second.text == "Snow 😀 falls."
    assert second.metadata == {"authors": "Ada"}


@pytest.mark.parametrize("rule", ["article", "//article", "/journal/article"])
def test_xml_segments_by_name_and_by_path(rule):
    first, _ = convert(XmlConverter, "articles.xml", document=rule, segments="body/p")
    assert isinstance(first, Document)
    assert parts(first) == ["Il fait très chaud.", "Le thé est froid."]


def test_xml_without_rules_is_one_document():
    document = one(XmlConverter, "articles.xml")
    assert document.text.splitlines()[:4] == ["L'été", "Zoé", "Éric", "Il fait très chaud."]


def test_windows_encoding_of_french_text():
    document = one(TxtConverter, "note-cp1252.txt")
    assert document.text == "Le cœur déçu : l’âme plutôt naïve, 12 €.\nÀ bientôt.\n"
    assert document.metadata == {"encoding": "cp1252"}
