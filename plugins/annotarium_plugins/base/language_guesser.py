"""Kind languageGuesser: which language a text is in."""

from __future__ import annotations

from abc import abstractmethod

from annotarium_plugins.base.component import Component, P


class LanguageGuesser(Component[P]):
    """Guesses a language code of C-056, `xx` when unsure."""

    @abstractmethod
    def guess(self, text: str) -> str:
        """Language code."""
