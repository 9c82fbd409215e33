"""Turns a converter's document into one that is ready to be written: validated, corrected, cleaned, segmented.

It runs in the child process that converts; the result is sent to the writing process as JSON.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

from annotarium.content.labelling.fragments import drop_invalid_fragments
from annotarium.content.layouts.marks import Mark, tidy_layout
from annotarium.content.offsets import correct_offsets
from annotarium.content.questions import answers_to_alt_texts, is_answer_name, is_question
from annotarium.content.segmentation import Policy, SegmentFunction, count_lost_metadata, segments_of
from annotarium.content.validation import InvalidContent, check_document, check_name, check_short_text
from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.db.timestamps import from_iso
from annotarium.importing.cleaning import clean_document
from annotarium.importing.comments import ImportedThread, importable_threads, load_threads
from annotarium.importing.relations import ImportedRelation, importable_relations
from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.messages import Message, message, restore_message

_MAX_NOTES = 20
RunSteps = Callable[[Document], Document]
"""Runs the steps of a plan on one document; raises `InvalidContent`."""


@dataclass(frozen=True)
class PrepareOptions:
    r"""Options of an import; sizes are bytes.

    Attributes:
        clean_text: remove HTML tags and emojis.
        carriage_returns: write line ends as `\n`.
        origin_group_id: the group whose members see the documents, None = everybody who sees the project.
        annotations_whole: computed segments never end inside an annotation.
        metadata_split: documents go to the part that their metadata `split` names (`train`, `test`).
        classification: the project is for categories, not for annotations.
        empty_reviewed: an empty list of labels means that a person read the document and found nothing.
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


AN_ANNOTATION, ITS_LABEL = (
    message("what.anAnnotation", "An annotation"),
    message("what.itsLabel", "The label of an annotation"),
)
A_CATEGORY = message("what.aCategory", "A category")
LABEL_OF_CATEGORY = message("what.labelOfCategory", "The label of a category")


class LabelledItem(NamedTuple):
    """An annotation or a category (with `start` and `end` None, a category of the document). Timestamps are
    milliseconds.
    """

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


class PreparedDocument(NamedTuple):
    """A document ready to be written: its offsets are correct and all its texts are valid.

    Attributes:
        segments: `(start, end, metadata)`.
        alt_texts: `(name, text)`.
        reviewed: what is not annotated does not occur in the text (see `_reviewed_state`). None = the document has an
            empty list of labels and the import does not define its meaning; stored as False.
        notes: what was corrected during the import.
        layout: see `content.layouts`.
        fragments: index in `annotations` and fragments of each discontinuous annotation.
        links: relations between the annotations.
        threads: comments.
        fingerprint: hash over `_CONTENT_FIELDS`.
        tokens, inflected_tokens: output of `search.import_tokenizing.Tokenizer` for the text; not stored.
    """

    identifier: str
    title: str
    text: str
    metadata: dict[str, Any]
    segments: list[tuple[int, int, dict[str, Any] | None]]
    annotations: list[LabelledItem]
    categories: list[LabelledItem]
    alt_texts: list[tuple[str, str]]
    created_by: str | None
    created_at: int | None
    modified_at: int | None
    reviewed: bool | None
    notes: list[str]
    layout: list[Mark] = []  # noqa: RUF012  (a field of a named tuple; never changed in place)
    fragments: list[tuple[int, list[tuple[int, int]]]] = []  # noqa: RUF012
    links: list[ImportedRelation] = []  # noqa: RUF012
    threads: list[ImportedThread] = []  # noqa: RUF012
    fingerprint: str = ""
    tokens: bytes = b""
    inflected_tokens: bytes = b""

    def dump(self) -> bytes:
        """Serialise as a JSON object on one line, with the fingerprint and the codes of the notes; `load_prepared`
        reads it.
        """
        values = {name: _json(getattr(self, name)) for name in _CONTENT_FIELDS}
        values["fingerprint"] = _json(_fingerprint(values))
        messages = [note.to_json() if isinstance(note, Message) else None for note in self.notes]
        if messages:
            values[_MESSAGES] = _json(messages)
        return b"{" + b",".join(b'"%s":%s' % (name.encode(), value) for name, value in values.items()) + b"}"


