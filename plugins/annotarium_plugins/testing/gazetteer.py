"""Contract of gazetteers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annotarium_plugins.testing.annotator import plain_documents
from annotarium_plugins.testing.checks import check_same_texts, save_and_load
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import terms
from annotarium_schemas.documents import Document


class GazetteerContract(ComponentContract):
    """Builds the matcher from sample terms and looks for them in sample texts."""

    def documents(self) -> list[Document]:
        """Documents to annotate."""
        return plain_documents()

    def built(self) -> Any:
        """A gazetteer with the sample terms."""
        gazetteer = self.build()
        gazetteer.synchronize(terms(), language="en")
        return gazetteer

    def test_finds_terms_in_the_text(self) -> None:
        """Found terms are in range, automatic and point to a term that was given."""
        found = list(self.built().annotate(self.documents(), "en"))
        check_same_texts(self.documents(), found)
        annotations = [annotation for document in found for annotation in document.annotations]
        assert annotations, "no term was found"
        known = {term.identifier for term in terms()}
        for annotation in annotations:
            assert annotation.creation_mode == "automatic", "creation_mode of what is found is not automatic"
            assert annotation.terms, "an annotation without its term"
            assert {term.identifier for term in annotation.terms} <= known, "a term nobody gave"

    def test_saved_matcher_finds_the_same(self, tmp_path: Path) -> None:
        """`load` restores what `save` wrote; the files are in safe formats."""
        gazetteer = self.built()
        restored = save_and_load(gazetteer, self.build(), tmp_path)
        assert list(restored.annotate(self.documents(), "en")) == list(gazetteer.annotate(self.documents(), "en"))

    def test_no_terms_find_nothing(self) -> None:
        """An empty lexicon is no crash."""
        gazetteer = self.build()
        gazetteer.synchronize([], language="en")
        found = list(gazetteer.annotate(self.documents(), "en"))
        assert not any(document.annotations for document in found), "terms out of nowhere"
