"""Contract of converters."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, ClassVar

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import ItemError, SourceFile
from annotarium_plugins.testing.checks import check_annotation, check_category, check_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_schemas.documents import Document


def broken_files(sample: bytes) -> Iterator[tuple[str, bytes]]:
    """Files that are wrong in usual ways, made from a good one."""
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


class FileContract(ComponentContract):
    """Of components that read a file. Attributes: `sample`, the bytes of a good file; `sample_name`, its name with a
    fitting extension."""

    sample: ClassVar[bytes]
    sample_name: ClassVar[str]

    def write_source(self, folder: Path, content: bytes) -> SourceFile:
        """A file with this content, under the name of the sample."""
        path = folder / "upload"
        path.write_bytes(content)
        return SourceFile(path=path, name=self.sample_name, language="en")

    def read_broken_files(self, read: Callable[[bytes], list[Any]]) -> Iterator[tuple[str, Any]]:
        """What comes of broken versions of the sample, each item with the name of its version; a file that is refused
        as a whole has to say why."""
        for name, content in broken_files(self.sample):
            try:
                yield from ((name, item) for item in read(content))
            except ComponentError as error:
                check_texts(name, error.message)


class ConverterContract(FileContract):
    """Attributes: `sample`, the bytes of a good file; `sample_name`, its name with a fitting extension."""

    def convert(self, folder: Path, content: bytes) -> list[Document | ItemError]:
        """Everything the converter yields for a file with this content."""
        return list(self.build().convert(self.write_source(folder, content)))

    def test_good_file_gives_documents(self, tmp_path: Path) -> None:
        """Documents only, each with a text, everything on it within that text."""
        made = self.convert(tmp_path, self.sample)
        assert made, "a good file gives nothing"
        for document in made:
            assert isinstance(document, Document), f"a good file gives {document}"
            self._check(document)

    def test_wrong_file_is_explained(self, tmp_path: Path) -> None:
        """`ItemError` or `ComponentError` with words; no other exception, whatever the file holds."""
        for name, item in self.read_broken_files(lambda content: self.convert(tmp_path, content)):
            if isinstance(item, ItemError):
                assert item.item, f"{name}: an error without words"
                assert item.message, f"{name}: an error without words"
            else:
                self._check(item)

    def test_empty_file_is_an_error(self, tmp_path: Path) -> None:
        """Nothing imported is never a silent success."""
        try:
            made = self.convert(tmp_path, b"")
        except ComponentError:
            return
        assert made, "an empty file is accepted in silence"
        assert all(isinstance(item, ItemError) for item in made), "an empty file is accepted in silence"

    def test_extensions_are_plain(self) -> None:
        """Lower case, without the dot."""
        extensions: tuple[str, ...] = getattr(self.component, "extensions", ())
        assert extensions, "extensions are missing"
        assert all(part == part.lower() and not part.startswith(".") for part in extensions), extensions

    @staticmethod
    def _check(document: Document) -> None:
        assert document.text.strip(), "a document without a text"
        assert "\x00" not in document.text, "a text with a NUL character"
        document.text.encode("utf-8")
        for annotation in document.annotations:
            check_annotation(document.text, annotation)
        for category in document.categories:
            check_category(document.text, category)
        for sentence in document.sentences or []:
            assert 0 <= sentence.start <= sentence.end <= len(document.text), "a sentence is outside the text"
