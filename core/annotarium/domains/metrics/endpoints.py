"""Metrics of a project for the dashboard. One permission per tab; the overall tab shows them all (S-039)."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query

from annotarium.access.call import ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.metrics import index_counts, service
from annotarium.domains.metrics.schemas import (
    AnnotationMetrics,
    CategoryMetrics,
    CorpusMetrics,
    ModelsMetrics,
    TermMetrics,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["metrics"])

OVERALL = "seeOverallStats"
Details = Annotated[bool, Query(description="Also the figures that the published shape has no place for")]
Facet = Annotated[str, Query(description="Name of the metadata to count by; the first metafacet when empty")]


@router.get("/projects/{project_name}/corpusMetrics", response_model_exclude_none=True)
@guarded("seeCorpusStats", OVERALL, any_of=True, project="read")
def corpus_metrics(
    call: ProjectCall,
    compute_facets: Annotated[bool, Query(alias="computeFacets")] = True,
    facet: Facet = "",
    compute_corpus_size: Annotated[bool, Query(alias="computeCorpusSize")] = True,
    estimated_counts: Annotated[
        bool, Query(alias="estimatedCounts", description="Accepted: exact counts are as fast here")
    ] = False,
    details: Details = False,
    segment_lengths: Annotated[
        bool, Query(alias="segmentLengths", description="With details; every segment is read for it")
    ] = False,
) -> CorpusMetrics:
    """Size of the corpus and its documents by metadata."""
    return service.corpus_metrics(
        call,
        facet,
        facets=compute_facets,
        size=compute_corpus_size,
        details=details,
        segment_lengths=segment_lengths,
    )


@router.get("/projects/{project_name}/annotationMetrics", response_model_exclude_none=True)
@guarded("seeDatasetStats", OVERALL, any_of=True, project="read")
def annotation_metrics(
    call: ProjectCall,
    facet: Facet = "",
    compute_texts: Annotated[
        bool, Query(alias="computeTexts", description="The annotated texts; every annotation is read for it")
    ] = True,
    details: Details = False,
) -> AnnotationMetrics:
    """Annotations of the dataset and open suggestions."""
    return service.annotation_metrics(call, facet, texts=compute_texts, details=details)


@router.get("/projects/{project_name}/categoriesMetrics", response_model_exclude_none=True)
@guarded("seeDatasetStats", OVERALL, any_of=True, project="read")
def categories_metrics(call: ProjectCall, facet: Facet = "", details: Details = False) -> CategoryMetrics:
    """Categories of the dataset."""
    return service.category_metrics(call, facet, details=details)


@router.get("/projects/{project_name}/termMetrics", response_model_exclude_none=True)
@guarded("seeDatasetStats", OVERALL, any_of=True, project="read")
def term_metrics(call: ProjectCall, size: Annotated[int, Query(ge=1, le=200)] = 20) -> TermMetrics:
    """The terms in most documents (extension)."""
    return index_counts.count_terms(call, size)


@router.get("/projects/{project_name}/modelMetrics", response_model_exclude_none=True)
@guarded("seeModelStats", OVERALL, any_of=True, project="read")
def model_metrics(call: ProjectCall) -> ModelsMetrics:
    """The last trainings with their quality, and of them the best and the last one."""
    return service.model_metrics(call)
