"""Writes prepared documents with segments, labelling, comments, alternative texts and new labels."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from itertools import chain
from operator import attrgetter
from typing import Any

from sqlalchemy.orm import Session

from annotarium.access.call import ProjectCall
from annotarium.content.holdout import SPLIT_FIELD, split_from_metadata_value
from annotarium.content.labels import LABELS_MAX, LabelKey, ensure_labels
from annotarium.content.relations.names import ensure_names
from annotarium.content.repository import delete_documents, insert_outbox
from annotarium.content.training_data import training_data_changed
from annotarium.db.bulk_insert import insert_rows
from annotarium.db.identifiers import new_ids, now_ms
from annotarium.db.imported_author_names import add_imported_prefix
from annotarium.db.models import (
    AltText,
    Annotation,
    Category,
    Comment,
    CommentThread,
    Document,
    DocumentLayout,
    History,
    Label,
    Relation,
    Segment,
)
from annotarium.importing import repository
from annotarium.importing.document_preparation import LabelledItem, PreparedDocument, PrepareOptions
from annotarium.importing.import_resolution import ImportItem, ImportResolution, resolve_import_batch
from annotarium.importing.judgements import Replacement, copy_judgements, judgements_left_out_message
from annotarium.importing.outcome import IMPORTED, REFUSED, REPLACED, Outcome
from annotarium_schemas.messages import join_messages, message

FEWER_LABELS_FIX = message("fix.fewerLabels", "Check which part of the file holds its labels, or delete labels first")
_TRACKED = (
    *("created_at", "created_by", "modified_at", "modified_by", "version", "deleted_at", "deleted_by"),
    *("imported_at", "imported_by"),
)
_DOCUMENT = (
    *("id", "project_id", "identifier", "title", "text", "length", "metadata", "split", "origin_group_id"),
    *("fingerprint", "reviewed", *_TRACKED),
)
_SEGMENT = ("document_id", "start", "end", "ordinal", "project_id", "metadata")
_LABELLED = (
    *("id", "project_id", "document_id", "label_id", "start", "end", "status", "creation_mode", "score", "properties"),
    *_TRACKED,
)
_ANNOTATION = (*_LABELLED, "text", "terms", "fragments")
_ALT_TEXT = ("document_id", "name", "project_id", "text", "properties")
_RELATION = ("id", "project_id", "document_id", "name_id", "source_id", "target_id", "properties", *_TRACKED)
REPLACED_BY = "replacedBy"
"""In the history of a document that an import replaced: the id of the document that took its identifier."""
_THREAD = (
    *("id", "project_id", "document_id", "annotation_id", "target", "start", "end", "resolved_at"),
    *("created_at", "created_by", "modified_at", "modified_by", "version", "imported_at", "imported_by"),
)
_COMMENT = ("id", "project_id", "document_id", "thread_id", "text", "mentions", *_TRACKED)
_LAYOUT = ("document_id", "project_id", "marks")
Row = tuple[Any, ...]


@dataclass
class _Rows:
    """Rows of a batch by table; the order of values is that of the column lists above."""

    documents: list[Row] = field(default_factory=list)
    segments: list[Row] = field(default_factory=list)
    annotations: list[Row] = field(default_factory=list)
    categories: list[Row] = field(default_factory=list)
    alt_texts: list[Row] = field(default_factory=list)
    layouts: list[Row] = field(default_factory=list)
    relations: list[Row] = field(default_factory=list)
    threads: list[Row] = field(default_factory=list)
    comments: list[Row] = field(default_factory=list)

    def insert(self, session: Session) -> None:
        """Insert all rows."""
        insert_rows(session, Document, _DOCUMENT, self.documents)
        insert_rows(session, Segment, _SEGMENT, self.segments)
        insert_rows(session, Annotation, _ANNOTATION, self.annotations)
        insert_rows(session, Category, _LABELLED, self.categories)
        insert_rows(session, AltText, _ALT_TEXT, self.alt_texts)
        insert_rows(session, DocumentLayout, _LAYOUT, self.layouts)
        insert_rows(session, Relation, _RELATION, self.relations)
        insert_rows(session, CommentThread, _THREAD, self.threads)
        insert_rows(session, Comment, _COMMENT, self.comments)


def write_documents(
    call: ProjectCall, batch: Sequence[ImportItem], options: PrepareOptions, texts: Set[int] | None = None
) -> list[Outcome]:
    """Write a batch in the open transaction. The identifiers of a batch differ from each other.

    Creates missing labels, makes categories non-exclusive when a document has several (T-020), and adds outbox rows,
    from which each document is indexed.

    Args:
        texts: see `resolve_import_batch`.

    Returns:
        One outcome per item, in order.
    """
    resolution = resolve_import_batch(call, batch, texts=texts)
    labels = ensure_labels(call.session, call.project, label_keys(resolution.to_insert), call.username)
    resolution = reject_over_label_limit(resolution, batch, labels)
    outcomes, to_insert, to_delete = resolution.outcomes, resolution.to_insert, resolution.to_delete
    # A document that replaces a test document stays in the test part: else a model would learn from what it is tested
    # on.
    parts = repository.splits_by_identifier(call.session, to_delete) if to_delete else {}
    if to_delete:
        delete_documents(call.session, to_delete, timestamp=now_ms(), actor=call.username)
        call.unit.touched += insert_outbox(call.session, call.project.id, to_delete, "delete")
    if to_insert:
        label_ids: LabelIds = {key: label.id for key, label in labels.items()}
        fresh = iter(new_ids(sum(1 + len(one.annotations) + len(one.categories) for one in to_insert)))
        rows = _Rows()
        if options.metadata_split:
            parts |= _metadata_splits(to_insert)
        machines = _annotator_names(call.session, to_insert)
        ids = [
            _add_document(rows, call, one, options, label_ids, fresh, machines, parts.get(one.identifier))
            for one in to_insert
        ]
        _add_relations(rows, call, to_insert, ids)
        _add_comments(rows, call, to_insert, ids)
        rows.insert(call.session)
        call.unit.touched += insert_outbox(call.session, call.project.id, ids, "document")
        _write_replaced_history(call, outcomes, to_delete, ids)
        outcomes = _copy_judgements(call, outcomes, to_delete, list(zip(ids, to_insert, strict=True)))
        _relax_exclusive_categories(call, to_insert, labels)
        _mark_project_as_split(call, parts)
        arg = {"type": "imported", "count": len(to_insert), "by": call.username}
        call.unit.emit("documents", arg, project=call.project.name)
    if to_delete or to_insert:
        training_data_changed.send(call)
    return outcomes


def _metadata_splits(documents: Sequence[PreparedDocument]) -> dict[str, str]:
    """Return the part that each document's metadata assign it to, by identifier; documents without one are absent."""
    pairs = ((one.identifier, split_from_metadata_value(one.metadata.get(SPLIT_FIELD))) for one in documents)
    return {identifier: part for identifier, part in pairs if part is not None}


