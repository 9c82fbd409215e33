"""Contract of processors."""

from __future__ import annotations

from annotarium_plugins.testing.checks import check_same_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, classification_documents, sequence_documents
from annotarium_schemas.documents import Document


class ProcessorContract(ComponentContract):
    """Needs the component only; override `documents` with documents that it changes."""

    def documents(self) -> list[Document]:
        """Return annotated, categorised and hostile documents."""
        hostile = [Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS)]
        return [*sequence_documents(), *classification_documents(), *hostile]

    def test_keeps_texts_and_order(self) -> None:
        """Documents, texts and order stay unchanged; all ranges are within the text."""
        check_same_texts(self.documents(), self.build().process(self.documents(), "en"))

    def test_processing_is_deterministic(self) -> None:
        """The same documents give the same result."""
        first, second = (list(self.build().process(self.documents(), "en")) for _ in range(2))
        assert first == second, "two runs differ"
