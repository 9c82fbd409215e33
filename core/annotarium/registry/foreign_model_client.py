"""Models trained elsewhere and accepted by an administrator: run in a separate process without any rights.

The caller gets the real component class without its model; methods that need the model are forwarded to the process. If
the process ends by itself, the model is marked as crashed and not tried again, not even by a retry of the job.
"""

from __future__ import annotations

import base64
import math
import os
import select
import signal
import subprocess
import sys
import weakref
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson
import structlog

from annotarium.errors import Conflict
from annotarium.registry.foreign_model_server import HEADER, write_frame
from annotarium.registry.loading import AnyComponent
from annotarium.registry.model_signatures import mark_crashed
from annotarium.registry.registry import get_registry
from annotarium.settings import MEBIBYTE, get_settings
from annotarium.system.child_processes import die_with_parent
from annotarium.system.library_threads import thread_limit_variables
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.topic_learner import Topic, Topics
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import numpy as np

log = structlog.get_logger(__name__)
_PASSED = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "PYTHONPATH", "PYTHONHASHSEED", "VIRTUAL_ENV")
"""Environment variables passed to the process; none contains an address, password, secret or folder."""
THREADS = thread_limit_variables({})
"""A foreign model has one thread, whatever the setting."""
_DOCUMENTS = 50
"""Documents per request."""
_SILENT_SECONDS = 180.0
_PROCESSOR_SECONDS = 3_600
_FRAME_LIMIT = 256 * MEBIBYTE
TRAIN_HERE = message("fix.trainModelHere", "Train the model here, or ask an administrator to reject it")


