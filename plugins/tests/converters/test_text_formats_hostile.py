"""Broken and hostile files of text formats: refused with an explanation, valid items imported, nothing fetched, no
endless loop.
"""

from __future__ import annotations

import socket
import time
import tracemalloc
from pathlib import Path
from typing import Any

import pytest

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.builtin.converters.csv_converter import CsvConverter
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter
from annotarium_plugins.builtin.converters.json_converter import JsonConverter
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter
from annotarium_plugins.builtin.converters.msg_converter import MsgConverter
from annotarium_plugins.builtin.converters.pdf_converter import PdfConverter
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import Message

SAMPLES = Path(__file__).parent / "samples"
ALL = {
    "page.html": HtmlConverter,
    "report.pdf": PdfConverter,
    "message.eml": EmlConverter,
    "message.msg": MsgConverter,
    "rows.csv": CsvConverter,
    "doccano.jsonl": JsonlConverter,
    "articles.xml": XmlConverter,
}
BOMB = (
    '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY a "aaaaaaaaaa">'
    + "".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">' for n in range(9))
    + "]><a>&j;</a>"
)


@pytest.fixture
def convert(tmp_path):
    def run(component: Any, content: bytes | str, name: str = "file", **parameters: Any) -> list[Document | ItemError]:
        path = tmp_path / "upload"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        converter = component(component.parameters_model.model_validate(parameters))
        return list(converter.convert(SourceFile(path, name, language="fr")))

    return run


@pytest.fixture
def refusal(convert):
    def run(component: Any, content: bytes | str, **options: Any) -> str:
        with pytest.raises(ComponentError) as caught:
            convert(component, content, **options)
        assert caught.value.fix, "it does not say what to do"
        return f"{caught.value.message} {caught.value.cause}"

    return run


@pytest.mark.parametrize("name", ALL)
def test_empty_files_are_reported_as_errors(refusal, convert, name):
    for content in (b"", b"   \n\n"):
        refusal(ALL[name], content)
    try:
        made = convert(ALL[name], bytes(4096))
    except ComponentError:
        return
    assert made and all(isinstance(one, ItemError) for one in made)


@pytest.mark.parametrize("name", ["page.html", "report.pdf", "message.msg", "articles.xml"])
def test_files_with_a_wrong_extension_are_refused(refusal, name):
    for content in (b"just some words", b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8):
        refusal(ALL[name], content)


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (BOMB, "DTD"),
        ('<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>', "DTD"),
        ('<!DOCTYPE a SYSTEM "http://localhost:1/x.dtd"><a>text</a>', "DTD"),
        ("<a>caf&eacute;</a>", "DTD"),
        ("<a><b>text</a>", "damaged"),
        ("<a>text", "damaged"),
        ("<a>" * 3000 + "text" + "</a>" * 3000, "deep"),
        (b"<a>caf\xe9</a>", "damaged"),
        ("<a/>", "no text"),
    ],
)
@pytest.mark.parametrize("rule", ["", "a"])
def test_hostile_xml_is_refused(refusal, convert, content, words, rule):
    if words == "no text" and rule:
        (error,) = convert(XmlConverter, content, document=rule)
        assert isinstance(error, ItemError)
        return
    assert words in refusal(XmlConverter, content, document=rule)


def test_xml_does_not_access_the_network(monkeypatch, convert):
    def refuse(*_: object) -> None:
        raise AssertionError("a connection was tried")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    content = (
        '<a xmlns:xi="http://www.w3.org/2001/XInclude"><xi:include href="http://127.0.0.1:9/x"/>'
        '<?xml-stylesheet href="http://127.0.0.1:9/y"?>kept</a>'
    )
    (document,) = convert(XmlConverter, content)
    assert document.text == "kept"  # type: ignore[union-attr]
    (page,) = convert(
        HtmlConverter, '<link rel=stylesheet href="http://127.0.0.1:9/x"><img src="http://127.0.0.1:9/y">kept'
    )
    assert page.text == "kept"  # type: ignore[union-attr]


def test_invalid_xml_rules_are_reported():
    for rule in ("//a[", "a b", "//"):
        with pytest.raises(ValueError, match="text: Not an XPath"):
            XmlConverter.parameters_model.model_validate({"text": rule})
    with pytest.raises(ValueError, match="prefix"):
        XmlConverter.parameters_model.model_validate({"namespaces": [{"prefix": "1 2", "uri": "u"}]})


def test_rules_with_unknown_prefixes_or_values_are_refused(refusal):
    assert "prefix" in refusal(XmlConverter, "<a><b>x</b></a>", document="//x:b").lower()
    assert "values" in refusal(XmlConverter, '<a b="1">x</a>', document="//@b")
    assert "found by" in refusal(XmlConverter, "<a>x</a>", document="//nothing")