_CONTENT_FIELDS = (
    *("identifier", "title", "text", "metadata", "segments", "annotations", "categories", "alt_texts"),
    *("created_by", "created_at", "modified_at", "reviewed", "notes", "layout", "fragments", "links"),
    "threads",
)
"""The fields of the fingerprint, in its order. Never change it: fingerprints are stored with documents."""
_ALWAYS_IN_FINGERPRINT = _CONTENT_FIELDS.index("layout")
_MESSAGES = "messages"
FIELD_NAMES_SIZE = sum(len(name) + len('"":') for name in _CONTENT_FIELDS)
"""Bytes of the field names in the output of `PreparedDocument.dump`."""


def _json(value: Any) -> bytes:
    return orjson.dumps(value, default=tuple)  # orjson serialises tuples, but not named ones


def _fingerprint(values: Mapping[str, bytes]) -> str:
    """Return the SHA-256 of the values as one JSON list.

    Trailing fields from `layout` on are left out where they are empty, so that the fingerprint of a document without
    them stays the same when a field is added.
    """
    parts = [values[name] for name in _CONTENT_FIELDS]
    while len(parts) > _ALWAYS_IN_FINGERPRINT and parts[-1] == b"[]":
        parts.pop()
    return hashlib.sha256(b"[" + b",".join(parts) + b"]").hexdigest()


def load_prepared(data: bytes) -> PreparedDocument:
    """Read the output of `PreparedDocument.dump`; two lines with tokens and inflected tokens may follow it."""
    body, *tokens = data.split(b"\n")  # the JSON of `dump` contains no line ends
    fields = orjson.loads(body)
    messages = fields.pop(_MESSAGES, None)
    if messages:
        fields["notes"] = list(map(restore_message, fields["notes"], messages))
    fields["annotations"] = [LabelledItem(*one) for one in fields["annotations"]]
    fields["categories"] = [LabelledItem(*one) for one in fields["categories"]]
    fields["links"] = [ImportedRelation(*one) for one in fields["links"]]
    fields["threads"] = load_threads(fields["threads"])
    if tokens:
        fields["tokens"], fields["inflected_tokens"] = tokens
    return PreparedDocument(**fields)


def prepare_document(
    document: Document, *, options: PrepareOptions, segment: SegmentFunction, steps: RunSteps | None = None
) -> PreparedDocument:
    """Check and complete a document. The object passed in is changed.

    Args:
        steps: steps of the active plan; they see the text as it will be stored.

    Raises:
        InvalidContent: the document cannot be imported.
    """
    reviewed = _reviewed_state(document, options)
    if options.ignore_labelling:
        _remove_labelling(document)
    check_document(document, limit=options.document_limit)
    notes = document.notes + correct_offsets(document) + drop_invalid_fragments(document.annotations)
    if options.clean_text or options.carriage_returns:
        notes += clean_document(document, tags_and_emojis=options.clean_text, carriage_returns=options.carriage_returns)
        if not document.text.strip():
            raise InvalidContent(
                message("document.cleaned", "No text is left after cleaning"),
                message("fix.uncleaned", "Import it without cleaning"),
            )
    if steps is not None:
        document = steps(document)
        check_document(document, limit=options.document_limit)
        notes += correct_offsets(document) + drop_invalid_fragments(document.annotations)
    layout: list[Mark] = []
    if document.layout:
        layout, strange = tidy_layout(document.layout, document.text)
        if strange:
            words = "{count:,} marks of the layout were left out: they are outside the text or cross each other"
            notes.append(
                message(
                    "note.layout",
                    words,
                    one="{count:,} mark of the layout was left out: it is outside the text or crosses others",
                    count=strange,
                )
            )
    (links, left_out), (threads, more_left_out) = importable_relations(document), importable_threads(document)
    notes += left_out + more_left_out
    categories = [_labelled_item_of_category(one, one.start, one.end) for one in document.categories]
    for sentence in document.sentences or ():
        categories += [
            _labelled_item_of_category(one, sentence.start, sentence.end) for one in sentence.categories or ()
        ]
    segments = segments_of(
        document, options.policy, segment, options.language, annotations_whole=options.annotations_whole
    )
    lost = count_lost_metadata(document, segments)
    if lost:
        words = "Metadata of {count:,} sentences was left out, because the text was segmented differently"
        notes.append(
            message(
                "note.metadata",
                words,
                one="Metadata of {count:,} sentence was left out, because the text was segmented differently",
                count=lost,
            )
        )
    return PreparedDocument(
        identifier=document.identifier,
        title=document.title,
        text=document.text,
        metadata=document.metadata,
        segments=segments,
        annotations=[_labelled_item_of_annotation(one) for one in document.annotations],
        categories=categories,
        alt_texts=_alt_texts(document),
        created_by=document.created_by,
        created_at=_timestamp(document.created_date),
        modified_at=_timestamp(document.modified_date),
        reviewed=reviewed,
        notes=notes[:_MAX_NOTES],
        layout=layout,
        fragments=[(index, one.fragments) for index, one in enumerate(document.annotations) if one.fragments],
        links=links,
        threads=threads,
    )


