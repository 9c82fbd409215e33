"""Plain text files."""

import pytest

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import SourceFile
from annotarium_plugins.builtin.converters.txt_converter import TxtConverter, TxtConverterParameters


@pytest.fixture
def convert(tmp_path):
    def run(content, name="folder/My note.txt", **parameters):
        path = tmp_path / "upload"
        path.write_bytes(content)
        return list(TxtConverter(TxtConverterParameters(**parameters)).convert(SourceFile(path, name)))

    return run


def test_text_title_and_line_ends(convert):
    (document,) = convert("\ufeffCafé\r\nsecond\rthird\n".encode())
    assert document.text == "Café\nsecond\nthird\n"
    assert (document.identifier, document.title) == ("folder/My note.txt", "My note")


@pytest.mark.parametrize("content", ["café".encode("latin-1"), "text".encode("utf-16"), b"\xed\xa0\x80"])
def test_text_must_be_utf8(convert, content):
    """C-051."""
    with pytest.raises(ComponentError) as caught:
        convert(content)
    assert caught.value.message == "Not UTF-8. Save it as UTF-8 and drop it again."


@pytest.mark.parametrize("content", [b"a\x00b", b"", b" \n"])
def test_what_is_no_text_is_refused(convert, content):
    with pytest.raises(ComponentError):
        convert(content)


def test_limit(convert):
    assert len(convert(b"x" * 1024 * 1024, size_limit=1)) == 1
    with pytest.raises(ComponentError, match="larger than 1 MB"):
        convert(b"x" * (1024 * 1024 + 1), size_limit=1)
