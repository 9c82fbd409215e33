"""Categories of documents as examples and counter-examples of labels, and back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from annotarium_schemas.documents import Category, Document

if TYPE_CHECKING:
    import numpy as np

    from annotarium_engines.learners.linear_model import Marks


def confirmed_and_rejected_labels(document: Document, labels: frozenset[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Return the labels confirmed and the labels rejected on a document; a label that is both counts as confirmed."""
    named = [(one.label_name, one.status) for one in document.categories if one.label_name in labels]
    right = frozenset(name for name, status in named if status != "KO" and name)
    return right, frozenset(name for name, status in named if status == "KO" and name) - right


def label_matrix(judged: Sequence[tuple[str, frozenset[str], frozenset[str]]], labels: list[str]) -> Marks:
    """Return documents x labels: a document with a confirmed label is a counter-example for all other labels."""
    import numpy as np

    place = {label: column for column, label in enumerate(labels)}
    marks: np.ndarray = np.zeros((len(judged), len(labels)), dtype=np.int8)
    for row, (_, right, wrong) in enumerate(judged):
        if right:
            marks[row] = -1
        for values, mark in ((wrong, -1), (right, 1)):
            for label in values:
                if label in place:
                    marks[row, place[label]] = mark
    return marks


def with_categories(document: Document, ranked: Sequence[tuple[str, float]], exclusive: bool | None) -> Document:
    properties = None if exclusive is None else {"exclusive": exclusive}
    categories = [
        Category(label_name=label, score=score, creation_mode="automatic", properties=properties)
        for label, score in ranked
    ]
    return document.model_copy(update={"annotations": [], "categories": categories})
