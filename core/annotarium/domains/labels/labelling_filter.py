"""Selects the annotations and categories that a bulk operation on labels applies to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotarium.content.labelling.repository import Labelled
from annotarium.db.models import Annotation, Category


@dataclass(frozen=True, slots=True)
class LabellingFilter:
    """Selects live rows with one of the labels that meet all other conditions; an empty condition matches all rows.

    `statuses`: OK, KO and undefined. `text`: part of the annotated text, ignoring case; excludes categories.
    `visible_only`: only rows the caller may read; otherwise those of all users, for operations on the label itself.
    """

    label_ids: Sequence[int]
    created_by: Sequence[str] = ()
    creation_modes: Sequence[str] = ()
    statuses: Sequence[str] = ()
    text: str = ""
    visible_only: bool = False

    @property
    def tables(self) -> tuple[Labelled, ...]:
        """The tables with rows that can match."""
        return (Annotation,) if self.text else (Annotation, Category)
