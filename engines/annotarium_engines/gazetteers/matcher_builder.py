"""Builds a matcher from a stream of terms. Memory grows with the dictionary only: no term is held."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence, Sized
from itertools import compress
from typing import TYPE_CHECKING, Any

from annotarium_engines.gazetteers.ambiguity import ContextCollector, TermContexts
from annotarium_engines.gazetteers.term_forms import FormSettings, TermForm, forms_of_term
from annotarium_engines.gazetteers.term_labels import TermLabels
from annotarium_engines.gazetteers.term_matcher import Layer, TermMatcher, TermNames, TermTable
from annotarium_engines.gazetteers.token_splitter import TokenSplitter
from annotarium_engines.gazetteers.token_trie import MAX_TOKENS, build_trie
from annotarium_engines.gazetteers.word_keys import KeyRule, WordKeys
from annotarium_plugins.base.component import ComponentError, Progress
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

if TYPE_CHECKING:
    import numpy.typing as npt

_STEP = 5_000
_KNOWN_SPELLINGS = 500_000
_MOST_TERMS = 2**31 - 1


class _LayerBuilder:
    """Collects the forms that are compared by one rule, as numbers of tokens."""

    def __init__(self, rule: KeyRule, language: str) -> None:
        self._keys = WordKeys(rule, language)
        self._vocabulary: dict[str, int] = {}
        self._spellings: dict[str, int] = {}
        self._flat, self._lengths, self._terms = array("i"), array("i"), array("I")

    def add(self, tokens: Sequence[str], term: int) -> bool:
        """Add a form of a term; return False if it has no tokens to compare, or too many."""
        numbers = [number for number in map(self._token_number, tokens) if number]
        if not 0 < len(numbers) <= MAX_TOKENS:
            return False
        self._flat.extend(numbers)
        self._lengths.append(len(numbers))
        self._terms.append(term)
        return True

    def _token_number(self, token: str) -> int:
        """Return the number of a token, 0 for one that is ignored."""
        known = self._spellings.get(token)
        if known is not None:
            return known
        key = self._keys.key(token)
        number = self._vocabulary.setdefault(key, len(self._vocabulary) + 1) if key else 0
        if len(self._spellings) >= _KNOWN_SPELLINGS:
            self._spellings.clear()
        self._spellings[token] = number
        return number

    def layer(self) -> Layer:
        """Return the layer. The builder is empty afterwards."""
        self._spellings.clear()
        arrays = [_as_array(values) for values in (self._flat, self._lengths, self._terms)]
        trie = build_trie(arrays[0], arrays[1], arrays[2], len(self._vocabulary))
        self._flat, self._lengths, self._terms = array("i"), array("i"), array("I")
        return Layer(self._keys, self._vocabulary, trie)


class MatcherBuilder:
    """Reads terms, then builds.

    Attributes:
        left_out: forms that cannot be found: without letters, or with too many words.
    """

    def __init__(
        self,
        settings: FormSettings,
        labels: TermLabels,
        *,
        lexicons: Sequence[str],
        language: str,
        ignore_hyphens: bool,
        with_contexts: bool,
    ) -> None:
        self._settings, self._labels, self._language = settings, labels, language
        self._only = frozenset(lexicons)
        self._lexicons = {name: number for number, name in enumerate(dict.fromkeys(lexicons))}
        self._splitter = TokenSplitter(ignore_hyphens=ignore_hyphens)
        self._contexts = ContextCollector(self._splitter, language) if with_contexts else None
        self._layers: dict[KeyRule, _LayerBuilder] = {}
        self._names, self._offsets = bytearray(), array("Q", [0])
        self._lexicon_numbers, self._label_numbers = array("I"), array("I")
        self.left_out = 0

    def read(self, terms: Iterable[Term], progress: Progress) -> None:
        """Add all terms. `progress` is called regularly, so that reading can be cancelled."""
        expected = len(terms) if isinstance(terms, Sized) else 0
        number = 0
        for number, term in enumerate(terms, start=1):
            if number % _STEP == 1:
                _report(progress, number - 1, expected)
            self._add(term)
        _report(progress, number, expected)

    def _add(self, term: Term) -> None:
        if self._only and term.lexicon not in self._only:
            return
        forms = list(forms_of_term(term, self._settings))
        label = self._labels.number(term) if forms else None
        if label is None:
            return
        number = len(self._lexicon_numbers)
        if number >= _MOST_TERMS:
            raise ComponentError("There are too many terms.", fix="Choose fewer lexicons.")
        added = [self._add_form(form, number) for form in forms]
        if not any(added):
            return
        self._lexicon_numbers.append(self._lexicons.setdefault(term.lexicon, len(self._lexicons)))
        self._label_numbers.append(label)
        for text in (term.identifier, term.preferred_form or ""):
            self._names += text.encode("utf-8", errors="replace")
            self._offsets.append(len(self._names))
        if self._contexts is not None:
            self._contexts.add(term)

    def _add_form(self, form: TermForm, term: int) -> bool:
        text = " ".join(form.text.split())
        added = False
        if not text.isascii() or any(map(str.isalnum, text)):
            builder = self._layers.get(form.rule)
            if builder is None:
                builder = self._layers[form.rule] = _LayerBuilder(form.rule, self._language)
            added = builder.add(self._splitter.split(text).tokens, term)
        self.left_out += not added
        return added

    def build(self) -> tuple[TermMatcher, TermContexts | None]:
        """Return the matcher, and the contexts of terms that share a form with another one."""
        layers = [self._layers[rule].layer() for rule in sorted(self._layers)]
        names = TermNames(_as_bytes(self._names), _as_array(self._offsets))
        table = TermTable(
            names,
            _as_array(self._lexicon_numbers),
            _as_array(self._label_numbers),
            list(self._lexicons),
            self._labels.names,
        )
        matcher = TermMatcher(self._splitter, layers, table, language=self._language)
        if self._contexts is None:
            return matcher, None
        return matcher, self._contexts.of_terms(_ambiguous_terms(layers))


def _ambiguous_terms(layers: Iterable[Layer]) -> set[int]:
    """Return the terms that share a form with another term."""
    import numpy as np

    found: set[int] = set()
    for layer in layers:
        first = layer.trie.first_entries.astype(np.int64)
        counts = first[1:] - first[:-1]
        shared = np.repeat(counts > 1, counts)
        found.update(compress(layer.trie.entries.tolist(), shared.tolist()))
    return found


def _report(progress: Progress, number: int, expected: int) -> None:
    text = message("doing.readTerms", "{count:,} terms read", one="{count:,} term read", count=number)
    progress(number, max(expected, number, 1), text)


def _as_array(values: array[Any]) -> npt.NDArray[Any]:
    import numpy as np

    return np.array(values, dtype={"i": np.int32, "I": np.uint32, "Q": np.uint64}[values.typecode])


def _as_bytes(content: bytearray) -> npt.NDArray[Any]:
    import numpy as np

    return np.frombuffer(bytes(content), dtype=np.uint8)


def mapping_of_rows(rows: Iterable[tuple[str, str]]) -> Mapping[str, str]:
    """Return label by name; of rows with the same name the first counts."""
    found: dict[str, str] = {}
    for name, label in rows:
        found.setdefault(name, label)
    return found
