"""Shared by the converters: size limits of files, titles from file names, metadata names and values that may
be stored.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import Any

from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.converter import SourceFile
from annotarium_plugins.builtin.converters.common.errors import IS_EMPTY, SEND_AGAIN, SPLIT_FILE
from annotarium_plugins.builtin.converters.common.text_builder import clean
from annotarium_schemas.documents import MetadataValue
from annotarium_schemas.messages import message

MEBIBYTE = 1024 * 1024
VALUE_LENGTH = 8000
"""Maximum characters of one metadata value."""
_LIST_LENGTH = 200
_NAME = re.compile(r"[^\w-]+")


def read_bounded(source: SourceFile, limit: int) -> bytes:
    """Read all bytes of a file.

    Args:
        limit: in mebibytes.

    Raises:
        ComponentError: the file is larger than the limit, or empty.
    """
    with source.path.open("rb") as file:
        content = file.read(limit * MEBIBYTE + 1)
    if len(content) > limit * MEBIBYTE:
        raise ComponentError(message("file.over", "The file is larger than {limit} MB.", limit=limit), fix=SPLIT_FILE)
    if not content:
        raise ComponentError(IS_EMPTY, fix=SEND_AGAIN)
    return content


def check_size(source: SourceFile, limit: int) -> None:
    """Raise `ComponentError` for a file that is empty or larger than `limit` mebibytes, without reading it."""
    size = source.path.stat().st_size
    if size > limit * MEBIBYTE:
        raise ComponentError(message("file.over", "The file is larger than {limit} MB.", limit=limit), fix=SPLIT_FILE)
    if not size:
        raise ComponentError(IS_EMPTY, fix=SEND_AGAIN)


def title_from_file_name(name: str) -> str:
    """Return the file name without folder and extension."""
    return PurePosixPath(name).stem or name


def one_line(text: str) -> str:
    """Return the text on one line with white space collapsed, for titles and metadata values."""
    return " ".join(clean(text).split())


def valid_metadata_name(name: str) -> str:
    """Return a name that queries can contain: letters, digits, `_` and `-` (`og:title` becomes `og_title`)."""
    return _NAME.sub("_", name.strip()).strip("_")[:100]


def tidy_metadata(found: Mapping[str, Any]) -> dict[str, MetadataValue]:
    """Return metadata with valid names and values; empty values are left out, texts are cut at `VALUE_LENGTH`
    characters.
    """
    tidy: dict[str, MetadataValue] = {}
    for name, value in found.items():
        plain = valid_metadata_name(name)
        kept = _tidy_value(value)
        if plain and kept not in (None, "", []):
            tidy[plain] = kept
    return tidy


def _tidy_value(value: Any) -> MetadataValue:
    if isinstance(value, bool | int | float) or value is None:
        return value
    if isinstance(value, datetime):
        return iso_date(value)
    if isinstance(value, Iterable) and not isinstance(value, str):
        texts = (one_line(str(one))[:VALUE_LENGTH] for one in value)
        kept: list[str | int | float | bool] = []
        kept.extend(dict.fromkeys(text for text in texts if text))
        return kept[:_LIST_LENGTH]
    return clean(str(value)).strip()[:VALUE_LENGTH]


def iso_date(moment: datetime) -> str:
    """Format a timestamp as `2026-05-31T12:00:00Z`; one without a time zone is taken as UTC. Returns an empty string
    for years that the format cannot represent.
    """
    aware = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment
    try:
        aware = aware.astimezone(UTC)
    except OverflowError:
        return ""
    return aware.strftime("%Y-%m-%dT%H:%M:%SZ") if aware.year >= 1000 else ""
