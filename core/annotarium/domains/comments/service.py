"""Rules of comments. People change and delete their own; whoever writes in the project resolves threads."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content import validation
from annotarium.content.labelling.changes import write_history
from annotarium.content.live_event_fields import restricting_group_of_document
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import new_id, now_ms, parse_id
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Annotation, Comment, CommentThread
from annotarium.db.row_marks import creation_marks, mark_deleted, mark_modified, mark_restored
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import EventVisibility
from annotarium.domains.comments import repository
from annotarium.domains.comments.people import mentionable_usernames
from annotarium.domains.comments.schemas import (
    CommentCreate,
    CommentPatch,
    CommentRead,
    CommentThreadRead,
    CommentThreads,
    Resolution,
)
from annotarium.errors import AccessDenied, Conflict, DeletedOrUnknown, InvalidInput
from annotarium.importing.comments import MOST_THREADS
from annotarium_schemas.messages import message

_MENTION = re.compile(r"(?<![\w@.])@([\w.@+-]{0,254}\w)")
_SHOWN_TEXT = 200
"""Longest commented part of a text in an answer, in code points."""
LATEST = 50
"""Number of comments of a thread in an answer."""
_MOST_MENTIONS = 50
"""Most names in a comment that are looked up."""


def list_threads(call: ProjectCall, document_identifier: str) -> CommentThreads:
    """The readable threads of a document, oldest first."""
    document_id, _ = _require_document(call, document_identifier)
    threads = repository.threads_of_documents(call, [document_id])
    return CommentThreads(threads=_build_threads(call, document_id, document_identifier, threads))


def threads_of_documents(call: ProjectCall, identifiers: Mapping[int, str]) -> dict[int, list[dict[str, Any]]]:
    """The readable threads of documents as JSON, by document id; documents without any are left out.

    Args:
        identifiers: identifiers of documents by id.
    """
    found: defaultdict[int, list[CommentThread]] = defaultdict(list)
    for thread in repository.threads_of_documents(call, identifiers.keys()):
        found[thread.document_id].append(thread)
    made = {
        document_id: _build_threads(call, document_id, identifiers[document_id], threads, limit=None)
        for document_id, threads in found.items()
    }
    return {
        document_id: [one.model_dump(by_alias=True, exclude_none=True) for one in threads]
        for document_id, threads in made.items()
        if threads
    }


def read_thread(call: ProjectCall, identifier: str, before: str | None) -> CommentThreadRead:
    """A thread with its latest comments, or the latest ones before the comment `before`."""
    thread, document_identifier = _require_thread(call, identifier)
    last = parse_id(before) if before is not None else None
    if before is not None and last is None:
        raise DeletedOrUnknown(message("none.comment", "There is no comment {name} here", name=before))
    return _build_threads(call, thread.document_id, document_identifier, [thread], empty=True, before=last)[0]


def create_comment(call: ProjectCall, body: CommentCreate) -> CommentThreadRead:
    """Add a comment to a thread, or begin one.

    Raises:
        NotFound: there is no such document, thread or annotation that the caller may read.
        InvalidInput: the range is not inside the document, or the text may not be stored.
    """
    document_id, length = _require_document(call, body.document_identifier)
    _check_text(body.text)
    if body.thread is None:
        thread = _begin_thread(call, document_id, length, body)
    else:
        thread, document_identifier = _require_thread(call, body.thread)
        if document_identifier != body.document_identifier:
            raise DeletedOrUnknown(message("none.comment", "There is no comment {name} here", name=body.thread))
        if thread.resolved_at is not None:
            thread.resolved_at = None
            mark_modified(thread, call.username)
    row = Comment(
        id=new_id(),
        project_id=call.project.id,
        document_id=document_id,
        thread_id=thread.id,
        text=body.text,
        mentions=_mentioned_users(call, body.text),
        **creation_marks(call.username),
    )
    call.session.add(row)
    call.session.flush()
    _record(call, thread, row, "created", body.document_identifier, after=_state(thread, row))
    return _build_thread(call, thread, body.document_identifier)


def update_comment(call: ProjectCall, identifier: str, body: CommentPatch) -> CommentThreadRead:
    """Change the text of one's own comment, if its version matches `If-Match`."""
    row, thread, document_identifier = _require_own_comment(call, identifier)
    _check_text(body.text)
    current = {"identifier": identifier, "version": row.version}
    check_version(call, row.version, "The comment was changed meanwhile", lambda: current)
    if body.text != row.text:
        before = _state(thread, row)
        row.text, row.mentions = body.text, _mentioned_users(call, body.text)
        mark_modified(row, call.username)
        call.session.flush()
        _record(call, thread, row, "updated", document_identifier, before=before, after=_state(thread, row))
    return _build_thread(call, thread, document_identifier)


