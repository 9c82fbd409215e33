"""Contract of language guessers."""

from __future__ import annotations

from annotarium_plugins.testing.component import ComponentContract
from annotarium_plugins.testing.samples import HOSTILE_TEXTS, LANGUAGES


class LanguageGuesserContract(ComponentContract):
    """Needs the component only."""

    def test_answers_with_a_known_code(self) -> None:
        """The result is one of the document languages, whatever the text."""
        guesser = self.build()
        for text in HOSTILE_TEXTS:
            assert guesser.guess(text) in LANGUAGES, f"{guesser.guess(text)!r} is no document language"

    def test_blank_text_is_unsure(self) -> None:
        """A blank text gives `xx`."""
        assert self.build().guess("  \n") == "xx"

    def test_guessing_is_deterministic(self) -> None:
        """The same text gives the same language."""
        assert [self.build().guess(text) for text in HOSTILE_TEXTS] == [
            self.build().guess(text) for text in HOSTILE_TEXTS
        ]
