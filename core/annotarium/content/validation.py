"""The checks that every stored text passes: whole Unicode without NUL, within its limits.

SQLite and PostgreSQL handle NUL differently, and both reject lone surrogates; here both are refused with a clear
message.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from annotarium.settings import MEBIBYTE
from annotarium_schemas.documents import Document
from annotarium_schemas.messages import message

NAME_LENGTH = 255
"""Characters of identifiers, label names and names of alternative texts."""
SAMPLE_LENGTH = 80


DOT_NAMES = (".", "..")
"""Names that mean folders in a URL, however they are escaped: browsers never request such a document."""
IDENTIFIER = message("what.identifier", "The identifier")
TEXT = message("what.text", "The text")
TITLE = message("what.title", "The title")
METADATA = message("what.metadata", "The metadata")
ALTERNATIVE = message("what.alternativeName", "The name of an alternative text")
LAYOUT = message("what.layout", "The layout")
LABEL = message("what.label", "A label")
TERM = message("what.term", "A term")
CATEGORY = message("what.aCategory", "A category")
SENTENCE_METADATA = message("what.sentenceMetadata", "The metadata of a sentence")
CATEGORY_PROPERTIES = message("what.categoryProperties", "The properties of a category")
PROPERTIES = message("what.properties", "The properties of an annotation")


ANNOTATIONS_COUNTED, CATEGORIES_COUNTED = (
    message("what.annotations", "annotations"),
    message("what.categories", "categories"),
)
LABELS_COUNTED, METADATA_NAMES_COUNTED = (
    message("what.labels", "labels"),
    message("what.metadataNames", "names of metadata"),
)
ALT_TEXTS_COUNTED = message("what.alternatives", "alternative texts")
TITLE_CHARACTERS_COUNTED = message("what.titleCharacters", "characters in its title")
CHECK_FILE_FIX = message("fix.check", "Check the file")
MAX_ANNOTATIONS, MAX_ANNOTATIONS_PER_CHARACTER = 1_000, 20
"""Annotations that any document may have, and how many more per character of its text."""
MAX_CATEGORIES, MAX_LABELS, MAX_METADATA_NAMES, MAX_ALT_TEXTS, MAX_TITLE_LENGTH = 1_000, 2_000, 2_000, 200, 100_000
"""Limits of one document. Categories of sentences count, except for one per sentence."""


class InvalidContent(Exception):
    """An item cannot be imported; `str(error)` is the reason, `fix` what the user can do."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.fix = message, fix


def check_text(value: str, what: str) -> None:
    """Raise `InvalidContent` for a text with NUL or a lone surrogate.

    Args:
        what: how the message names the text (`The title`).
    """
    if value.isascii():
        if "\x00" in value:
            raise InvalidContent(
                message("gate.nul", "{what} contains a NUL character", what=what), message("fix.remove", "Remove it")
            )
        return
    if "\x00" in value:
        raise InvalidContent(
            message("gate.nul", "{what} contains a NUL character", what=what), message("fix.remove", "Remove it")
        )
    try:
        value.encode()
    except UnicodeEncodeError as error:
        text = "{what} contains half of a surrogate pair at character {place}, which is not a character"
        problem = message("gate.surrogate", text, what=what, place=error.start)
        raise InvalidContent(problem, message("fix.wholeCharacter", "Write the whole character")) from error


_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\u2028\u2029]")
_OPERATION = re.compile(r"/_[a-z_]+\Z")
"""A name of this form would be read as an operation (`_history`, `_index`) on the item named before the slash."""


def check_name(value: str, what: str) -> None:
    """`check_text` for a name used in addresses: also not blank, at most 255 characters, no line breaks."""
    check_short_text(value, what)
    found = _CONTROL.search(value)
    if found is not None:
        text = "{what} contains a control character (U+{number}) at character {place}"
        problem = message("gate.control", text, what=what, number=f"{ord(found[0]):04X}", place=found.start())
        raise InvalidContent(problem, message("fix.remove", "Remove it"))
    operation = _OPERATION.search(value)
    if operation is not None:
        text = "{what} ends with {end}, which would be an operation in an address"
        raise InvalidContent(
            message("gate.operation", text, what=what, end=operation[0]),
            message("fix.otherName", "Choose another name"),
        )
    if value in DOT_NAMES:
        text = "{what} is {name}, which cannot be part of an address"
        raise InvalidContent(
            message("gate.dotName", text, what=what, name=value), message("fix.otherName", "Choose another name")
        )


