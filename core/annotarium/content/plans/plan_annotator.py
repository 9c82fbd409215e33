"""Runs a plan on documents that are not stored, and as an annotator of stored ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from annotarium.access.call import Call
from annotarium.content.plans.active import active_segmenter
from annotarium.content.plans.runner import PlanRunner, project_of
from annotarium.content.segmentation import SegmentFunction, segment_text
from annotarium.content.segmenter_choice import SegmenterChoice, build_segmenter
from annotarium.content.validation import InvalidContent
from annotarium.errors import InvalidInput
from annotarium_schemas.documents import Annotation, Category, Document, Sentence
from annotarium_schemas.plans import AnnotationPlan

RangeAndLabel = tuple[int | None, int | None, str | None]


def segment_function_for(call: Call, plan: AnnotationPlan) -> SegmentFunction | None:
    """Return the segmenter for texts a plan is run on: the plan's, else the project's; None outside projects without
    one.
    """
    project = project_of(call)
    if project is not None:
        return build_segmenter(active_segmenter(call.session, project, plan))
    if plan.segmenter is None:
        return None
    return build_segmenter(SegmenterChoice(name=plan.segmenter.name, parameters=plan.segmenter.parameters))


class PlanAnnotator:
    """Runs a plan on documents. `predict` has the signature of a learner's `predict`, to annotate stored documents.

    Args:
        runner: runs the plan's steps; None = the plan has no step that works on documents.
        segment: segments texts without sentences before the first step; None = they stay without.
    """

    def __init__(self, runner: PlanRunner | None, segment: SegmentFunction | None = None) -> None:
        self._runner, self._segment = runner, segment

    def run(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies of the documents as they are after all steps.

        Raises:
            InvalidInput: a step failed; the message names it.
        """
        if self._runner is not None:
            self._runner.language = language
        for document in documents:
            done = document.model_copy(deep=True)
            try:
                if self._segment is not None and not done.sentences:
                    ranges = segment_text(done.text, language, self._segment)
                    done.sentences = [Sentence(start=start, end=end) for start, end in ranges]
                yield self._runner(done) if self._runner is not None else done
            except InvalidContent as error:
                raise InvalidInput(error.message, fix=error.fix) from error

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield copies of the documents that contain only what the steps added. Raises as `run`."""
        for document in documents:
            bare = document.model_copy(update={"annotations": [], "categories": [], "sentences": None})
            if self._runner is not None:
                spans = {_range_and_label(one) for one in document.annotations}
                categories = {_range_and_label(one) for one in document.categories}
                (done,) = self.run([document], language)
                bare.annotations = [one for one in done.annotations if _range_and_label(one) not in spans]
                bare.categories = [one for one in done.categories if _range_and_label(one) not in categories]
            yield bare


def _range_and_label(one: Annotation | Category) -> RangeAndLabel:
    return one.start, one.end, one.label_name or one.label
