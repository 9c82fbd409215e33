"""Contract of converters."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.testing.checks import check_annotation, check_category, check_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_schemas.documents import Document


def broken_files(sample: bytes) -> Iterator[tuple[str, bytes]]:
    """Yield files that are broken in usual ways, derived from a good one."""
    yield "empty", b""
    yield "blank", b" \n"
    yield "zeros", bytes(5000)
    yield "not UTF-8", b"caf\xe9 \xff\xfe"
    yield "UTF-16", "some text".encode("utf-16")
    yield "binary", bytes(range(256)) * 20
    yield "deep", b"[" * 100_000
    yield "long line", b"a," * 200_000
    for part in (1, 2, 3):
        yield f"cut at {part}/4", sample[: len(sample) * part // 4]
    yield "spoilt middle", sample[: len(sample) // 2] + b"\x00\xff\xfe\x80" + sample[len(sample) // 2 :]
    yield "twice", sample + sample


class FileReaderContract(ComponentContract):
    """Base for kinds that read a file.

    Attributes:
        verb: the component's method that reads a file, set by the kind.
        sample: the bytes of a good file.
        sample_name: its name with a fitting extension.
    """

    verb: ClassVar[str]
    sample: ClassVar[bytes]
    sample_name: ClassVar[str]

    def read_content(self, folder: Path, content: bytes) -> list[Any]:
        """Everything the component yields for a file with this content."""
        path = folder / "upload"
        path.write_bytes(content)
        return list(getattr(self.build(), self.verb)(SourceFile(path=path, name=self.sample_name, language="en")))

    def check_item(self, item: Any) -> None:
        """Assert that what was read is sound; nothing unless a kind overrides it."""

    def test_wrong_file_is_explained(self, tmp_path: Path) -> None:
        """A broken file gives `ItemError` or `ComponentError` with an explanation, and no other exception."""
        for name, content in broken_files(self.sample):
            try:
                made = self.read_content(tmp_path, content)
            except ComponentError as error:
                check_texts(name, error.message)
                continue
            for item in made:
                if isinstance(item, ItemError):
                    assert item.item, f"{name}: an error without words"
                    assert item.message, f"{name}: an error without words"
                else:
                    self.check_item(item)


class ConverterContract(FileReaderContract):
    """Attributes: see `FileReaderContract`."""

    verb = "convert"
    convert = FileReaderContract.read_content

    def test_good_file_gives_documents(self, tmp_path: Path) -> None:
        """Documents only, each with a text, everything on it within that text."""
        made = self.convert(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        for document in made:
            assert isinstance(document, Document), f"a good file gives {document}"
            self.check_item(document)

    def test_empty_file_is_an_error(self, tmp_path: Path) -> None:
        """An empty file is an error."""
        try:
            made = self.convert(tmp_path, b"")
        except ComponentError:
            return
        assert made, "an empty file is accepted in silence"
        assert all(isinstance(item, ItemError) for item in made), "an empty file is accepted in silence"

    def test_extensions_are_plain(self) -> None:
        """Extensions are lower case, without the dot."""
        extensions: tuple[str, ...] = getattr(self.component, "extensions", ())
        assert extensions, "extensions are missing"
        assert all(part == part.lower() and not part.startswith(".") for part in extensions), extensions

    def check_item(self, item: Document) -> None:
        """It has a text that can be stored, and everything on it lies within that text."""
        assert item.text.strip(), "a document without a text"
        assert "\x00" not in item.text, "a text with a NUL character"
        item.text.encode("utf-8")
        for annotation in item.annotations:
            check_annotation(item.text, annotation)
        for category in item.categories:
            check_category(item.text, category)
        for sentence in item.sentences or []:
            assert 0 <= sentence.start <= sentence.end <= len(item.text), "a sentence is outside the text"
