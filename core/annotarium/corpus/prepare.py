"""From a converter's document to one that is ready to be written: gated, corrected, cleaned, cut into segments.

It runs in the child that converts; what it makes travels to the writing process as JSON of plain lists.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from annotarium.corpus.cleaning import clean_document
from annotarium.corpus.gate import Refused, check_document, check_name, check_words
from annotarium.corpus.labelling.fragments import tidy
from annotarium.corpus.layouts.marks import Mark, tidy_layout
from annotarium.corpus.offsets import correct_offsets
from annotarium.corpus.relations.importing import Link, links_of
from annotarium.corpus.segmentation import Policy, Segment, lost_metadata, segments_of
from annotarium.db.dataset import is_confirmed
from annotarium.db.times import from_iso
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.said import Said, said_again, say

_NOTES = 20
RunSteps = Callable[[Document], Document]
"""The steps of a plan, on one document; raises `Refused`."""


@dataclass(frozen=True)
class ImportOptions:
    """What an import was asked to do; sizes are bytes.

    Attributes:
        clean_text: remove HTML tags and emojis.
        carriage_returns: write line ends as `\\n`.
        origin_group_id: the group whose members see the documents, None = everybody who sees the project.
        annotations_whole: computed segments never end inside an annotation.
        metadata_split: documents go to the part that their metadata `split` tells (`train`, `test`).
        classification: the project is for categories, not for annotations.
        empty_reviewed: an empty list of labels means that somebody read the document and found nothing.
    """

    policy: Policy = "compute_if_missing"
    ignore_labelling: bool = False
    clean_text: bool = False
    carriage_returns: bool = False
    language: str = "xx"
    origin_group_id: int | None = None
    document_limit: int = 64 << 20
    annotations_whole: bool = True
    metadata_split: bool = True
    classification: bool = False
    empty_reviewed: bool = False


AN_ANNOTATION, ITS_LABEL = say("what.anAnnotation", "An annotation"), say("what.itsLabel", "The label of an annotation")
A_CATEGORY = say("what.aCategory", "A category")
LABEL_OF_CATEGORY = say("what.labelOfCategory", "The label of a category")


class Labelled(NamedTuple):
    """An annotation, or a category (`start` and `end` None = of the document). Moments are milliseconds."""

    start: int | None
    end: int | None
    name: str | None
    label: str | None
    label_id: str | None
    status: str | None
    mode: str
    score: float | None
    properties: dict[str, Any] | None
    terms: list[dict[str, Any]] | None
    created_by: str | None
    created_at: int | None
    modified_at: int | None


class Prepared(NamedTuple):
    """A document ready to be written; offsets are right, every text may be stored.

    Attributes:
        segments: `(start, end, metadata)`.
        alt_texts: `(name, text)`.
        reviewed: what is not annotated is not there (see `_reviewed`). None: the document brought an empty list of
            labels, and nobody said what that means; it counts as False.
        notes: what was corrected on the way.
        layout: see `corpus.layouts`.
        pieces: place in `annotations` and pieces of those that are discontinuous.
        links: relations between them.
        fingerprint: of all that is stored, but for who and when.
        words, inflected: what `search.cutting.Cutter` says of the text; not stored.
    """

    identifier: str
    title: str
    text: str
    metadata: dict[str, Any]
    segments: list[tuple[int, int, dict[str, Any] | None]]
    annotations: list[Labelled]
    categories: list[Labelled]
    alt_texts: list[tuple[str, str]]
    created_by: str | None
    created_at: int | None
    modified_at: int | None
    reviewed: bool | None
    notes: list[str]
    layout: list[Mark] = []  # noqa: RUF012  (a field of a named tuple; never changed in place)
    pieces: list[tuple[int, list[tuple[int, int]]]] = []  # noqa: RUF012
    links: list[Link] = []  # noqa: RUF012
    fingerprint: str = ""
    words: bytes = b""
    inflected: bytes = b""

    def dump(self) -> bytes:
        """As JSON for `load_prepared`, with its fingerprint.

        What few documents have is left out at the end where it is empty: the fingerprint of a plain one never changes.
        """
        parts = list(self)[:_STORED]
        while len(parts) > _ALWAYS and not parts[-1]:
            parts.pop()
        body = orjson.dumps(parts, default=tuple)  # orjson takes tuples, but not named ones
        said = [note.wire() if isinstance(note, Said) else None for note in self.notes]
        return hashlib.sha256(body).hexdigest().encode() + (orjson.dumps(said) if said else b"") + b"\n" + body


_ALWAYS, _STORED = Prepared._fields.index("layout"), Prepared._fields.index("fingerprint")
_NOTED, _DIGITS = Prepared._fields.index("notes"), 64


def load_prepared(data: bytes) -> Prepared:
    """What `Prepared.dump` wrote, and lines with its words and inflected words when they follow."""
    head, body, *cut = data.split(b"\n")  # JSON as it is dumped has no line ends of its own
    fingerprint, said = head[:_DIGITS], head[_DIGITS:]
    parts = orjson.loads(body)
    if said:
        parts[_NOTED] = list(map(said_again, parts[_NOTED], orjson.loads(said)))
    for place in (5, 6):
        parts[place] = [Labelled._make(one) for one in parts[place]]
    parts += [[] for _ in range(len(parts), _STORED)]
    parts[-1] = [Link._make(one) for one in parts[-1]]
    return Prepared._make([*parts, fingerprint.decode(), *(cut or (b"", b""))])


def prepare_document(
    document: Document, *, options: ImportOptions, segment: Segment, steps: RunSteps | None = None
) -> Prepared:
    """Check and complete a document. Its object is changed.

    Args:
        steps: of the plan in use; they see the text as it will be kept.

    Raises:
        Refused: it cannot be imported, and why.
    """
    reviewed = _reviewed(document, options)
    if options.ignore_labelling:
        _remove_labelling(document)
    check_document(document, limit=options.document_limit)
    notes = document.notes + correct_offsets(document) + tidy(document.annotations)
    if options.clean_text or options.carriage_returns:
        notes += clean_document(document, tags_and_emojis=options.clean_text, carriage_returns=options.carriage_returns)
        if not document.text.strip():
            raise Refused(
                say("document.cleaned", "Cleaning leaves no text"), say("fix.uncleaned", "Import it without cleaning")
            )
    if steps is not None:
        document = steps(document)
        check_document(document, limit=options.document_limit)
        notes += correct_offsets(document) + tidy(document.annotations)
    layout: list[Mark] = []
    if document.layout:
        layout, strange = tidy_layout(document.layout, document.text)
        if strange:
            words = "{count} marks of the layout were left out: they are not within the text or each other"
            notes.append(say("note.layout", words, count=strange))
    links, left_out = links_of(document)
    notes += left_out
    categories = [_category(one, one.start, one.end) for one in document.categories]
    for sentence in document.sentences or ():
        categories += [_category(one, sentence.start, sentence.end) for one in sentence.categories or ()]
    segments = segments_of(
        document, options.policy, segment, options.language, annotations_whole=options.annotations_whole
    )
    lost = lost_metadata(document, segments)
    if lost:
        words = "Metadata of {count} sentences was left out: the text was cut otherwise"
        notes.append(say("note.metadata", words, count=lost))
    return Prepared(
        document.identifier,
        document.title,
        document.text,
        document.metadata,
        segments,
        [_annotation(one) for one in document.annotations],
        categories,
        list({one.name: (one.name, one.text) for one in document.alt_texts}.values()),
        document.created_by,
        _moment(document.created_date),
        _moment(document.modified_date),
        reviewed,
        notes[:_NOTES],
        layout,
        [(place, one.fragments) for place, one in enumerate(document.annotations) if one.fragments],
        links,
    )


def _reviewed(document: Document, options: ImportOptions) -> bool | None:
    """Whether everything there is to annotate in a document is annotated.

    As its sender says; else, True when it brings an annotation that somebody confirmed or rejected. An empty list of
    what the project is for says nothing by itself: `ImportOptions.empty_reviewed` decides, None when that does not
    either. Proposals of a machine say nothing.
    """
    if options.ignore_labelling:
        return False
    if document.reviewed is not None:
        return document.reviewed
    if any(_is_judged(one) for one in document.annotations):
        return True
    asked = "categories" if options.classification else "annotations"
    brought_empty = asked in document.model_fields_set and not getattr(document, asked)
    if not brought_empty or any(sentence.categories for sentence in document.sentences or ()):
        return False
    return True if options.empty_reviewed else None


def _is_judged(one: Annotation) -> bool:
    return one.status == "KO" or is_confirmed(one.status, one.creation_mode or "imported")


def _remove_labelling(document: Document) -> None:
    document.annotations = []
    document.relations = None
    document.categories = []
    for sentence in document.sentences or ():
        sentence.categories = None


def _annotation(one: Annotation) -> Labelled:
    _check_label(one, AN_ANNOTATION, ITS_LABEL)
    terms = [term.model_dump(by_alias=True, exclude_unset=True) for term in one.terms] if one.terms else None
    return Labelled(
        one.start,
        one.end,
        one.label_name,
        one.label,
        one.label_id,
        one.status,
        one.creation_mode or "imported",
        one.score,
        one.properties,
        terms,
        one.created_by,
        _moment(one.created_date),
        _moment(one.modified_date),
    )


def _category(one: Category, start: int | None, end: int | None) -> Labelled:
    _check_label(one, A_CATEGORY, LABEL_OF_CATEGORY)
    return Labelled(
        start,
        end,
        one.label_name,
        one.label,
        one.label_id,
        one.status,
        one.creation_mode or "imported",
        one.score,
        one.properties,
        None,
        one.created_by,
        _moment(one.created_date),
        _moment(one.modified_date),
    )


def _check_label(labelled: Annotation | Category, what: str, label: str) -> None:
    name = labelled.label_name or labelled.label or labelled.label_id
    if not name:
        raise Refused(
            say("document.noLabel", "{what} has no label", what=what),
            say("fix.label", "Give it a labelName or a label"),
        )
    check = check_name if labelled.label_name else check_words  # a name is made of words
    check(name, label)


def _moment(date: str | None) -> int | None:
    if date is None:
        return None
    try:
        return from_iso(date)
    except ValueError as error:
        raise Refused(
            say("document.noDate", "\u201c{date}\u201d is not a date", date=date[:40]),
            say("fix.date", "Write dates as {example}", example="2026-05-31T12:00:00Z"),
        ) from error
