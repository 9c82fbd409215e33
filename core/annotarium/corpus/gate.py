"""The one gate of text: what is stored is whole Unicode text without NUL, within its limits.

SQLite and PostgreSQL differ on NUL, both refuse halves of surrogate pairs: here they are refused by name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from annotarium.settings import MEBIBYTE
from annotarium_schemas.documents import Document
from annotarium_schemas.said import say

NAME_LENGTH = 255
"""Characters of identifiers, label names and names of alternative texts."""
SAMPLE = 80


DOTS = (".", "..")
"""In an address they mean a folder, however they are written: browsers never ask for such a document."""
IDENTIFIER = say("what.identifier", "The identifier")
TEXT = say("what.text", "The text")
TITLE = say("what.title", "The title")
METADATA = say("what.metadata", "The metadata")
ALTERNATIVE = say("what.alternativeName", "The name of an alternative text")
LAYOUT = say("what.layout", "The layout")
LABEL = say("what.label", "A label")
TERM = say("what.term", "A term")
CATEGORY = say("what.aCategory", "A category")
SENTENCE_METADATA = say("what.sentenceMetadata", "The metadata of a sentence")
CATEGORY_PROPERTIES = say("what.categoryProperties", "The properties of a category")
PROPERTIES = say("what.properties", "The properties of an annotation")


ANNOTATIONS, THE_CATEGORIES = say("what.annotations", "annotations"), say("what.categories", "categories")
THE_LABELS, METADATA_NAMED = say("what.labels", "labels"), say("what.metadataNames", "names of metadata")
THE_ALTERNATIVES = say("what.alternatives", "alternative texts")
TITLE_CHARACTERS = say("what.titleCharacters", "characters in its title")
CHECK_FILE = say("fix.check", "Check the file")
MARKS, MARKS_A_CHARACTER = 1_000, 20
"""Annotations of any document, and more for each character of its text."""
CATEGORIES, LABELS, METADATA_NAMES, ALTERNATIVES, TITLE_LENGTH = 1_000, 2_000, 2_000, 200, 100_000
"""Of one document; categories of sentences count, one for each sentence is free."""


class Refused(Exception):
    """An item that cannot be imported; `str(error)` says why, `fix` what to do."""

    def __init__(self, message: str, fix: str | None = None) -> None:
        super().__init__(message)
        self.message, self.fix = message, fix


def check_text(value: str, what: str) -> None:
    """Raise `Refused` for a text with NUL or half a surrogate pair.

    Args:
        what: how the message names the text (`The title`).
    """
    if value.isascii():
        if "\x00" in value:
            raise Refused(say("gate.nul", "{what} holds a NUL character", what=what), say("fix.remove", "Remove it"))
        return
    if "\x00" in value:
        raise Refused(say("gate.nul", "{what} holds a NUL character", what=what), say("fix.remove", "Remove it"))
    try:
        value.encode()
    except UnicodeEncodeError as error:
        text = "{what} holds half of a surrogate pair at character {place}, which is no character"
        message = say("gate.surrogate", text, what=what, place=error.start)
        raise Refused(message, say("fix.wholeCharacter", "Write the whole character")) from error


_CONTROL = re.compile("[\x01-\x1f\x7f-\x9f\u2028\u2029]")
_OPERATION = re.compile(r"/_[a-z_]+\Z")
"""What would be done to a document or label whose identifier is what stands before (`_history`, `_index`)."""


def check_name(value: str, what: str) -> None:
    """`check_text` for a name that things are addressed by: also not blank, at most 255 characters, no line breaks."""
    check_words(value, what)
    found = _CONTROL.search(value)
    if found is not None:
        text = "{what} holds a control character (U+{number}) at character {place}"
        message = say("gate.control", text, what=what, number=f"{ord(found[0]):04X}", place=found.start())
        raise Refused(message, say("fix.remove", "Remove it"))
    operation = _OPERATION.search(value)
    if operation is not None:
        text = "{what} ends with {end}, which an address takes for an operation"
        raise Refused(
            say("gate.operation", text, what=what, end=operation[0]), say("fix.otherName", "Choose another name")
        )
    if value in DOTS:
        text = "{what} is {name}, which no address can hold"
        raise Refused(say("gate.dotName", text, what=what, name=value), say("fix.otherName", "Choose another name"))


def check_words(value: str, what: str) -> None:
    """`check_text` for words that people read: also not blank and at most 255 characters."""
    check_text(value, what)
    if not value.strip():
        raise Refused(say("gate.empty", "{what} is empty", what=what))
    if len(value) > NAME_LENGTH:
        raise Refused(
            say(
                "gate.long",
                "{what} is longer than {count} characters: {sample}...",
                what=what,
                count=NAME_LENGTH,
                sample=value[:SAMPLE],
            ),
            say("fix.shorten", "Shorten it"),
        )


def check_value(value: Any, what: str) -> None:
    """`check_text` for every text within a JSON value, keys included."""
    if isinstance(value, str):
        check_text(value, what)
    elif isinstance(value, dict):
        for key, child in value.items():
            check_text(key, what)
            check_value(child, what)
    elif isinstance(value, list):
        for child in value:
            check_value(child, what)


def check_document(document: Document, *, limit: int) -> None:
    """Raise `Refused` unless every text of the document may be stored.

    Args:
        limit: bytes of the text as UTF-8.
    """
    if document.identifier in DOTS:
        raise Refused(
            say(
                "gate.dots", "The identifier is {identifier}, which no address can hold", identifier=document.identifier
            ),
            say("fix.onlyOtherIdentifier", "Import it under another identifier"),
        )
    check_name(document.identifier, IDENTIFIER)
    check_counts(document)
    text = document.text
    check_text(text, TEXT)
    if not text.strip():
        raise Refused(say("gate.noText", "The text is empty"), say("fix.giveText", "Give it a text"))
    if len(text) > limit or (len(text) * 4 > limit and len(text.encode()) > limit):
        raise Refused(
            say("gate.large", "The text is over {limit:g} MB", limit=limit / MEBIBYTE),
            say("fix.splitDocument", "Split it into several documents"),
        )
    check_text(document.title, TITLE)
    check_value(document.metadata, METADATA)
    for what, value in _labelling_texts(document):
        check_text(value, what)
    for alternative in document.alt_texts:
        check_name(alternative.name, ALTERNATIVE)
        check_text(alternative.text, say("what.alternativeText", "The alternative text {name}", name=alternative.name))
    for mark in document.layout or ():
        check_text((mark.href or "") + (mark.alt or ""), LAYOUT)


def check_counts(document: Document) -> None:
    """Raise `Refused` for a document that carries more than any real one: each of it is a row, or several."""
    marks = document.annotations
    categories = len(document.categories) + sum(len(one.categories or ()) for one in document.sentences or ())
    labels = {(one.label_name, one.label, one.label_id) for one in marks}
    labels |= {(one.label_name, one.label, one.label_id) for one in document.categories}
    counted = (
        (len(marks), MARKS + MARKS_A_CHARACTER * len(document.text), ANNOTATIONS),
        (categories, CATEGORIES + len(document.sentences or ()), THE_CATEGORIES),
        (len(labels), LABELS, THE_LABELS),
        (len(document.metadata), METADATA_NAMES, METADATA_NAMED),
        (len(document.alt_texts), ALTERNATIVES, THE_ALTERNATIVES),
        (len(document.title), TITLE_LENGTH, TITLE_CHARACTERS),
    )
    for number, most, what in counted:
        if number > most:
            words = "It has too many {what}: {number:,}, {count:,} at most"
            raise Refused(say("gate.many", words, what=what, number=number, count=most), CHECK_FILE)


def _labelling_texts(document: Document) -> Iterator[tuple[str, str]]:
    for annotation in document.annotations:
        for name in (annotation.label_name, annotation.label, annotation.label_id):
            if name is not None:
                yield LABEL, name
        if annotation.properties:
            check_value(annotation.properties, PROPERTIES)
        for term in annotation.terms or ():
            check_value(term.model_dump(), TERM)
    categories = list(document.categories)
    for sentence in document.sentences or ():
        categories.extend(sentence.categories or ())
        check_value(sentence.metadata, SENTENCE_METADATA)
    for category in categories:
        for name in (category.label_name, category.label, category.label_id):
            if name is not None:
                yield CATEGORY, name
        if category.properties:
            check_value(category.properties, CATEGORY_PROPERTIES)
