"""Kind vectorizer: computes vectors of texts."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from annotarium_plugins.base.component import Component, P

if TYPE_CHECKING:
    import numpy as np


class Vectorizer(Component[P]):
    """Maps texts to float32 rows of length 1. A vectorizer that learns from the corpus overrides `fit`, `save` and
    `load`.
    """

    @abstractmethod
    def vectorize(self, texts: Sequence[str], language: str) -> np.ndarray:
        """Return an array of shape (len(texts), dimension), float32, rows of length 1."""

    @property
    def learns(self) -> bool:
        """Whether `fit` has an effect: such a vectorizer is fitted before use, and again when the corpus has grown."""
        return type(self).fit is not Vectorizer.fit

    @property
    def longest_text(self) -> int:
        """Largest number of code points that one vector is computed from; a longer document gets the mean of the
        vectors of its parts.
        """
        return 1_000

    def fit(self, texts: Sequence[str], language: str) -> None:
        """Learn from whole documents with their titles (from their parts when there are few documents). Does nothing by
        default.
        """

    def save(self, folder: Path) -> None:
        """Write what was learned, in a safe format (no pickle). Does nothing by default."""

    def load(self, folder: Path) -> None:
        """Read what `save` wrote. Does nothing by default."""
