"""The process that runs a foreign model: `python -m annotarium.registry.foreign_model_server`.

It is a fresh interpreter, not a fork: its memory never contained the database, the secret or other users' data, and its
environment names none. It reads from its input what to load, drops its rights (`confinement`) before a byte of the
model is read, and then handles requests until its input ends. Frames: 8 bytes of length, then JSON.
"""

from __future__ import annotations

import base64
import os
import struct
import sys
from dataclasses import asdict
from pathlib import Path
from typing import Any, cast

import orjson

from annotarium.registry.confinement import confine
from annotarium.registry.registry import Registry
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_plugins.base.learner import Learner
from annotarium_plugins.base.topic_learner import TopicLearner
from annotarium_plugins.base.vectorizer import Vectorizer
from annotarium_schemas.documents import Document

HEADER = struct.Struct(">Q")
_SYSTEM = (*("/usr", "/lib", "/lib32", "/lib64", "/bin", "/etc/ld.so.cache", "/etc/localtime", "/etc/os-release"),)
_DEVICES = (
    "/dev/null",
    "/dev/zero",
    "/dev/urandom",
    "/dev/random",
    "/proc/self",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/proc/stat",
    "/sys/devices/system/cpu",
)


def _readable_paths(folder: Path) -> list[Path]:
    """What the process needs to read: libraries of the system, of Python and ours, and the model."""
    python = [sys.prefix, sys.base_prefix, sys.exec_prefix, *(path for path in sys.path if path)]
    return [folder, *map(Path, (*_SYSTEM, *_DEVICES, *python))]


class _ForeignModelServer:
    """Handles requests for one component."""

    def __init__(self) -> None:
        self._component: Any = None

    def answer(self, request: dict[str, Any]) -> Any:
        """The result of one request; its `do` selects a method of this class."""
        return getattr(self, f"do_{request.pop('do')}")(**request)

    def do_load(
        self, kind: str, name: str, parameters: dict[str, Any], version: str, folder: str, memory: int, seconds: int
    ) -> list[str]:
        """Build the component, drop all rights, load the model. Returns which restrictions apply (see `confine`)."""
        component = Registry().build(kind, name, parameters, trained=True)
        if component.version != version:
            raise ValueError(f"another version of the {kind}")
        component.import_libraries()
        held = confine(_readable_paths(Path(folder)), memory=memory, seconds=seconds)
        cast(Any, component).load(Path(folder))
        self._component = component
        return held

    def do_predict(self, documents: list[dict[str, Any]], language: str) -> list[Any]:
        """`Learner.predict`, with documents as JSON."""
        assert isinstance(self._component, Learner)
        given = [Document.model_validate(one) for one in documents]
        return [one.model_dump(mode="json") for one in self._component.predict(given, language)]

    def do_annotate(self, documents: list[dict[str, Any]], language: str) -> list[Any]:
        """`Gazetteer.annotate`, with documents as JSON."""
        assert isinstance(self._component, Gazetteer)
        given = [Document.model_validate(one) for one in documents]
        return [one.model_dump(mode="json") for one in self._component.annotate(given, language)]

    def do_rank(self, documents: list[dict[str, Any]], language: str, limit: int) -> list[Any]:
        """`Learner.rank`, with documents as JSON."""
        assert isinstance(self._component, Learner)
        given = [Document.model_validate(one) for one in documents]
        return [one.model_dump(mode="json") for one in self._component.rank(given, language, limit=limit)]

    def do_topics(self) -> dict[str, Any]:
        """`TopicLearner.topics`, as JSON."""
        assert isinstance(self._component, TopicLearner)
        return asdict(self._component.topics())

    def do_vectorize(self, texts: list[str], language: str) -> dict[str, Any]:
        """`Vectorizer.vectorize`, with vectors as base64 of little-endian float32."""
        assert isinstance(self._component, Vectorizer)
        found = self._component.vectorize(texts, language).astype("<f4")
        return {"shape": list(found.shape), "bytes": base64.b64encode(found.tobytes()).decode()}


def read_frame(descriptor: int) -> bytes | None:
    """The next frame, None at the end of the input."""
    header = _read_exactly(descriptor, HEADER.size)
    return _read_exactly(descriptor, HEADER.unpack(header)[0]) if header is not None else None


def _read_exactly(descriptor: int, count: int) -> bytes | None:
    parts = bytearray()
    while len(parts) < count:
        data = os.read(descriptor, min(count - len(parts), 1 << 20))
        if not data:
            return None
        parts += data
    return bytes(parts)


def write_frame(descriptor: int, body: bytes) -> None:
    data = memoryview(HEADER.pack(len(body)) + body)
    while data:
        data = data[os.write(descriptor, data) :]


def main() -> None:
    """Handle requests until the input ends."""
    answers = os.dup(1)
    os.dup2(2, 1)  # output of libraries must not mix with responses
    server = _ForeignModelServer()
    while (frame := read_frame(0)) is not None:
        try:
            answer: dict[str, Any] = {"answer": server.answer(orjson.loads(frame))}
        except MemoryError:
            answer = {"error": "memory", "cause": "MemoryError"}
        except ComponentError as error:
            answer = {"error": "component", "message": error.message, "cause": error.cause, "fix": error.fix}
        except Exception as error:  # noqa: BLE001  (untrusted model code may raise anything)
            answer = {"error": "failed", "cause": f"{type(error).__name__}: {error}"[:500]}
        write_frame(answers, orjson.dumps(answer, option=orjson.OPT_SERIALIZE_NUMPY))


if __name__ == "__main__":
    main()
