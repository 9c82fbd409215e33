"""The job that computes vectors.

The index reports which vectors are missing, so an interrupted run is simply repeated. The vectors of a new model are
written next to those in use; searches switch when they are complete.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.db.database import get_database
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project, Vectorization
from annotarium.domains.segments import repository
from annotarium.domains.segments.passages import (
    Floats,
    VectorizableDocument,
    document_vectors,
    segment_vectors,
    training_texts,
)
from annotarium.domains.segments.schemas import VectorProbe
from annotarium.domains.segments.vector_quality_probe import measure_vector_quality
from annotarium.domains.segments.vectorization import (
    drop_unused_vectors,
    manifest_facts,
    probe_is_due,
    probe_to_json,
    require_vectorization,
)
from annotarium.jobs.context import JobContext, job_function
from annotarium.registry import get_registry
from annotarium.registry.model_store import delete_other_models, read_manifest, save_model
from annotarium.search import repository as states
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import IndexPatch
from annotarium.search.index_entries import segment_id
from annotarium.search.index_locks import project_index_lock
from annotarium.search.indexer import get_outbox_relay, index_key
from annotarium.search.vector_models import KIND, ModelKey, indexed_vectors_name, open_vectorizer
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_schemas.messages import message

BATCH_DOCUMENTS = 500
BATCH_CHARACTERS, BATCH_CHARACTERS_UNTRAINED = 200_000, 20_000
"""Code points that end a batch before `BATCH_DOCUMENTS`. The second is for pretrained models, which are slower."""
TRAINING_DOCUMENTS = 50_000
TRAINING_CHARACTERS = 50_000_000
"""Maximum number of code points for training a vectorizer; documents are sampled at even distances."""
PROBE_DOCUMENTS = 5_000
PROBE_DOCUMENTS_UNTRAINED = 1_000
"""Number of documents in the quality probe for vectorizers that are not trained, which take far longer per document."""


@dataclass(frozen=True)
class _VectorizationModel:
    """The model whose vectors a run writes: its key and its name in the index; for a new model also how it was made."""

    key: ModelKey
    name: str
    learned_from: int = 0
    probe: VectorProbe | None = None


@job_function("vectorize_project")
def vectorize_project(context: JobContext, project_name: str, vectorization: str, anew: bool = False) -> None:
    """Compute the missing vectors of all documents and segments of a project; with `anew`, with a new model."""
    with context.open(project_name, write=False) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        project, model = call.project, ModelKey(call.project.id, row.id, row.model)
    get_outbox_relay().settle(project.id)
    if anew or not model.model:
        chosen = _new_model(context, project_name, vectorization)
    else:
        chosen = _VectorizationModel(model, indexed_vectors_name(vectorization, model.model))
    vectorizer = open_vectorizer(chosen.key)
    filled = _write_missing_vectors(context, project, vectorizer, chosen)
    if chosen.probe is not None:
        _activate(context, project_name, vectorization, chosen, filled.dimension)
    else:
        _count_changes_and_remeasure(context, project_name, vectorization, filled.changed)
    with context.open(project_name, write=True) as call:
        call.unit.emit("segments", {"type": "vectorized", "name": vectorization}, project=project_name)
    context.finish(
        message=message(
            "done.vectorized",
            "Vectors computed for {count:,} documents",
            one="Vectors computed for {count:,} document",
            count=filled.documents,
        ),
        result={"documents": filled.documents},
    )


def _new_model(context: JobContext, project_name: str, vectorization: str) -> _VectorizationModel:
    """Train and measure a new model. If an interrupted run of this job has stored one, that is reused."""
    with context.open(project_name, write=False) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        project, owner_id, building = call.project, row.id, row.building
        found = read_manifest(project.id, KIND, owner_id, building) if building else None
        if found is not None and found["job"] == context.job_id and "probe" in found:
            key = ModelKey(project.id, owner_id, building)
            probe = VectorProbe.model_validate(found["probe"])
            return _VectorizationModel(key, indexed_vectors_name(vectorization, building), found["learnedFrom"], probe)
        component = _build_vectorizer(row)
        documents, total = _sample_documents(context, call, learns=component.learns)
        in_use = row.model
    probe = _measure_vectorizer(context, row, documents, total, project.lang)
    learned_from = total if component.learns else 0
    if component.learns:
        texts = training_texts(documents)
        context.progress(
            0,
            total,
            message(
                "doing.learn", "Learning from {count:,} texts", one="Learning from {count:,} text", count=len(texts)
            ),
        )
        component.fit(texts, project.lang)
    facts = manifest_facts(row, component.version, learned_from, context.job_id, probe)
    moment = max(now_ms(), in_use + 1)
    key = ModelKey(project.id, owner_id, moment)
    save_model(
        component, project_id=project.id, owner=KIND, owner_id=owner_id, timestamp=moment, facts=facts, keep={in_use}
    )
    with context.open(project_name, write=True) as call:
        require_vectorization(call.session, call.project, vectorization).building = moment
    drop_unused_vectors(project)
    return _VectorizationModel(key, indexed_vectors_name(vectorization, moment), learned_from, probe)


def _build_vectorizer(row: Vectorization) -> Vectorizer[Any]:
    component = get_registry().build(KIND, row.component, row.parameters)
    assert isinstance(component, Vectorizer)
    return component


def _sample_documents(
    context: JobContext, call: ProjectCall, *, learns: bool
) -> tuple[list[VectorizableDocument], int]:
    """Documents sampled at even distances for training and measuring, and the total number of documents."""
    total, characters = repository.corpus_size(call.session, call.project.id)
    most = TRAINING_DOCUMENTS if learns else PROBE_DOCUMENTS_UNTRAINED
    step = max(1, -(-total // most), -(-characters // TRAINING_CHARACTERS))
    documents: list[VectorizableDocument] = []
    number = 0
    for ids in states.iterate_document_ids(call.session, call.project.id, BATCH_DOCUMENTS):
        context.progress(
            0,
            total,
            message(
                "doing.readDocuments", "Reading {count:,} documents", one="Reading {count:,} document", count=number
            ),
        )
        chosen = repository.without_saved_questions(call.session, ids[-number % step :: step])
        number += len(ids)
        documents += repository.load_vectorizable_documents(call.session, chosen)
    return documents, number


def _measure_vectorizer(
    context: JobContext, row: Vectorization, documents: list[VectorizableDocument], total: int, language: str
) -> VectorProbe:
    """Measure how well the vectors find documents, and their weight; the same documents give the same figures."""

    def report_progress() -> None:
        context.progress(0, total, message("doing.measureVectors", "Measuring the search quality of the vectors"))

    report_progress()
    found = measure_vector_quality(
        lambda: _build_vectorizer(row),
        documents_for_quality_probe(documents, _build_vectorizer(row)),
        language,
        report_progress,
    )
    return found.model_copy(update={"documents": total})


def documents_for_quality_probe(
    documents: Sequence[VectorizableDocument], vectorizer: Vectorizer[Any]
) -> Sequence[VectorizableDocument]:
    """The documents that vectors are measured on, sampled at even distances."""
    most = PROBE_DOCUMENTS if vectorizer.learns else PROBE_DOCUMENTS_UNTRAINED
    return documents[:: max(1, -(-len(documents) // most))]


@dataclass
class _VectorizationResult:
    """Result of a run: documents with new vectors, how many of them changed since the model, and the dimension."""

    documents: int = 0
    changed: int = 0
    dimension: int = 0


def _write_missing_vectors(
    context: JobContext, project: Project, vectorizer: Vectorizer[Any], chosen: _VectorizationModel
) -> _VectorizationResult:
    """Compute and write the missing vectors."""
    engine, key = get_search_engine(), index_key(project, "documents")
    total = engine.stats(key).items
    missing = [int(identifier) for identifier in engine.vector_gaps(key, chosen.name)]
    done, filled = total - len(missing), _VectorizationResult()
    for begin in range(0, len(missing), BATCH_DOCUMENTS):
        with get_database().session(write=False) as session:
            read = repository.load_vectorizable_documents(session, missing[begin : begin + BATCH_DOCUMENTS])
        for batch in _batches(read, BATCH_CHARACTERS if vectorizer.learns else BATCH_CHARACTERS_UNTRAINED):
            made = done + filled.documents
            context.progress(
                made,
                total,
                message(
                    "done.ofDocuments",
                    "{done:,} of {count:,} documents",
                    one="{done:,} of {count:,} document",
                    done=made,
                    count=total,
                ),
            )
            whole = document_vectors(vectorizer, batch, project.lang)
            parts = list(segment_vectors(vectorizer, batch, whole, project.lang))
            filled.dimension = whole.shape[1]
            written = _write_vectors(project, batch, whole, parts, chosen.name)
            filled.documents += len(written)
            filled.changed += sum(one.modified_at > chosen.key.model for one in written)
    context.progress(
        total, total, message("done.documents", "{count:,} documents", one="{count:,} document", count=total)
    )
    return filled


def _batches(documents: list[VectorizableDocument], most: int) -> Iterator[list[VectorizableDocument]]:
    batch: list[VectorizableDocument] = []
    characters = 0
    for document in documents:
        batch.append(document)
        characters += len(document.text)
        if characters >= most:
            yield batch
            batch, characters = [], 0
    if batch:
        yield batch


def _write_vectors(
    project: Project, batch: list[VectorizableDocument], whole: Floats, parts: list[Floats], name: str
) -> list[VectorizableDocument]:
    """Write the vectors of documents that have not changed since they were read; returns these documents.

    Changed documents remain missing and are processed later. Vectors of segments are written before those of their
    document, so a document with a vector is complete.
    """
    segments: list[IndexPatch] = []
    documents: list[IndexPatch] = []
    written: list[VectorizableDocument] = []
    with project_index_lock(project.id):
        with get_database().session(write=False) as session:
            now = {one.id: one for one in repository.load_vectorizable_documents(session, [one.id for one in batch])}
        for document, own, rows in zip(batch, whole, parts, strict=True):
            present = now.get(document.id)
            if present is None or present[:4] != document[:4]:
                continue
            segments += [
                IndexPatch(segment_id(document.id, start), vectors={name: row})
                for (start, _), row in zip(document.segments, rows, strict=True)
            ]
            documents.append(IndexPatch(str(document.id), vectors={name: own}))
            written.append(document)
        get_search_engine().patch(index_key(project, "segments"), segments)
        get_search_engine().patch(index_key(project, "documents"), documents)
    return written


def _count_changes_and_remeasure(context: JobContext, project_name: str, vectorization: str, changed: int) -> None:
    """Count changed documents. If there are many, measure the vectors again, unless they come from a trained model."""
    with context.open(project_name, write=True) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        row.remade += changed
        total = states.count_documents(call.session, call.project.id)
        if row.learned_from or not probe_is_due(row, total):
            return
        documents, total = _sample_documents(context, call, learns=False)
        language = call.project.lang
    probe = _measure_vectorizer(context, row, documents, total, language)
    with context.open(project_name, write=True) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        row.probe, row.remade = probe_to_json(probe), 0
        call.unit.emit("project", {"type": "vectorized", "name": vectorization}, project=project_name)


def _activate(
    context: JobContext, project_name: str, vectorization: str, chosen: _VectorizationModel, dimension: int
) -> None:
    with context.open(project_name, write=True) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        row.model, row.building, row.learned_from = chosen.key.model, 0, chosen.learned_from
        assert chosen.probe is not None
        row.probe, row.remade = probe_to_json(chosen.probe), 0
        row.dimension = dimension or row.dimension
        project = call.project
        call.unit.emit("project", {"type": "vectorized", "name": vectorization}, project=project_name)
    delete_other_models(project.id, KIND, chosen.key.owner_id, {chosen.key.model})
    drop_unused_vectors(project)
