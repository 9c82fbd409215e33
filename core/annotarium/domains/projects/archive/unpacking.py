"""Opens archives: reads the manifest first, then unpacks all files and checks each against the manifest."""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from annotarium.content.validation import InvalidContent
from annotarium.domains.projects.archive import archive_format
from annotarium.domains.projects.archive.model_files import (
    ModelFile,
    check_not_pickled,
    parse_model_file_name,
    unknown_file_error,
)
from annotarium.files.file_locks import locked_folder
from annotarium.importing.archives import ArchiveLimits, UnreadArchiveMember, read_members, read_small_member
from annotarium.settings import get_settings
from annotarium_schemas.messages import join_messages, message

_FACTS_LIMIT = 64 << 20
_TABLE = re.compile(r"tables/[a-z_]{1,60}\.jsonl")
_KINDS = {
    archive_format.PROJECT_FORMAT: message("kind.project", "a project archive"),
    archive_format.MODELS_FORMAT: message("kind.models", "an archive of models"),
}
_HARMLESS = 1 << 30
"""Inflation ratios are only checked above this size in bytes: repetitive texts, or models that consist mostly of zeros,
are compressed by a factor of a thousand, and every exported project must be importable.
"""
EXPORT_AGAIN_FIX = message("fix.exportAgain", "Export it again")
_EXPORTED_HERE = message("fix.exportedHere", "Choose a file that was exported here")


@dataclass
class Unpacked:
    """An unpacked archive, complete and with verified hashes.

    Attributes:
        tables: files of rows by table name.
        models: folders of models by kind, id of the row and timestamp.
    """

    manifest: dict[str, Any]
    settings: dict[str, Any]
    documents: Path | None = None
    image: Path | None = None
    tables: dict[str, Path] = field(default_factory=dict)
    models: dict[tuple[str, int, str], Path] = field(default_factory=dict)


def read_manifest(path: Path, wanted: str = archive_format.PROJECT_FORMAT) -> dict[str, Any]:
    """What an archive says of itself.

    Raises:
        InvalidContent: the file is not an archive of this format, is incomplete, or was written by a newer release.
    """
    manifest = _parse_json_object(read_small_member(path, archive_format.MANIFEST, _FACTS_LIMIT), _KINDS[wanted])
    given = manifest.get("format")
    if given != wanted:
        met = _KINDS.get(str(given)) or message("kind.other", "of another type")
        raise InvalidContent(
            message("archive.otherFormat", "The file is not {what}: it is {met}", what=_KINDS[wanted], met=met),
            message("fix.otherFile", "Choose another file"),
        )
    version = manifest.get("version")
    if not isinstance(version, int) or isinstance(version, bool) or version < 1:
        raise InvalidContent(
            message("archive.noVersion", "The archive does not state the version of its format"), EXPORT_AGAIN_FIX
        )
    if version > archive_format.VERSION:
        words = (
            "This archive was written by a newer release: its format has version {version}, "
            "and this release reads up to {known}"
        )
        raise InvalidContent(
            message("archive.newer", words, version=version, known=archive_format.VERSION),
            message("fix.bringUpToDate", "Update this installation first"),
        )
    if not isinstance(manifest.get("files"), dict) or not isinstance(manifest.get("counts"), dict):
        raise InvalidContent(
            message("archive.manifest", "The manifest of the archive is not complete"), EXPORT_AGAIN_FIX
        )
    return manifest


def read_settings(path: Path) -> dict[str, Any]:
    """The settings of the project in an archive."""
    return _parse_json_object(
        read_small_member(path, archive_format.SETTINGS, _FACTS_LIMIT), _KINDS[archive_format.PROJECT_FORMAT]
    )


def _parse_json_object(data: bytes | None, what: str) -> dict[str, Any]:
    if data is None:
        raise InvalidContent(message("archive.notThat", "The file is not {what}", what=what), _EXPORTED_HERE)
    try:
        found = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        words = "The archive is damaged: its description is not JSON"
        raise InvalidContent(message("archive.noFacts", words), EXPORT_AGAIN_FIX) from error
    if not isinstance(found, dict):
        raise InvalidContent(message("archive.notThat", "The file is not {what}", what=what), _EXPORTED_HERE)
    return found


