"""Contract of annotators."""

from __future__ import annotations

from annotarium_plugins.testing.checks import check_same_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, sequence_documents
from annotarium_schemas.documents import Document


def plain_documents() -> list[Document]:
    """Return ordinary and hostile texts without annotations."""
    ordinary = [Document(identifier=document.identifier, text=document.text) for document in sequence_documents()]
    return [*ordinary, *(Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS))]


class AnnotatorContract(ComponentContract):
    """Needs the component only; override `documents` with texts in which it finds something."""

    def documents(self) -> list[Document]:
        """Return the documents to annotate."""
        return plain_documents()

    def test_keeps_texts_and_order(self) -> None:
        """Documents, texts and order stay unchanged; added annotations are within the text."""
        check_same_texts(self.documents(), self.build().annotate(self.documents(), "en"))

    def test_marks_what_it_adds(self) -> None:
        """Added annotations and categories have the creation mode automatic."""
        for document in self.build().annotate(self.documents(), "en"):
            for mark in (*document.annotations, *document.categories):
                assert mark.creation_mode == "automatic", "creation_mode of what is added is not automatic"

    def test_annotating_is_deterministic(self) -> None:
        """The same documents get the same annotations."""
        first, second = (list(self.build().annotate(self.documents(), "en")) for _ in range(2))
        assert first == second, "two runs differ"
