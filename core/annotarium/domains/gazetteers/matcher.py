"""A synchronised gazetteer as an annotator: what it finds is automatic and has a label."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from annotarium.content.term_labels import label_by_lexicon
from annotarium.db.models import Gazetteer as GazetteerRow
from annotarium.registry.model_store import load_model
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_schemas.documents import Document


class GazetteerAnnotator:
    """Annotates documents with a matcher. `predict` has the signature of a learner's `predict`."""

    def __init__(self, gazetteer: Gazetteer[Any]) -> None:
        self._gazetteer = gazetteer

    @property
    def simplified(self) -> int:
        """Return the number of texts so far with so many overlapping terms that only the longest were annotated."""
        return self._gazetteer.simplified

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies of the documents that contain only the occurrences of terms."""
        bare = (document.model_copy(update={"annotations": [], "categories": []}) for document in documents)
        for document in self._gazetteer.annotate(bare, language):
            for one in document.annotations:
                one.creation_mode = one.creation_mode or "automatic"
            yield label_by_lexicon(document)


def load_gazetteer(row: GazetteerRow) -> GazetteerAnnotator:
    """Load the matcher of a synchronised gazetteer. Errors as in `load_model`."""
    component, _ = load_model(row.project_id, "gazetteer", row.id, kind="gazetteer")
    assert isinstance(component, Gazetteer)
    return GazetteerAnnotator(component)
