"""UTF-8 with a few invalid bytes is read as UTF-8 in every format; texts in other encodings are not affected."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotarium_plugins.base.converter import SourceFile
from annotarium_plugins.builtin.converters.common.text_encoding import decode
from annotarium_plugins.builtin.converters.common.xml_utf8_repair import Utf8RepairingStream
from annotarium_plugins.builtin.converters.csv_converter import CsvConverter, CsvConverterParameters
from annotarium_plugins.builtin.converters.eml_converter import EmlConverter, EmlConverterParameters
from annotarium_plugins.builtin.converters.html_converter import HtmlConverter, HtmlConverterParameters
from annotarium_plugins.builtin.converters.json_converter import JsonConverter, JsonConverterParameters
from annotarium_plugins.builtin.converters.jsonl_converter import JsonlConverter, JsonlConverterParameters
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter, TxtConverterParameters
from annotarium_plugins.builtin.converters.xml_converter import XmlConverter, XmlConverterParameters
from annotarium_schemas.documents import Document

ENGLISH = "The committee met on Tuesday and adopted the report without a vote. " * 60
SENTENCES = {
    "fr": (
        "L'été dernier, les élèves ont planté un pommier près du château.",
        "Ça coûte cher, dit-il : « où êtes-vous ? »",
           "Garçon, l'addition s'il vous plaît !", "La forêt brûle déjà à côté de Nîmes."),
    "de": ("Die Größe der Straße überraschte viele Fußgänger.", "Über allen Gipfeln ist Ruh, schöne Grüße aus Köln."),
    "es": ("¿Qué pasó mañana en la montaña?", "El niño comió jamón y después durmió."),
    "pt": ("NÃO há informação sobre a situação em São Paulo.", "A ação começará amanhã de manhã."),
}  # fmt: skip
LANGUAGES = st.sampled_from(["fr", "en", "xx", "ru"])
CENTRAL = {
    "cp1250": ("Příliš žluťoučký kůň úpěl ďábelské ódy a všichni ho slyšeli.", "Zażółć gęślą jaźń, powiedział Łukasz."),
}
OTHERS = {
    ("koi8-r", "ru"): "В начале июля, в чрезвычайно жаркое время, под вечер, один молодой человек вышел.",
    ("cp1251", "ru"): "В начале июля, в чрезвычайно жаркое время, под вечер, один молодой человек вышел.",
    ("cp932", "ja"): "吾輩は猫である。名前はまだ無い。どこで生れたかとんと見当がつかぬ。",
    ("gb18030", "zh"): "北京市海淀区中关村大街二十七号，电话号码。",
}


def test_utf8_with_a_truncated_character_is_not_decoded_as_another_encoding() -> None:
    """`café` stays `café`: such a text was once silently decoded as Central European."""
    content = ENGLISH.encode() + "café naïve".encode().replace(b"\xaf", b"")
    found = decode(content, language="en")
    assert found.text == ENGLISH + "café na\ufffdve"
    assert found.encoding == "utf-8"
    assert found.damage == (len(ENGLISH) + 9,)
    assert found.warning == f"One damaged part of its UTF-8 was replaced by U+FFFD: byte {len(ENGLISH) + 9:,}"


@pytest.mark.parametrize("language", ["en", "fr", "de", "xx"])
@pytest.mark.parametrize(
    ("content", "text"),
    [
        (b"good \x80\xbf bad", "good \ufffd\ufffd bad"),
        (b"slash \xc0\xaf", "slash \ufffd\ufffd"),
        (b"fin\xc3", "fin\ufffd"),
        (b"\xc3ber alles", "\ufffdber alles"),
        (b"na\xc3ve caf\xc3\xa9", "na\ufffdve café"),
        ("emoji 😀 end".encode()[:-6] + b" end", "emoji \ufffd end"),
    ],
)
def test_damaged_characters_become_replacement_characters(content: bytes, text: str, language: str) -> None:
    """The result never contains letters of another alphabet."""
    found = decode(content, language=language)
    assert (found.text, found.encoding) == (text, "utf-8")
    assert found.damage


def test_damaged_positions_are_counted_and_the_first_is_reported() -> None:
    found = decode(("é" * 500).encode() + b"a\xff" * 30)
    assert len(found.damage) == 30
    assert found.warning is not None and found.warning.startswith("30 damaged parts")
    assert found.warning.endswith(", ...")


@given(
    sentences=st.lists(st.sampled_from([one for some in SENTENCES.values() for one in some]), min_size=1, max_size=20),
    english=st.integers(0, 20),
    data=st.data(),
)
def test_one_changed_byte_changes_nothing_else(sentences: list[str], english: int, data: st.DataObject) -> None:
    """When any byte of a text is lost or changed, all other characters stay unchanged."""
    text = ENGLISH[: english * 67] + " ".join(sentences)
    whole = text.encode()
    place = data.draw(st.sampled_from([at for at, byte in enumerate(whole) if byte >= 0x80]))
    new = data.draw(st.sampled_from([b"", b"\xff", b"\xc0", b"\x80", b"\xf5", b"?"]))
    found = decode(whole[:place] + new + whole[place + 1 :], language=data.draw(LANGUAGES))
    assert found.encoding == "utf-8"
    before = len(whole[:place].decode("utf-8", "ignore"))
    after = len(whole[place + 1 :].decode("utf-8", "ignore"))
    assert found.text.startswith(text[: max(0, before - 1)])
    assert found.text.endswith(text[len(text) - after + 1 :])
    assert len(found.text) <= len(text) + 3


@given(
    st.lists(st.sampled_from([(lang, one) for lang, some in SENTENCES.items() for one in some]), min_size=1, max_size=9)
)
def test_single_byte_western_texts_are_decoded_correctly(chosen: list[tuple[str, str]]) -> None:
    text = " ".join(one for _, one in chosen)
    for encoding in ("cp1252", "latin-1"):
        for language in (chosen[0][0], "xx", "en"):
            found = decode(text.encode(encoding), language=language)
            assert (found.text, found.encoding) == (text, "cp1252")


@given(st.integers(1, 30))
def test_other_encodings_are_decoded_correctly(repeats: int) -> None:
    """UTF-16 with and without byte order mark, Cyrillic, Japanese, Chinese, Central European."""
    for (encoding, language), text in OTHERS.items():
        assert decode((text * repeats).encode(encoding), language=language).text == text * repeats
    for text in CENTRAL["cp1250"]:
        content = (text + "\n").encode("cp1250") * (repeats + 4)
        assert decode(content, language="xx").text == (text + "\n") * (repeats + 4)
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-8-sig"):
        assert decode(("A text in English. " * repeats).encode(encoding)).text == "A text in English. " * repeats


DAMAGED = "Le café est fermé, l'été est passé, tout à côté".encode() + b" de la for\xc3t."
SHOWN = "Le café est fermé, l'été est passé, tout à côté de la for\ufffdt."
FILES = {
    "a.txt": (TxtConverter, TxtConverterParameters, DAMAGED),
    "a.html": (HtmlConverter, HtmlConverterParameters, b"<meta charset=utf-8><p>" + DAMAGED + b"</p>"),
    "latin.html": (HtmlConverter, HtmlConverterParameters, b"<meta charset=iso-8859-1><p>" + DAMAGED + b"</p>"),
    "a.csv": (CsvConverter, CsvConverterParameters, b'text,n\n"' + DAMAGED + b'",1\n"plain",2\n'),
    "a.json": (JsonConverter, JsonConverterParameters, b'[{"text":"' + DAMAGED + b'"},{"text":"plain"}]'),
    "a.jsonl": (JsonlConverter, JsonlConverterParameters, b'{"text":"' + DAMAGED + b'"}\n{"text":"plain"}\n'),
    "a.xml": (XmlConverter, XmlConverterParameters, b"<a>" + DAMAGED + b"</a>"),
    "many.xml": (XmlConverter, XmlConverterParameters, b"<a><d>" + DAMAGED + b"</d><d>plain</d></a>"),
    "a.eml": (
        EmlConverter, EmlConverterParameters,
        b"From: a@example.org\nContent-Type: text/plain; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n" + DAMAGED,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", FILES)
def test_every_format_repairs_and_reports(tmp_path: Path, name: str) -> None:
    """The document is imported with U+FFFD, and the import states where."""
    converter, parameters, content = FILES[name]
    path = tmp_path / name
    path.write_bytes(content)
    given_parameters = parameters(document="d") if name == "many.xml" else parameters()
    made = list(converter(given_parameters).convert(SourceFile(path, name, language="fr")))
    first = made[0]
    assert isinstance(first, Document)
    assert first.text.strip() == SHOWN
    (note,) = first.notes
    assert re.fullmatch(r"One damaged part of its UTF-8 was replaced by U\+FFFD: (byte|line) \d+", note)
    assert all(isinstance(one, Document) and not one.notes for one in made[1:])
    assert "encoding" not in first.metadata


@given(st.integers(1, 40))
def test_chunks_never_split_a_character(size: int) -> None:
    """A stream repaired in chunks gives the same characters as the whole file, wherever it is split."""
    import io

    text = "aé漢😀" * 5
    content = b"<a>" + text.encode() + b"</a>"
    stream = Utf8RepairingStream(io.BytesIO(content), [])
    parts = []
    while part := stream.read(size):
        parts.append(part)
    assert b"".join(parts) == content
