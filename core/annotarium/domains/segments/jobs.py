"""The job that makes vectors.

What is missing is asked of the index, so a run that dies is simply repeated. A new model is filled in beside the one in
use; searches change over when it is complete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt

from annotarium.access.call import ProjectCall
from annotarium.db.engine import get_database
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Project
from annotarium.domains.segments.vectorization import facts_of, forget_vectors, require_vectorization
from annotarium.jobs.context import JobContext, job_function
from annotarium.registry import get_registry
from annotarium.registry.model_store import keep_models, read_manifest, save_model
from annotarium.search import repository as states
from annotarium.search.content import segment_id
from annotarium.search.indexer import get_engine, get_relay, index_key
from annotarium.search.locks import project_lock
from annotarium.search.repository import DocumentState
from annotarium.search.spec import Patch
from annotarium.search.vector_models import KIND, ModelKey, index_name, open_vectorizer
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_schemas.said import say

BATCH_DOCUMENTS = 20
BATCH_TEXTS = 256
LEARNED_TEXTS = 50_000
LEARNED_CHARACTERS = 50_000_000
"""What a vectorizer that learns is given at most: evenly spread segments."""
LONGEST_TEXT = 50_000
"""Code points of a document without segments that its vector is made of."""

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True)
class _Model:
    """The model a run fills in: its key, its name in the index, and whether it is a new one."""

    key: ModelKey
    name: str
    learned_from: int
    fresh: bool


@job_function("vectorize_project")
def vectorize_project(context: JobContext, project_name: str, vectorization: str, anew: bool = False) -> None:
    """Give every document and segment of a project its vector; with `anew`, of a new model."""
    with context.open(project_name, write=False) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        project, model = call.project, ModelKey(call.project.id, row.id, row.model)
    get_relay().settle(project.id)
    if anew or not model.model:
        chosen = _new_model(context, project_name, vectorization)
    else:
        chosen = _Model(model, index_name(vectorization, model.model), 0, fresh=False)
    vectorizer = open_vectorizer(chosen.key)
    done, dimension = _fill(context, project, vectorizer, chosen.name)
    if chosen.fresh:
        _put_into_use(context, project_name, vectorization, chosen, dimension)
    with context.open(project_name, write=True) as call:
        call.unit.emit("segments", {"type": "vectorized", "name": vectorization}, project=project_name)
    context.finish(
        message=say("done.vectorized", "{count:,} documents vectorized", count=done), result={"documents": done}
    )


def _new_model(context: JobContext, project_name: str, vectorization: str) -> _Model:
    """A new model; the one an interrupted run of this job has made is taken up."""
    with context.open(project_name, write=False) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        project, owner_id, building = call.project, row.id, row.building
        found = read_manifest(project.id, KIND, owner_id, building) if building else None
        if found is not None and found["job"] == context.job_id:
            key = ModelKey(project.id, owner_id, building)
            return _Model(key, index_name(vectorization, building), found["learnedFrom"], fresh=True)
        component = get_registry().build(KIND, row.component, row.parameters)
        assert isinstance(component, Vectorizer)
        texts, learned_from = _sample(context, call) if component.learns else ([], 0)
        in_use, facts = row.model, facts_of(row, component.version, learned_from, context.job_id)
    if component.learns:
        component.fit(texts, project.lang)
    moment = max(now_ms(), in_use + 1)
    key = ModelKey(project.id, owner_id, moment)
    save_model(
        component, project_id=project.id, owner=KIND, owner_id=owner_id, timestamp=moment, facts=facts, keep={in_use}
    )
    with context.open(project_name, write=True) as call:
        require_vectorization(call.session, call.project, vectorization).building = moment
    forget_vectors(project)
    return _Model(key, index_name(vectorization, moment), learned_from, fresh=True)


def _sample(context: JobContext, call: ProjectCall) -> tuple[list[str], int]:
    """Evenly spread segments of the project to learn from, and how many documents there are."""
    total = states.count_segments(call.session, call.project.id)
    step = max(1, -(-total // LEARNED_TEXTS))
    texts: list[str] = []
    characters = documents = number = 0
    for ids in states.iterate_document_ids(call.session, call.project.id, BATCH_DOCUMENTS):
        documents += len(ids)
        context.progress(0, total, say("doing.readDocuments", "Reading {count:,} documents", count=documents))
        for state in _load(call.session, call.project, ids):
            for _, text in _pieces(state):
                if number % step == 0 and characters < LEARNED_CHARACTERS:
                    texts.append(text)
                    characters += len(text)
                number += 1
    context.progress(0, total, say("doing.learn", "Learning from {count:,} texts", count=len(texts)))
    return texts, documents


def _load(session: Any, project: Project, ids: list[int]) -> list[DocumentState]:
    return list(states.load_states(session, project.id, ids, with_text=True, labels={}).values())


def _pieces(state: DocumentState) -> list[tuple[str, str]]:
    """Segments as (id, text); of a document without any, the document itself, without an id."""
    text = state.text or ""
    pieces = [(segment_id(state.id, start), text[start:end]) for start, end in state.segments]
    return pieces or [("", text[:LONGEST_TEXT])]


def _fill(context: JobContext, project: Project, vectorizer: Vectorizer[Any], name: str) -> tuple[int, int]:
    """Make what is missing: how many documents got vectors, and the length of the vectors."""
    engine, key = get_engine(), index_key(project, "documents")
    total = engine.stats(key).items
    missing = [int(identifier) for identifier in engine.vector_gaps(key, name)]
    done, dimension = total - len(missing), 0
    made = 0
    for ids in _batches(iter(missing)):
        context.progress(
            done + made,
            total,
            say("done.ofDocuments", "{done:,} of {count:,} documents", done=done + made, count=total),
        )
        with get_database().session(write=False) as session:
            batch = _load(session, project, ids)
        vectors = _vectors(vectorizer, batch, project.lang)
        dimension = vectors.shape[1]
        written = _write(project, batch, vectors, name)
        made += written
    context.progress(total, total, say("done.documents", "{count:,} documents", count=total))
    return made, dimension


def _batches(ids: Iterator[int]) -> Iterator[list[int]]:
    while batch := list(islice(ids, BATCH_DOCUMENTS)):
        yield batch


def _vectors(vectorizer: Vectorizer[Any], batch: list[DocumentState], language: str) -> Floats:
    texts = [text for state in batch for _, text in _pieces(state)]
    parts = [
        vectorizer.vectorize(texts[begin : begin + BATCH_TEXTS], language)
        for begin in range(0, len(texts), BATCH_TEXTS)
    ]
    return np.concatenate(parts) if parts else np.empty((0, 0), np.float32)


def _write(project: Project, batch: list[DocumentState], vectors: Floats, name: str) -> int:
    """Write the vectors of documents that are still what was vectorized; others are missing again and come later.

    Segments go before their document: a document with a vector is one that is done.
    """
    segments: list[Patch] = []
    documents: list[Patch] = []
    position = 0
    with project_lock(project.id):
        with get_database().session(write=False) as session:
            now = {state.id: state for state in _load(session, project, [state.id for state in batch])}
        for state in batch:
            pieces = _pieces(state)
            own = vectors[position : position + len(pieces)]
            position += len(pieces)
            present = now.get(state.id)
            if present is None or (present.text, present.segments) != (state.text, state.segments):
                continue
            segments += [
                Patch(one, vectors={name: vector}) for (one, _), vector in zip(pieces, own, strict=True) if one
            ]
            documents.append(Patch(str(state.id), vectors={name: own.mean(axis=0)}))
        get_engine().patch(index_key(project, "segments"), segments)
        get_engine().patch(index_key(project, "documents"), documents)
    return len(documents)


def _put_into_use(context: JobContext, project_name: str, vectorization: str, chosen: _Model, dimension: int) -> None:
    with context.open(project_name, write=True) as call:
        row = require_vectorization(call.session, call.project, vectorization)
        row.model, row.building, row.learned_from = chosen.key.model, 0, chosen.learned_from
        row.dimension = dimension or row.dimension
        project = call.project
        call.unit.emit("project", {"type": "vectorized", "name": vectorization}, project=project_name)
    keep_models(project.id, KIND, chosen.key.owner_id, {chosen.key.model})
    forget_vectors(project)