class ForeignModelProcess:
    """The process of one model; it is killed with this object. Handles one request at a time."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        parent = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "annotarium.registry.foreign_model_server"],
            env={name: os.environ[name] for name in _PASSED if name in os.environ} | THREADS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            close_fds=True,
            cwd="/",
            start_new_session=True,
            preexec_fn=lambda: die_with_parent(parent),
            bufsize=0,
        )
        self._end = weakref.finalize(self, _kill_process, self._process)

    def ask(self, do: str, **arguments: Any) -> Any:
        """Send a request and return its result.

        Raises:
            Conflict: the process crashed or did not respond in time, or the model does not support the request.
            ComponentError: an error reported by the component.
        """
        assert self._process.stdin is not None
        try:
            write_frame(self._process.stdin.fileno(), orjson.dumps({"do": do} | arguments))
        except BrokenPipeError:
            raise self._crashed() from None
        answer = self._read_answer()
        if "error" not in answer:
            return answer.get("answer")
        if answer["error"] == "component":
            raise ComponentError(str(answer["message"]), cause=str(answer["cause"]), fix=str(answer["fix"] or ""))
        if answer["error"] == "memory":
            size = get_settings().foreign_model_memory // MEBIBYTE
            words = message("model.memory", "The external model needs more than {size} MB of memory", size=size)
            raise Conflict(words, fix=TRAIN_HERE)
        words = message("model.failed", "The external model cannot be used")
        raise Conflict(words, cause=str(answer.get("cause", ""))[:500], fix=TRAIN_HERE)

    def _read_answer(self) -> dict[str, Any]:
        length = HEADER.unpack(self._read_exactly(HEADER.size))[0]
        body = self._read_exactly(length) if length <= _FRAME_LIMIT else b""
        try:
            answer = orjson.loads(body)
        except orjson.JSONDecodeError:
            answer = None
        if not isinstance(answer, dict):  # the process is not trusted: its output is checked
            self._process.kill()
            raise self._crashed("it answered with something else than was asked for")
        return answer

    def _read_exactly(self, count: int) -> bytes:
        assert self._process.stdout is not None
        descriptor = self._process.stdout.fileno()
        parts = bytearray()
        poller = select.poll()
        poller.register(descriptor, select.POLLIN)
        while len(parts) < count:
            if not poller.poll(_SILENT_SECONDS * 1000):
                self._process.kill()
                raise self._crashed(f"it said nothing for {_SILENT_SECONDS:.0f} s")
            data = os.read(descriptor, min(count - len(parts), MEBIBYTE))
            if not data:
                raise self._crashed()
            parts += data
        return bytes(parts)

    def _crashed(self, why: str | None = None) -> Conflict:
        """Mark the model as crashed, so that it is not run again; returns the error to raise."""
        status = self._process.wait()
        reason = why or (signal.Signals(-status).name if status < 0 else f"exit {status}")
        mark_crashed(self._folder, reason)
        log.error("foreign_model_crashed", folder=str(self._folder), reason=reason)
        return model_crashed_error(reason)


def model_crashed_error(reason: str) -> Conflict:
    """The error for a model whose process crashed."""
    return Conflict(
        message("model.crashed", "The external model crashed and is not run again"), cause=reason, fix=TRAIN_HERE
    )


def _kill_process(process: subprocess.Popen[bytes]) -> None:
    process.kill()
    process.wait()
    for pipe in (process.stdin, process.stdout):
        if pipe is not None:
            pipe.close()


def load_foreign_model(folder: Path, kind: str, name: str, parameters: dict[str, Any], version: str) -> AnyComponent:
    """The component of a foreign model. Errors as in `ForeignModelProcess.ask`."""
    process = ForeignModelProcess(folder)
    held = process.ask(
        "load",
        kind=kind,
        name=name,
        parameters=parameters,
        version=version,
        folder=str(folder),
        memory=get_settings().foreign_model_memory,
        seconds=_PROCESSOR_SECONDS,
    )
    log.info("foreign_model_loaded", folder=str(folder), confined=held)
    component = get_registry().build(kind, name, parameters, trained=True)
    proxy = _ForeignModelProxy(process)
    for method in ("predict", "rank", "topics", "vectorize", "annotate"):
        if hasattr(component, method):
            setattr(component, method, getattr(proxy, method))
    return component


class _ForeignModelProxy:
    """The methods of a component that need its model; their results are checked like any untrusted input."""

    def __init__(self, process: ForeignModelProcess) -> None:
        self._process = process

    def predict(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """As `Learner.predict`."""
        yield from self._documents("predict", documents, language)

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """As `Gazetteer.annotate`."""
        yield from self._documents("annotate", documents, language)

    def rank(self, documents: Iterable[Document], language: str, *, limit: int = 5) -> Iterator[Document]:
        """As `Learner.rank`."""
        yield from self._documents("rank", documents, language, limit=limit)

    def _documents(self, do: str, documents: Iterable[Document], language: str, **more: Any) -> Iterator[Document]:
        left = iter(documents)
        while batch := list(islice(left, _DOCUMENTS)):
            given = [one.model_dump(mode="json") for one in batch]
            found = self._process.ask(do, documents=given, language=language, **more)
            if not isinstance(found, list) or len(found) != len(batch):
                raise _invalid_answer_error()
            for document, answer in zip(batch, found, strict=True):
                yield _checked_prediction(document, answer)

    def topics(self) -> Topics:
        """As `TopicLearner.topics`."""
        answer = self._process.ask("topics")
        try:
            topics = tuple(
                Topic(**one | {"words": tuple((str(w), float(x)) for w, x in one["words"])})
                for one in answer.pop("topics")
            )
            return Topics(topics=topics, **answer)
        except (AttributeError, KeyError, TypeError, ValueError) as error:
            raise _invalid_answer_error() from error

    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """As `Vectorizer.vectorize`."""
        import numpy as np

        answer = self._process.ask("vectorize", texts=list(texts), language=language)
        try:
            found = np.frombuffer(base64.b64decode(answer["bytes"]), dtype="<f4").reshape(answer["shape"])
        except (KeyError, TypeError, ValueError) as error:
            raise _invalid_answer_error() from error
        if found.ndim != 2 or len(found) != len(texts) or not np.isfinite(found).all():
            raise _invalid_answer_error()
        return found.copy()


def _invalid_answer_error() -> Conflict:
    words = message("model.strange", "The external model returned an invalid result")
    return Conflict(words, fix=TRAIN_HERE)


def _checked_prediction(document: Document, answer: Any) -> Document:
    """The document with the prediction, after checking that offsets are in the text and scores are finite."""
    try:
        found = Document.model_validate(answer)
    except ValueError as error:
        raise _invalid_answer_error() from error
    length = len(document.text)
    items: list[Annotation | Category] = [*found.annotations, *found.categories]
    for one in items:
        start, end = one.start, one.end
        whole = start is None and end is None
        inside = start is not None and end is not None and 0 <= start < end <= length
        if not (whole or inside) or (one.score is not None and not math.isfinite(one.score)):
            raise _invalid_answer_error()
    return document.model_copy(update={"annotations": found.annotations, "categories": found.categories})