def _mark_project_as_split(call: ProjectCall, parts: Mapping[str, str]) -> None:
    """Record that the project has a test part of its own, once documents of it were imported."""
    if not call.project.has_split and "test" in parts.values():
        call.project.has_split = True
        call.project.split_facts = {"by": "import", "field": SPLIT_FIELD, "at": now_ms(), "who": call.username}
        arg = {"type": "updated", "by": call.username, "hasSplit": True}
        call.unit.emit("project", arg, project=call.project.name)


def _write_replaced_history(
    call: ProjectCall, outcomes: Sequence[Outcome], to_delete: Sequence[int], ids: Sequence[int]
) -> None:
    """Write to the history which document replaced which, so that the job can be undone.

    Args:
        ids: ids of the written documents, in the order of their outcomes.
    """
    replaced, written = iter(to_delete), iter(ids)
    for outcome in outcomes:
        if outcome.outcome not in (IMPORTED, REPLACED):
            continue
        document_id = next(written)
        if outcome.outcome == REPLACED:
            before = {"identifier": outcome.identifier, REPLACED_BY: document_id}
            old = next(replaced)
            values = {"project_id": call.project.id, "document_id": old, "entity": "document", "entity_id": old}
            values |= {"action": "deleted", "actor": call.username, "job_id": call.job_id}
            call.unit.append(History, values | {"before": before, "after": None})
    if to_delete and call.job_id:
        repository.mark_undoable(call.session, call.job_id)


def _copy_judgements(
    call: ProjectCall,
    outcomes: Sequence[Outcome],
    to_delete: Sequence[int],
    written: Sequence[tuple[int, PreparedDocument]],
) -> list[Outcome]:
    """Copy the judgements of replaced documents. Returns the outcomes, which tell how many could not be kept."""
    if not to_delete:
        return list(outcomes)
    old, new = iter(to_delete), iter(written)
    pairs = [Replacement(*next(new)) if one.outcome in (IMPORTED, REPLACED) else None for one in outcomes]
    replaced = {next(old): pair for one, pair in zip(outcomes, pairs, strict=True) if one.outcome == REPLACED and pair}
    left_out = copy_judgements(call.session, replaced)
    return [_with_note(one, left_out[pair.id] if pair else 0) for one, pair in zip(outcomes, pairs, strict=True)]


