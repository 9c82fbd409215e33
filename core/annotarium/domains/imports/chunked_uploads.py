"""Uploads in chunks, each with its offset, which continue where they stopped after a lost connection or a restart.

The number of received bytes is the length of `<id>.pieces` on disk. A complete file becomes an ordinary upload with the
same id.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO

from annotarium.access.call import Call
from annotarium.db.identifiers import now_ms
from annotarium.db.models import PartialUpload
from annotarium.domains.imports import repository, uploads
from annotarium.domains.imports.schemas import AnnouncedFile, PartialFile, UploadedFile
from annotarium.domains.imports.upload_receiving import (
    ReceivedFile,
    sanitize_filename,
    upload_path,
    write_stream_in_batches,
)
from annotarium.errors import Conflict, InvalidInput, NotFound, TooLarge
from annotarium.settings import MEBIBYTE, get_settings
from annotarium_schemas.messages import message

CHUNK_SIZE = 8 * MEBIBYTE
SUFFIX = ".pieces"
MAX_OPEN_UPLOADS = 500
"""Maximum number of incomplete chunked uploads per user."""


def chunks_path(upload_id: str) -> Path:
    """The file to which the chunks are appended."""
    return upload_path(f"{upload_id}{SUFFIX}")


def begin(call: Call, file: AnnouncedFile) -> PartialFile:
    """Create a chunked upload, or resume the one that the caller announced with the same name, size and mark.

    Raises:
        TooLarge: the size exceeds the upload limit (C-047).
        Conflict: the caller has too many incomplete uploads.
    """
    limit = get_settings().upload_limit
    if file.size > limit:
        raise TooLarge(
            message(
                "limit.file", "The file {name} is over {size} MB", name=file.filename, size=f"{limit / MEBIBYTE:g}"
            ),
            fix="Split it",
        )
    uploads.purge_expired(call)
    name = sanitize_filename(file.filename)
    if file.mark:
        known = repository.find_resumable(call.session, call.access, name, file.size, file.mark, now_ms())
        if known is not None:
            known.expires_at = _new_expiry()
            return _state(known)
    if repository.count_partial(call.session, call.access.user_id) >= MAX_OPEN_UPLOADS:
        raise Conflict(
            message("limit.files", "Too many files are being uploaded"), fix="Finish or cancel some of them first"
        )
    row = PartialUpload(
        id=secrets.token_hex(16),
        user_id=call.access.user_id,
        restriction=call.access.restriction_text,
        filename=name,
        content_type=file.content_type,
        size=file.size,
        mark=file.mark,
        expires_at=_new_expiry(),
    )
    call.session.add(row)
    call.session.flush()
    path = chunks_path(row.id)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.touch()
    return _state(row)


def _new_expiry() -> int:
    return now_ms() + get_settings().upload_ttl * 1000


def _state(row: PartialUpload) -> PartialFile:
    return PartialFile(
        id=row.id,
        filename=row.filename,
        size=row.size,
        offset=_received_byte_count(row.id),
        piece_size=CHUNK_SIZE,
        expires_at=row.expires_at,
    )


def _received_byte_count(upload_id: str) -> int:
    """Bytes on disk. After a crash between renaming and registering the file, the size of the complete file."""
    for path in (chunks_path(upload_id), upload_path(upload_id)):
        if path.is_file():
            return path.stat().st_size
    return 0


def read(call: Call, upload_id: str) -> PartialFile:
    """The state of an upload of the caller, complete or not; raises `NotFound`."""
    row = repository.find_partial(call.session, call.access, upload_id, now_ms())
    if row is not None:
        return _state(row)
    upload = uploads.require_uploads(call, [upload_id])[0]
    uploaded = UploadedFile(id=upload.id, filename=upload.filename, content_type=upload.content_type)
    return PartialFile(
        id=upload.id,
        filename=upload.filename,
        size=upload.size,
        offset=upload.size,
        piece_size=CHUNK_SIZE,
        expires_at=upload.expires_at,
        uploaded=uploaded,
    )


def extend_expiry(call: Call, upload_id: str) -> PartialFile:
    """Extend the expiry of an upload that is about to receive a chunk; returns its state."""
    row = repository.find_partial(call.session, call.access, upload_id, now_ms())
    if row is None:
        return read(call, upload_id)
    row.expires_at = _new_expiry()
    return _state(row)


async def receive(state: PartialFile, offset: int, stream: AsyncIterator[bytes]) -> None:
    """Append a chunk to the file. Bytes that arrived before a connection broke are stored.

    Raises:
        Conflict: `offset` is not the end of the file (`details` contains the end), or another chunk is being received.
        InvalidInput: the chunk exceeds the announced size; none of it is stored.
    """
    if state.uploaded is not None:
        return
    if not 0 <= offset <= state.size:
        raise InvalidInput(
            message("wrong.byte", "There is no byte {place} in a file of {size}", place=offset, size=state.size)
        )
    with _open_chunks_locked(state.id) as file:
        there = file.seek(0, os.SEEK_END)
        if offset != there:
            raise Conflict(
                message(
                    "wrong.piece",
                    "The part begins at byte {place}, but {there} bytes have arrived",
                    place=offset,
                    there=there,
                ),
                fix="Go on from there",
                details=[
                    {
                        "field": "offset",
                        "message": message("field.goOn", "Continue from {there}", there=there),
                        "offset": there,
                    }
                ],
            )

        def write(data: bytes) -> None:
            if file.tell() + len(data) > state.size:
                file.truncate(offset)
                raise InvalidInput(
                    message("wrong.moreBytes", "More bytes arrived than the announced {size}", size=state.size),
                    fix="Begin anew",
                )
            file.write(data)

        await write_stream_in_batches(stream, write)


@contextmanager
def _open_chunks_locked(upload_id: str) -> Iterator[BinaryIO]:
    try:
        file = chunks_path(upload_id).open("r+b")
    except FileNotFoundError as error:
        raise NotFound(
            message("gone.sent", "The uploaded part of this file no longer exists"), fix="Send it again"
        ) from error
    with file:
        try:
            fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise Conflict(
                message("busy.piece", "Another part of this file is being received"),
                fix="Wait for it, then ask where to go on",
            ) from error
        yield file


def assemble(state: PartialFile) -> ReceivedFile | None:
    """Rename and hash the file if it is complete; otherwise return None.

    Call it outside a transaction: reading gigabytes must not block other writers.
    """
    if state.uploaded is not None or _received_byte_count(state.id) < state.size:
        return None
    if chunks_path(state.id).is_file():
        os.replace(chunks_path(state.id), upload_path(state.id))
    with upload_path(state.id).open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    return ReceivedFile(state.id, state.filename, None, state.size, digest)


def register_if_complete(call: Call, upload_id: str, received: ReceivedFile | None) -> PartialFile:
    """Register a complete file as an upload; returns the state after the chunk."""
    row = repository.find_partial(call.session, call.access, upload_id, now_ms())
    if row is not None and received is not None:
        repository.delete_partial(call.session, [row.id])
        uploads.register(call, [replace(received, content_type=row.content_type)])
        call.session.flush()
    return read(call, upload_id)


def cancel(call: Call, upload_id: str) -> None:
    """Cancel a chunked upload and delete what was received; raises `NotFound`."""
    row = repository.find_partial(call.session, call.access, upload_id, now_ms())
    if row is None:
        raise NotFound(message("none.onItsWay", "This file is not being uploaded"))
    repository.delete_partial(call.session, [row.id])
    call.unit.after_commit(lambda: chunks_path(upload_id).unlink(missing_ok=True))
