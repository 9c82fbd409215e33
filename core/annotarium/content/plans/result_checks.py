"""What a component put on a document, looked at before it is believed: a step of a plan may be anybody's program."""

from __future__ import annotations

from pydantic import ValidationError

from annotarium.content.offsets import check_bounds
from annotarium.content.validation import CATEGORY, LABEL, check_json_value, check_name
from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.documents import Annotation, Category, Document

LabelledItem = Annotation | Category
LabelSnapshot = dict[int, tuple[LabelledItem, tuple[object, ...]]]
"""By identity: the object, which must live as long, and what it said."""
_ROUNDING = 1e-6


def snapshot_labels(document: Document) -> LabelSnapshot:
    """The findings that are on a document, to tell later which are new or changed."""
    return {id(one): (one, _comparable_item_state(one)) for one in _labelled_items(document)}


def check_results(document: Document, known: LabelSnapshot | None = None) -> None:
    """Check annotations and categories, but those that are as they were `known`.

    Raises:
        Refused: one lies outside the text, or has no label or a text that cannot be kept.
        ComponentError: one is not of the shape of the contract.
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
    """A component may build its findings unchecked."""
    try:
        type(one).model_validate(dict(one))
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(map(str, first["loc"]))
        raise ComponentError(f"{type(one).__name__} {place}: {first['msg']}") from error
    if one.score is not None and not -_ROUNDING <= one.score <= 1 + _ROUNDING:
        raise ComponentError(f"{type(one).__name__} score: {one.score} is not from 0 to 1")
