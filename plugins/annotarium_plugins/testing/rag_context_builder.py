"""Contract of context builders for question answering, and sample passages."""

from __future__ import annotations

from annotarium_plugins.base.rag_context_builder import Passage
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import sequence_documents


def passages() -> list[Passage]:
    """Return ten passages of ten documents, best first."""
    return [
        Passage(f"g{number}", document.identifier, "", document.text, 0, len(document.text), 1.0 - number / 10)
        for number, document in enumerate(sequence_documents()[:10])
    ]


class RagContextBuilderContract(ComponentContract):
    """Needs the component only."""

    def test_context_holds_the_passages_it_numbers(self) -> None:
        """The context contains the text of each returned passage after its number."""
        context, chosen = self.build().build("Who lived in Paris?", passages())
        assert chosen, "no passage was chosen"
        position = 0
        for number, passage in enumerate(chosen, 1):
            marked = context.find(str(number), position)
            assert marked >= 0, f"passage {number} has no number"
            position = context.find(passage.text, marked)
            assert position >= 0, f"the text of passage {number} is not in the context after its number"

    def test_no_passage_is_fine(self) -> None:
        """No passages give an empty list."""
        _, chosen = self.build().build("Who?", [])
        assert chosen == []
