"""Converts and prepares files in a child process with limits on time and memory. Documents come back through a pipe.

The child is forked from the worker, so that it starts in milliseconds, and reads one file after another. It is replaced
when it dies or exceeds a limit. The pipe bounds the memory: a child that is ahead of its reader blocks.
"""

from __future__ import annotations

import contextlib
import fcntl
import gc
import os
import resource
import select
import signal
import socket
import struct
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn

import orjson

from annotarium.content.validation import InvalidContent
from annotarium.importing.document_preparation import FIELD_NAMES_SIZE, PreparedDocument, load_prepared
from annotarium.importing.report_lines import ERROR_LINES, message_kind
from annotarium.settings import MEBIBYTE
from annotarium.system.child_processes import die_with_parent
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import Converter, ItemError, SourceFile
from annotarium_schemas.documents import Category, Document
from annotarium_schemas.messages import join_messages, message, message_of, restore_message

BuildConverter = Callable[[str, dict[str, Any]], Converter[Any]]
"""Builds a converter from a component's name and parameters."""
PrepareConverted = Callable[[Document], PreparedDocument]
"""Turns a converted document into one that is ready to be written. Runs in the child; raises `InvalidContent`."""
TokenizeDocument = Callable[[PreparedDocument], tuple[bytes, bytes]]
"""Returns the tokens and the inflected tokens of a document (see `PreparedDocument`). Runs in the child."""

_HEADER = struct.Struct(">cQ")
_DOCUMENT, _ITEM, _FAILED, _END = b"D", b"E", b"F", b"Z"
_FRAME_LIMIT = 1 << 30
_READ = 1 << 20
_CPU_RENEWAL = 64
"""Number of documents after which the limit on the child's processor time is renewed."""
_ERRORS_PER_SUM = 20_000
"""Largest number of errors in one summary. A summary also renews the processor time, because its errors were cheap."""
SPLIT_FILE_FIX = message("fix.split", "Split the file")


@dataclass(frozen=True)
class ConversionTask:
    """A file to convert.

    Attributes:
        component: name of the converter.
        path: where the file is stored.
        filename: the user's name of the file, passed to the converter.
        key: with the document's number in the file, the source of identifiers for documents without one.
        folder: a category for all documents of the file, None = none.
        parameters: parameters of the converter; missing ones have their defaults.
    """

    component: str
    path: str
    filename: str
    content_type: str | None
    language: str
    key: str
    folder: str | None = None
    parameters: dict[str, Any] = field(default_factory=dict)
    processor: int = 0
    memory: int = 0
    """Limits of this file, set by `ConverterProcess`."""


@dataclass(frozen=True)
class RefusedItem:
    """An item of a file that did not become a document, with the reason; or `count` such items.

    With `summed` they are further items of a kind of error of which `ERROR_LINES` were reported one by one.
    """

    message: str
    fix: str | None = None
    identifier: str | None = None
    count: int = 1
    summed: bool = False


@dataclass(frozen=True)
class ConversionLimits:
    """Upper limits of the child for any file: memory beyond its start (bytes), processor seconds without a document,
    and wall seconds without output.

    `of_file` returns the lower limits of one file, which depend on its size.
    """

    memory: int = 1024 * MEBIBYTE
    processor: int = 120
    wall: float = 180.0

    def of_file(self, size: int, stopped: int) -> ConversionLimits:
        """Return the limits for a file of `size` bytes.

        Once `STOPS_BEFORE_TIGHT_LIMITS` files of the import were stopped, the others get less.
        """
        megabytes = size // 1_000_000
        processor, memory = _SECONDS, _MEMORY
        if stopped >= STOPS_BEFORE_TIGHT_LIMITS:
            processor, memory = _SECONDS_AFTER, _MEMORY_AFTER
        return replace(
            self,
            processor=min(self.processor, processor + _SECONDS_A_MEGABYTE * megabytes),
            memory=min(self.memory, memory + _MEMORY_A_MEGABYTE * megabytes),
        )