@contextmanager
def unpacked(path: Path, wanted: str = archive_format.PROJECT_FORMAT) -> Iterator[Unpacked]:
    """All of an archive, in a folder that goes when the context ends.

    Raises:
        InvalidContent: as `read_manifest`; or a file is missing, unexpected or changed.
    """
    manifest = read_manifest(path, wanted)
    settings = read_settings(path) if wanted == archive_format.PROJECT_FORMAT else {}
    with (
        tempfile.TemporaryDirectory(dir=get_settings().uploads_folder, prefix="import-") as name,
        locked_folder(Path(name)) as folder,
    ):
        yield _unpack(path, folder, Unpacked(manifest, settings))


def _unpack(path: Path, folder: Path, archive: Unpacked) -> Unpacked:
    settings = get_settings()
    limits = ArchiveLimits(settings.archive_entries, settings.archive_bytes, settings.archive_ratio, _HARMLESS)
    expected = dict(archive.manifest["files"])
    for member in read_members(path, folder, limits):
        if isinstance(member, UnreadArchiveMember):
            raise InvalidContent(join_messages([member.name, member.message], ": "), member.fix)
        if member.name == archive_format.MANIFEST:
            continue
        facts = expected.pop(member.name, None)
        if facts is None:
            words = "The archive contains {name}, which is not in its manifest"
            raise InvalidContent(message("archive.unknownFile", words, name=member.name[:80]))
        if not isinstance(facts, dict) or facts.get("sha256") != _hash(member.path):
            words = "{name} differs from what was exported: the archive was changed"
            raise InvalidContent(message("archive.changed", words, name=member.name), EXPORT_AGAIN_FIX)
        _place_member(member.name, member.path, folder, archive)
    if expected:
        words = "The archive is incomplete: {name} is missing"
        raise InvalidContent(message("archive.lacks", words, name=next(iter(expected))[:80]), EXPORT_AGAIN_FIX)
    return archive


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _place_member(name: str, path: Path, folder: Path, archive: Unpacked) -> None:
    if name == archive_format.SETTINGS:
        return
    if name == archive_format.DOCUMENTS:
        archive.documents = folder / "documents"
        os.replace(path, archive.documents)
    elif name == archive_format.IMAGE:
        archive.image = folder / "image"
        os.replace(path, archive.image)
    elif _TABLE.fullmatch(name):
        table = name.removeprefix(archive_format.TABLES_FOLDER).removesuffix(".jsonl")
        archive.tables[table] = folder / f"table-{table}"
        os.replace(path, archive.tables[table])
    elif name.startswith(archive_format.MODELS_FOLDER):
        _place_model_file(parse_model_file_name(name), path, folder, archive)
    else:
        raise unknown_file_error(name)


def _place_model_file(file: ModelFile, path: Path, folder: Path, archive: Unpacked) -> None:
    check_not_pickled(path)
    home = folder / "models" / f"{file.kind}-{file.owner_id}" / file.moment
    archive.models[file.kind, file.owner_id, file.moment] = home
    final = home / file.path
    final.parent.mkdir(parents=True, exist_ok=True)
    os.replace(path, final)


def read_json_lines(path: Path | None, limit: int) -> Iterator[Any]:
    """Read a file of JSON lines; nothing if `path` is None.

    Raises:
        InvalidContent: a line is longer than `limit` bytes, or is not JSON.
    """
    if path is None:
        return
    with path.open("rb") as file:
        for number, line in enumerate(iter(lambda: file.readline(limit + 1), b""), start=1):
            if len(line) > limit:
                raise InvalidContent(
                    message(
                        "archive.longLine",
                        "Line {number} of the archive is over {size} bytes",
                        number=number,
                        size=limit,
                    )
                )
            try:
                yield orjson.loads(line)
            except orjson.JSONDecodeError as error:
                words = message("archive.noJsonLine", "Line {number} of the archive is not JSON", number=number)
                raise InvalidContent(words, EXPORT_AGAIN_FIX) from error