def _with_note(outcome: Outcome, left_out: int) -> Outcome:
    if not left_out:
        return outcome
    notes = [outcome.message, judgements_left_out_message(left_out)]
    return replace(outcome, message=join_messages([one for one in notes if one], "; "))


def reject_over_label_limit(
    resolution: ImportResolution, batch: Sequence[ImportItem], labels: Container[LabelKey]
) -> ImportResolution:
    """Return the decisions with those documents refused that need a label for which the project has no room."""
    if all(key in labels for key in label_keys(resolution.to_insert)):
        return resolution
    made, to_delete = ImportResolution(), iter(resolution.to_delete)
    for line, outcome in zip(batch, resolution.outcomes, strict=True):
        before = next(to_delete) if outcome.outcome == REPLACED else None
        if outcome.outcome in (IMPORTED, REPLACED):
            if any(key not in labels for key in label_keys([line.document])):
                outcome = replace(outcome, outcome=REFUSED, message=_label_limit_message(), fix=FEWER_LABELS_FIX)
            else:
                made.to_insert.append(line.document)
                made.to_delete += [] if before is None else [before]
        made.outcomes.append(outcome)
    return made


def _label_limit_message() -> str:
    return message("import.labels", "The project would have more than {count:,} labels", count=LABELS_MAX)


_Key = tuple[str | None, str | None, str | None]
_key: Callable[[LabelledItem], _Key] = attrgetter("name", "label", "label_id")
"""Returns the fields of a `LabelKey` as a tuple, which equals the `LabelKey`."""
LabelIds = Mapping[_Key, int]


def label_keys(documents: Sequence[PreparedDocument]) -> list[LabelKey]:
    """Return the label keys of the documents, each once, in the order of the documents."""
    items = chain.from_iterable(chain(one.annotations, one.categories) for one in documents)
    return [LabelKey(*key) for key in dict.fromkeys(map(_key, items))]


def _authorship(
    created_by: str | None,
    created_at: int | None,
    modified_at: int | None,
    actor: str,
    timestamp: int,
    machines: Container[str] = (),
) -> Row:
    """Return authors and dates as the import states them, else the importing user and now.

    An author from an import is prefixed as imported, because that account did nothing here.
    """
    created = created_at if created_at is not None else timestamp
    modified = modified_at if modified_at is not None else created
    if not created_by or created_by == actor:
        return (created, actor, modified, actor, 1, None, None, None, None)
    if created_by in machines:
        return (created, created_by, modified, created_by, 1, None, None, None, None)
    creator = add_imported_prefix(created_by)
    return (created, creator, modified, creator, 1, None, None, timestamp, actor)


def _annotator_names(session: Session, documents: Sequence[PreparedDocument]) -> Set[str]:
    """Return the names of machines (a plan of this import, or one of its sender) that made proposals. Names of accounts
    are excluded.
    """
    items = chain.from_iterable(chain(one.annotations, one.categories) for one in documents)
    names = {item.created_by for item in items if item.mode == "automatic" and item.created_by}
    return names - repository.existing_usernames(session, names) if names else names


def _add_document(
    rows: _Rows,
    call: ProjectCall,
    one: PreparedDocument,
    options: PrepareOptions,
    labels: LabelIds,
    ids: Iterator[int],
    machines: Container[str],
    part: str | None,
) -> int:
    timestamp, actor, text = now_ms(), call.username, one.text
    document_id, project_id = next(ids), call.project.id
    rows.documents.append(
        (
            *(document_id, project_id, one.identifier, one.title or one.identifier, text, len(text), one.metadata),
            *(part, options.origin_group_id, one.fingerprint, bool(one.reviewed)),
            *_authorship(one.created_by, one.created_at, one.modified_at, actor, timestamp),
        )
    )
    rows.segments += [
        (document_id, start, end, ordinal, project_id, metadata or None)
        for ordinal, (start, end, metadata) in enumerate(one.segments)
    ]
    default_authorship = _authorship(None, None, None, actor, timestamp)

    def labelled(item: LabelledItem) -> Row:
        if item.created_by is None and item.created_at is None and item.modified_at is None:
            tracked = default_authorship
        else:
            known = machines if item.mode == "automatic" else ()
            tracked = _authorship(item.created_by, item.created_at, item.modified_at, actor, timestamp, known)
        return (
            *(next(ids), project_id, document_id, labels[_key(item)], item.start, item.end),
            *(item.status, item.mode, item.score, item.properties, *tracked),
        )

    fragments = dict(one.fragments)
    rows.annotations += [
        (*labelled(item), text[item.start : item.end], item.terms, fragments.get(index))
        for index, item in enumerate(one.annotations)
    ]
    rows.categories += [labelled(item) for item in one.categories]
    rows.alt_texts += [(document_id, name, project_id, words, {}) for name, words in one.alt_texts]
    if one.layout:
        rows.layouts.append((document_id, project_id, one.layout))
    return document_id


