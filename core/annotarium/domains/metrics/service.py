"""Figures of a project: counts from the record, values of metadata from the index (both exact, without a limit)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.models import Annotation, Category, Experiment
from annotarium.domains.metrics import repository
from annotarium.domains.metrics.schemas import (
    AnnotationFacets,
    AnnotationMetrics,
    CategoriesFacets,
    CategoryMetrics,
    CorpusMetrics,
    DocumentFacets,
    EngineConfig,
    MetadataCount,
    ModelMetrics,
    ModelsMetrics,
    ValueCount,
)
from annotarium.search.content import METADATA
from annotarium.search.indexer import KINDS, open_index
from annotarium.search.request import Asked, build_spec, may_read_facet
from annotarium.search.spec import FacetSpec, Kind

KEPT_MODELS = 10
"""C-034."""
_ALL_VALUES = 1_000_000_000


def _values(counts: Iterable[tuple[str, int]]) -> list[ValueCount]:
    return [ValueCount.model_validate({"_id": value, "count": number}) for value, number in counts]


def _search(call: ProjectCall, kind: Kind, dataset: str, facet: str = "") -> tuple[int, dict[str, int]]:
    """How many items there are, and how many by value of a metadata."""
    engine, key = open_index(call.project, kind)
    asked = Asked(size=0, dataset=dataset)
    facets = (FacetSpec(f"{METADATA}{facet}", size=_ALL_VALUES),) if facet else ()
    spec = build_spec(asked, kind, call.access, call.project, engine.facet_names(key), counted=facets)
    found = engine.search(key, spec)
    return found.total, {bucket.key: bucket.doc_count for one in found.facets for bucket in one.buckets}


def _metadata_name(call: ProjectCall, facet: str) -> str:
    wanted = facet.removeprefix(METADATA) or next(iter(call.project.metafacets), "")
    return str(wanted)


def _document_facets(call: ProjectCall, facet: str, dataset: str = "") -> DocumentFacets:
    name = _metadata_name(call, facet)
    if not name or not may_read_facet(call.access, f"{METADATA}{name}"):
        return DocumentFacets(metadata=name)
    counts = {kind: _search(call, kind, dataset, name)[1] for kind in KINDS}
    values = sorted(
        counts["documents"].keys() | counts["segments"].keys(),
        key=lambda value: (-counts["documents"].get(value, 0), value),
    )
    rows = [
        {"_id": one, "documentCount": counts["documents"].get(one, 0), "segmentCount": counts["segments"].get(one, 0)}
        for one in values
    ]
    return DocumentFacets(metadata=name, facets=[MetadataCount.model_validate(row) for row in rows])


def corpus_metrics(call: ProjectCall, facet: str, *, facets: bool, size: bool) -> CorpusMetrics:
    """Size of the corpus."""
    return CorpusMetrics(
        corpus_size=repository.corpus_size(call) if size else 0,
        document_count=repository.count_documents(call),
        segment_count=repository.count_segments(call),
        document_facets=(
            _document_facets(call, facet) if facets else DocumentFacets(metadata=_metadata_name(call, facet))
        ),
    )


def annotation_metrics(call: ProjectCall, facet: str) -> AnnotationMetrics:
    """Annotations of the dataset, and what waits for an answer."""
    labels = repository.confirmed_by_label(call, Annotation)
    proposals = [item for row in repository.suggestions(call) for item in row.annotations]
    return AnnotationMetrics(
        annotation_count=sum(number for _, number in labels),
        suggestion_count=len(proposals),
        documents_in_dataset=_search(call, "documents", "$inDataset")[0],
        segments_in_dataset=_search(call, "segments", "$inDataset")[0],
        annotation_facets=AnnotationFacets(labels=_values(labels), texts=_values(repository.confirmed_by_text(call))),
        suggestion_facets=AnnotationFacets(
            labels=_values(Counter(item["labelName"] for item in proposals).most_common()),
            texts=_values(Counter(item["text"] for item in proposals).most_common()),
        ),
        document_facets=_document_facets(call, facet, "$inDataset"),
    )


def category_metrics(call: ProjectCall, facet: str) -> CategoryMetrics:
    """Categories of the dataset."""
    labels = repository.confirmed_by_label(call, Category)
    return CategoryMetrics(
        categories_count=sum(number for _, number in labels),
        documents_in_dataset=repository.documents_with_categories(call),
        categories_facets=CategoriesFacets(labels=_values(labels)),
        document_facets=_document_facets(call, facet, "$inDataset"),
    )


def model_metrics(call: ProjectCall) -> ModelsMetrics:
    """The last trainings of the project; the best of all and the last one."""
    trained = [_model(call, row, entry) for row in repository.trained_experiments(call) for entry in row.history]
    trained.sort(key=lambda one: (one.timestamp_end, one.name))
    return ModelsMetrics(
        best=max(trained, key=lambda one: (one.quality, one.timestamp_end), default=None),
        last=trained[-1] if trained else None,
        history=trained[-KEPT_MODELS:],
    )


def _model(call: ProjectCall, row: Experiment, entry: dict[str, Any]) -> ModelMetrics:
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
