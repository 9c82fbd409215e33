"""Builds annotations and categories from labels in the formats of other tools.

Supported: `[start, end, "label"]` (doccano, spaCy), objects with start, end and label (Prodigy, Argilla, Label Studio),
names of classes (text or list), `{class: score}` (spaCy), entities with relations (doccano). Offsets are code points.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any

from annotarium_plugins.builtin.converters.common.json_document import InvalidItem
from annotarium_schemas.documents import Annotation, Category, Document, Relation, Status
from annotarium_schemas.messages import message

_START = ("start", "start_offset", "startOffset", "begin", "from")
_END = ("end", "end_offset", "endOffset", "stop", "to")
_LABEL = ("label", "labels", "labelName", "entity_group", "entity", "type", "tag", "class")
_CHOSEN = 0.5
"""Score from which a class of `{class: score}` becomes a category."""


def add_labels(document: Document, value: Any, *, separator: str = "", status: Status | None = None) -> None:
    """Add the labels of a field to a document. An empty value adds nothing.

    Args:
        separator: between the classes of a text; empty = the text is one class.

    Raises:
        InvalidItem: the value has none of the supported forms, or a span is outside the text.
    """
    if value in (None, "", [], {}):
        return
    if isinstance(value, str | int) and not isinstance(value, bool):
        names = str(value).split(separator) if separator else [str(value)]
        _add_categories(document, names, status)
    elif isinstance(value, dict):
        _add_label_object(document, value, status)
    elif isinstance(value, list):
        for one in value:
            _add_label_value(document, one, status)
    else:
        raise InvalidItem(
            message("label.otherKind", "A label must be a text, a list or an object: {value}", value=str(value)[:60])
        )


def _add_label_value(document: Document, one: Any, status: Status | None) -> None:
    if isinstance(one, str | int) and not isinstance(one, bool):
        _add_categories(document, [str(one)], status)
    elif isinstance(one, list):
        if len(one) < 3:
            raise InvalidItem(
                message("label.noSpan", "A span must be [start, end, label], not {value}", value=str(one)[:60])
            )
        document.annotations.append(make_annotation(document.text, one[0], one[1], one[2], status=status))
    elif isinstance(one, dict):
        _add_label_object(document, one, status)
    else:
        raise InvalidItem(
            message("label.otherKind", "A label must be a text, a list or an object: {value}", value=str(one)[:60])
        )


def _add_label_object(document: Document, one: dict[str, Any], status: Status | None) -> None:
    start, end = _first_given_value(one, _START), _first_given_value(one, _END)
    if start is not None and end is not None:
        labels = _first_given_value(one, _LABEL)
        for label in labels if isinstance(labels, list) else [labels]:
            made = make_annotation(document.text, start, end, label, score=one.get("score"), status=status)
            if isinstance(one.get("text"), str):
                made.text = one["text"]
            if one.get("id") is not None:
                made.identifier = str(one["id"])
                made.properties = {"id": one["id"]}
            document.annotations.append(made)
    elif "choices" in one or "value" in one:
        add_labels(document, one.get("choices", one.get("value")), status=status)
    elif one and all(isinstance(value, int | float) for value in one.values()):
        for name, value in one.items():
            if value is True or (value is not False and float(value) >= _CHOSEN):
                document.categories.append(Category(label=name, score=_score(value), status=status))
    elif _first_given_value(one, _LABEL) is not None:
        add_labels(document, _first_given_value(one, _LABEL), status=status)
    else:
        raise InvalidItem(message("label.noPlaces", "A label needs start, end and label: {value}", value=str(one)[:60]))


def make_annotation(
    text: str, start: Any, end: Any, label: Any, *, score: Any = None, status: Status | None = None
) -> Annotation:
    """Build the annotation of a span.

    Raises:
        InvalidItem: its offsets are not whole numbers within the text, or it has no label.
    """
    places = [int(one) if isinstance(one, float) and one.is_integer() else one for one in (start, end)]
    if not all(isinstance(one, int) and not isinstance(one, bool) for one in places):
        raise InvalidItem(
            message(
                "label.noNumbers",
                "Start and end of a span must be whole numbers, not {value}",
                value=str([start, end])[:60],
            )
        )
    if not 0 <= places[0] < places[1] <= len(text):
        raise InvalidItem(
            message(
                "label.outside",
                "The span {start}..{end} is outside a text of {number} characters",
                start=places[0],
                end=places[1],
                number=len(text),
            ),
            message("fix.countCharacters", "Count characters from 0, the end after the last one"),
        )
    if not isinstance(label, str | int) or isinstance(label, bool) or not str(label).strip():
        raise InvalidItem(
            message("label.missing", "The span {start}..{end} has no label", start=places[0], end=places[1]),
            message("fix.giveLabel", "Add a label to it"),
        )
    return Annotation(
        start=places[0],
        end=places[1],
        label=str(label).strip(),
        text=text[places[0] : places[1]],
        score=_score(score),
        status=status,
    )


def add_relations(document: Document, relations: Any) -> bool:
    """Add doccano's relations, whose ends are ids of entities, and return whether there are any. The import validates
    them.
    """
    made = [
        Relation(name=one.get("type"), source=one.get("from_id"), target=one.get("to_id"))
        for one in (relations if isinstance(relations, list) else ())
        if isinstance(one, dict)
    ]
    document.relations = made or None
    return bool(made)


def spans_from_iob_tags(tokens: list[str], tags: list[str]) -> tuple[str, list[tuple[int, int, str]]]:
    """Return the text and the spans of tokens with IOB tags (`B-PER`, `I-PER`, `O`; also BILOU and IOBES)."""
    spans: list[tuple[int, int, str]] = []
    position = 0
    before = ""
    for token, tag in zip(tokens, tags, strict=True):
        mark, _, name = tag.partition("-")
        mark, name = (mark, name) if name else ("I" if tag not in ("O", "", "_") else "O", tag)
        end = position + len(token)
        if mark != "O":
            if mark in "ILE" and before == name and spans:
                spans[-1] = (spans[-1][0], end, name)
            else:
                spans.append((position, end, name))
        before = "" if mark in "OLEUS" else name
        position = end + 1
    return " ".join(tokens), spans


def _add_categories(document: Document, names: Iterable[str], status: Status | None) -> None:
    known = {one.label for one in document.categories}
    for name in (one.strip() for one in names):
        if name and name not in known:
            known.add(name)
            document.categories.append(Category(label=name, status=status))


def _first_given_value(one: dict[str, Any], names: Iterable[str]) -> Any:
    return next((one[name] for name in names if one.get(name) is not None), None)


def _score(value: Any) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and 0 <= value <= 1 else None


def match_field_name(given: Iterable[str], wanted: tuple[str, ...], fits: Callable[[str], bool] = bool) -> str | None:
    """Return the first name of `wanted` that is among the given names and fits, ignoring case; None when
    there is none.
    """
    names = {name.strip().casefold(): name for name in reversed(list(given)) if fits(name)}
    return next((names[one] for one in wanted if one in names), None)


TEXT_NAMES = (
    "text", "texte", "content", "contents", "contenu", "body", "corps", "sentence", "phrase", "message", "review",
    "comment", "commentaire", "document", "utterance", "tweet", "data", "abstract", "description", "question",
)  # fmt: skip
TITLE_NAMES = ("title", "titre", "subject", "sujet", "headline", "doc_title")
IDENTIFIER_NAMES = ("identifier", "identifiant", "doc_id", "docid", "document_id", "_id", "uuid", "guid")
NUMBER_NAMES = ("id", "index", "example_id")
"""Names of numbers that are unique within one file only, so identifiers also contain the file name."""
LABEL_NAMES = (
    "label", "labels", "category", "categories", "class", "classe", "catégorie", "cats", "étiquette", "intent",
    "sentiment", "annotations", "entities", "spans",
)  # fmt: skip
