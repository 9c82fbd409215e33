"""Content of office files besides plain paragraphs: revisions, boxes, controls, hidden parts, number formats."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import pytest
from office_samples import convert

from annotarium_plugins.builtin.converters.office.cell_values import (
    date_text,
    format_kind,
    formatted_number,
    number_text,
)
from annotarium_schemas.documents import Document

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
STRICT = 'xmlns:w="http://purl.oclc.org/ooxml/wordprocessingml/main"'
R = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
RELATED = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def package(members: dict[str, str]) -> bytes:
    """Return a package with these members."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        for name, body in members.items():
            made.writestr(name, body)
    return target.getvalue()


def one(folder: Path, extension: str, data: bytes, **parameters: Any) -> Document:
    (made,) = convert(folder, extension, data, **parameters)
    assert isinstance(made, Document)
    return made


def docx(folder: Path, body: str, namespace: str = W, **parameters: Any) -> str:
    document = f"<w:document {namespace}><w:body>{body}</w:body></w:document>"
    return one(folder, "docx", package({"word/document.xml": document}), **parameters).text


def run(text: str, properties: str = "") -> str:
    return f'<w:r><w:rPr>{properties}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


@pytest.mark.parametrize("namespace", [W, STRICT])
def test_docx_revisions_fields_and_hidden_text(tmp_path: Path, namespace: str) -> None:
    """Inserted revisions are text; deleted and hidden text and field codes are not."""
    body = (
        f"<w:p>{run('a ')}<w:ins>{run('new ')}</w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del>"
        f"{run('secret', '<w:vanish/>')}<w:r><w:instrText>PAGE</w:instrText></w:r>"
        f"<w:hyperlink>{run('link')}</w:hyperlink>"
        '<w:r><w:noBreakHyphen/><w:tab/><w:br/><w:sym w:font="Wingdings" w:char="F04A"/></w:r></w:p>'
    )
    assert docx(tmp_path, body, namespace) == "a new link\u2011\t\n\uf04a"


def test_docx_boxes_controls_and_tables(tmp_path: Path) -> None:
    """Content controls are read; a box that is stored twice is read once, after its paragraph; cells that span columns
    keep the others in their columns.
    """
    box = f"<w:txbxContent><w:p>{run('in the box')}</w:p></w:txbxContent>"
    twice = (
        f'<a:AlternateContent xmlns:a="m"><a:Choice>{box}</a:Choice><a:Fallback>{box}</a:Fallback></a:AlternateContent>'
    )
    control = f"<w:sdt><w:sdtPr/><w:sdtContent><w:p>{run('controlled')}</w:p></w:sdtContent></w:sdt>"

    def cell(text: str, span: str = "") -> str:
        return f"<w:tc><w:tcPr>{span}</w:tcPr><w:p>{run(text)}</w:p><w:p>{run('+')}</w:p></w:tc>"

    wide = cell("wide", '<w:gridSpan w:val="2"/>')
    table = f"<w:tbl><w:tr>{wide}{cell('c')}</w:tr><w:tr>{cell('1')}{cell('2')}{cell('3')}</w:tr></w:tbl>"
    body = f"<w:p>{run('before')}<w:r>{twice}</w:r>{run(' after')}</w:p>{control}{table}"
    expected = "before after\n\nin the box\n\ncontrolled\n\nwide +\t\tc +\n1 +\t2 +\t3 +"
    assert docx(tmp_path, body) == expected


