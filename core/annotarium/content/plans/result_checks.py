"""Checks annotations and categories that a component added, because steps of a plan may be third-party code."""

from __future__ import annotations

from pydantic import ValidationError

from annotarium.content.offsets import check_bounds
from annotarium.content.validation import CATEGORY, LABEL, check_json_value, check_name
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Annotation, Category, Document

LabelledItem = Annotation | Category
LabelSnapshot = dict[int, tuple[LabelledItem, tuple[object, ...]]]
"""By `id()`: the object, which is kept alive by this reference, and its compared fields."""
_ROUNDING = 1e-6


def snapshot_labels(document: Document) -> LabelSnapshot:
    """Return the state of a document's annotations and categories, to detect later which are new or changed."""
    return {id(one): (one, _comparable_item_state(one)) for one in _labelled_items(document)}


def check_results(document: Document, known: LabelSnapshot | None = None) -> None:
    """Check annotations and categories, except those that have not changed since `known`.

    Raises:
        InvalidContent: one is outside the text, has no label, or has a text that cannot be stored.
        ComponentError: one does not match its schema, or its score is not from 0 to 1.
    """
    length = len(document.text)
    for one in _labelled_items(document):
        if known and known.get(id(one)) == (one, _comparable_item_state(one)):
            continue
        _check_item_schema(one)
        if one.start is not None and one.end is not None:
            check_bounds(one.start, one.end, length, one)
            if isinstance(one, Annotation) and one.text:
                quote = document.text[one.start : one.end]
                one.text = quote if one.text != quote else one.text
        name = one.label_name or one.label or one.label_id or ""
        check_name(name, CATEGORY if isinstance(one, Category) else LABEL)
        check_json_value(one.properties, name)
        check_json_value([term.model_dump() for term in getattr(one, "terms", None) or ()], name)


def _labelled_items(document: Document) -> list[LabelledItem]:
    return [*document.annotations, *document.categories]


def _comparable_item_state(one: LabelledItem) -> tuple[object, ...]:
    return one.start, one.end, one.label_name, one.score


def _check_item_schema(one: LabelledItem) -> None:
    """Validate the schema, because a component may have built the object without validation."""
    try:
        type(one).model_validate(dict(one))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ComponentError(f"{type(one).__name__} {place}: {first['msg']}") from error
    if one.score is not None and not -_ROUNDING <= one.score <= 1 + _ROUNDING:
        raise ComponentError(f"{type(one).__name__} score: {one.score} is not from 0 to 1")
