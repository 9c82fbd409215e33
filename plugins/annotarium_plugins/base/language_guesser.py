"""Kind languageGuesser: determines the language of a text."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from annotarium_plugins.base.component import Component, P


class LanguageGuesser(Component[P]):
    """Returns a language code of C-056, `xx` when it is unsure."""

    by_default: ClassVar[bool] = False
    """Whether new plans contain it as a step when the language of the project is not known."""

    @abstractmethod
    def guess(self, text: str) -> str:
        """Return the language code of the text."""