def _alt_texts(document: Document) -> list[tuple[str, str]]:
    """Name and text of the alternative texts, the last one of each name; of a question, all known answers."""
    given = [(one.name, one.text) for one in document.alt_texts]
    if is_question(document.metadata):
        answers = [text for name, text in given if is_answer_name(name)]
        if len(answers) > len({name for name, _ in given if is_answer_name(name)}):  # several have the same name
            others = [one for one in given if not is_answer_name(one[0])]
            given = others + answers_to_alt_texts(list(dict.fromkeys(answers)))
    return list({name: (name, text) for name, text in given}.values())


def _reviewed_state(document: Document, options: PrepareOptions) -> bool | None:
    """Return whether everything there is to annotate in a document is annotated.

    The sender's own statement decides; else it is True when an annotation was confirmed or rejected by a person. For an
    empty list of what the project is for (categories or annotations), `PrepareOptions.empty_reviewed` decides; without
    it the result is None. Proposals of a machine do not count.
    """
    if options.ignore_labelling:
        return False
    if document.reviewed is not None:
        return document.reviewed
    if any(_is_confirmed_or_rejected(one) for one in document.annotations):
        return True
    expected = "categories" if options.classification else "annotations"
    brought_empty = expected in document.model_fields_set and not getattr(document, expected)
    if not brought_empty or any(sentence.categories for sentence in document.sentences or ()):
        return False
    return True if options.empty_reviewed else None


def _is_confirmed_or_rejected(one: Annotation) -> bool:
    return one.status == "KO" or is_confirmed(one.status, one.creation_mode or "imported")


def _remove_labelling(document: Document) -> None:
    document.annotations = []
    document.relations = None
    document.categories = []
    for sentence in document.sentences or ():
        sentence.categories = None


def _labelled_item_of_annotation(one: Annotation) -> LabelledItem:
    _check_label(one, AN_ANNOTATION, ITS_LABEL)
    terms = [term.model_dump(by_alias=True, exclude_unset=True) for term in one.terms] if one.terms else None
    return _labelled_item(one, one.start, one.end, terms)


def _labelled_item_of_category(one: Category, start: int | None, end: int | None) -> LabelledItem:
    _check_label(one, A_CATEGORY, LABEL_OF_CATEGORY)
    return _labelled_item(one, start, end, None)


def _labelled_item(
    one: Annotation | Category, start: int | None, end: int | None, terms: list[dict[str, Any]] | None
) -> LabelledItem:
    return LabelledItem(
        start=start,
        end=end,
        name=one.label_name,
        label=one.label,
        label_id=one.label_id,
        status=one.status,
        mode=one.creation_mode or "imported",
        score=one.score,
        properties=one.properties,
        terms=terms,
        created_by=one.created_by,
        created_at=_timestamp(one.created_date),
        modified_at=_timestamp(one.modified_date),
    )


def _check_label(labelled: Annotation | Category, what: str, label: str) -> None:
    name = labelled.label_name or labelled.label or labelled.label_id
    if not name:
        raise InvalidContent(
            message("document.noLabel", "{what} has no label", what=what),
            message("fix.label", "Add a labelName or a label to it"),
        )
    check = check_name if labelled.label_name else check_short_text  # names occur in URLs, texts do not
    check(name, label)


def _timestamp(date: str | None) -> int | None:
    if date is None:
        return None
    try:
        return from_iso(date)
    except ValueError as error:
        raise InvalidContent(
            message("document.noDate", "\u201c{date}\u201d is not a date", date=date[:40]),
            message("fix.date", "Write dates as {example}", example="2026-05-31T12:00:00Z"),
        ) from error
