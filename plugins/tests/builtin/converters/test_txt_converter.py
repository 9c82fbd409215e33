"""Plain text files in UTF-8 and older encodings."""

import pytest

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import SourceFile
from annotarium_plugins.builtin.converters.common import text_encoding
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter, TxtConverterParameters

FRENCH = "Le cœur déçu mais l’âme plutôt naïve, Louÿs rêva de canoë. Prix : 12 € « à emporter »"
RUSSIAN = "Съешь же ещё этих мягких французских булок, да выпей чаю. ПРИВЕТ"
ARABIC = "صِف خَلقَ خَودِ كَمِثلِ الشَمسِ"
JAPANESE = "いろはにほへと ちりぬるを 日本語のテキスト、カタカナ。"
CHINESE = "天地玄黃宇宙洪荒。這是一個測試。"
POLISH = "Zażółć gęślą jaźń. Pchnąć w tę łódź jeża lub ośm skrzyń fig."


@pytest.fixture
def convert(tmp_path):
    def run(content, name="folder/My note.txt", language="xx", **parameters):
        path = tmp_path / "upload"
        path.write_bytes(content)
        source = SourceFile(path, name, language=language)
        return list(TxtConverter(TxtConverterParameters(**parameters)).convert(source))

    return run


def test_text_title_and_line_endings(convert):
    (document,) = convert("\ufeffCafé\r\nsecond\rthird\n".encode())
    assert document.text == "Café\nsecond\nthird\n"
    assert (document.identifier, document.title) == ("folder/My note.txt", "My note")
    assert document.metadata == {}


@pytest.mark.parametrize("content", ["café".encode("latin-1"), "text".encode("utf-16-be"), b"\xed\xa0\x80"])
def test_invalid_utf8_is_refused_if_utf8_is_requested(convert, content):
    """C-051: with the encoding utf-8 no other encoding is accepted."""
    with pytest.raises(ComponentError) as caught:
        convert(content, encoding="utf-8")
    assert caught.value.message in (text_encoding.NOT_UTF8, "The file contains NUL characters: it is not a text.")


@pytest.mark.parametrize(
    ("text", "encoding", "language"),
    [
        (FRENCH, "cp1252", "fr"),
        (FRENCH, "cp1252", "en"),
        (FRENCH, "cp1252", "xx"),
        ("café", "cp1252", "fr"),
        ("à", "cp1252", "fr"),
        (FRENCH, "utf-16", "fr"),
        (FRENCH, "utf-16-le", "fr"),
        (FRENCH, "utf-16-be", "xx"),
        (RUSSIAN, "cp1251", "ru"),
        (RUSSIAN, "koi8-r", "ru"),
        (RUSSIAN, "cp866", "ru"),
        (RUSSIAN, "koi8-r", "xx"),
        (ARABIC, "cp1256", "ar"),
        (JAPANESE, "cp932", "ja"),
        (JAPANESE, "euc_jp", "ja"),
        (CHINESE, "gb18030", "zh"),
        (CHINESE, "big5", "zh"),
        (POLISH, "cp1250", "xx"),
    ],
)
def test_encoding_is_detected(convert, text, encoding, language):
    """The text is decoded as it was written, and the document states its encoding."""
    (document,) = convert(text.encode(encoding), language=language)
    assert document.text == text
    assert document.metadata == {"encoding": encoding}


def test_the_requested_encoding_is_used(convert):
    (document,) = convert("Żółć".encode("iso-8859-2"), language="fr", encoding="iso-8859-2")
    assert document.text == "Żółć"
    with pytest.raises(ComponentError) as caught:
        convert(b"caf\x81", encoding="cp1252")
    assert caught.value.message == "The file is not in the encoding cp1252."
    assert caught.value.cause == "Byte 4 is not valid in it."


@pytest.mark.parametrize(
    "content",
    [b"\xed\xa0\x80", bytes(range(1, 256)), b"\xff\xc0\xc1" * 9],
)
def test_undetectable_encodings_are_refused(convert, content):
    """A refusal is better than wrongly decoded text."""
    with pytest.raises(ComponentError) as caught:
        convert(content, language="fr")
    assert caught.value.message == text_encoding.NOT_UTF8


def test_only_text_encodings_are_accepted():
    """An encoding named by a file must not reach Python's other codecs."""
    for name in ("zip", "rot13", "unicode_escape", "utf-7", "idna", "base64", "raw_unicode_escape", "", None, "x" * 99):
        assert text_encoding.codec_name(name) is None
    assert text_encoding.codec_name("ISO-8859-1") == "cp1252"
    assert text_encoding.codec_name("Shift_JIS") == "cp932"
    assert all(text_encoding.codec_name(name) for name in text_encoding.encoding_choices() if name != "auto")


@pytest.mark.parametrize("content", [b"a\x00b", b"", b" \n"])
def test_binary_files_are_refused(convert, content):
    with pytest.raises(ComponentError):
        convert(content)


def test_size_limit(convert):
    assert len(convert(b"x" * 1024 * 1024, size_limit=1)) == 1
    with pytest.raises(ComponentError, match="larger than 1 MB"):
        convert(b"x" * (1024 * 1024 + 1), size_limit=1)
