"""Process that computes vectors of queries: `python -m annotarium.server.launch vectors`, started by `query_vectors`.

A request is a line of JSON; a response is a line of JSON followed by the numbers. Models stay loaded. The process ends
after a time without requests, which frees its memory.
"""

from __future__ import annotations

import os
import select
import sys
from collections import OrderedDict
from typing import IO, Any

import numpy as np
import orjson
import structlog

from annotarium.errors import AnnotariumError
from annotarium.search.vector_models import ModelKey, open_vectorizer
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.vectorizer import Vectorizer

log = structlog.get_logger(__name__)
IDLE_SECONDS = 600.0
_MAX_LOADED = 3
"""Number of models kept loaded; the default one takes about 60 MB for a large corpus."""


class _LoadedModels:
    """Loaded models, the least recently used first."""

    def __init__(self) -> None:
        self._held: OrderedDict[ModelKey, Vectorizer[Any]] = OrderedDict()

    def get(self, key: ModelKey) -> Vectorizer[Any]:
        vectorizer = self._held.pop(key, None) or open_vectorizer(key)
        self._held[key] = vectorizer
        while len(self._held) > _MAX_LOADED:
            self._held.popitem(last=False)
        return vectorizer


def serve_vectors(requests: IO[bytes], answers: IO[bytes], idle_seconds: float = IDLE_SECONDS) -> None:
    """Respond to requests until the input ends or there was none for `idle_seconds`."""
    models = _LoadedModels()
    while select.select([requests], [], [], idle_seconds)[0]:
        line = requests.readline()
        if not line:
            return
        _answer(models, orjson.loads(line), answers)


def _answer(models: _LoadedModels, request: dict[str, Any], answers: IO[bytes]) -> None:
    try:
        vectorizer = models.get(ModelKey(*request["model"]))
        vectors = np.ascontiguousarray(vectorizer.vectorize(request["texts"], request["language"]), dtype=np.float32)
    except (AnnotariumError, ComponentError) as error:
        _write_error(answers, error.message, error.cause, error.fix)
        return
    except Exception as error:
        log.exception("question_not_vectorized")
        _write_error(answers, "The vectorizer failed", f"{type(error).__name__}: {error}", None)
        return
    answers.write(orjson.dumps({"shape": vectors.shape}) + b"\n")
    answers.write(vectors.tobytes())
    answers.flush()


def _write_error(answers: IO[bytes], message: str, cause: str | None, fix: str | None) -> None:
    answers.write(orjson.dumps({"error": {"message": message, "cause": cause, "fix": fix}}) + b"\n")
    answers.flush()


def main() -> None:
    """Serve on standard input and output."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # printed text must not be taken for a response
    requests = os.fdopen(sys.stdin.fileno(), "rb", buffering=0)  # unbuffered, so that `select` sees all unread input
    serve_vectors(requests, answers)
