"""Kind languageGuesser: which language a text is in."""

from __future__ import annotations

from abc import abstractmethod
from typing import ClassVar

from annotarium_plugins.base.component import Component, P


class LanguageGuesser(Component[P]):
    """Guesses a language code of C-056, `xx` when unsure."""

    by_default: ClassVar[bool] = False
    """Proposes itself as a step of new plans where the language is not known."""

    @abstractmethod
    def guess(self, text: str) -> str:
        """Language code."""
