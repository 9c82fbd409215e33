"""Kind gazetteer: an annotator built from the terms of lexicons."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from pathlib import Path

from annotarium_plugins.base.component import Component, P, Progress, no_progress
from annotarium_schemas.documents import Document, Term


class Gazetteer(Component[P]):
    """Builds a matcher from terms and annotates their occurrences."""

    simplified: int = 0
    """Texts so far with so many overlapping terms that only the longest were annotated."""

    @abstractmethod
    def synchronize(self, terms: Iterable[Term], *, language: str, progress: Progress = no_progress) -> None:
        """Build the matcher from all terms; replaces an earlier one.

        Terms come as a stream and may be millions: hold only what the matcher needs of them. Besides the preferred
        form, the property `altForms` lists the forms that match; `forms` adds their types and languages, `definitions`
        what they mean, `obsolete` that a term is out of use, and `matching` how this term is to be compared. Call
        `progress` regularly; the number of terms may be unknown, then the total is the number read so far.
        """

    @abstractmethod
    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the same documents, in order and as they come, with the occurrences of terms added to their
        annotations: each with its terms (identifier, lexicon, preferred form) and the creation mode automatic.
        """

    @abstractmethod
    def save(self, folder: Path) -> None:
        """Write the matcher in a safe format (no pickle)."""

    @abstractmethod
    def load(self, folder: Path) -> None:
        """Read what `save` wrote; the folder stays while the gazetteer is used."""
