"""Which annotations and categories an act on labels is about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotarium.content.labelling.repository import Labelled
from annotarium.db.models import Annotation, Category


@dataclass(frozen=True, slots=True)
class LabellingFilter:
    """Live rows with one of the labels; each further part narrows it, empty = any.

    `statuses` are OK, KO and undefined; `text` is a piece of the marked text, without regard to case, and leaves
    categories out. `visible_only`: only what the caller may read; without it everybody's, for acts on the label itself.
    """

    label_ids: Sequence[int]
    created_by: Sequence[str] = ()
    creation_modes: Sequence[str] = ()
    statuses: Sequence[str] = ()
    text: str = ""
    visible_only: bool = False

    @property
    def tables(self) -> tuple[Labelled, ...]:
        """The kinds of rows that can be chosen."""
        return (Annotation,) if self.text else (Annotation, Category)
