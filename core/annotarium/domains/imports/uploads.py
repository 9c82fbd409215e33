"""Rules of uploads: they belong to their uploader and expire; images are checked by content."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from annotarium.access.call import Call
from annotarium.content.project_images import image_path, may_read_image
from annotarium.content.repository import find_image
from annotarium.db.identifiers import now_ms
from annotarium.db.models import Upload
from annotarium.domains.imports import repository
from annotarium.domains.imports.schemas import UploadedFile, UploadedFileInfo
from annotarium.domains.imports.upload_receiving import ReceivedFile, upload_path
from annotarium.errors import InvalidInput, NotFound
from annotarium.files.image_headers import MAX_FRAMES_PIXELS, MAX_PIXELS, read_image_header
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

LONGEST_TTL = 30 * 86_400
"""Maximum lifetime of an upload in seconds."""
_PURGED_AT_ONCE = 100


def image_type(path: Path) -> str | None:
    """Content type of a PNG, JPEG or GIF that is small enough to display; None for anything else."""
    facts = read_image_header(path.read_bytes())
    return facts.kind if facts is not None and facts.is_drawable else None


def _require_image(file: ReceivedFile) -> str:
    """Content type of a project image.

    Raises:
        InvalidInput: the file is not a PNG, JPEG or GIF (C-048), is damaged, or has too many pixels.
    """
    facts = read_image_header(file.path.read_bytes())
    if facts is None or not facts.width * facts.height:
        raise InvalidInput(
            message("wrong.image", "{name} is not a jpg, png or gif image", name=file.filename),
            fix="Choose another image and send it again",
        )
    if not facts.is_drawable:
        words = "{name} has {number:,} pixels, {count:,} at most"
        pixels = facts.width * facts.height * facts.frames
        most = MAX_FRAMES_PIXELS if facts.frames > 1 else MAX_PIXELS
        raise InvalidInput(
            message("wrong.imagePixels", words, name=file.filename, number=pixels, count=most),
            fix=message("fix.smallerImage", "Reduce its size and upload it again"),
        )
    return facts.kind


def register(call: Call, files: Sequence[ReceivedFile], *, ttl: int = 0, image: bool = False) -> list[UploadedFile]:
    """Create the rows of received files; deletes expired uploads.

    Args:
        ttl: lifetime in seconds unless an import uses the files; 0 = the setting `upload_ttl`.
        image: the files are project images.

    Raises:
        InvalidInput: a file sent as an image is not a valid one (`_require_image`).
    """
    purge_expired(call)
    seconds = min(ttl, LONGEST_TTL) if ttl > 0 else get_settings().upload_ttl
    answer = []
    for file in files:
        content_type = file.content_type
        if image:
            content_type = _require_image(file)
            image_path(file.id).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file.path, image_path(file.id))
        call.session.add(
            Upload(
                id=file.id,
                user_id=call.access.user_id,
                restriction=call.access.restriction_text,
                filename=file.filename,
                content_type=content_type,
                size=file.size,
                sha256=file.sha256,
                image=image,
                expires_at=now_ms() + seconds * 1000,
            )
        )
        answer.append(UploadedFile(id=file.id, filename=file.filename, content_type=content_type))
    return answer


def discard(files: Sequence[ReceivedFile]) -> None:
    """Delete files whose registration failed."""
    for file in files:
        file.path.unlink(missing_ok=True)
        image_path(file.id).unlink(missing_ok=True)


def read_upload(call: Call, upload_id: str) -> UploadedFileInfo:
    """Confirm that an upload of the caller exists; raises `NotFound`."""
    require_uploads(call, [upload_id])
    return UploadedFileInfo(id=upload_id)


def require_uploads(call: Call, ids: Sequence[str]) -> list[Upload]:
    """The caller's uploads, in the requested order. Uploads of other users count as missing (T16).

    Raises:
        NotFound: an upload is missing or has expired.
    """
    found = repository.find_uploads(call.session, call.access, ids, now_ms())
    missing = [upload_id for upload_id in ids if upload_id not in found or not upload_path(upload_id).is_file()]
    if missing:
        raise NotFound(
            message("none.upload", "There is no upload {name}", name=missing[0]),
            fix="Upload the file again: it may have expired",
        )
    return [found[upload_id] for upload_id in ids]


def keep_for_job(call: Call, uploads: Sequence[Upload]) -> None:
    """Extend the expiry of uploads beyond the longest possible run of the job that reads them."""
    settings = get_settings()
    until = now_ms() + (settings.job_timeout + settings.upload_ttl) * 1000
    repository.set_expiry(call.session, [upload.id for upload in uploads], until)


def read_image(call: Call, image_id: str) -> tuple[Path, str]:
    """Path and content type of a project image that the caller may read or has uploaded.

    Raises:
        NotFound: the image does not exist or the caller may not read it.
    """
    image = find_image(call.session, image_id)
    if image is None or not may_read_image(call, image) or not image_path(image.id).is_file():
        raise NotFound(message("none.suchImage", "This image does not exist"))
    return image_path(image.id), image.content_type or "application/octet-stream"


def purge_expired(call: Call) -> int:
    """Delete at most 100 expired uploads, and as many chunked ones; returns how many. Images in use never expire."""
    ids = repository.expired_upload_ids(call.session, now_ms(), _PURGED_AT_ONCE)
    if ids:
        repository.delete_uploads(call.session, ids)
        call.unit.after_commit(lambda: _remove_files(ids))
    partial = repository.expired_partial_upload_ids(call.session, now_ms(), _PURGED_AT_ONCE)
    if partial:
        repository.delete_partial(call.session, partial)
        call.unit.after_commit(lambda: _remove_files([f"{upload_id}.pieces" for upload_id in partial]))
    return len(ids) + len(partial)


def delete_uploads(call: Call, ids: Sequence[str]) -> None:
    """Delete uploads of the caller that are not needed any more."""
    own = [upload.id for upload in repository.find_uploads(call.session, call.access, ids, now_ms()).values()]
    if own:
        repository.delete_uploads(call.session, own)
        call.unit.after_commit(lambda: _remove_files(own))


def _remove_files(ids: Sequence[str]) -> None:
    for upload_id in ids:
        upload_path(upload_id).unlink(missing_ok=True)
        image_path(upload_id).unlink(missing_ok=True)
