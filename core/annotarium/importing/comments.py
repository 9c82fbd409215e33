"""Comments of an import. A thread that cannot be stored is left out with a note; its document is imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from pydantic import Field, ValidationError

from annotarium.content.validation import InvalidContent, check_short_text, check_text
from annotarium.db.timestamps import from_iso
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import Message, message
from annotarium_schemas.shape import Shape

MOST_THREADS = 2_000
"""Most threads on one document."""
LONGEST_COMMENT = 10_000
"""Code points."""
MOST_COMMENTS = 20_000
"""Most comments of one document in an import."""
_MOST_MENTIONS = 50


class ImportedComment(NamedTuple):
    """A comment ready to be written; timestamps are milliseconds."""

    text: str
    mentions: list[str]
    created_by: str | None
    created_at: int | None
    modified_at: int | None


class ImportedThread(NamedTuple):
    """A thread ready to be written; `annotation` is an index in the document's list of annotations."""

    target: str
    annotation: int | None
    start: int | None
    end: int | None
    resolved: bool
    resolved_by: str | None
    resolved_at: int | None
    comments: list[ImportedComment]


class _Comment(Shape):
    """A comment as an export writes it."""

    text: str = Field(max_length=LONGEST_COMMENT)
    mentions: list[str] = Field(default_factory=list)
    created_by: str | None = None
    created_date: str | None = None
    modified_date: str | None = None


class _Thread(Shape):
    """A thread as an export writes it; `text` is the first part of the commented text."""

    target: str = "document"
    annotation: str | None = None
    start: int | None = None
    end: int | None = None
    text: str = ""
    resolved: bool = False
    resolved_by: str | None = None
    resolved_date: str | None = None
    comments: list[_Comment] = Field(min_length=1)


def load_threads(values: list[Any]) -> list[ImportedThread]:
    """Threads from their JSON form."""
    threads = (ImportedThread(*value) for value in values)
    return [one._replace(comments=[ImportedComment(*said) for said in one.comments]) for one in threads]


def importable_threads(document: Document) -> tuple[list[ImportedThread], list[str]]:
    """Return the valid threads of a document, whose text and annotations must be final, and notes about the others."""
    given = document.comments or []
    if not given:
        return [], []
    identifiers = [one.identifier for one in document.annotations]
    times = Counter(identifiers)
    positions = {name: place for place, name in enumerate(identifiers) if name and times[name] == 1}
    threads: list[ImportedThread] = []
    left_out = room = 0
    for raw in given:
        thread = _imported_thread(raw, document, positions)
        room += len(thread.comments) if thread else 0
        if thread is None or len(threads) == MOST_THREADS or room > MOST_COMMENTS:
            left_out += 1
        else:
            threads.append(thread)
    return threads, [_left_out_note(left_out)] if left_out else []


def _left_out_note(count: int) -> Message:
    return message(
        "note.threads",
        "{count:,} threads of comments were left out: they are not valid, or too many",
        one="{count:,} thread of comments was left out: it is not valid, or there are too many",
        count=count,
    )


def _imported_thread(raw: Any, document: Document, positions: dict[str, int]) -> ImportedThread | None:
    try:
        thread = _Thread.model_validate(raw)
        comments = [_imported_comment(one) for one in thread.comments]
        resolved_at = _timestamp(thread.resolved_date)
        _check_author(thread.resolved_by)
    except (ValidationError, InvalidContent, ValueError):
        return None
    place: tuple[int, int] | None
    annotation = positions.get(thread.annotation or "") if thread.target == "annotation" else None
    if annotation is not None:
        span = document.annotations[annotation]
        place, target = (span.start, span.end), "annotation"
    else:
        place = _place(thread, document.text)
        # What a thread is about may not be in the import: it stays at its place, or on the document.
        target = "document" if place is None else "suggestion" if thread.target == "suggestion" else "span"
    resolved_by = thread.resolved_by if thread.resolved else None
    start, end = place or (None, None)
    return ImportedThread(target, annotation, start, end, thread.resolved, resolved_by, resolved_at, comments)


def _place(thread: _Thread, text: str) -> tuple[int, int] | None:
    """The range of a thread in the text, moved to where its words are if the text was changed since the export."""
    if thread.target == "document" or thread.start is None or thread.end is None:
        return None
    length = thread.end - thread.start
    for start in (thread.start, *_occurrences(text, thread.text)):
        end = start + length
        if 0 <= start < end <= len(text) and text.startswith(thread.text, start):
            return start, end
    return None


def _occurrences(text: str, words: str) -> Iterator[int]:
    """The only occurrence of words, if there is just one."""
    first = text.find(words) if words else -1
    if first >= 0 and text.find(words, first + 1) < 0:
        yield first


def _imported_comment(one: _Comment) -> ImportedComment:
    words = one.text.strip()
    if not words:
        raise ValueError(words)
    check_text(words, "The comment")
    _check_author(one.created_by)
    mentions = [name for name in dict.fromkeys(one.mentions) if f"@{name}" in words][:_MOST_MENTIONS]
    created, modified = _timestamp(one.created_date), _timestamp(one.modified_date)
    return ImportedComment(words, mentions, one.created_by, created, modified)


def _check_author(name: str | None) -> None:
    if name:
        check_short_text(name, "The author of a comment")


def _timestamp(date: str | None) -> int | None:
    return None if date is None else from_iso(date)
