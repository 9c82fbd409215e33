"""Runs converters in a child process with limits on time and memory; documents come back through a pipe.

The child is forked from the worker, so that it starts in milliseconds, and serves file after file; it is replaced when
it dies or exceeds a limit. The pipe is the bound on memory: a child that is ahead of its reader waits.
"""

from __future__ import annotations

import contextlib
import gc
import os
import resource
import select
import signal
import struct
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import orjson

from annotarium.corpus.gate import Refused
from annotarium.settings import MEBIBYTE
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_schemas.documents import Document

BuildConverter = Callable[[str, dict[str, Any]], Converter[Any]]
"""From a component's name and parameters to a converter."""

_HEADER = struct.Struct(">cQ")
_DOCUMENT, _ITEM, _FAILED, _END = b"D", b"E", b"F", b"Z"
_FRAME_LIMIT = 1 << 30
_READ = 1 << 20
_CPU_RENEWAL = 64
"""Frames after which the child's processor time starts to count anew."""


@dataclass(frozen=True)
class Limits:
    """Of the child: memory beyond its start (bytes), processor and wall seconds without a document."""

    memory: int = 1024 * MEBIBYTE
    processor: int = 120
    wall: float = 180.0


class ConverterProcess:
    """A child that converts. Use as a context manager; one file at a time."""

    def __init__(self, build: BuildConverter, limits: Limits | None = None) -> None:
        self._build = build
        self._limits = limits or Limits()
        self._pid = 0
        self._requests = self._answers = -1
        self.read_bytes = 0
        """Bytes of documents that came so far."""

    def __enter__(self) -> ConverterProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def convert(self, name: str, parameters: dict[str, Any], source: SourceFile) -> Iterator[Document | ItemError]:
        """Documents of a file, streamed.

        Raises:
            Refused: the file cannot be read, or reading it took too much time or memory.
        """
        if not self._pid:
            self._start()
        request = {
            "component": name,
            "parameters": parameters,
            "path": str(source.path),
            "name": source.name,
            "content_type": source.content_type,
            "language": source.language,
        }
        _write(self._requests, _DOCUMENT, orjson.dumps(request))
        finished = False
        try:
            for kind, body in self._frames():
                if kind == _DOCUMENT:
                    self.read_bytes += len(body)
                    yield Document.model_validate_json(body)
                elif kind == _ITEM:
                    yield ItemError(**orjson.loads(body))
                elif kind == _FAILED:
                    finished = True
                    failure = orjson.loads(body)
                    raise Refused(failure["message"], failure["fix"])
                else:
                    finished = True
                    return
        finally:
            if not finished:
                self.stop()  # what it still had to say belongs to no other file

    def stop(self) -> None:
        """End the child."""
        if self._pid:
            with contextlib.suppress(ProcessLookupError):
                os.kill(self._pid, signal.SIGKILL)
            self._reap()

    def _reap(self) -> int:
        _, status = os.waitpid(self._pid, 0)
        for descriptor in (self._requests, self._answers):
            os.close(descriptor)
        self._pid, self._requests, self._answers = 0, -1, -1
        return os.waitstatus_to_exitcode(status)

    def _start(self) -> None:
        request_read, request_write = os.pipe()
        answer_read, answer_write = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(request_write)
            os.close(answer_read)
            _serve(request_read, answer_write, self._build, self._limits)
        os.close(request_read)
        os.close(answer_write)
        self._pid, self._requests, self._answers = pid, request_write, answer_read

    def _frames(self) -> Iterator[tuple[bytes, bytes]]:
        buffer = bytearray()
        while True:
            position = 0
            while len(buffer) - position >= _HEADER.size:
                kind, length = _HEADER.unpack_from(buffer, position)
                if length > _FRAME_LIMIT:
                    raise Refused("A document of the file is too large", "Split it into several documents")
                end = position + _HEADER.size + length
                if len(buffer) < end:
                    break
                yield kind, bytes(buffer[position + _HEADER.size : end])
                position = end
            del buffer[:position]
            buffer += self._read()

    def _read(self) -> bytes:
        poller = select.poll()
        poller.register(self._answers, select.POLLIN)
        if not poller.poll(self._limits.wall * 1000):
            self.stop()
            raise Refused(f"Reading the file was stopped: nothing came for {self._limits.wall:g} s", "Split the file")
        data = os.read(self._answers, _READ)
        if data:
            return data
        code = self._reap()
        if code == -signal.SIGXCPU:
            seconds = self._limits.processor
            raise Refused(f"Reading the file was stopped: it took over {seconds} s of processor time", "Split the file")
        raise Refused("Reading the file ended suddenly", "Check the file: it may be damaged or far too complex")


