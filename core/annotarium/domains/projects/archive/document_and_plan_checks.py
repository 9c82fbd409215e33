"""Consistency checks of archived documents, terms and plans, beyond the types of single values."""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from annotarium.content.labelling.fragments import fragments_error
from annotarium.content.layouts.marks import Mark, tidy_layout
from annotarium.content.plans.conditions import InvalidCondition, check_condition
from annotarium.content.validation import DOT_NAMES, InvalidContent, check_short_text
from annotarium.domains.lexicons.service import checked_term, is_obsolete, sort_key
from annotarium.domains.projects.archive.messages import field_label
from annotarium_schemas.documents import LayoutMark, Term
from annotarium_schemas.messages import Message, join_messages, message
from annotarium_schemas.plans import AnnotationPlan

Rows = dict[str, list[dict[str, Any]]]


def check_document(row: dict[str, Any], parts: Rows, *, limit: int) -> None:
    """Raise `InvalidContent` unless the document could have been created here: offsets are inside the text, an
    annotation has the text at its offsets, fragments are consistent, a relation has two different ends, segments do
    not overlap.

    Sets `length` in the row, and tidies the marks of layouts.

    Args:
        row: decoded values of the document.
        parts: decoded rows by table.
        limit: maximum size of the text in bytes.
    """
    text: str = row["text"]
    what = _check_identifier(row["identifier"])
    if len(text) > limit or (len(text) * 4 > limit and len(text.encode()) > limit):
        raise InvalidContent(
            message("archive.largeDocument", "{what} is over {size} bytes", what=what, size=limit),
            message("fix.raiseLimit", "Ask an administrator to raise the limit"),
        )
    row["length"] = len(text)
    if row["split"] not in (None, "train", "test"):
        raise InvalidContent(message("archive.split", "{what} is in an unknown part of the corpus", what=what))
    for one in parts.get("annotations", ()):
        if not 0 <= one["start"] < one["end"] <= len(text) or text[one["start"] : one["end"]] != one["text"]:
            words = "{what}: the text of an annotation at {start}-{end} differs from the document"
            raise InvalidContent(message("archive.notTheText", words, what=what, start=one["start"], end=one["end"]))
        _check_status(one, what)
        _check_fragments(one, what)
    for one in parts.get("relations", ()):
        if one["source_id"] == one["target_id"]:
            raise InvalidContent(
                message("archive.selfRelation", "{what}: a relation leads from an annotation to itself", what=what)
            )
    for one in parts.get("categories", ()):
        if (one["start"] is None) != (one["end"] is None):
            raise InvalidContent(
                message("archive.halfRange", "{what}: a category has only a start or only an end", what=what)
            )
        if one["start"] is not None:
            _check_range(one, len(text), what)
        _check_status(one, what)
    for one in parts.get("suggestions", ()):
        _check_range(one, len(text), what)
    _check_segments(parts.get("segments", []), len(text), what)
    for one in parts.get("document_layouts", ()):
        one["marks"] = _checked_layout(one["marks"], text, what)


def _check_identifier(identifier: str) -> Message:
    """What messages call the document; `InvalidContent` for an identifier that no URL can address.

    Line breaks are allowed: former imports accepted them, and such documents are reachable.
    """
    check_short_text(identifier, message("what.documentIdentifier", "The identifier of a document"))
    what = message("what.document", "The document {name}", name=identifier[:80])
    if identifier in DOT_NAMES:
        raise InvalidContent(
            message("archive.dots", "{what} has an identifier that cannot be part of an address", what=what)
        )
    return what


def check_term(row: dict[str, Any]) -> None:
    """Raise `InvalidContent` unless an import could have written the term; derive what follows from other columns."""
    given = Term(identifier=row["identifier"], preferred_form=row["preferred_form"], properties=row["properties"])
    try:
        row["identifier"], row["preferred_form"], row["properties"] = checked_term(given)
    except InvalidContent as error:
        where = field_label("terms", "properties")
        raise InvalidContent(join_messages([where, error.message], ": "), error.fix) from error
    row["deleted_at"] = row["deleted_by"] = None
    row["sort_key"], row["obsolete"] = sort_key(row["preferred_form"]), is_obsolete(row["properties"])


def check_plan(row: dict[str, Any]) -> None:
    """Raise `InvalidContent` unless the plan could have been created here; its components need not be installed."""
    what = message("what.plan", "The plan {name}", name=str(row["label"])[:80])
    if not all(isinstance(tag, str) for tag in row["tags"]):
        raise InvalidContent(message("archive.planTag", "{what} has a tag that is not a text", what=what))
    try:
        for step in AnnotationPlan.model_validate(row["parameters"]).pipeline:
            if step.condition is not None:
                check_condition(step.condition)
    except (ValidationError, InvalidCondition) as error:
        raise InvalidContent(message("archive.planParts", "{what} has unknown steps", what=what)) from error


def _checked_layout(marks: list[Any], text: str, what: Message) -> list[Mark]:
    try:
        return tidy_layout([LayoutMark.model_validate(mark) for mark in marks], text)[0]
    except ValidationError as error:
        raise InvalidContent(
            message("archive.mark", "{what}: its layout contains an unknown mark", what=what)
        ) from error


def _check_range(row: dict[str, Any], length: int, what: Message) -> None:
    if not 0 <= row["start"] < row["end"] <= length:
        words = "{what}: {start}-{end} is not inside its text"
        raise InvalidContent(message("archive.outside", words, what=what, start=row["start"], end=row["end"]))


def _check_fragments(row: dict[str, Any], what: Message) -> None:
    fragments = row["fragments"]
    if fragments is None:
        return
    if not isinstance(fragments, list) or not all(_is_fragment(one) for one in fragments):
        raise InvalidContent(
            message("archive.pieces", "{what}: the fragments of an annotation are not offsets", what=what)
        )
    error_message = fragments_error(fragments, row["start"], row["end"])
    if error_message is not None:
        raise InvalidContent(join_messages([what, error_message], ": "))


def _is_fragment(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(type(one) is int for one in value)


def _check_status(row: dict[str, Any], what: Message) -> None:
    if row["status"] not in (None, "OK", "KO") or row["creation_mode"] not in _MODES:
        raise InvalidContent(
            message("archive.status", "{what}: a label has an unknown status or creation mode", what=what)
        )


_MODES = frozenset({"manual", "automatic", "imported", "undefined"})


def _check_segments(rows: list[dict[str, Any]], length: int, what: Message) -> None:
    past = 0
    for ordinal, row in enumerate(sorted(rows, key=lambda one: one["start"])):
        _check_range(row, length, what)
        if row["start"] < past or row["ordinal"] != ordinal:
            raise InvalidContent(
                message("archive.segments", "{what}: its segments overlap or are not numbered in order", what=what)
            )
        past = row["end"]