_SECONDS, _SECONDS_A_MEGABYTE, _SECONDS_AFTER = 20, 6, 5
"""Processor seconds for any file, for each further megabyte, and for any file after others were stopped.

Measured: ordinary files of every format take up to 4 s per megabyte, an office file of 40 kB (packed 450 times) up to 5
s; the rest is for slow machines.
"""
_MEMORY, _MEMORY_A_MEGABYTE, _MEMORY_AFTER = 512 * MEBIBYTE, 256 * MEBIBYTE, 384 * MEBIBYTE
STOPS_BEFORE_TIGHT_LIMITS, STOPS_BEFORE_GIVING_UP = 3, 20
"""Number of files of an import stopped at a limit after which the next get tighter limits, or are not read at all."""


class ConverterProcess:
    """Runs converters in a child process. Use it as a context manager, for one file at a time."""

    def __init__(self, build: BuildConverter, finish: PrepareConverted, limits: ConversionLimits | None = None) -> None:
        self._build, self._finish = build, finish
        self.tokenize: TokenizeDocument | None = None
        """Tokenizer for the documents. Set it before the first file; None = documents come without tokens."""
        self._limits = self._now = limits or ConversionLimits()
        self._pid = 0
        self._requests = self._answers = -1
        self.read_bytes = 0
        """Bytes of the documents received so far, without field names and tokens."""
        self.on_idle: Callable[[], None] = _do_nothing
        """Called for each second without output of the child. An exception it raises ends the child and propagates."""
        self.stopped = 0
        """Number of files that were stopped at a limit or whose reading ended suddenly."""

    def __enter__(self) -> ConverterProcess:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def convert(self, task: ConversionTask) -> Iterator[PreparedDocument | RefusedItem]:
        """Yield the documents of a file as they are prepared, and the items that did not become documents.

        Raises:
            InvalidContent: the file cannot be read, or reading it took too much time or memory.
        """
        if self.stopped >= STOPS_BEFORE_GIVING_UP:
            text = "It was not read, because {count:,} files of this import took too much time or memory"
            raise InvalidContent(
                message(
                    "file.givenUp",
                    text,
                    one="It was not read, because {count:,} file of this import took too much time or memory",
                    count=self.stopped,
                ),
                message("fix.sendApart", "Import it separately"),
            )
        if not self._pid:
            self._start()
        self._now = self._limits.of_file(_size_of(task.path), self.stopped)
        task = replace(task, processor=self._now.processor, memory=self._now.memory)
        _write_frame(self._requests, _DOCUMENT, orjson.dumps(asdict(task)))
        finished = False
        try:
            for kind, body in self._frames():
                if kind == _DOCUMENT:
                    prepared = load_prepared(body)
                    tokens_size = len(prepared.tokens) + len(prepared.inflected_tokens)
                    self.read_bytes += len(body) - FIELD_NAMES_SIZE - tokens_size
                    yield prepared
                elif kind == _ITEM:
                    yield RefusedItem(**_decode_message(body))
                elif kind == _FAILED:
                    finished = True
                    failure = _decode_message(body)
                    self.stopped += bool(failure.get("stopped"))
                    raise InvalidContent(failure["message"], failure["fix"])
                else:
                    finished = True
                    return
        finally:
            if not finished:
                self.stop()  # the rest of its output must not be taken for output of the next file

    def stop(self) -> None:
        """Kill the child, if there is one."""
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
        _enlarge_pipe(answer_write)
        parent = os.getpid()
        pid = os.fork()
        if pid == 0:
            # A child that outlives a killed import would keep what it inherited, above all its locks.
            die_with_parent(parent)
            os.close(request_write)
            os.close(answer_read)
            _Child(answer_write, self._build, self._finish, self.tokenize).serve(request_read)
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
                    words = message("file.largeDocument", "A document of the file is too large")
                    raise InvalidContent(words, message("fix.splitDocument", "Split it into several documents"))
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
        limit = time.monotonic() + self._limits.wall
        while not poller.poll(min(1.0, self._limits.wall) * 1000):
            if time.monotonic() < limit:
                self.on_idle()
                continue
            self.stop()
            self.stopped += 1
            text = "Reading the file was stopped: there was no progress for {seconds:g} s"
            raise InvalidContent(message("file.silent", text, seconds=self._limits.wall), SPLIT_FILE_FIX)
        data = os.read(self._answers, _READ)
        if data:
            return data
        code = self._reap()
        self.stopped += 1
        if code == -signal.SIGXCPU:
            seconds = self._now.processor
            text = "Reading the file was stopped: it took over {seconds} s of processor time"
            raise InvalidContent(message("file.slow", text, seconds=seconds), SPLIT_FILE_FIX)
        words = message("file.suddenEnd", "Reading the file ended suddenly")
        raise InvalidContent(words, message("fix.tooComplex", "Check the file: it may be damaged or far too complex"))


