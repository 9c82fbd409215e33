"""Writes prepared documents whole: text, segments, annotations, categories, alternative texts, labels that are missing.

What an identifier that is already in the project means:

- the same content as the last import: `unchanged`, nothing is written, whatever people did to it since;
- other content, and nobody has annotated the document by hand since its import: `replaced`. The old document goes as a
  deletion does (soft, with everything on it), the new one takes its identifier;
- other content, and people have worked on it: `refused`. Their work is worth more than a second import.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.corpus import repository
from annotarium.corpus.labels import LabelKey, ensure_labels
from annotarium.corpus.outcome import IMPORTED, REFUSED, REPLACED, UNCHANGED, Outcome
from annotarium.corpus.prepare import ImportOptions, Prepared, label_key, moment_of
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import AltText, Annotation, Category, Document, Label, Segment
from annotarium_schemas.documents import Annotation as ImportedAnnotation
from annotarium_schemas.documents import Category as ImportedCategory


def limit_words(limit: int) -> str:
    """E-024."""
    return (
        "Some documents have not been imported because the number of documents per project limit "
        f"({limit}) has been reached"
    )


@dataclass
class _Rows:
    """Rows of a batch, by table."""

    documents: list[dict[str, Any]] = field(default_factory=list)
    segments: list[dict[str, Any]] = field(default_factory=list)
    annotations: list[dict[str, Any]] = field(default_factory=list)
    categories: list[dict[str, Any]] = field(default_factory=list)
    alt_texts: list[dict[str, Any]] = field(default_factory=list)


def write_documents(call: ProjectCall, batch: Sequence[Prepared], options: ImportOptions) -> list[Outcome]:
    """Write a batch in the open transaction. Identifiers of the batch differ from each other.

    Missing labels are created, categories become non-exclusive when a document carries several (T-020), the search
    index is told of each document.

    Returns:
        One outcome per item, in order.
    """
    outcomes, wanted, gone = _decide(call, batch)
    if gone:
        repository.delete_documents(call.session, gone, moment=now_ms(), actor=call.username)
        for document_id in gone:
            call.unit.touch(call.project.id, "delete", document_id=document_id)
    if wanted:
        keys = [key for one in wanted for key in _label_keys(one)]
        labels = ensure_labels(call.session, call.project, keys, call.username)
        rows = _Rows()
        for one in wanted:
            document_id = _add_document(rows, call, one, options, labels)
            call.unit.touch(call.project.id, "document", document_id=document_id)
        call.session.flush()
        _insert(call, rows)
        _relax_exclusive(call, wanted, labels)
        call.unit.emit(
            "documents", {"type": "imported", "count": len(wanted), "by": call.username}, project=call.project.name
        )
    return outcomes


def _decide(call: ProjectCall, batch: Sequence[Prepared]) -> tuple[list[Outcome], list[Prepared], list[int]]:
    """Outcomes, what is to be written, ids of the documents that make room for it."""
    known = repository.find_known(call.session, call.project.id, [one.document.identifier for one in batch])
    changed = repository.changes_by_people(call.session, [row.id for row in known.values()]) if known else {}
    limit = repository.document_limit(call.session, call.project)
    room = limit - repository.count_documents(call.session, call.project.id) if limit >= 0 else len(batch)
    outcomes: list[Outcome] = []
    wanted: list[Prepared] = []
    gone: list[int] = []
    for one in batch:
        identifier = one.document.identifier
        message, fix = "; ".join(one.notes[:20]) or None, None
        before = known.get(identifier)
        if before is None and room <= 0:
            outcome, message, fix = REFUSED, limit_words(limit), "Delete documents, or have the limit raised"
        elif before is None:
            outcome = IMPORTED
            room -= 1
            wanted.append(one)
        elif before.fingerprint == one.fingerprint:
            outcome = UNCHANGED
        elif before.id in changed:
            outcome, fix = REFUSED, "Import it under another identifier, or delete the document first"
            message = (
                f"People have worked on this document since its import ({changed[before.id]} changes): it was kept"
            )
        else:
            outcome = REPLACED
            wanted.append(one)
            gone.append(before.id)
        outcomes.append(Outcome(one.item, one.ordinal, outcome, identifier, message, fix))
    return outcomes, wanted, gone


def _label_keys(one: Prepared) -> list[LabelKey]:
    document = one.document
    keys = [label_key(annotation) for annotation in document.annotations]
    keys += [label_key(category) for category in document.categories]
    for sentence in document.sentences or ():
        keys += [label_key(category) for category in sentence.categories or ()]
    return keys


def _insert(call: ProjectCall, rows: _Rows) -> None:
    repository.insert_rows(call.session, Document, rows.documents)
    repository.insert_rows(call.session, Segment, rows.segments)
    repository.insert_rows(call.session, Annotation, rows.annotations)
    repository.insert_rows(call.session, Category, rows.categories)
    repository.insert_rows(call.session, AltText, rows.alt_texts)


def _tracked(labelled: Any, actor: str, moment: int) -> dict[str, Any]:
    """Who and when: as the import says, else the importing user and now."""
    created = moment_of(labelled.created_date) if labelled.created_date else moment
    creator = labelled.created_by or actor
    return {
        "created_at": created,
        "created_by": creator,
        "modified_at": moment_of(labelled.modified_date) if labelled.modified_date else created,
        "modified_by": creator,
        "version": 1,
        "deleted_at": None,
        "deleted_by": None,
    }


def _add_document(
    rows: _Rows, call: ProjectCall, one: Prepared, options: ImportOptions, labels: dict[LabelKey, Label]
) -> int:
    document, moment, actor = one.document, now_ms(), call.username
    document_id, project_id = new_id(), call.project.id
    rows.documents.append(
        {
            "id": document_id,
            "project_id": project_id,
            "identifier": document.identifier,
            "title": document.title or document.identifier,
            "text": document.text,
            "length": len(document.text),
            "metadata": document.metadata,
            "split": None,
            "origin_group_id": options.origin_group_id,
            "fingerprint": one.fingerprint,
        }
        | _tracked(document, actor, moment)
    )
    common = {"project_id": project_id, "document_id": document_id}
    for ordinal, (start, end, metadata) in enumerate(one.segments):
        rows.segments.append(common | {"start": start, "end": end, "ordinal": ordinal, "metadata": metadata or None})
    for annotation in document.annotations:
        rows.annotations.append(
            common
            | _labelled(annotation, labels)
            | {
                "start": annotation.start,
                "end": annotation.end,
                "text": annotation.text,
                "terms": [term.model_dump(by_alias=True, exclude_unset=True) for term in annotation.terms]
                if annotation.terms
                else None,
                "fragments": None,
            }
            | _tracked(annotation, actor, moment)
        )
    for category in document.categories:
        rows.categories.append(_category(common, category, labels, category.start, category.end, actor, moment))
    for sentence in document.sentences or ():
        for category in sentence.categories or ():
            rows.categories.append(_category(common, category, labels, sentence.start, sentence.end, actor, moment))
    for alternative in {text.name: text for text in document.alt_texts}.values():
        rows.alt_texts.append(common | {"name": alternative.name, "text": alternative.text, "properties": {}})
    return document_id


def _labelled(labelled: ImportedAnnotation | ImportedCategory, labels: dict[LabelKey, Label]) -> dict[str, Any]:
    return {
        "id": new_id(),
        "label_id": labels[label_key(labelled)].id,
        "status": labelled.status,
        "creation_mode": labelled.creation_mode or "imported",
        "score": labelled.score,
        "properties": labelled.properties or None,
    }


def _category(
    common: dict[str, Any],
    category: ImportedCategory,
    labels: dict[LabelKey, Label],
    start: int | None,
    end: int | None,
    actor: str,
    moment: int,
) -> dict[str, Any]:
    place = {"start": start, "end": end}
    return common | _labelled(category, labels) | place | _tracked(category, actor, moment)


def _relax_exclusive(call: ProjectCall, written: Sequence[Prepared], labels: dict[LabelKey, Label]) -> None:
    """Several categories of one set on a document: the set, and the project, stop being exclusive (T-020)."""
    exclusive = {row.id: row for row in repository.exclusive_sets(call.session, call.project.id)}
    if not exclusive and not call.project.exclusive_classes:
        return
    crowded: set[int] = set()
    for one in written:
        seen: dict[int, set[int]] = {}
        for category in one.document.categories:
            if category.start is None and category.status != "KO":
                label = labels[label_key(category)]
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
    arg = {"type": "updated", "by": call.username, "classification": {"exclusive_classes": False}}
    call.unit.emit("project", arg, project=call.project.name)
