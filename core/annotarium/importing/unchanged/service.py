"""An export that is imported again changes nothing, whatever people did between import and export.

The fingerprint of the last import is not enough to detect that: an export contains authors and dates, names labels by
their stable names, and in Markdown projects contains the layout that is derived from the text anyway.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from annotarium.access.call import ProjectCall
from annotarium.content.labels import LabelKey, label_names_by_key
from annotarium.content.layouts.markdown import markdown_layout
from annotarium.content.layouts.marks import Mark, tidy_layout
from annotarium.content.layouts.repository import layouts_by_document
from annotarium.importing.document_preparation import LabelledItem, PreparedDocument
from annotarium.importing.unchanged import repository

NameOf = Callable[[LabelledItem], str | None]


@dataclass
class _ComparableContent:
    """The content of a document in comparable form: without authors and dates, ordered only where order matters."""

    segments: list[tuple[Any, ...]] = field(default_factory=list)
    annotations: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    categories: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    alt_texts: dict[str, str] = field(default_factory=dict)
    relations: Counter[tuple[Any, ...]] = field(default_factory=Counter)


def find_unchanged(call: ProjectCall, imported: Mapping[int, PreparedDocument]) -> set[int]:
    """Return the ids of documents whose stored content equals that of the import, apart from authors and dates.

    Args:
        imported: one batch, by the id of the live document that has the identifier.
    """
    candidates = {}
    for document_id, title, text, metadata, reviewed in repository.document_rows(call.session, imported):
        one = imported[document_id]
        if (title, text, reviewed) != (one.title or one.identifier, one.text, bool(one.reviewed)):
            continue
        if _comparable(metadata or {}) == _comparable(one.metadata or {}):
            candidates[document_id] = one
    if not candidates:
        return set()
    stored_layouts = layouts_by_document(call.session, candidates)
    markdown = call.project.markdown_content
    said = _stored_comments(call, [key for key, one in candidates.items() if one.threads])
    present, name_of = _stored_content(call, candidates), _label_name_lookup(call, candidates)
    return {
        document_id
        for document_id, one in candidates.items()
        if _same_layout(one, stored_layouts.get(document_id, []), markdown=markdown)
        and _imported_content(one, name_of) == present[document_id]
        and _imported_comments(one) <= said[document_id]
    }


def _comparable(value: Any) -> bytes | None:
    """Serialise JSON for comparison: `1` differs from `true`, the order of keys does not matter."""
    return None if value is None else orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _as_tuples(fragments: Collection[Any] | None) -> tuple[tuple[int, int], ...]:
    return tuple((first, past) for first, past in fragments or ())


def _same_layout(one: PreparedDocument, stored: list[Mark], *, markdown: bool) -> bool:
    if _comparable(one.layout) == _comparable(stored):
        return True
    worked_out = tidy_layout(markdown_layout(one.text), one.text)[0] if markdown and not stored else None
    return worked_out is not None and _comparable(one.layout) == _comparable(worked_out)


def _stored_content(call: ProjectCall, ids: Collection[int]) -> dict[int, _ComparableContent]:
    session = call.session
    found = {document_id: _ComparableContent() for document_id in ids}
    for document_id, start, end, metadata in repository.segment_rows(session, ids):
        found[document_id].segments.append((start, end, _comparable(metadata or None)))
    annotation_keys = {}
    for row in repository.annotation_rows(session, ids):
        *head, properties, name, terms, fragments, annotation_id = row
        annotation_keys[annotation_id] = (
            *head[1:],
            _comparable(properties),
            name,
            _comparable(terms or None),
            _as_tuples(fragments),
        )
        found[row[0]].annotations[annotation_keys[annotation_id]] += 1
    for document_id, *head, properties, name in repository.category_rows(session, ids):
        found[document_id].categories[*head, _comparable(properties), name] += 1
    for document_id, name, text in repository.alt_text_rows(session, ids):
        found[document_id].alt_texts[name] = text
    for document_id, name, source, target, properties in repository.relation_rows(session, ids):
        if source in annotation_keys and target in annotation_keys:
            found[document_id].relations[
                name, annotation_keys[source], annotation_keys[target], _comparable(properties)
            ] += 1
    return found


def _stored_comments(call: ProjectCall, ids: Collection[int]) -> defaultdict[int, Counter[tuple[Any, ...]]]:
    """The comments of documents. An import may have fewer of them: what people said since then is not lost."""
    found: defaultdict[int, Counter[tuple[Any, ...]]] = defaultdict(Counter)
    for document_id, *said in repository.comment_rows(call.session, ids) if ids else ():
        found[document_id][tuple(said)] += 1
    return found


def _imported_comments(one: PreparedDocument) -> Counter[tuple[Any, ...]]:
    return Counter(
        (thread.target, thread.start, thread.end, said.text) for thread in one.threads for said in thread.comments
    )


def _label_name_lookup(call: ProjectCall, imported: Mapping[int, PreparedDocument]) -> NameOf:
    keys = {
        LabelKey(one.name, one.label, one.label_id)
        for document in imported.values()
        for one in (*document.annotations, *document.categories)
    }
    names = label_names_by_key(call.session, call.project, keys)
    return lambda one: names.get(LabelKey(one.name, one.label, one.label_id))


def _labelled_item_key(one: LabelledItem, name_of: NameOf) -> tuple[Any, ...]:
    return (one.start, one.end, one.status, one.mode, one.score, _comparable(one.properties), name_of(one))


def _imported_content(one: PreparedDocument, name_of: NameOf) -> _ComparableContent:
    fragments = dict(one.fragments)
    annotations = [
        (*_labelled_item_key(item, name_of), _comparable(item.terms or None), _as_tuples(fragments.get(index)))
        for index, item in enumerate(one.annotations)
    ]
    links = (
        (link.name, annotations[link.source], annotations[link.target], _comparable(link.properties))
        for link in one.links
    )
    return _ComparableContent(
        [(start, end, _comparable(metadata or None)) for start, end, metadata in one.segments],
        Counter(annotations),
        Counter(_labelled_item_key(item, name_of) for item in one.categories),
        dict(one.alt_texts),
        Counter(links),
    )