def _do_nothing() -> None:
    return


def _size_of(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError:
        return 0


def _enlarge_pipe(pipe: int) -> None:
    """Let the pipe buffer a megabyte where the system can, so that the two processes wake each other less often."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, _READ)


def _write_frame(descriptor: int, kind: bytes, body: bytes) -> None:
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


def _used_memory() -> int:
    """Return the bytes of address space in use, 0 where the system does not report them.

    Without the figure memory is not limited; the limits on wall and processor time remain.
    """
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[0])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _limit_memory(used: int, allowance: int) -> None:
    if used:
        resource.setrlimit(resource.RLIMIT_AS, (used + allowance, resource.RLIM_INFINITY))


def _close_network() -> None:
    """Disable network access: converters read files only, and no address in a file may make the server open a
    connection.
    """

    def refuse(*_: object) -> NoReturn:
        raise PermissionError("Converters have no network")

    for name in ("connect", "connect_ex", "bind", "sendto"):
        setattr(socket.socket, name, refuse)


def _extend_processor_time_limit(seconds: int) -> None:
    used = int(time.process_time()) + 1
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    resource.setrlimit(resource.RLIMIT_CPU, (used + seconds, hard))


class _Child:
    """The child process: converts files until the parent closes the pipe.

    It ends with `os._exit`, so that no buffer inherited from the parent is flushed.
    """

    def __init__(
        self, answers: int, build: BuildConverter, finish: PrepareConverted, tokenize: TokenizeDocument | None
    ) -> None:
        self._answers, self._build, self._finish, self._cut = answers, build, finish, tokenize
        self._used = self._processor = 0
        self._errors = _ErrorGroups(self._send_sum)

    def serve(self, requests: int) -> NoReturn:
        """Process tasks until the pipe is closed. Never returns, so that the child never runs the parent's code."""
        try:
            gc.freeze()
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGXCPU, signal.SIGALRM):
                signal.signal(number, signal.SIG_DFL)
            self._used = _used_memory()
            _close_network()
            while True:
                _, length = _HEADER.unpack(_read_exactly(requests, _HEADER.size))
                self._convert(ConversionTask(**orjson.loads(_read_exactly(requests, length))))
        except BaseException:  # noqa: BLE001  (whatever it is must end here)
            os._exit(1)

    def _convert(self, task: ConversionTask) -> None:
        source = SourceFile(Path(task.path), task.filename, task.content_type, task.language)
        try:
            self._errors = _ErrorGroups(self._send_sum)
            self._processor = task.processor
            _limit_memory(self._used, task.memory)
            _extend_processor_time_limit(task.processor)
            number = documents = 0
            for found in self._build(task.component, task.parameters).convert(source):
                if isinstance(found, ItemError):
                    number += found.count
                    self._note_error(found)
                    continue
                number, documents = number + 1, documents + 1
                if documents % _CPU_RENEWAL == 0:
                    _extend_processor_time_limit(task.processor)
                self._answer(task, number, found)
        except MemoryError:
            megabytes = task.memory // MEBIBYTE
            much = message("file.memory", "Reading the file needs more than {size} MB of memory", size=megabytes)
            self._fail(much, SPLIT_FILE_FIX, stopped=True)
        except ComponentError as error:
            words = error.message if error.cause == error.message else join_messages([error.message, error.cause], " ")
            self._fail(words, error.fix)
        except RecursionError:
            self._fail(message("file.deep", "The file is nested too deep."), None)
        except Exception as error:  # noqa: BLE001  (a converter of somebody else may raise anything)
            text = "The file cannot be read as {converter} ({error})"
            words = message("file.unreadable", text, converter=task.component, error=type(error).__name__)
            self._fail(words, message("fix.check", "Check the file"))
        else:
            self._errors.send_sums()
            _write_frame(self._answers, _END, b"")

    def _note_error(self, item_error: ItemError) -> None:
        if self._errors.is_summed(item_error.message, item_error.fix, item_error.count):
            return
        self._refuse(
            join_messages([item_error.item, item_error.message], ": "), item_error.fix, None, count=item_error.count
        )

    def _send_sum(self, message: str, fix: str | None, count: int) -> None:
        _extend_processor_time_limit(self._processor)
        more = {"identifier": None, "count": count, "summed": True}
        _write_frame(self._answers, _ITEM, orjson.dumps(_encode_message(message, fix) | more))

    def _answer(self, task: ConversionTask, number: int, found: Document) -> None:
        self._errors.send_sums()
        identifier = found.identifier
        try:
            if not identifier:
                found.identifier = sha256(f"{task.key}#{number}".encode()).hexdigest()[:24]
            if task.folder:
                found.categories.append(Category(label=task.folder))
            prepared = self._finish(found)
            lines = [prepared.dump()]
            if self._cut is not None:
                lines += self._cut(prepared)
            _write_frame(self._answers, _DOCUMENT, b"\n".join(lines))
        except InvalidContent as error:
            if not self._errors.is_summed(error.message, error.fix, 1):
                self._refuse(error.message, error.fix, identifier)
        except orjson.JSONEncodeError as error:
            self._refuse(message("document.value", "A value cannot be stored: {why}", why=str(error)), None, identifier)

    def _refuse(self, message: str, fix: str | None, identifier: str | None, *, count: int = 1) -> None:
        self._errors.send_sums()
        shown = identifier[:255] if identifier and identifier.isprintable() else None
        _write_frame(
            self._answers, _ITEM, orjson.dumps(_encode_message(message, fix) | {"identifier": shown, "count": count})
        )

    def _fail(self, message: str, fix: str | None, *, stopped: bool = False) -> None:
        self._errors.send_sums()
        _write_frame(self._answers, _FAILED, orjson.dumps(_encode_message(message, fix) | {"stopped": stopped}))