def test_documents_before_the_end_of_a_truncated_xml_are_read(convert, tmp_path):
    content = "<r>" + "".join(f"<d>Text {n}</d>" for n in range(3)) + "<d>cut"
    path = tmp_path / "cut.xml"
    path.write_text(content)
    converter = XmlConverter(XmlConverter.parameters_model(document="d"))
    made = []
    with pytest.raises(ComponentError):
        made.extend(iter_all(converter.convert(SourceFile(path, "cut.xml")), made))
    assert [document.text for document in made] == ["Text 0", "Text 1", "Text 2"]


def iter_all(found: Any, made: list[Any]) -> list[Any]:
    for one in found:
        made.append(one)
    return []


def test_large_xml_is_streamed(tmp_path):
    """With documents selected by name, memory does not grow with the file."""
    path = tmp_path / "large.xml"
    with path.open("w") as file:
        file.write("<r>" + "".join(f'<d id="{n}"><p>{"word " * 200}</p></d>' for n in range(10_000)) + "</r>")
    converter = XmlConverter(XmlConverter.parameters_model(document="d"))
    tracemalloc.start()
    count = sum(1 for _ in converter.convert(SourceFile(path, "large.xml")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 10_000
    assert peak < 4_000_000, f"{peak / 1e6:.0f} MB for {path.stat().st_size / 1e6:.0f} MB"


def test_encrypted_scanned_and_truncated_pdf(refusal, convert):
    assert "protected with a password" in refusal(PdfConverter, (SAMPLES / "locked.pdf").read_bytes())
    assert "pictures only" in refusal(PdfConverter, (SAMPLES / "scanned.pdf").read_bytes())
    whole = (SAMPLES / "report.pdf").read_bytes()
    assert "damaged" in refusal(PdfConverter, whole[:200])
    assert "damaged" in refusal(PdfConverter, b"%PDF-1.7\n" + bytes(3000))
    assert "at most" in refusal(PdfConverter, whole, page_limit=1)


def test_deeply_nested_html_terminates(convert, refusal):
    start = time.process_time()
    assert "nested too deep" in refusal(HtmlConverter, "<div>" * 100_000 + "text")
    (deep,) = convert(HtmlConverter, "<div>" * 1500 + "text")
    assert deep.text == "text"  # type: ignore[union-attr]
    convert(HtmlConverter, "<b><p>x" * 5000)
    convert(HtmlConverter, "<table><tr><td colspan=999999999>x<td>y</table>")
    assert time.process_time() - start < 20


def test_html_without_text(refusal):
    assert "no text" in refusal(HtmlConverter, "<html><script>alert(1)</script><p hidden>x</p></html>")


@pytest.mark.parametrize(
    "content",
    [
        b"Subject: x\r\n\r\n",
        b"Subject: x\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: image/gif\r\n\r\nGIF--b--",
        b"no header at all\r\n\r\ntext",
        b"Content-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: base64\r\n\r\n!!!!",
    ],
)
def test_mail_without_text_is_refused(refusal, content):
    refusal(EmlConverter, content)


def test_mail_with_invalid_headers(convert):
    content = (
        b"From: =?utf-8?B?!!!?= <a@b>, ,, <\r\nTo: " + b"<a@b>, " * 5000 + b"\r\nSubject: =?x-no?Q?a=ff?= \xff\xfe\r\n"
        b"Date: Mon, 99 Foo 99999999999 00:00:00 +9999\r\nMessage-ID: \xff\r\n\r\ntext"
    )
    (document,) = convert(EmlConverter, content)
    assert document.text == "text"  # type: ignore[union-attr]


def test_deeply_nested_mail_terminates(convert):
    content = b"Subject: end\r\n\r\ntext"
    for _ in range(60):
        content = b"Subject: x\r\nContent-Type: message/rfc822\r\n\r\n" + content
    made = convert(EmlConverter, content, attachments=True)
    assert any(isinstance(one, ItemError) and "deep" in one.message for one in made)


def test_csv_continues_after_invalid_rows(convert):
    """Invalid rows are named by their first line; an open quotation mark does not swallow other rows."""
    content = 'text,label\n"good ""one""",a\ntoo,many,cells\n"never closed,b\nafter it,c\n"x" y,d\nlast "quote",e\n,f\n'
    made = convert(CsvConverter, content)
    good = [one.text for one in made if isinstance(one, Document)]
    assert good == ['good "one"', "after it", "x y", 'last "quote"']
    assert [one.item for one in made if isinstance(one, ItemError)] == ["line 3", "line 4", "line 8"]


def test_csv_rows_with_invalid_encoding(convert):
    rows = [f"Ligne numéro {n} — été".encode() for n in range(30)]
    rows[12] = b"cass\xe9"
    made = convert(CsvConverter, b"text\n" + b"\n".join(rows))
    noted = [one for one in made if isinstance(one, Document) and one.notes]
    assert [(one.text, one.notes) for one in noted] == [
        ("cass\ufffd", ["One damaged part of its UTF-8 was replaced by U+FFFD: line 14"])
    ]
    assert len(made) == 30
    rows[12] = b"cass\x81"
    (error,) = [
        one
        for one in convert(CsvConverter, b"text\n" + rows[12] + b"\nb\n", encoding="cp1252")
        if isinstance(one, ItemError)
    ]
    assert error.item == "line 2"
    assert "encoding" in error.message


def test_csv_with_a_late_accent_is_not_utf8(convert):
    """Two megabytes of ASCII do not determine the encoding."""
    content = b"text\n" + b"plain row of words\n" * 120_000 + "été à la plage\n".encode("cp1252")
    assert convert(CsvConverter, content)[-1].text == "été à la plage"  # type: ignore[union-attr]


def test_csv_limits_and_columns(convert, refusal):
    large, good = convert(CsvConverter, "text,n\n" + "x" * 1_200_000 + ",1\ngood,2\n", row_limit=1)
    assert isinstance(large, ItemError) and "longer than" in large.message
    assert isinstance(good, Document)
    words = refusal(CsvConverter, "text,n\na,1\n", text_columns=["nowhere"])
    assert "no column nowhere" in words and "text, n" in words
    assert "no row" in refusal(CsvConverter, "text,label\n", header="first_row")
    assert "no row" in refusal(CsvConverter, "text,label\n"), "names alone are no document"
    assert [one.text for one in convert(CsvConverter, "a lonely row,of two\n")] == ["a lonely row"]


def test_large_csv_is_streamed(tmp_path):
    path = tmp_path / "large.csv"
    with path.open("w") as file:
        file.write("text,label\n")
        file.writelines(f'"{"word " * 300}",{n % 7}\n' for n in range(20_000))
    converter = CsvConverter(CsvConverter.parameters_model())
    tracemalloc.start()
    count = sum(1 for _ in converter.convert(SourceFile(path, "large.csv")))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert count == 20_000
    assert peak < 16_000_000, f"{peak / 1e6:.0f} MB for {path.stat().st_size / 1e6:.0f} MB"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('{"text": "Ada", "label": [[0, 9, "X"]]}', "outside a text of 3"),
        ('{"text": "Ada", "label": [[2, 1, "X"]]}', "outside"),
        ('{"text": "Ada", "label": [[0, 1]]}', "[start, end, label]"),
        ('{"text": "Ada", "label": [[0, 1, ""]]}', "no label"),
        ('{"text": "Ada", "label": [["a", "b", "X"]]}', "whole numbers"),
        ('{"text": "Ada", "spans": [{"label": "X", "start": true, "end": 2}]}', "whole numbers"),
        ('{"text": "", "label": "x"}', "text"),
        ('{"words": 1}', "the fields are: words"),
        ("[1, 2]", "not an object"),
        ('{"text": "a\\u0000"}', "NUL"),
        ('{"text": ', "not JSON"),
    ],
)
def test_invalid_lines_are_reported(convert, line, words):
    before, error, after = convert(JsonlConverter, f'{{"text": "a"}}\n{line}\n\n{{"text": "b"}}\n')
    assert (before.text, after.text) == ("a", "b")
    assert error.item == "line 2"
    assert words in error.message


