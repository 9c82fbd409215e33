"""What a step works on (C-081): the document or parts of it, and how results for a part are merged into the document.

document                the whole document (the default)
segments                each of its segments
annotations             the text of each annotation
annotations[person]     the text of each annotation of one label
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from annotarium_schemas.documents import Document

DOCUMENT, SEGMENTS, ANNOTATIONS = "document", "segments", "annotations"
_PATH = re.compile(r"document|segments|annotations(?:\[([^\[\]]+)\])?")


def is_target_path(path: str) -> bool:
    """Return whether a path has one of the forms above."""
    return _PATH.fullmatch(path) is not None


def target_ranges(document: Document, path: str) -> Iterator[tuple[int, int]]:
    """Yield the ranges of a document that a path selects, ascending, each once."""
    matched = _PATH.fullmatch(path)
    if path == SEGMENTS and document.sentences:
        found = {(one.start, one.end) for one in document.sentences}
    elif path.startswith(ANNOTATIONS) and matched is not None:
        label = matched[1]
        spans = [one for one in document.annotations if one.status != "KO"]
        found = {(one.start, one.end) for one in spans if label is None or label in (one.label_name, one.label)}
    else:
        found = {(0, len(document.text))}
    yield from sorted(found)


def extract_part_as_document(document: Document, start: int, end: int) -> Document:
    """Return a range of a document as a document of its own, without labelling."""
    return Document(
        identifier=document.identifier,
        title=document.title,
        text=document.text[start:end],
        metadata=dict(document.metadata),
    )


def merge_results(document: Document, part: Document, start: int, end: int) -> None:
    """Add what was found in a part to the document. A category of the part becomes a category of its range."""
    whole = (start, end) == (0, len(document.text))
    for one in part.annotations:
        moved = [(begin + start, last + start) for begin, last in one.fragments or ()] or None
        update = {"start": one.start + start, "end": one.end + start, "fragments": moved}
        document.annotations.append(one.model_copy(update=update))
    for category in part.categories:
        place = {} if whole or category.start is not None else {"start": start, "end": end}
        if category.start is not None and category.end is not None:
            place = {"start": category.start + start, "end": category.end + start}
        document.categories.append(category.model_copy(update=place))
