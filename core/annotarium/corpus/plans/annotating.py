"""A plan as an annotator: what its steps find on documents, apart from what they carried before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotarium.corpus.gate import Refused
from annotarium.corpus.plans.running import Runner
from annotarium.errors import InvalidInput
from annotarium_schemas.documents import Annotation, Category, Document

Place = tuple[int | None, int | None, str | None]


class PlanAnnotator:
    """Predicts like a learner.

    Args:
        runner: of the plan; None = it has no step that works, and finds nothing.
    """

    def __init__(self, runner: Runner | None) -> None:
        self._runner = runner

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Copies of the documents that hold only what the steps added.

        Raises:
            InvalidInput: a step failed; the message names it.
        """
        for document in documents:
            bare = document.model_copy(update={"annotations": [], "categories": [], "sentences": None})
            if self._runner is not None:
                self._add(self._runner, document, bare, language)
            yield bare

    def _add(self, runner: Runner, document: Document, bare: Document, language: str) -> None:
        spans = {_place(one) for one in document.annotations}
        categories = {_place(one) for one in document.categories}
        runner.language = language
        try:
            done = runner(document.model_copy(deep=True))
        except Refused as error:
            raise InvalidInput(error.message, fix=error.fix) from error
        bare.annotations = [one for one in done.annotations if _place(one) not in spans]
        bare.categories = [one for one in done.categories if _place(one) not in categories]


def _place(one: Annotation | Category) -> Place:
    return one.start, one.end, one.label_name or one.label
