"""Conditions of steps: on which documents a step runs (C-081).

A condition is an object with one key:

    {"metadata": {"name": "lang"}}                      the document has this metadata
    {"metadata": {"name": "lang", "value": "en"}}       ... with this value, or among its values
    {"category": "sport"}                               it has a category of this label
    {"annotation": "person"}                            it has an annotation of this label
    {"text": "invoice"}                                 its text contains these words, case-insensitively
    {"and": [...]}  {"or": [...]}  {"not": {...}}       conditions combined
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotarium_schemas.documents import Annotation, Category, Document
from annotarium_schemas.messages import message

Condition = dict[str, Any]
KINDS = ("metadata", "category", "annotation", "text", "and", "or", "not")
MAX_DEPTH = 10


class InvalidCondition(Exception):
    """A condition is malformed; `place` is the dotted path to the error."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(message)
        self.place, self.message = place, message


def check_condition(condition: Any, place: str = "condition", depth: int = 0) -> None:
    """Raise `InvalidCondition` unless the condition has one of the forms above."""
    if depth > MAX_DEPTH:
        raise InvalidCondition(
            place, message("condition.deep", "Conditions are nested more than {most} times", most=MAX_DEPTH)
        )
    if not isinstance(condition, dict) or len(condition) != 1 or next(iter(condition)) not in KINDS:
        raise InvalidCondition(
            place, message("condition.object", "A condition is an object with one of {names}", names=", ".join(KINDS))
        )
    ((kind, value),) = condition.items()
    inner = f"{place}.{kind}"
    if kind in ("and", "or"):
        if not isinstance(value, list) or not value:
            raise InvalidCondition(inner, message("condition.one", "Give at least one condition"))
        for number, one in enumerate(value):
            check_condition(one, f"{inner}.{number}", depth + 1)
    elif kind == "not":
        check_condition(value, inner, depth + 1)
    elif kind == "metadata":
        _check_metadata(value, inner)
    elif not isinstance(value, str) or not value.strip():
        raise InvalidCondition(inner, message("condition.empty", "It must not be empty"))


def _check_metadata(value: Any, place: str) -> None:
    if not isinstance(value, dict) or not isinstance(value.get("name"), str) or not value["name"].strip():
        raise InvalidCondition(f"{place}.name", message("condition.name", "Enter the name of the metadata"))
    if set(value) - {"name", "value"}:
        raise InvalidCondition(
            place, message("condition.metadata", "A condition on metadata has only a name and a value")
        )
    if "value" in value and (isinstance(value["value"], dict | list) or value["value"] in ("", None)):
        raise InvalidCondition(f"{place}.value", message("condition.empty", "It must not be empty"))


def is_met(condition: Condition, document: Document) -> bool:
    """Return whether a document fulfils a condition. Rejected labels (KO) do not count."""
    ((kind, value),) = condition.items()
    if kind == "and":
        return all(is_met(one, document) for one in value)
    if kind == "or":
        return any(is_met(one, document) for one in value)
    if kind == "not":
        return not is_met(value, document)
    if kind == "metadata":
        return _has_metadata(document, value)
    if kind == "text":
        return value.casefold() in document.text.casefold()
    return _has_label(document.categories if kind == "category" else document.annotations, value)


def _has_metadata(document: Document, wanted: dict[str, Any]) -> bool:
    found = document.metadata.get(wanted["name"])
    if found is None:
        return False
    if "value" not in wanted:
        return True
    values = found if isinstance(found, list) else [found]
    return str(wanted["value"]) in map(str, values)


def _has_label(labelled: Iterable[Annotation] | Iterable[Category], wanted: str) -> bool:
    return any(wanted in (one.label_name, one.label) and one.status != "KO" for one in labelled)
