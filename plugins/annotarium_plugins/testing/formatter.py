"""Contract of formatters."""

from __future__ import annotations

from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import (
    HOSTILE_TEXTS,
    classification_documents,
    linked_document,
    sequence_documents,
)
from annotarium_schemas.documents import Document


class FormatterContract(ComponentContract):
    """Needs the component only."""

    def documents(self) -> list[Document]:
        """Return documents to write: annotated, with relations, categorised, hostile."""
        hostile = [Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS) if text]
        return [*sequence_documents(), linked_document(), *classification_documents(), *hostile]

    def test_writes_bytes_and_leaves_documents_alone(self) -> None:
        """The result is chunks of bytes; the documents stay unchanged."""
        documents = self.documents()
        chunks = list(self.build().format(documents))
        assert all(isinstance(chunk, bytes) for chunk in chunks), "a chunk is not bytes"
        assert b"".join(chunks), "nothing was written"
        assert documents == self.documents(), "the documents were changed"

    def test_same_documents_same_file(self) -> None:
        """The file depends neither on the clock nor on random order."""
        first, second = (b"".join(self.build().format(self.documents())) for _ in range(2))
        assert first == second, "two runs differ"

    def test_no_document_is_fine(self) -> None:
        """An empty export is a valid empty file."""
        b"".join(self.build().format([]))

    def test_type_and_extension_are_declared(self) -> None:
        """The download needs both."""
        assert "/" in getattr(self.component, "content_type", ""), "content_type is missing"
        extension = getattr(self.component, "extension", "")
        assert extension, "extension is missing or has a dot"
        assert not extension.startswith("."), "extension is missing or has a dot"
