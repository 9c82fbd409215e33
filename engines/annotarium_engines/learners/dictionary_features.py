"""Features of tokens from gazetteers: which labels the terms found at a token have, and where in the term it stands.

After Kazama and Torisawa (EMNLP 2007) and Ratinov and Roth (CoNLL 2009).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from annotarium_engines.gazetteers.dictionary_gazetteer import DictionaryGazetteer, TermMatch
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.learners.crf_features import Features
from annotarium_engines.tokens import Token
from annotarium_plugins.base.component import ComponentError
from annotarium_plugins.base.gazetteer import Gazetteer

_MOST_GAZETTEERS = 50


class DictionaryFeatures:
    """Adds features from gazetteers, and stores the gazetteers in the model, so that predictions stay the same."""

    def __init__(self, gazetteers: Sequence[DictionaryGazetteer] = ()) -> None:
        self._gazetteers = list(gazetteers)

    @classmethod
    def of_gazetteers(cls, gazetteers: Iterable[Gazetteer[Any]]) -> DictionaryFeatures:
        """Return the features of gazetteers.

        Raises:
            ComponentError: one of them is of another kind, which cannot be stored in a model.
        """
        ours: list[DictionaryGazetteer] = []
        for one in gazetteers:
            if not isinstance(one, DictionaryGazetteer):
                raise ComponentError(
                    f"A gazetteer of the kind {one.title} cannot be used in training.",
                    cause="A model can only contain gazetteers of the kind Dictionary.",
                    fix="Use a gazetteer of the kind Dictionary, or train without gazetteers.",
                )
            ours.append(one)
        return cls(ours)

    def __bool__(self) -> bool:
        return bool(self._gazetteers)

    def matches(self, texts: Sequence[str]) -> list[list[TermMatch]]:
        """Return what the gazetteers find in each text."""
        found: list[list[TermMatch]] = [[] for _ in texts]
        for gazetteer in self._gazetteers:
            for known, matches in zip(found, gazetteer.find(texts), strict=True):
                known += matches
        return found

    def save(self, folder: Path) -> list[dict[str, Any]]:
        """Write the gazetteers into folders `gazetteer-<number>`; return their parameters."""
        for number, gazetteer in enumerate(self._gazetteers):
            part = folder / f"gazetteer-{number}"
            part.mkdir()
            gazetteer.save(part)
        return [gazetteer.parameters.model_dump() for gazetteer in self._gazetteers]

    @classmethod
    def load(cls, folder: Path, parameters: Sequence[dict[str, Any]]) -> DictionaryFeatures:
        """Read what `save` wrote.

        Raises:
            ValueError: the parameters are invalid.
            ComponentError: the files cannot be read.
        """
        if len(parameters) > _MOST_GAZETTEERS:
            raise ValueError("the model has too many gazetteers")
        gazetteers = []
        for number, values in enumerate(parameters):
            gazetteer = DictionaryGazetteer(DictionaryGazetteerParameters.model_validate(values))
            gazetteer.load(folder / f"gazetteer-{number}")
            gazetteers.append(gazetteer)
        return cls(gazetteers)


def add_dictionary_features(rows: Sequence[Features], tokens: Sequence[Token], matches: Iterable[TermMatch]) -> None:
    """Add to the row of each token, and to those of its neighbours, the labels of the terms found there, as tags `B-`
    and `I-`.
    """
    starts, ends = [token.start for token in tokens], [token.end for token in tokens]
    tags: dict[int, set[str]] = {}
    for match in matches:
        first, past = bisect_right(ends, match.start), bisect_left(starts, match.end)
        for index in range(first, past):
            tags.setdefault(index, set()).add(f"{'B' if index == first else 'I'}-{match.label}")
    for index, found in sorted(tags.items()):
        for tag in sorted(found):
            rows[index].append(f"g={tag}")
            if index:
                rows[index - 1].append(f"1g={tag}")
            if index + 1 < len(rows):
                rows[index + 1].append(f"-1g={tag}")