def check_short_text(value: str, what: str) -> None:
    """`check_text` for a text that people read: also not blank, at most 255 characters."""
    check_text(value, what)
    if not value.strip():
        raise InvalidContent(message("gate.empty", "{what} is empty", what=what))
    if len(value) > NAME_LENGTH:
        raise InvalidContent(
            message(
                "gate.long",
                "{what} is longer than {count:,} characters: {sample}...",
                what=what,
                count=NAME_LENGTH,
                sample=value[:SAMPLE_LENGTH],
            ),
            message("fix.shorten", "Shorten it"),
        )


def check_json_value(value: Any, what: str) -> None:
    """`check_text` for every text within a JSON value, keys included."""
    if isinstance(value, str):
        check_text(value, what)
    elif isinstance(value, dict):
        for key, child in value.items():
            check_text(key, what)
            check_json_value(child, what)
    elif isinstance(value, list):
        for child in value:
            check_json_value(child, what)


def check_document(document: Document, *, limit: int) -> None:
    """Raise `InvalidContent` unless every text of the document may be stored.

    Args:
        limit: bytes of the text as UTF-8.
    """
    if document.identifier in DOT_NAMES:
        raise InvalidContent(
            message(
                "gate.dots",
                "The identifier is {identifier}, which cannot be part of an address",
                identifier=document.identifier,
            ),
            message("fix.onlyOtherIdentifier", "Import it under another identifier"),
        )
    check_name(document.identifier, IDENTIFIER)
    check_document_counts(document)
    text = document.text
    check_text(text, TEXT)
    if not text.strip():
        raise InvalidContent(message("gate.noText", "The text is empty"), message("fix.giveText", "Add a text to it"))
    if len(text) > limit or (len(text) * 4 > limit and len(text.encode()) > limit):
        raise InvalidContent(
            message("gate.large", "The text is over {limit:g} MB", limit=limit / MEBIBYTE),
            message("fix.splitDocument", "Split it into several documents"),
        )
    check_text(document.title, TITLE)
    check_json_value(document.metadata, METADATA)
    for what, value in _labelling_texts(document):
        check_text(value, what)
    for alternative in document.alt_texts:
        check_name(alternative.name, ALTERNATIVE)
        check_text(
            alternative.text, message("what.alternativeText", "The alternative text {name}", name=alternative.name)
        )
    for mark in document.layout or ():
        check_text((mark.href or "") + (mark.alt or ""), LAYOUT)


def check_document_counts(document: Document) -> None:
    """Raise `InvalidContent` for a document with more items than any real one: each becomes one or more rows."""
    marks = document.annotations
    categories = len(document.categories) + sum(len(one.categories or ()) for one in document.sentences or ())
    labels = {(one.label_name, one.label, one.label_id) for one in marks}
    labels |= {(one.label_name, one.label, one.label_id) for one in document.categories}
    counted = (
        (len(marks), MAX_ANNOTATIONS + MAX_ANNOTATIONS_PER_CHARACTER * len(document.text), ANNOTATIONS_COUNTED),
        (categories, MAX_CATEGORIES + len(document.sentences or ()), CATEGORIES_COUNTED),
        (len(labels), MAX_LABELS, LABELS_COUNTED),
        (len(document.metadata), MAX_METADATA_NAMES, METADATA_NAMES_COUNTED),
        (len(document.alt_texts), MAX_ALT_TEXTS, ALT_TEXTS_COUNTED),
        (len(document.title), MAX_TITLE_LENGTH, TITLE_CHARACTERS_COUNTED),
    )
    for number, most, what in counted:
        if number > most:
            words = "It has too many {what}: {number:,}; at most {count:,} are allowed"
            raise InvalidContent(message("gate.many", words, what=what, number=number, count=most), CHECK_FILE_FIX)


def _labelling_texts(document: Document) -> Iterator[tuple[str, str]]:
    for annotation in document.annotations:
        for name in (annotation.label_name, annotation.label, annotation.label_id):
            if name is not None:
                yield LABEL, name
        if annotation.properties:
            check_json_value(annotation.properties, PROPERTIES)
        for term in annotation.terms or ():
            check_json_value(term.model_dump(), TERM)
    categories = list(document.categories)
    for sentence in document.sentences or ():
        categories.extend(sentence.categories or ())
        check_json_value(sentence.metadata, SENTENCE_METADATA)
    for category in categories:
        for name in (category.label_name, category.label, category.label_id):
            if name is not None:
                yield CATEGORY, name
        if category.properties:
            check_json_value(category.properties, CATEGORY_PROPERTIES)
