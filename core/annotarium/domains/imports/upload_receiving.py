"""Receives files: the body is streamed to disk under a generated name; size and hash are computed on the way.

A file is written as `<id>.part` and renamed when it is complete; after an error nothing is left.
"""

from __future__ import annotations

import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Callable, Collection
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from python_multipart.exceptions import FormParserError
from python_multipart.multipart import MultipartParser, parse_options_header
from starlette.concurrency import run_in_threadpool

from annotarium.errors import InvalidInput, TooLarge
from annotarium.files.file_locks import lock_descriptor
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

FIELD = "file"
MAX_FILES, MAX_PARTS = 1_000, 2_000
_HEADER_BYTES = 16_384
_BATCH = 1 << 20
_TEXT_BYTES = 1 << 20
"""Maximum bytes of a form part that is not a file."""


@dataclass(frozen=True)
class ReceivedFile:
    """A complete file on disk. `filename` is the sanitised name from the client and never used as a path."""

    id: str
    filename: str
    content_type: str | None
    size: int
    sha256: str

    @property
    def path(self) -> Path:
        return upload_path(self.id)


def upload_path(upload_id: str) -> Path:
    """The path of an upload in the data folder."""
    return get_settings().uploads_folder / upload_id


def sanitize_filename(name: str) -> str:
    """The last segment of the name without control characters, at most 255 characters; `file` if nothing remains."""
    last = name.replace("\\", "/").rsplit("/", 1)[-1]
    cleaned = "".join(char for char in last if char.isprintable()).strip().strip(".")
    return cleaned[-255:] or "file"


def sanitize_folder_path(path: str) -> str:
    """Folder names joined by `/`, without control characters, `.` and `..`; at most 255 characters, possibly empty."""
    parts = (
        "".join(char for char in part if char.isprintable()).strip() for part in path.replace("\\", "/").split("/")
    )
    return "/".join(part for part in parts if part.strip("."))[-255:].strip("/")


class FileWriter:
    """Writes one file; computes its size and SHA-256."""

    def __init__(self, filename: str, content_type: str | None, limit: int) -> None:
        self.id = secrets.token_hex(16)
        self.filename, self.content_type, self.limit = sanitize_filename(filename), content_type, limit
        self.size = 0
        self._hash = hashlib.sha256()
        self._path = upload_path(self.id)
        self._path.parent.mkdir(parents=True, exist_ok=True)
        self._part = self._path.with_name(f"{self.id}.part")
        self._file: BinaryIO = self._part.open("xb")
        lock_descriptor(self._file.fileno())

    def write(self, data: bytes) -> None:
        """Append bytes; raises `TooLarge` beyond the limit."""
        self.size += len(data)
        if self.size > self.limit:
            megabytes = self.limit / (1024 * 1024)
            raise TooLarge(
                message("limit.file", "The file {name} is over {size} MB", name=self.filename, size=f"{megabytes:g}"),
                fix="Split it, or send a smaller one",
            )
        self._hash.update(data)
        self._file.write(data)

    def finish(self) -> ReceivedFile:
        """Close the file and rename it to its final name."""
        self._file.close()
        os.replace(self._part, self._path)
        return ReceivedFile(self.id, self.filename, self.content_type, self.size, self._hash.hexdigest())

    def discard(self) -> None:
        """Close and delete the incomplete file."""
        self._file.close()
        self._part.unlink(missing_ok=True)


