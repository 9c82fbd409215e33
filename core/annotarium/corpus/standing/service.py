"""An export that is imported again changes nothing, whatever people did between import and export.

The fingerprint of the last import cannot tell: an export says who and when, names labels by their stable names, and in
Markdown projects says the look that the text has anyway.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson

from annotarium.access.call import ProjectCall
from annotarium.corpus.labels import LabelKey, names_of_labels
from annotarium.corpus.layouts.markdown import markdown_layout
from annotarium.corpus.layouts.marks import Mark, tidy_layout
from annotarium.corpus.layouts.repository import layouts
from annotarium.corpus.prepare import Labelled, Prepared
from annotarium.corpus.standing import repository

NameOf = Callable[[Labelled], str | None]


@dataclass
class _Parts:
    """What hangs on a document, comparable: who and when left out, order only where it means something."""

    segments: list[tuple[Any, ...]] = field(default_factory=list)
    annotations: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    categories: Counter[tuple[Any, ...]] = field(default_factory=Counter)
    alt_texts: dict[str, str] = field(default_factory=dict)
    relations: Counter[tuple[Any, ...]] = field(default_factory=Counter)


def already_there(call: ProjectCall, brought: Mapping[int, Prepared]) -> set[int]:
    """Which documents say already what an import brings for them, but for who and when.

    Args:
        brought: by the id of the live document that has the identifier; a batch.
    """
    alike = {}
    for document_id, title, text, metadata, reviewed in repository.documents(call.session, brought):
        one = brought[document_id]
        if (title, text, reviewed) != (one.title or one.identifier, one.text, bool(one.reviewed)):
            continue
        if _packed(metadata or {}) == _packed(one.metadata or {}):
            alike[document_id] = one
    if not alike:
        return set()
    looks = layouts(call.session, alike)
    markdown = call.project.markdown_content
    present, name_of = _present(call, alike), _names(call, alike)
    return {
        document_id
        for document_id, one in alike.items()
        if _same_look(one, looks.get(document_id, []), markdown=markdown)
        and _parts(one, name_of) == present[document_id]
    }


def _packed(value: Any) -> bytes | None:
    """JSON as something to compare: `1` is not `true`, the order of keys says nothing."""
    return None if value is None else orjson.dumps(value, option=orjson.OPT_SORT_KEYS)


def _pieces(fragments: Collection[Any] | None) -> tuple[tuple[int, int], ...]:
    return tuple((first, past) for first, past in fragments or ())


def _same_look(one: Prepared, stored: list[Mark], *, markdown: bool) -> bool:
    if _packed(one.layout) == _packed(stored):
        return True
    worked_out = tidy_layout(markdown_layout(one.text), one.text)[0] if markdown and not stored else None
    return worked_out is not None and _packed(one.layout) == _packed(worked_out)


def _present(call: ProjectCall, ids: Collection[int]) -> dict[int, _Parts]:
    session = call.session
    found = {document_id: _Parts() for document_id in ids}
    for document_id, start, end, metadata in repository.segment_rows(session, ids):
        found[document_id].segments.append((start, end, _packed(metadata or None)))
    said = {}
    for row in repository.annotation_rows(session, ids):
        *head, properties, name, terms, fragments, annotation_id = row
        said[annotation_id] = (*head[1:], _packed(properties), name, _packed(terms or None), _pieces(fragments))
        found[row[0]].annotations[said[annotation_id]] += 1
    for document_id, *head, properties, name in repository.category_rows(session, ids):
        found[document_id].categories[*head, _packed(properties), name] += 1
    for document_id, name, text in repository.alt_texts(session, ids):
        found[document_id].alt_texts[name] = text
    for document_id, name, source, target, properties in repository.relations(session, ids):
        if source in said and target in said:
            found[document_id].relations[name, said[source], said[target], _packed(properties)] += 1
    return found


def _names(call: ProjectCall, brought: Mapping[int, Prepared]) -> NameOf:
    keys = {
        LabelKey(one.name, one.label, one.label_id)
        for document in brought.values()
        for one in (*document.annotations, *document.categories)
    }
    names = names_of_labels(call.session, call.project, keys)
    return lambda one: names.get(LabelKey(one.name, one.label, one.label_id))


def _head(one: Labelled, name_of: NameOf) -> tuple[Any, ...]:
    return (one.start, one.end, one.status, one.mode, one.score, _packed(one.properties), name_of(one))


def _parts(one: Prepared, name_of: NameOf) -> _Parts:
    pieces = dict(one.pieces)
    annotations = [
        (*_head(item, name_of), _packed(item.terms or None), _pieces(pieces.get(place)))
        for place, item in enumerate(one.annotations)
    ]
    links = (
        (link.name, annotations[link.source], annotations[link.target], _packed(link.properties)) for link in one.links
    )
    return _Parts(
        [(start, end, _packed(metadata or None)) for start, end, metadata in one.segments],
        Counter(annotations),
        Counter(_head(item, name_of) for item in one.categories),
        dict(one.alt_texts),
        Counter(links),
    )
