"""Metrics of a project: counts from the database, metadata values from the search index. Both are exact."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.labelling.repository import Labelled
from annotarium.content.suggestions.repository import count_spans_by_label
from annotarium.content.suggestions.unanswered import open_span_texts
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.models import Annotation, Category, Experiment
from annotarium.domains.metrics import counting, index_counts, repository
from annotarium.domains.metrics.index_counts import IndexCounter, document_facets, metadata_name_or_default
from annotarium.domains.metrics.repository import LabellingGroupCount
from annotarium.domains.metrics.schemas import (
    AnnotationFacets,
    AnnotationMetrics,
    CategoriesFacets,
    CategoryMetrics,
    CorpusDetails,
    CorpusMetrics,
    DayCount,
    DocumentFacets,
    EngineConfig,
    LabellingDetails,
    ModelMetrics,
    ModelsMetrics,
)

MAX_MODELS = 10
"""Maximum length of the training history (C-034)."""
MAX_TEXTS = 1_000
"""Maximum number of annotated texts listed, the most frequent ones."""
_IN_DATASET = "$inDataset"


def corpus_metrics(
    call: ProjectCall, facet: str, *, facets: bool, size: bool, details: bool = False, segment_lengths: bool = False
) -> CorpusMetrics:
    """Size of the corpus.

    Args:
        facet: metadata field to count documents by; empty = the first metadata facet of the project.
        facets: compute the counts by metadata value.
        size: compute the number of code points.
        details: add the details of the web app.
        segment_lengths: with `details`, add the histogram of segment lengths; reads every segment.
    """
    return CorpusMetrics(
        corpus_size=repository.total_text_length(call) if size else 0,
        document_count=repository.count_documents(call),
        question_count=index_counts.count_saved_questions(call) or None,
        segment_count=repository.count_segments(call),
        document_facets=(
            document_facets(call, facet) if facets else DocumentFacets(metadata=metadata_name_or_default(call, facet))
        ),
        details=_corpus_details(call, segment_lengths) if details else None,
    )


def _corpus_details(call: ProjectCall, segment_lengths: bool) -> CorpusDetails:
    lengths = repository.document_length_range(call)
    edges = counting.DOCUMENT_EDGES if lengths is None else counting.length_edges(*lengths)
    documents = repository.document_length_histogram(call, edges)
    segments = repository.segment_length_histogram(call, counting.SEGMENT_EDGES) if segment_lengths else None
    return CorpusDetails(
        document_lengths=counting.length_histogram(edges, documents),
        segment_lengths=None if segments is None else counting.length_histogram(counting.SEGMENT_EDGES, segments),
        growth=[
            DayCount(date=day * repository.DAY_MS, count=count) for day, count in repository.documents_by_day(call)
        ],
        metadata=index_counts.metadata_coverage(call),
    )


def annotation_metrics(
    call: ProjectCall, facet: str, *, texts: bool = True, details: bool = False
) -> AnnotationMetrics:
    """Confirmed annotations of the dataset and open suggestions. `texts` reads every annotation."""
    cube = repository.count_labelling_groups(call, Annotation)
    labels = counting.count_confirmed_by_label(cube)
    proposals = count_spans_by_label(call)
    frequent = repository.count_confirmed_by_text(call, MAX_TEXTS) if texts else ()
    return AnnotationMetrics(
        annotation_count=sum(one.count for one in labels),
        suggestion_count=sum(proposals.values()),
        documents_in_dataset=IndexCounter(call, "documents").count(dataset=_IN_DATASET)[0],
        segments_in_dataset=IndexCounter(call, "segments").count(dataset=_IN_DATASET)[0],
        annotation_facets=AnnotationFacets(labels=labels, texts=counting.value_counts(frequent)),
        suggestion_facets=AnnotationFacets(
            labels=counting.value_counts(Counter(proposals).most_common()),
            texts=counting.value_counts(open_span_texts(call).most_common() if texts else ()),
        ),
        document_facets=document_facets(call, facet, _IN_DATASET),
        details=_labelling_details(call, Annotation, cube) if details else None,
    )


def category_metrics(call: ProjectCall, facet: str, *, details: bool = False) -> CategoryMetrics:
    """Categories of the dataset."""
    cube = repository.count_labelling_groups(call, Category)
    labels = counting.count_confirmed_by_label(cube)
    return CategoryMetrics(
        categories_count=sum(one.count for one in labels),
        documents_in_dataset=repository.count_documents_with_categories(call),
        categories_facets=CategoriesFacets(labels=labels),
        document_facets=document_facets(call, facet, _IN_DATASET),
        details=_labelling_details(call, Category, cube) if details else None,
    )


def _labelling_details(call: ProjectCall, table: Labelled, cube: list[LabellingGroupCount]) -> LabellingDetails:
    return LabellingDetails(
        labels=counting.count_by_review_state(cube, lambda one: one.label),
        creators=counting.count_by_review_state(cube, lambda one: one.creator),
        statuses=counting.most_frequent_first(counting.count_rows_by(cube, lambda one: one.status or "undefined")),
        modes=counting.most_frequent_first(counting.count_rows_by(cube, lambda one: one.mode)),
        splits=counting.most_frequent_first(index_counts.count_documents_by_split(call)),
        overlaps=index_counts.count_label_co_occurrences(call, "segments" if table is Annotation else "documents"),
        document_count=repository.count_documents(call),
        segment_count=repository.count_segments(call),
    )


def model_metrics(call: ProjectCall) -> ModelsMetrics:
    """The last trainings of the project, and of all trainings the best and the last one."""
    rows = repository.trained_experiments(call)
    found: list[list[ModelMetrics]] = convert_readable_rows(
        rows, lambda row: [_metrics_of_training(call, row, entry) for entry in row.history]
    )
    trained = list(chain.from_iterable(found))
    trained.sort(key=lambda one: (one.timestamp_end, one.name))
    # The quality of topics is not an accuracy and cannot be compared with one.
    judged = [one for one in trained if "topics" not in one.report]
    return ModelsMetrics(
        best=max(judged, key=lambda one: (one.quality, one.timestamp_end), default=None),
        last=trained[-1] if trained else None,
        history=trained[-MAX_MODELS:],
    )


def _metrics_of_training(call: ProjectCall, row: Experiment, entry: dict[str, Any]) -> ModelMetrics:
    report = entry.get("report") or {"classes": {}, "microAvg": {"support": 0}}
    return ModelMetrics(
        name=row.name,
        label=row.label,
        engine=row.engine,
        config=EngineConfig(name=row.engine, type="learner"),
        lang=call.project.lang,
        classes=entry["classes"],
        options=entry["parameters"],
        quality=entry["quality"],
        report=report,
        status="COMPLETED",
        timestamp=entry["timestamp"] - entry["duration"],
        timestamp_end=entry["timestamp"],
    )
