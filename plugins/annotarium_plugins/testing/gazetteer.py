"""Contract of gazetteers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from annotarium_plugins.base.component import Cancelled
from annotarium_plugins.testing.annotator import plain_documents
from annotarium_plugins.testing.checks import check_same_texts
from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import terms
from annotarium_schemas.documents import Document


class GazetteerContract(ComponentContract):
    """Builds the matcher from sample terms and applies it to sample texts."""

    def documents(self) -> list[Document]:
        """Return the documents to annotate."""
        return plain_documents()

    def built(self) -> Any:
        """Return a gazetteer with the sample terms."""
        gazetteer = self.build()
        gazetteer.synchronize(terms(), language="en")
        return gazetteer

    def test_finds_terms_in_the_text(self) -> None:
        """Annotations are in range, automatic, and refer to a given term."""
        found = list(self.built().annotate(self.documents(), "en"))
        check_same_texts(self.documents(), found)
        annotations = [annotation for document in found for annotation in document.annotations]
        assert annotations, "no term was found"
        known = {term.identifier for term in terms()}
        for annotation in annotations:
            assert annotation.creation_mode == "automatic", "creation_mode of what is found is not automatic"
            assert annotation.terms, "an annotation without its term"
            assert {term.identifier for term in annotation.terms} <= known, "a term nobody gave"

    def test_keeps_existing_annotations(self) -> None:
        """Annotations of the given documents stay, and the given documents are not changed."""
        annotated = list(self.built().annotate(self.documents(), "en"))
        before = [document.model_copy(deep=True) for document in annotated]
        after = list(self.built().annotate(annotated, "en"))
        assert annotated == before, "a given document was changed"
        for first, second in zip(before, after, strict=True):
            assert all(one in second.annotations for one in first.annotations), "an annotation was removed"

    def test_documents_are_read_as_they_come(self) -> None:
        """A corpus is a stream: its results begin before it was read to its end."""
        long = "Ada Lovelace saw Paris. " * 20_000
        read: list[int] = []

        def stream() -> Iterator[Document]:
            for number in range(20):
                read.append(number)
                yield Document(identifier=str(number), text=long)

        next(iter(self.built().annotate(stream(), "en")))
        assert len(read) < 20, "all documents were read before the first result"

    def test_synchronising_again_replaces_the_terms(self) -> None:
        """Only the terms of the last synchronisation are found; they come as a stream."""
        gazetteer = self.built()
        gazetteer.synchronize((one for one in terms() if one.preferred_form == "Paris"), language="en")
        found = gazetteer.annotate(self.documents(), "en")
        known = {term.identifier for document in found for one in document.annotations for term in one.terms or []}
        assert known == {"t0"}, f"terms {known} are found, only t0 was given"

    def test_cancelling_is_passed_on(self) -> None:
        """What `progress` raises is not caught."""

        def progress(step: int, total: int, message: str) -> None:
            raise Cancelled

        with pytest.raises(Cancelled):
            self.build().synchronize(terms(), language="en", progress=progress)

    def test_saved_matcher_finds_the_same(self, tmp_path: Path) -> None:
        """`load` restores what `save` wrote; the files are in safe formats."""
        gazetteer = self.built()
        restored = self.reloaded(gazetteer, tmp_path)
        assert list(restored.annotate(self.documents(), "en")) == list(gazetteer.annotate(self.documents(), "en"))

    def test_no_terms_find_nothing(self) -> None:
        """An empty lexicon finds nothing and does not fail."""
        gazetteer = self.build()
        gazetteer.synchronize([], language="en")
        found = list(gazetteer.annotate(self.documents(), "en"))
        assert not any(document.annotations for document in found), "terms out of nowhere"