def delete_comment(call: ProjectCall, identifier: str) -> CommentThreadRead:
    """Delete one's own comment; it can be restored. A thread without comments is not shown any more."""
    row, thread, document_identifier = _require_own_comment(call, identifier)
    before = _state(thread, row)
    mark_deleted(row, call.username)
    call.session.flush()
    _record(call, thread, row, "deleted", document_identifier, before=before)
    return _build_thread(call, thread, document_identifier)


def restore_comment(call: ProjectCall, identifier: str) -> CommentThreadRead:
    """Restore one's own deleted comment."""
    row, thread, document_identifier = _require_own_comment(call, identifier, deleted=True)
    mark_restored(row)
    call.session.flush()
    _record(call, thread, row, "restored", document_identifier, after=_state(thread, row))
    return _build_thread(call, thread, document_identifier)


def resolve_thread(call: ProjectCall, identifier: str, body: Resolution) -> CommentThreadRead:
    """Resolve a thread, or open it again."""
    thread, document_identifier = _require_thread(call, identifier)
    if (thread.resolved_at is not None) != body.resolved:
        thread.resolved_at = now_ms() if body.resolved else None
        mark_modified(thread, call.username)
        call.session.flush()
        action = "resolved" if body.resolved else "reopened"
        write_history(call, thread.document_id, "comment", thread.id, action, before=None, after=None)
        _notify(call, thread, action, document_identifier, [])
    return _build_thread(call, thread, document_identifier)


def _require_document(call: ProjectCall, identifier: str) -> tuple[int, int]:
    found = repository.find_document(call, identifier)
    if found is None:
        raise DeletedOrUnknown(message("none.document", "There is no document {name} in this project", name=identifier))
    return found


def _require_thread(call: ProjectCall, identifier: str) -> tuple[CommentThread, str]:
    number = parse_id(identifier)
    found = repository.find_thread(call, number) if number is not None else None
    if found is None:
        raise DeletedOrUnknown(message("none.comment", "There is no comment {name} here", name=identifier))
    return found


def _require_own_comment(
    call: ProjectCall, identifier: str, *, deleted: bool = False
) -> tuple[Comment, CommentThread, str]:
    number = parse_id(identifier)
    row = repository.find_comment(call, number, deleted=deleted) if number is not None else None
    if row is None:
        raise DeletedOrUnknown(message("none.comment", "There is no comment {name} here", name=identifier))
    thread, document_identifier = _require_thread(call, str(row.thread_id))
    if row.created_by != call.username:
        raise AccessDenied(
            message("denied.comment", "This comment was written by {who}", who=remove_imported_prefix(row.created_by)),
            fix="Answer it, or resolve the thread",
        )
    return row, thread, document_identifier


def _begin_thread(call: ProjectCall, document_id: int, length: int, body: CommentCreate) -> CommentThread:
    annotation = _require_annotation(call, document_id, body.annotation) if body.annotation is not None else None
    start, end = (annotation.start, annotation.end) if annotation is not None else (body.start, body.end)
    if body.target == "document":
        start = end = None
    if end is not None and end > length:
        raise InvalidInput(
            message(
                "wrong.outside",
                "{start}-{end} is outside the document of {length:,} characters",
                start=start,
                end=end,
                length=length,
            )
        )
    if repository.count_threads(call, document_id) >= MOST_THREADS:
        raise Conflict(
            message("limit.threads", "The document has {count:,} threads of comments already", count=MOST_THREADS),
            fix=message("fix.answerThread", "Answer in one of them"),
        )
    thread = CommentThread(
        id=new_id(),
        project_id=call.project.id,
        document_id=document_id,
        annotation_id=annotation.id if annotation is not None else None,
        target=body.target,
        start=start,
        end=end,
        **creation_marks(call.username),
    )
    call.session.add(thread)
    call.session.flush()
    return thread


def _require_annotation(call: ProjectCall, document_id: int, identifier: str) -> Annotation:
    number = parse_id(identifier)
    found = repository.find_annotation(call, document_id, number) if number is not None else None
    if found is None:
        raise DeletedOrUnknown(
            message("none.annotation", "There is no annotation {name} in this project", name=identifier)
        )
    return found