class _ErrorGroups:
    """Groups the errors of one file: the first of each kind are reported one by one, later ones in summaries.

    Args:
        send_sums: called with message, fix and count of each summary.
    """

    def __init__(self, send_sums: Callable[[str, str | None, int], None]) -> None:
        self._send = send_sums
        self._met: Counter[str] = Counter()
        self._more: dict[str, tuple[str, str | None, int]] = {}
        self._count = 0

    def is_summed(self, message: str, fix: str | None, count: int) -> bool:
        """Count an error. Returns True when it belongs to a summary that `send_sums` will send."""
        kind = message_kind(message)
        if kind not in self._met and len(self._met) >= ERROR_LINES:
            kind = ""
        self._met[kind] += 1
        if self._met[kind] <= ERROR_LINES:
            return False
        first = self._more.get(kind)
        self._more[kind] = (first[0], first[1], first[2] + count) if first else (message, fix, count)
        self._count += 1
        if self._count >= _ERRORS_PER_SUM:
            self.send_sums()
        return True

    def send_sums(self) -> None:
        """Send the summaries collected so far."""
        if self._more:
            more, self._more, self._count = self._more, {}, 0
            for message, fix, count in more.values():
                self._send(message, fix, count)


def _encode_message(message: str, fix: str | None) -> dict[str, Any]:
    return {"message": str(message), "fix": fix and str(fix), "said": message_of(message=message, fix=fix)}


def _decode_message(body: bytes) -> dict[str, Any]:
    """Return what `_encode_message` wrote, with message codes and values restored."""
    decoded: dict[str, Any] = orjson.loads(body)
    said = decoded.pop("said", None) or {}
    return decoded | {name: restore_message(decoded[name], wire) for name, wire in said.items()}
