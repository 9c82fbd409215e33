"""Contract of processors."""

from __future__ import annotations

from annotarium_plugins.testing.checks import check_same_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, classification_documents, sequence_documents
from annotarium_schemas.documents import Document


class ProcessorContract(ComponentContract):
    """Needs nothing but the component; override `documents` for what it works on."""

    def documents(self) -> list[Document]:
        """Annotated, categorised and hostile documents."""
        hostile = [Document(identifier=f"h{number}", text=text) for number, text in enumerate(HOSTILE_TEXTS)]
        return [*sequence_documents(), *classification_documents(), *hostile]

    def test_keeps_texts_and_order(self) -> None:
        """The same documents, what is on them stands on the text."""
        check_same_texts(self.documents(), self.build().process(self.documents(), "en"))

    def test_processing_is_deterministic(self) -> None:
        """Same documents, same result."""
        first, second = (list(self.build().process(self.documents(), "en")) for _ in range(2))
        assert first == second, "two runs differ"
