"""Kind vectorizer: texts become vectors."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotarium_plugins.base.component import Component, P

if TYPE_CHECKING:
    import numpy as np


class Vectorizer(Component[P]):
    """Maps texts to unit-length float32 rows. One that learns from the corpus overrides `fit`, `save`, `load`."""

    @abstractmethod
    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Array of shape (len(texts), dimension), float32, rows of length 1."""

    @property
    def learns(self) -> bool:
        """Whether `fit` does something: such a vectorizer is given texts first, and again when the corpus has grown."""
        return type(self).fit is not Vectorizer.fit

    @property
    def longest_text(self) -> int:
        """Code points of a text that its vector is made of; a longer document gets the mean of its parts' vectors."""
        return 1_000

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn from whole documents with their titles (parts of them where they are few); nothing by default."""

    def save(self, folder: Path) -> None:
        """Write what was learned, in a safe format; nothing by default."""

    def load(self, folder: Path) -> None:
        """Read what `save` wrote; nothing by default."""