def _check_text(text: str) -> None:
    try:
        validation.check_text(text, "The comment")
    except validation.InvalidContent as error:
        raise InvalidInput(error.message) from error


def _mentioned_users(call: ProjectCall, text: str) -> list[str]:
    names = list(dict.fromkeys(_MENTION.findall(text)))[:_MOST_MENTIONS]
    known = mentionable_usernames(call, names) if names else set()
    return [name for name in names if name in known]


def _state(thread: CommentThread, row: Comment) -> dict[str, Any]:
    """What the history tells. Of comments on annotations it does not tell the text: it may be read by more people."""
    return (
        {"target": thread.target} if thread.annotation_id is not None else {"target": thread.target, "text": row.text}
    )


def _record(
    call: ProjectCall,
    thread: CommentThread,
    row: Comment,
    action: str,
    document_identifier: str,
    *,
    before: dict[str, Any] | None = None,
    after: dict[str, Any] | None = None,
) -> None:
    write_history(call, thread.document_id, "comment", row.id, action, before=before, after=after)
    _notify(call, thread, action, document_identifier, [] if action == "deleted" else row.mentions)


def _notify(
    call: ProjectCall, thread: CommentThread, action: str, document_identifier: str, mentions: Sequence[str]
) -> None:
    """Emit the event, to those who may read the document and the annotation."""
    arg = {"type": action, "documentIdentifier": document_identifier, "thread": str(thread.id), "by": call.username}
    group = restricting_group_of_document(call, thread.document_id)
    annotation = call.session.get(Annotation, thread.annotation_id) if thread.annotation_id is not None else None
    about = EventVisibility(group=group)
    if annotation is not None:
        about = EventVisibility(creator=annotation.created_by, mode=annotation.creation_mode, group=group)
    call.unit.emit("comments", arg, project=call.project.name, about=about)
    for name in mentions:  # told to the mentioned only: others may not know that there is such an account
        call.unit.emit("comments", arg | {"mentions": [name]}, project=call.project.name, user=name, about=about)


def _build_thread(call: ProjectCall, thread: CommentThread, document_identifier: str) -> CommentThreadRead:
    return _build_threads(call, thread.document_id, document_identifier, [thread], empty=True)[0]


def _build_threads(
    call: ProjectCall,
    document_id: int,
    document_identifier: str,
    threads: Sequence[CommentThread],
    *,
    empty: bool = False,
    limit: int | None = LATEST,
    before: int | None = None,
) -> list[CommentThreadRead]:
    comments: defaultdict[int, list[Comment]] = defaultdict(list)
    ids = [thread.id for thread in threads]
    for row in repository.comments_of_threads(call, ids, limit=limit, before=before):
        comments[row.thread_id].append(row)
    counts = repository.count_comments(call, ids)
    mentioned = {name for rows in comments.values() for row in rows for name in row.mentions}
    known = repository.visible_usernames(call, mentioned) if mentioned else set()
    shown = [thread for thread in threads if empty or comments[thread.id]]
    ranges = {
        thread.id: (thread.start, min(thread.end, thread.start + _SHOWN_TEXT))
        for thread in shown
        if thread.start is not None and thread.end is not None
    }
    texts = dict(zip(ranges, repository.text_slices(call, document_id, list(ranges.values())), strict=True))
    return [
        CommentThreadRead(
            identifier=str(thread.id),
            document_identifier=document_identifier,
            target=thread.target,
            annotation=None if thread.annotation_id is None else str(thread.annotation_id),
            start=thread.start,
            end=thread.end,
            text=texts.get(thread.id),
            resolved=thread.resolved_at is not None,
            resolved_by=remove_imported_prefix(thread.modified_by) if thread.resolved_at is not None else None,
            resolved_date=iso(thread.resolved_at),
            comment_count=counts.get(thread.id, 0),
            comments=[_build_comment(call, row, known) for row in comments[thread.id]],
        )
        for thread in shown
    ]


def _build_comment(call: ProjectCall, row: Comment, known: Collection[str]) -> CommentRead:
    """`known`: the mentioned users whom the caller may see."""
    return CommentRead(
        identifier=str(row.id),
        text=row.text,
        mentions=[name for name in row.mentions if name in known],
        created_by=remove_imported_prefix(row.created_by),
        created_date=iso(row.created_at) or "",
        modified_date=iso(row.modified_at) or "",
        imported_by=row.imported_by,
        imported_date=iso(row.imported_at),
        version=row.version,
        mine=row.created_by == call.username,
    )
