"""Discontinuous spans: an annotation in several pieces, whose hull is [start, end). Code points, half-open.

Pieces are `[start, end]` lists as the record holds them: two or more, in order, with a gap between them, the first one
beginning where the annotation begins and the last one ending where it ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from typing import Any

from annotarium_schemas.documents import Annotation
from annotarium_schemas.said import say

Piece = Sequence[int]
Pieces = list[list[int]]


def fault_of(pieces: Sequence[Piece], start: int, end: int) -> str | None:
    """What is wrong with pieces of the annotation [start, end), None when nothing is."""
    if len(pieces) < 2:
        return say("fault.onePiece", "an annotation in pieces has at least two of them")
    if any(first >= past for first, past in pieces):
        return say("fault.emptyPiece", "a piece ends before it has begun")
    if any(later[0] <= earlier[1] for earlier, later in pairwise(pieces)):
        return say("fault.pieceOrder", "pieces must be in order, with a gap between them")
    if (pieces[0][0], pieces[-1][1]) != (start, end):
        return say("fault.pieceEnds", "the first piece must begin at start, the last one end at end")
    return None


def joined(pieces: Iterable[Piece]) -> Pieces:
    """Pieces in order, those that overlap or touch made one, empty ones left out."""
    made: Pieces = []
    for first, past in sorted((piece[0], piece[1]) for piece in pieces):
        if first >= past:
            continue
        if made and first <= made[-1][1]:
            made[-1][1] = max(made[-1][1], past)
        else:
            made.append([first, past])
    return made


def fitted(pieces: Iterable[Piece], start: int, end: int) -> Pieces | None:
    """Pieces after the annotation was resized to [start, end): what is outside goes, the outer pieces follow its ends.

    None when one piece is left, or none: the annotation is whole then.
    """
    inside = joined((max(first, start), min(past, end)) for first, past in pieces)
    if len(inside) < 2:
        return None
    inside[0][0], inside[-1][1] = start, end
    return inside


def tidy(annotations: Iterable[Annotation]) -> list[str]:
    """Check the pieces of imported annotations: where they do not fit the annotation becomes whole, told in words."""
    notes: list[str] = []
    for one in annotations:
        if one.fragments is None:
            continue
        fault = fault_of(one.fragments, one.start, one.end)
        if fault is not None:
            name = one.label_name or one.label or one.label_id or ""
            words = "The annotation {name} at {start}-{end} was taken as a whole: {fault}"
            notes.append(say("note.whole", words, name=name, start=one.start, end=one.end, fault=fault))
            one.fragments = None
    return notes


def move(annotation: Annotation, moved: Callable[[int], int]) -> None:
    """Have an annotation follow an edit of its text: its pieces too, those that come together become one."""
    pieces = joined((moved(first), moved(past)) for first, past in annotation.fragments or ())
    annotation.start, annotation.end = moved(annotation.start), moved(annotation.end)
    if annotation.fragments is not None and pieces:
        annotation.start, annotation.end = pieces[0][0], pieces[-1][1]
    annotation.fragments = [(first, past) for first, past in pieces] if len(pieces) > 1 else None


def texts_of(text: str, pieces: Iterable[Piece], shift: int = 0) -> list[str]:
    """The texts of pieces, given a text that begins at `shift`."""
    return [text[first - shift : past - shift] for first, past in pieces]


def pieces_wire(pieces: Pieces | None, text: str, start: int) -> dict[str, Any]:
    """`fragments` and `fragmentsText` of an annotation that begins at `start`, nothing of a whole one.

    Pieces that are none (a damaged row) are left out: the annotation is shown by its hull.
    """
    try:
        return {"fragments": pieces, "fragmentsText": texts_of(text, pieces, start)} if pieces else {}
    except (TypeError, ValueError):
        return {}