def _add_relations(rows: _Rows, call: ProjectCall, written: Sequence[PreparedDocument], ids: Sequence[int]) -> None:
    """Add the relations of the batch. The rows must already contain its annotations, in the order of the documents."""
    number = sum(len(one.links) for one in written)
    if not number:
        return
    names = ensure_names(
        call.session, call.project, (link.name for one in written for link in one.links), call.username
    )
    fresh, timestamp, first = iter(new_ids(number)), now_ms(), 0
    for one, document_id in zip(written, ids, strict=True):
        for link in one.links:
            ends = (rows.annotations[first + link.source][0], rows.annotations[first + link.target][0])
            tracked = _authorship(link.created_by, link.created_at, link.modified_at, call.username, timestamp)
            head = (next(fresh), call.project.id, document_id, names[link.name].id)
            rows.relations.append((*head, *ends, link.properties, *tracked))
        first += len(one.annotations)


def _add_comments(rows: _Rows, call: ProjectCall, written: Sequence[PreparedDocument], ids: Sequence[int]) -> None:
    """Add the comments of the batch; nobody is notified. The rows must already contain its annotations, in the order of
    the documents.
    """
    number = sum(1 + len(thread.comments) for one in written for thread in one.threads)
    if not number:
        return
    fresh, timestamp, actor, first = iter(new_ids(number)), now_ms(), call.username, 0
    for one, document_id in zip(written, ids, strict=True):
        for thread in one.threads:
            head = (next(fresh), call.project.id, document_id)
            annotation = None if thread.annotation is None else rows.annotations[first + thread.annotation][0]
            earliest = thread.comments[0]
            made = _authorship(earliest.created_by, earliest.created_at, earliest.modified_at, actor, timestamp)
            created, creator, modified, modifier, version, _, _, *imported = made
            resolved = (thread.resolved_at or timestamp) if thread.resolved else None
            if resolved is not None:
                by = thread.resolved_by or actor
                modified, modifier = resolved, actor if by == actor else add_imported_prefix(by)
            rows.threads.append(
                (
                    *(*head, annotation, thread.target, thread.start, thread.end, resolved),
                    *(created, creator, modified, modifier, version, *imported),
                )
            )
            rows.comments += [
                (
                    *(next(fresh), call.project.id, document_id, head[0], said.text, said.mentions),
                    *_authorship(said.created_by, said.created_at, said.modified_at, actor, timestamp),
                )
                for said in thread.comments
            ]
        first += len(one.annotations)


def _relax_exclusive_categories(
    call: ProjectCall, written: Sequence[PreparedDocument], labels: dict[LabelKey, Label]
) -> None:
    """Make the label set and the project non-exclusive when a document has several categories of one set (T-020)."""
    exclusive = {row.id: row for row in repository.exclusive_label_sets(call.session, call.project.id)}
    if not exclusive and not call.project.exclusive_classes:
        return
    crowded: set[int] = set()
    for one in written:
        seen: dict[int, set[int]] = {}
        for category in one.categories:
            if category.start is None and category.status != "KO":
                label = labels[LabelKey(*_key(category))]
                seen.setdefault(label.label_set_id, set()).add(label.id)
        crowded.update(set_id for set_id, found in seen.items() if len(found) > 1)
    if not crowded:
        return
    for set_id in crowded & exclusive.keys():
        exclusive[set_id].exclusive_classes = False
        exclusive[set_id].version += 1
    if call.project.exclusive_classes:
        call.project.exclusive_classes = False
        call.project.version += 1
    relaxed = {"exclusive_classes": False}
    # Sent to everybody who has the project open, the importing user too, because no screen shows the cause.
    arg = {"type": "updated", "by": call.username, "classification": relaxed, "cause": "severalCategories"}
    call.unit.emit("project", arg, project=call.project.name)
