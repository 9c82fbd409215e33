"""Checks that several contracts share. Each raises AssertionError with words."""

from __future__ import annotations

import math
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path
from typing import Any

from annotarium_schemas.documents import Annotation, Category, Document

_UNSAFE_SUFFIXES = (".pkl", ".pickle", ".joblib", ".pt", ".pth", ".dill", ".cloudpickle")


def check_score(score: float | None, *, required: bool = False) -> None:
    """A score is a finite number 0..1."""
    if score is None:
        assert not required, "a prediction has no score"
        return
    assert math.isfinite(score), f"score {score} is not within 0..1"
    assert 0.0 <= score <= 1.0, f"score {score} is not within 0..1"


def check_texts(where: str, *texts: str) -> None:
    """An error says something."""
    assert all(texts), f"{where}: an error without words"


def check_annotation(text: str, annotation: Annotation, *, scored: bool = False) -> None:
    """Offsets are code points of the text and the quoted text is what is there."""
    start, end = annotation.start, annotation.end
    assert 0 <= start < end <= len(text), f"range {start}..{end} is outside a text of {len(text)} code points"
    if annotation.text:
        assert annotation.text == text[start:end], f"{annotation.text!r} is not the text at {start}..{end}"
    _check_fragments(annotation)
    check_score(annotation.score, required=scored)


def _check_fragments(annotation: Annotation) -> None:
    """Pieces of a discontinuous span lie apart, in order, from its start to its end."""
    pieces = annotation.fragments
    if pieces is None:
        return
    assert len(pieces) > 1, "fragments of a span in one piece"
    assert all(start < end for start, end in pieces), f"an empty piece in {pieces}"
    assert all(one[1] < other[0] for one, other in pairwise(pieces)), (
        f"pieces overlap, touch or are not in order: {pieces}"
    )
    hull = (pieces[0][0], pieces[-1][1])
    assert hull == (annotation.start, annotation.end), (
        f"pieces {pieces} are not of {annotation.start}..{annotation.end}"
    )


def check_category(text: str, category: Category, *, scored: bool = False) -> None:
    """A category of a part has a range within the text."""
    if category.start is not None and category.end is not None:
        assert 0 <= category.start <= category.end <= len(text), "a category's range is outside the text"
    check_score(category.score, required=scored)


def check_predictions(given: Document, predicted: Document) -> None:
    """Predictions stand on the text that was given, are scored and marked automatic."""
    assert predicted.text == given.text, "the text was changed"
    assert predicted.identifier == given.identifier, "the identifier was changed, or the order"
    for annotation in predicted.annotations:
        check_annotation(given.text, annotation, scored=True)
        assert annotation.creation_mode == "automatic", "creation_mode of a prediction is not automatic"
    for category in predicted.categories:
        check_category(given.text, category, scored=True)
        assert category.creation_mode == "automatic", "creation_mode of a prediction is not automatic"


def check_same_texts(given: Iterable[Document], made: Iterable[Document]) -> None:
    """The same documents in the same order, texts unchanged, everything on them within the text."""
    before, after = list(given), list(made)
    assert len(before) == len(after), f"{len(before)} documents in, {len(after)} out"
    for first, second in zip(before, after, strict=True):
        assert second.text == first.text, "the text was changed"
        assert second.identifier == first.identifier, "the order was changed"
        for annotation in second.annotations:
            check_annotation(second.text, annotation)
        for category in second.categories:
            check_category(second.text, category)


def check_safe_files(folder: Path) -> None:
    """No pickle in any disguise: not by name, by first bytes, in an archive or in a numpy array."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert files, "save wrote nothing"
    for path in files:
        assert path.suffix.lower() not in _UNSAFE_SUFFIXES, f"{path.name}: pickle-based formats are refused"
        content = path.read_bytes()
        assert not _is_pickle(content), f"{path.name} is a pickle"
        if content[:2] == b"PK":
            assert b".pkl" not in content, f"{path.name} holds a pickle"
        if content[:6] == b"\x93NUMPY" or path.suffix == ".npz":
            assert b"'descr': '|O'" not in content, f"{path.name} holds Python objects"


def _is_pickle(content: bytes) -> bool:
    """Protocol 2 and later begin with 0x80 and the protocol, and end with a full stop."""
    return len(content) > 2 and content[0] == 0x80 and 2 <= content[1] <= 5 and content.rstrip(b"\n")[-1:] == b"."


def save_and_load(original: Any, empty: Any, folder: Path) -> Any:
    """Save a component, check that the files are in safe formats, load them into an empty one and return it."""
    original.save(folder)
    check_safe_files(folder)
    empty.load(folder)
    return empty