def _write(descriptor: int, kind: bytes, body: bytes) -> None:
    data = memoryview(_HEADER.pack(kind, len(body)) + body)
    while data:
        data = data[os.write(descriptor, data) :]


def _read_exactly(descriptor: int, count: int) -> bytes:
    parts = bytearray()
    while len(parts) < count:
        data = os.read(descriptor, count - len(parts))
        if not data:
            os._exit(0)  # the parent is gone
        parts += data
    return bytes(parts)


def _serve(requests: int, answers: int, build: BuildConverter, limits: Limits) -> NoReturn:
    """The child's life: convert until the parent closes the pipe. Nothing of the parent's is flushed at its end."""
    try:
        gc.freeze()
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGALRM):
            signal.signal(number, signal.SIG_DFL)
        _limit_memory(limits.memory)
        while True:
            _, length = _HEADER.unpack(_read_exactly(requests, _HEADER.size))
            _convert_one(orjson.loads(_read_exactly(requests, length)), answers, build, limits)
    except BaseException:  # noqa: BLE001  (the child must not return into the parent's code)
        os._exit(1)


def _limit_memory(allowance: int) -> None:
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return  # no such figure on this system: the wall and processor limits remain
    used = pages * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + allowance, resource.RLIM_INFINITY))


def _renew_processor_time(seconds: int) -> None:
    used = int(time.process_time()) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, hard))


def _convert_one(request: dict[str, Any], answers: int, build: BuildConverter, limits: Limits) -> None:
    source = SourceFile(Path(request["path"]), request["name"], request["content_type"], request["language"])
    frames = 0
    try:
        _renew_processor_time(limits.processor)
        for item in build(request["component"], request["parameters"]).convert(source):
            frames += 1
            if frames % _CPU_RENEWAL == 0:
                _renew_processor_time(limits.processor)
            _answer_item(item, answers, frames)
    except MemoryError:
        megabytes = limits.memory // MEBIBYTE
        _fail(answers, f"Reading the file needs more than {megabytes} MB of memory", "Split the file")
    except ComponentError as error:
        words = error.message if error.cause == error.message else f"{error.message} {error.cause}"
        _fail(answers, words, error.fix)
    except RecursionError:
        _fail(answers, "The file is nested too deep", None)
    except Exception as error:  # noqa: BLE001  (whatever a converter of somebody else raises becomes a line of the report)
        _fail(answers, f"The file cannot be read as {request['component']} ({type(error).__name__})", "Check the file")
    else:
        _write(answers, _END, b"")


def _answer_item(item: Document | ItemError, answers: int, number: int) -> None:
    if isinstance(item, ItemError):
        body = {"item": item.item, "message": item.message, "fix": item.fix}
        _write(answers, _ITEM, orjson.dumps(body))
        return
    try:
        content = item.model_dump_json(exclude_unset=True).encode()
    except (UnicodeError, ValueError):
        message = "It holds half of a surrogate pair, which is no character"
        body = {"item": f"item {number}", "message": message, "fix": "Write the whole character"}
        _write(answers, _ITEM, orjson.dumps(body))
        return
    _write(answers, _DOCUMENT, content)


def _fail(answers: int, message: str, fix: str | None) -> None:
    _write(answers, _FAILED, orjson.dumps({"message": message, "fix": fix}))