def test_damaged_outlook_files_are_refused(refusal):
    whole = (SAMPLES / "message.msg").read_bytes()
    for content in (whole[:600], whole[:3000], whole[:512] + bytes(len(whole) - 512)):
        refusal(MsgConverter, content)


@pytest.mark.parametrize(
    ("converter", "content"),
    [
        (
            JsonlConverter,
            '42\n{"notext":1}\n{"text":7}\n{"text":"a","label":[[0,9,"x"]]}\n{"text":"a","label":[[0,1,""]]}\n',
        ),
        (
            JsonlConverter,
            '{"text":"a","label":[[0,1]]}\n{"text":"a","label":[[0,"1","x"]]}\n{"text":"a","label":[{"q":"x"}]}\n',
        ),
        (CsvConverter, 'text,label\na,"[[1"\n"open,x\nb,"[[0"\n'),
        (JsonConverter, '[{"identifier":"a"},{"text":"b"}] more'),
    ],
)
def test_item_errors_are_translatable(convert, converter, content):
    wrong = [one for one in convert(converter, content) if isinstance(one, ItemError)]
    assert len(wrong) >= 2
    for one in wrong:
        assert isinstance(one.message, Message) and isinstance(one.item, Message), one
        assert one.fix is None or isinstance(one.fix, Message), one.fix


def test_declarations_in_a_doctype_are_not_text(convert):
    """Nothing in them is fetched either."""
    subset = '<!ENTITY x SYSTEM "file:///etc/passwd">'
    page = f'<?xml version="1.0"?>\n<!DOCTYPE html [{subset}]>\n<html><body><p>a [b]&x; c</p></body></html>'
    (found,) = convert(HtmlConverter, page)
    assert found.text == "a [b]&x; c"
