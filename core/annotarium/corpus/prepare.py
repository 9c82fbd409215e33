"""From a converter's document to one that is ready to be written: gated, corrected, cleaned, cut into segments."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import orjson

from annotarium.corpus.cleaning import clean_document
from annotarium.corpus.gate import Refused, check_document, check_name
from annotarium.corpus.labels import LabelKey
from annotarium.corpus.offsets import correct_offsets
from annotarium.corpus.segmentation import Policy, Segment, SegmentRow, segments_of
from annotarium.db.times import from_iso
from annotarium_schemas.documents import Annotation, Category, Document


@dataclass(frozen=True)
class ImportOptions:
    """What an import was asked to do; sizes are bytes.

    Attributes:
        clean_text: remove HTML tags and emojis.
        carriage_returns: write line ends as `\\n`.
        origin_group_id: the group whose members see the documents, None = everybody who sees the project.
    """

    policy: Policy = "compute_if_missing"
    ignore_labelling: bool = False
    clean_text: bool = False
    carriage_returns: bool = False
    language: str = "xx"
    origin_group_id: int | None = None
    document_limit: int = 64 << 20


@dataclass(slots=True)
class Prepared:
    """A document ready to be written.

    Attributes:
        item: what the report calls it; unique within the import.
        ordinal: its place in the import.
        notes: what was corrected on the way.
    """

    item: str
    ordinal: int
    document: Document
    segments: list[SegmentRow]
    fingerprint: str
    notes: list[str] = field(default_factory=list)


def prepare_document(
    document: Document, *, item: str, ordinal: int, options: ImportOptions, segment: Segment
) -> Prepared:
    """Check and complete a document. Its object is changed.

    Raises:
        Refused: it cannot be imported, and why.
    """
    if options.ignore_labelling:
        _remove_labelling(document)
    check_document(document, limit=options.document_limit)
    for annotation in document.annotations:
        _check_labelled(annotation, "An annotation")
    _check_categories(document)
    notes = correct_offsets(document)
    if options.clean_text or options.carriage_returns:
        notes += clean_document(document, tags_and_emojis=options.clean_text, carriage_returns=options.carriage_returns)
        if not document.text.strip():
            raise Refused("Cleaning leaves no text", "Import it without cleaning")
    segments = segments_of(document, options.policy, segment, options.language)
    return Prepared(item, ordinal, document, segments, _fingerprint(document, segments), notes)


def label_key(labelled: Annotation | Category) -> LabelKey:
    """How an imported annotation or category names its label."""
    return LabelKey(labelled.label_name, labelled.label, labelled.label_id)


def _remove_labelling(document: Document) -> None:
    document.annotations = []
    document.categories = []
    for sentence in document.sentences or ():
        sentence.categories = None


def _check_labelled(labelled: Annotation | Category, what: str) -> None:
    name = labelled.label_name or labelled.label or labelled.label_id
    if not name:
        raise Refused(f"{what} has no label", "Give it a labelName or a label")
    check_name(name, f"The label of {what.lower()}")
    for moment in (labelled.created_date, labelled.modified_date):
        if moment is not None:
            moment_of(moment)


def _check_categories(document: Document) -> None:
    for category in document.categories:
        _check_labelled(category, "A category")
    for sentence in document.sentences or ():
        for category in sentence.categories or ():
            _check_labelled(category, "A category of a sentence")


def moment_of(date: str) -> int:
    """Milliseconds of an imported date. Raises `Refused`."""
    try:
        return from_iso(date)
    except ValueError as error:
        raise Refused(f"{date[:40]!r} is not a date", "Write dates as 2026-05-31T12:00:00Z") from error


def _fingerprint(document: Document, segments: list[SegmentRow]) -> str:
    digest = hashlib.sha256(document.model_dump_json(exclude={"sentences"}).encode())
    digest.update(orjson.dumps(segments))
    for sentence in document.sentences or ():
        if sentence.categories:
            digest.update(sentence.model_dump_json().encode())
    return digest.hexdigest()
