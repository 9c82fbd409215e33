"""Vectors of queries, computed by a helper process: the API builds no components and loads no learning libraries.

There is one helper per process. It starts at the first vector search (about a second) and ends by itself when it is
idle. Vectors are cached, so that the next page and the facets of a search do not compute them again.
"""

from __future__ import annotations

import os
import select
import subprocess
import sys
import threading
import time
from collections import OrderedDict
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING, TypeAlias

import orjson
import structlog
from sqlalchemy.orm import Session

from annotarium.db.models import Project, Vectorization
from annotarium.errors import InvalidInput, ServiceUnavailable
from annotarium.search import repository
from annotarium.search.params import SearchParams
from annotarium.search.query import Fuzzy, Node, Phrase, Prefix, Term, leaves, parse_advanced, parse_simple
from annotarium.search.vector_models import DEFAULT, ModelKey, hybrid_weight, indexed_vectors_name
from annotarium.system.library_threads import thread_limit_variables
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

log = structlog.get_logger(__name__)
Floats: TypeAlias = "npt.NDArray[np.float32]"
ANSWER_SECONDS = 30.0
"""Timeout in seconds for one query, which includes loading its model."""
_CACHED_VECTORS = 500


class VectorProcessGone(Exception):
    """The helper has ended or does not answer."""


class VectorClient:
    """Client of the helper process. Thread-safe; it computes one vector at a time."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._cached: OrderedDict[tuple[ModelKey, str], Floats] = OrderedDict()

    def vector(self, model: ModelKey, text: str, language: str) -> Floats:
        """Return the vector of a text.

        Raises:
            ServiceUnavailable: the model cannot be used, or the helper does not answer.
        """
        with self._lock:
            known = self._cached.pop((model, text), None)
            if known is None:
                known = self._ask(model, text, language)
            self._cached[model, text] = known
            while len(self._cached) > _CACHED_VECTORS:
                self._cached.popitem(last=False)
            return known

    def close(self) -> None:
        """Kill the helper."""
        with self._lock:
            self._end()

    def _ask(self, model: ModelKey, text: str, language: str) -> Floats:
        request = orjson.dumps({"model": list(model), "texts": [text], "language": language}) + b"\n"
        for attempt in range(2):  # a helper that has ended is started again
            try:
                return self._exchange(request)
            except (OSError, VectorProcessGone) as error:
                log.info("vector_helper_gone", attempt=attempt, error=str(error))
                self._end()
        raise ServiceUnavailable(
            "The question could not be turned into a vector",
            cause=message("search.helper", "The auxiliary process does not respond"),
        )

    def _exchange(self, request: bytes) -> Floats:
        if self._process is None or self._process.poll() is not None:
            self._end()
            self._start()
        assert self._process is not None and self._process.stdin is not None and self._process.stdout is not None
        self._process.stdin.write(request)
        self._process.stdin.flush()
        limit = time.monotonic() + ANSWER_SECONDS
        descriptor = self._process.stdout.fileno()
        buffer = b""
        while b"\n" not in buffer:
            buffer += _read_process_output(descriptor, limit)
        line, _, rest = buffer.partition(b"\n")
        answer = orjson.loads(line)
        if "error" in answer:
            raise ServiceUnavailable(**answer["error"])
        rows, dimension = answer["shape"]
        while len(rest) < rows * dimension * 4:
            rest += _read_process_output(descriptor, limit)
        import numpy as np

        return np.frombuffer(rest, dtype=np.float32)[:dimension]

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "annotarium.server.launch", "vectors"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | thread_limit_variables(os.environ),
        )

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.kill()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        process.wait()


def _read_process_output(descriptor: int, limit: float) -> bytes:
    if not select.select([descriptor], [], [], max(0.0, limit - time.monotonic()))[0]:
        raise VectorProcessGone("no answer in time")
    part = os.read(descriptor, 1 << 16)
    if not part:
        raise VectorProcessGone("it ended")
    return part


@lru_cache(maxsize=1)
def get_vector_client() -> VectorClient:
    """Return the client of this process."""
    return VectorClient()


@dataclass(frozen=True)
class ResolvedSearch:
    """A search with its query vector; `vector` is None when there is nothing to compare with."""

    params: SearchParams
    vector: Floats | None = None


def resolve_search(
    session: Session, project: Project, params: SearchParams, *, text: str | None = None, of_item: bool = False
) -> ResolvedSearch:
    """Resolve the vectorization of a search, and compute the vector of its query (or of `text`).

    With `of_item` no vector is computed, because an indexed item has its own.

    A vectorization without a trained model is not used: a hybrid search is then a full-text search. When the model
    fails, a `vector` search fails, but a hybrid one continues as full text, which the response states (`searchType`).

    Raises:
        InvalidInput: the search names a vectorization that the project does not have.
        ServiceUnavailable: a `vector` search whose query cannot be vectorized.
    """
    if params.search_type == "text":
        return ResolvedSearch(params)
    row = _choose_vectorization(session, project, params.vectorizer)
    if row is None or not row.model:
        return ResolvedSearch(replace(params, vectorizer=""))
    weight = params.weight if params.weight is not None else hybrid_weight(row.probe)
    params = replace(params, vectorizer=indexed_vectors_name(row.name, row.model), vector_weight=weight)
    if of_item:
        return ResolvedSearch(params)
    words = text if text is not None else params.vector_query.strip() or question_text(params)
    if not words:
        return ResolvedSearch(params)
    try:
        return ResolvedSearch(
            params, get_vector_client().vector(ModelKey(project.id, row.id, row.model), words, project.lang)
        )
    except ServiceUnavailable as error:
        if params.search_type == "vector":
            raise
        log.warning("search_without_vectors", project=project.name, cause=error.cause)
        return ResolvedSearch(params)


def _choose_vectorization(session: Session, project: Project, name: str) -> Vectorization | None:
    """Return the vectorization of that name; without a name the default one, else the oldest with a model (T-031)."""
    if name not in ("", DEFAULT):
        row = repository.find_vectorization(session, project.id, name)
        if row is None:
            raise InvalidInput(
                message("none.vectorizer", "There is no vectorizer {name} in this project", name=name),
                fix="Leave it out to use the default one",
            )
        return row
    made = [row for row in repository.list_vectorizations(session, project.id) if row.model]
    return next((row for row in made if row.name == DEFAULT), made[0] if made else None)


def question_text(params: SearchParams) -> str:
    """Return the words that a query searches for, without operators, excluded words and other fields."""
    node: Node = parse_simple(params.query) if params.simple else parse_advanced(params.query)
    return " ".join(_leaf_texts(leaves(node)))


def _leaf_texts(found: Iterable[Node]) -> Iterable[str]:
    for leaf in found:
        if isinstance(leaf, (Term, Phrase, Prefix, Fuzzy)) and leaf.field in (None, "text", "title"):
            yield leaf.text
