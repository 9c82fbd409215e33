"""Examples for training and prediction: documents or segments of the corpus as SDK documents.

An example is a segment, or the whole document for document categories. Offsets count from the start of its text; its
`identifier` is `<document id>-<start>`, so that predictions can be mapped back. Saved questions are no material: they
are read only where documents are named. An annotation that crosses a segment
boundary is left out, as half a span would be wrong training data. A discontinuous annotation is represented by its
range from the first to the last fragment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice

from sqlalchemy.orm import Session

from annotarium.content.questions import is_question
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.models import CLASSIFICATION, Project
from annotarium.search import repository
from annotarium.search.index_entries import SegmentLabellingFinder, segment_id
from annotarium.search.repository import IndexableDocument, LabellingItem
from annotarium_schemas.documents import Annotation, Category, Document, Status

BATCH = 200


@dataclass(frozen=True, slots=True)
class Example:
    """A text with what users annotated on it.

    Attributes:
        split: `train` or `test`, None if its document is in neither part.
        judged: whether it is training data: it has a confirmed or rejected label of the project's nature (a
            category for
            classification, else a span), or its document was reviewed for spans.
        whole: whether it is a whole document, not a segment.
        name: the identifier that users know the document by. Unlike `document.identifier`, it is the same in every
            copy of
            the corpus.
    """

    document: Document
    document_id: int
    start: int
    end: int
    split: str | None
    judged: bool
    whole: bool
    name: str


def training_examples(session: Session, project: Project) -> Iterator[Example]:
    """All training data of a project, streamed."""

    def batch(after: int) -> Sequence[int]:
        return repository.labelled_document_ids(session, project.id, after, BATCH)

    for example in _stream_examples(session, project, batch):
        if example.judged:
            yield example


def corpus_examples(session: Session, project: Project) -> Iterator[Example]:
    """Every example of the corpus, streamed."""

    def batch(after: int) -> Sequence[int]:
        return repository.document_ids(session, project.id, after, BATCH)

    return _stream_examples(session, project, batch)


def examples_of_documents(session: Session, project: Project, document_ids: Iterable[int]) -> Iterator[Example]:
    """Every example of the given documents, streamed."""
    ids = iter(document_ids)
    return _stream_examples(session, project, lambda _: list(islice(ids, BATCH)), questions=True)


def examples_by_granularity(
    session: Session, project: Project, *, whole: bool, document_ids: Iterable[int] | None = None
) -> Iterator[Example]:
    """Examples of the corpus, or of the given documents, streamed, regardless of the nature of the project and with all
    annotations and categories.

    Args:
        whole: whole documents; otherwise segments.
    """
    ids = iter(document_ids) if document_ids is not None else None

    def batch(after: int) -> Sequence[int]:
        return repository.document_ids(session, project.id, after, BATCH) if ids is None else list(islice(ids, BATCH))

    split_document = _whole_document_example if whole else _segment_examples
    return _stream_examples(session, project, batch, split_document, questions=ids is not None)


def in_dataset(example: Example) -> bool:
    """Whether the example has a confirmed label of the project's nature."""
    document = example.document
    statuses = [item.status for item in document.annotations] + [item.status for item in document.categories]
    return "OK" in statuses


def _stream_examples(
    session: Session,
    project: Project,
    batch: Callable[[int], Sequence[int]],
    split_document: Callable[[IndexableDocument], Iterator[Example]] | None = None,
    *,
    questions: bool = False,
) -> Iterator[Example]:
    split_document = split_document or partial(examples_of_document, whole_documents=project.nature == CLASSIFICATION)
    labels = repository.label_names(session, project.id)
    after = 0
    while ids := batch(after):
        states = repository.load_indexable_documents(session, project.id, ids, with_text=True, labels=labels)
        for document_id in ids:
            state = states.get(document_id)
            if state is not None and (questions or not is_question(json_object_or_empty(state.metadata))):
                yield from split_document(state)
        after = ids[-1]


def examples_of_document(state: IndexableDocument, *, whole_documents: bool) -> Iterator[Example]:
    """The examples of one document.

    Args:
        whole_documents: for classification: the whole document, or its segments if users judged categories on segments.
    """
    text = state.text or ""
    if not whole_documents:
        for start, end, spans, _ in SegmentLabellingFinder(state, document_categories=False).sweep(
            _segment_ranges(state)
        ):
            yield _build_example(state, start, end, spans=spans)
        return
    # Unjudged predictions on segments do not count here: they would prevent training on document categories.
    sentence_categories = any(item.start is not None and _is_judged(item) for item in state.categories)
    if not sentence_categories:
        yield _build_example(state, 0, len(text), categories=state.categories, whole=True)
        return
    for start, end, _, categories in SegmentLabellingFinder(state, document_categories=False).sweep(
        _segment_ranges(state)
    ):
        yield _build_example(state, start, end, categories=categories)


def _whole_document_example(state: IndexableDocument) -> Iterator[Example]:
    categories = [item for item in state.categories if item.start is None]
    yield _build_example(state, 0, len(state.text or ""), spans=state.annotations, categories=categories, whole=True)


def _segment_examples(state: IndexableDocument) -> Iterator[Example]:
    labelling = SegmentLabellingFinder(state, document_categories=False)
    for start, end, spans, categories in labelling.sweep(_segment_ranges(state)):
        yield _build_example(state, start, end, spans=spans, categories=categories)


def _segment_ranges(state: IndexableDocument) -> Sequence[tuple[int, int]]:
    return state.segments or [(0, len(state.text or ""))]


def _build_example(
    state: IndexableDocument,
    start: int,
    end: int,
    *,
    spans: Sequence[LabellingItem] = (),
    categories: Sequence[LabellingItem] | None = None,
    whole: bool = False,
) -> Example:
    text = (state.text or "")[start:end]
    annotations = [
        Annotation(
            start=span.start - start,
            end=span.end - start,
            label_name=span.label,
            text=text[span.start - start : span.end - start],
            status=_judged_status(span),
        )
        for span in spans
        if _is_judged(span)
        and span.start is not None
        and span.end is not None
        and start <= span.start
        and span.end <= end
    ]
    labels = [
        Category(label_name=item.label, status=_judged_status(item)) for item in categories or () if _is_judged(item)
    ]
    document = Document(
        identifier=segment_id(state.id, start),
        title=state.title,
        text=text,
        annotations=annotations,
        categories=labels,
        metadata=state.metadata,
    )
    judged = bool(annotations) or state.reviewed if categories is None else bool(labels)
    return Example(document, state.id, start, end, state.split, judged, whole, state.identifier)


def _is_judged(item: LabellingItem) -> bool:
    return item.status == "KO" or is_confirmed(item.status, item.mode)


def _judged_status(item: LabellingItem) -> Status:
    return "KO" if item.status == "KO" else "OK"
