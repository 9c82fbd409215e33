"""Discontinuous annotations: several fragments whose hull is [start, end). Offsets are code points, half-open.

Fragments are `[start, end]` lists as stored in the database: two or more, in order, with a gap between them. The first
one begins where the annotation begins, the last one ends where it ends.
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
    """Return what is wrong with the fragments of the annotation [start, end), None when they are valid."""
    if len(fragments) < 2:
        return message("fault.onePiece", "an annotation with fragments needs at least two of them")
    if any(first >= past for first, past in fragments):
        return message("fault.emptyPiece", "a fragment ends before it begins")
    if any(later[0] <= earlier[1] for earlier, later in pairwise(fragments)):
        return message("fault.pieceOrder", "fragments must be in order, with gaps between them")
    if (fragments[0][0], fragments[-1][1]) != (start, end):
        return message("fault.pieceEnds", "the first fragment must begin at start, and the last one must end at end")
    return None


def merge_fragments(fragments: Iterable[Fragment]) -> FragmentList:
    """Return the fragments in order, with overlapping or adjacent ones merged and empty ones dropped."""
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
    """Return the fragments after the annotation was resized to [start, end).

    Fragments are cut off at the new range, and the outer ones are extended to its ends. None when fewer than two
    fragments are left: the annotation is contiguous then.
    """
    inside = merge_fragments((max(first, start), min(past, end)) for first, past in fragments)
    if len(inside) < 2:
        return None
    inside[0][0], inside[-1][1] = start, end
    return inside


def drop_invalid_fragments(annotations: Iterable[Annotation]) -> list[str]:
    """Remove invalid fragments of imported annotations, which become contiguous. Returns a note for each of them."""
    notes: list[str] = []
    for one in annotations:
        if one.fragments is None:
            continue
        fault = fragments_error(one.fragments, one.start, one.end)
        if fault is not None:
            name = one.label_name or one.label or one.label_id or ""
            words = "The annotation {name} at {start}-{end} was imported as one span: {fault}"
            notes.append(message("note.whole", words, name=name, start=one.start, end=one.end, fault=fault))
            one.fragments = None
    return notes


def move_annotation_after_text_edit(annotation: Annotation, moved: Callable[[int], int]) -> None:
    """Move the offsets of an annotation after an edit of its text; fragments that become adjacent are merged."""
    fragments = merge_fragments((moved(first), moved(past)) for first, past in annotation.fragments or ())
    annotation.start, annotation.end = moved(annotation.start), moved(annotation.end)
    if annotation.fragments is not None and fragments:
        annotation.start, annotation.end = fragments[0][0], fragments[-1][1]
    annotation.fragments = [(first, past) for first, past in fragments] if len(fragments) > 1 else None


def fragment_texts(text: str, fragments: Iterable[Fragment], shift: int = 0) -> list[str]:
    """Return the texts of fragments from a text that begins at offset `shift`."""
    return [text[first - shift : past - shift] for first, past in fragments]


def fragments_to_json(fragments: FragmentList | None, text: str, start: int) -> dict[str, Any]:
    """Return `fragments` and `fragmentsText` of an annotation that begins at `start`; empty for a contiguous one.

    Malformed fragments (a damaged row) are left out: the annotation is then shown by its hull.
    """
    try:
        return {"fragments": fragments, "fragmentsText": fragment_texts(text, fragments, start)} if fragments else {}
    except (TypeError, ValueError):
        return {}