def test_docx_comments_and_headers_on_request(tmp_path: Path) -> None:
    relations = "".join(
        f'<Relationship Id="{kind}" Type="{RELATED}/{kind}" Target="{kind}.xml"/>' for kind in ("comments", "header")
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr("word/document.xml", f"<w:document {W}><w:body><w:p>{run('body')}</w:p></w:body></w:document>")
        made.writestr("word/_rels/document.xml.rels", f"<Relationships>{relations}</Relationships>")
        made.writestr(
            "word/comments.xml", f"<w:comments {W}><w:comment><w:p>{run('said')}</w:p></w:comment></w:comments>"
        )
        made.writestr("word/header.xml", f"<w:hdr {W}><w:p>{run('top')}</w:p></w:hdr>")
    data = target.getvalue()
    assert one(tmp_path, "docx", data).text == "body"
    assert one(tmp_path, "docx", data, comments=True, headers=True).text == "body\n\nsaid\n\ntop"


def test_odt_hidden_text_is_left_out(tmp_path: Path) -> None:
    """As in docx, doc and rtf, hidden text is left out, and the text after it is read."""
    look = '<style:style style:name="{name}" style:family="text"><style:text-properties {says}/></style:style>'
    styles = look.format(name="T1", says='text:display="none"') + look.format(name="T2", says='fo:font-weight="bold"')
    spans = '<text:span text:style-name="T1">hidden</text:span> and <text:span text:style-name="T2">bold</text:span>'
    content = (
        '<office:document-content xmlns:office="o" xmlns:style="s" xmlns:text="t" xmlns:fo="f">'
        f"<office:automatic-styles>{styles}</office:automatic-styles><office:body><office:text>"
        f'<text:p>shown {spans}.</text:p><text:p text:style-name="T1">a hidden paragraph</text:p>'
        "</office:text></office:body></office:document-content>"
    )
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("mimetype", "application/vnd.oasis.opendocument.text")
        made.writestr("content.xml", content)
    found = one(tmp_path, "odt", target.getvalue())
    assert found.text == "shown  and bold."
    assert [found.text[mark.start : mark.end] for mark in found.layout or () if mark.kind == "strong"] == ["bold"]


def test_xlsx_kinds_of_cells(tmp_path: Path) -> None:
    """Inline and rich texts without phonetic runs, escapes, errors, dates since 1904, gaps."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr(
            "xl/workbook.xml",
            f'<workbook {R}><workbookPr date1904="1"/>'
            '<sheets><sheet name="S" sheetId="1" r:id="a"/></sheets></workbook>',
        )
        made.writestr(
            "xl/_rels/workbook.xml.rels",
            f'<Relationships><Relationship Id="a" Type="{RELATED}/worksheet" Target="/xl/s.xml"/>'
            f'<Relationship Id="b" Type="{RELATED}/sharedStrings" Target="t.xml"/>'
            f'<Relationship Id="c" Type="{RELATED}/styles" Target="f.xml"/></Relationships>',
        )
        made.writestr("xl/t.xml", "<sst><si><r><t>日</t></r><r><t>本_x0041_</t></r><rPh><t>にほん</t></rPh></si></sst>")
        made.writestr(
            "xl/f.xml",
            '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="[$-40C]d mmm yyyy"/></numFmts>'
            '<cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="9"/></cellXfs></styleSheet>',
        )
        made.writestr(
            "xl/s.xml",
            '<worksheet><sheetData><row r="2"><c r="A2" t="s"><v>0</v></c><c r="C2" t="inlineStr">'
            "<is><t>in</t></is></c>"
            '<c r="D2" s="1"><v>1</v></c><c r="E2" s="2"><v>0.075</v></c><c r="F2" t="e"><v>#N/A</v></c>'
            '<c r="G2" t="b"><v>0</v></c><c r="H2"><v>1.1000000000000001</v></c></row></sheetData></worksheet>',
        )
    assert one(tmp_path, "xlsx", target.getvalue()).text == "日本A\t\tin\t1904-01-02\t7.5%\t#N/A\tFALSE\t1.1"


def test_pptx_groups_hidden_slides_and_fields(tmp_path: Path) -> None:
    """Shapes in groups are read; slide numbers and dates are not; hidden slides only when requested."""

    def shape(text: str, place: str = "") -> str:
        body = f"<p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody>"
        return f"<p:sp><p:nvSpPr><p:nvPr>{place}</p:nvPr></p:nvSpPr>{body}</p:sp>"

    def slide(shapes: str, show: str = "") -> str:
        return f'<p:sld xmlns:p="p" xmlns:a="a" {show}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld></p:sld>'

    first = shape("body") + f"<p:grpSp>{shape('grouped')}</p:grpSp>" + shape("7", '<p:ph type="sldNum"/>')
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as made:
        made.writestr("[Content_Types].xml", "<Types/>")
        made.writestr(
            "ppt/presentation.xml",
            f'<p:presentation xmlns:p="p" {R}><p:sldIdLst><p:sldId id="256" r:id="b"/><p:sldId id="257" r:id="a"/>'
            "</p:sldIdLst></p:presentation>",
        )
        links = "".join(f'<Relationship Id="{x}" Type="{RELATED}/slide" Target="{x}.xml"/>' for x in "ab")
        made.writestr("ppt/_rels/presentation.xml.rels", f"<Relationships>{links}</Relationships>")
        made.writestr("ppt/b.xml", slide(first + shape("Title", '<p:ph type="ctrTitle"/>')))
        made.writestr("ppt/a.xml", slide(shape("unseen"), 'show="0"'))
    data = target.getvalue()
    assert one(tmp_path, "pptx", data).text == "Title\n\nbody\n\ngrouped"
    assert one(tmp_path, "pptx", data, hidden=True).text.endswith("unseen")


@pytest.mark.parametrize(
    ("code", "pattern", "kind"),
    [
        (0, None, "number"),
        (14, None, "date"),
        (9, None, "percent"),
        (164, "General", "number"),
        (164, "0.00", "number"),
        (164, '# ##0 "days"', "number"),
        (164, "[Red]0.0%", "percent"),
        (164, "[h]:mm", "date"),
        (164, "yyyy\\-mm\\-dd;@", "date"),
    ],
)
def test_cells_are_formatted_by_their_number_format(code: int, pattern: str | None, kind: str) -> None:
    assert format_kind(code, pattern) == kind


def test_plain_numbers_and_dates_are_formatted() -> None:
    assert [number_text(one) for one in (3.0, 0.1 + 0.2, -1e20, float("nan"))] == ["3", "0.3", "-1e+20", ""]
    assert date_text(1, False) == "1900-01-01" and date_text(61, False) == "1900-03-01"
    assert date_text(45443.5, False) == "2024-05-31 12:00:00" and date_text(0.25, False) == "06:00:00"
    assert date_text(1e9, False) == "1000000000" and formatted_number(0.333, "percent", False) == "33.3%"