class FormReceiver:
    """Parses a multipart body: writes parts named `file` to disk, collects the requested small text parts in memory."""

    def __init__(self, boundary: bytes, limit: int, texts: Collection[str] = ()) -> None:
        self.limit = limit
        self.received: list[ReceivedFile] = []
        self.texts: dict[str, bytearray] = {}
        self._wanted = texts
        self._current: FileWriter | None = None
        self._text: bytearray | None = None
        self._headers: dict[str, str] = {}
        self._field, self._value = bytearray(), bytearray()
        self.ended = False
        self._parts = 0
        self._parser = MultipartParser(
            boundary,
            callbacks={
                "on_part_begin": self._part_begin,
                "on_part_data": self._data,
                "on_part_end": self._part_end,
                "on_header_field": lambda data, start, end: self._header(self._field, data[start:end]),
                "on_header_value": lambda data, start, end: self._header(self._value, data[start:end]),
                "on_header_end": self._header_end,
                "on_headers_finished": self._headers_finished,
                "on_end": self._end,
            },
        )

    def write(self, chunk: bytes) -> None:
        """Parse a chunk of the body."""
        self._parser.write(chunk)

    def discard(self) -> None:
        """Delete all files of the body."""
        if self._current is not None:
            self._current.discard()
        for one in self.received:
            one.path.unlink(missing_ok=True)

    def _part_begin(self) -> None:
        self._headers.clear()
        self._parts += 1
        if self._parts > MAX_PARTS:
            raise InvalidInput(
                message("limit.parts", "The form has more than {number:,} parts", number=MAX_PARTS),
                fix="Send them in several calls",
            )

    def _end(self) -> None:
        self.ended = True

    def _header(self, buffer: bytearray, data: bytes) -> None:
        buffer.extend(data)
        if len(buffer) > _HEADER_BYTES:
            raise InvalidInput(message("wrong.header", "A header of the upload is too long"))

    def _header_end(self) -> None:
        self._headers[self._field.decode("latin-1").lower()] = self._value.decode("utf-8", "replace")
        self._field.clear()
        self._value.clear()

    def _headers_finished(self) -> None:
        _, options = parse_options_header(self._headers.get("content-disposition", "").encode())
        field = options.get(b"name", b"").decode("utf-8", "replace")
        if field in self._wanted:
            self._text = self.texts[field] = bytearray()
        if field != FIELD or b"filename" not in options:
            return
        if len(self.received) >= MAX_FILES:
            raise InvalidInput(
                message("limit.oneUpload", "More than {number:,} files in one upload", number=MAX_FILES),
                fix="Send them in several calls",
            )
        name = options[b"filename"].decode("utf-8", "replace")
        self._current = FileWriter(name, self._headers.get("content-type"), self.limit)

    def _data(self, data: bytes, start: int, end: int) -> None:
        if self._current is not None:
            self._current.write(data[start:end])
        elif self._text is not None:
            self._text += data[start:end]
            if len(self._text) > _TEXT_BYTES:
                raise TooLarge(
                    message("limit.formPart", "A part of the form is over {number:,} bytes", number=_TEXT_BYTES)
                )

    def _part_end(self) -> None:
        self._text = None
        if self._current is not None:
            self.received.append(self._current.finish())
            self._current = None


async def receive_form(content_type: str, stream: AsyncIterator[bytes], limit: int) -> list[ReceivedFile]:
    """The files of a multipart body, in order; raises like `receive_files_and_texts`."""
    return (await receive_files_and_texts(content_type, stream, limit))[0]


async def receive_files_and_texts(
    content_type: str, stream: AsyncIterator[bytes], limit: int, texts: Collection[str] = ()
) -> tuple[list[ReceivedFile], dict[str, bytes]]:
    """Receive a multipart body: its files, in order, and those of the text parts named in `texts` that it has.

    Raises:
        InvalidInput: the body is not multipart, is cut off or has no file.
        TooLarge: a file exceeds `limit` bytes, or a text part is too long; nothing of the body stays on disk.
    """
    kind, options = parse_options_header(content_type.encode())
    boundary = options.get(b"boundary")
    if kind != b"multipart/form-data" or not boundary:
        raise InvalidInput(
            message("wrong.multipart", "The upload is not a multipart form"),
            fix=f"Send the file as multipart part `{FIELD}`",
        )
    receiver = FormReceiver(boundary, limit, texts)
    try:
        await write_stream_in_batches(stream, receiver.write)
        if not receiver.ended:
            raise InvalidInput(message("wrong.cutOff", "The upload was interrupted"), fix="Send it again")
        if not receiver.received:
            raise InvalidInput(
                message("wrong.noFile", "The upload contains no file"), fix=f"Send the file as multipart part `{FIELD}`"
            )
    except FormParserError as error:
        await run_in_threadpool(receiver.discard)
        raise InvalidInput(message("wrong.body", "The multipart body cannot be read"), cause=str(error)) from error
    except BaseException:
        await run_in_threadpool(receiver.discard)
        raise
    return receiver.received, {name: bytes(text) for name, text in receiver.texts.items()}


async def receive_body(filename: str, content_type: str, stream: AsyncIterator[bytes], limit: int) -> ReceivedFile:
    """Store a whole request body as one file."""
    writer = FileWriter(filename, content_type, limit)
    try:
        await write_stream_in_batches(stream, writer.write)
        return await run_in_threadpool(writer.finish)
    except BaseException:
        await run_in_threadpool(writer.discard)
        raise


async def write_stream_in_batches(stream: AsyncIterator[bytes], write: Callable[[bytes], None]) -> None:
    """Pass a stream to `write` in batches of about 1 MB, each in a worker thread."""
    pending = bytearray()
    async for chunk in stream:
        pending += chunk
        if len(pending) >= _BATCH:
            await run_in_threadpool(write, bytes(pending))
            pending.clear()
    if pending:
        await run_in_threadpool(write, bytes(pending))
