"""Discontinuous spans: an annotation in several pieces, whose hull is [start, end). Code points, half-open.

Pieces are `[start, end]` lists as the record holds them: two or more, in order, with a gap between them, the first one
beginning where the annotation begins and the last one ending where it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from annotarium_schemas.documents import Annotation
from annotarium_schemas.messages import message

Fragment = Sequence[int]
FragmentList = list[list[int]]


def fragments_error(fragments: Sequence[Fragment], start: int, end: int) -> str | None:
    """What is wrong with pieces of the annotation [start, end), None when nothing is."""
    if len(fragments) < 2:
        return message("fault.onePiece", "an annotation in pieces has at least two of them")
    if any(first >= past for first, past in fragments):
        return message("fault.emptyPiece", "a piece ends before it has begun")
    if any(later[0] <= earlier[1] for earlier, later in pairwise(fragments)):
        return message("fault.pieceOrder", "pieces must be in order, with a gap between them")
    if (fragments[0][0], fragments[-1][1]) != (start, end):
        return message("fault.pieceEnds", "the first piece must begin at start, the last one end at end")
    return None


def merge_fragments(fragments: Iterable[Fragment]) -> FragmentList:
    """Pieces in order, those that overlap or touch made one, empty ones left out."""
    made: FragmentList = []
    for first, past in sorted((fragment[0], fragment[1]) for fragment in fragments):
        if first >= past:
            continue
        if made and first <= made[-1][1]:
            made[-1][1] = max(made[-1][1], past)
        else:
            made.append([first, past])
    return made


def fit_fragments(fragments: Iterable[Fragment], start: int, end: int) -> FragmentList | None:
    """Pieces after the annotation was resized to [start, end): what is outside goes, the outer pieces follow its ends.

    None when one piece is left, or none: the annotation is whole then.
    """
    inside = merge_fragments((max(first, start), min(past, end)) for first, past in fragments)
    if len(inside) < 2:
        return None
    inside[0][0], inside[-1][1] = start, end
    return inside


def drop_invalid_fragments(annotations: Iterable[Annotation]) -> list[str]:
    """Check the pieces of imported annotations: where they do not fit the annotation becomes whole, told in words."""
    notes: list[str] = []
    for one in annotations:
        if one.fragments is None:
            continue
        fault = fragments_error(one.fragments, one.start, one.end)
        if fault is not None:
            name = one.label_name or one.label or one.label_id or ""
            words = "The annotation {name} at {start}-{end} was taken as a whole: {fault}"
            notes.append(message("note.whole", words, name=name, start=one.start, end=one.end, fault=fault))
            one.fragments = None
    return notes


def move_annotation_after_text_edit(annotation: Annotation, moved: Callable[[int], int]) -> None:
    """Have an annotation follow an edit of its text: its pieces too, those that come together become one."""
    fragments = merge_fragments((moved(first), moved(past)) for first, past in annotation.fragments or ())
    annotation.start, annotation.end = moved(annotation.start), moved(annotation.end)
    if annotation.fragments is not None and fragments:
        annotation.start, annotation.end = fragments[0][0], fragments[-1][1]
    annotation.fragments = [(first, past) for first, past in fragments] if len(fragments) > 1 else None


def fragment_texts(text: str, fragments: Iterable[Fragment], shift: int = 0) -> list[str]:
    """The texts of pieces, given a text that begins at `shift`."""
    return [text[first - shift : past - shift] for first, past in fragments]


def fragments_to_json(fragments: FragmentList | None, text: str, start: int) -> dict[str, Any]:
    """`fragments` and `fragmentsText` of an annotation that begins at `start`, nothing of a whole one.

    Pieces that are none (a damaged row) are left out: the annotation is shown by its hull.
    """
    try:
        return {"fragments": fragments, "fragmentsText": fragment_texts(text, fragments, start)} if fragments else {}
    except (TypeError, ValueError):
        return {}
