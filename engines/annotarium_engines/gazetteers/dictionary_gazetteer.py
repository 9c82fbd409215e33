"""A dictionary of tokens: finds the terms of large lexicons fast, in any language."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, NamedTuple, TypeVar

from annotarium_engines.annotators.text_windows import text_windows
from annotarium_engines.gazetteers.gazetteer_parameters import DictionaryGazetteerParameters
from annotarium_engines.gazetteers.overlaps import Candidate, OverlapPolicy, select_candidates
from annotarium_engines.gazetteers.term_forms import FormSettings, normalize_form
from annotarium_engines.gazetteers.term_labels import TermLabels
from annotarium_engines.gazetteers.word_keys import KeyRule
from annotarium_engines.model_files import library_versions
from annotarium_engines.topics.stop_words import stop_words
from annotarium_plugins.base.component import ComponentError, Nature, Progress, no_progress
from annotarium_plugins.base.gazetteer import Gazetteer
from annotarium_plugins.parameters import Parameters
from annotarium_schemas.documents import Annotation, Document, Term

if TYPE_CHECKING:
    from annotarium_engines.gazetteers.ambiguity import TermContexts, WordHashes
    from annotarium_engines.gazetteers.term_matcher import MatchedText, TermMatcher

Item = TypeVar("Item")

_COMPONENT = "dictionary"
_WINDOW = 100_000
"""Code points that are read together; memory grows with them: up to 300 MB for a text of one repeated word."""
_KNOWN_TERMS = 10_000
MOST_MATCHES = 50_000
"""Matches of one text that may overlap. Above, only the longest are annotated: a text of 300 kB that repeats one word
would have nearly a million otherwise, which take gigabytes.
"""


class TermMatch(NamedTuple):
    """Terms found at `text[start:end]`; `terms` are their numbers in the matcher, best first."""

    start: int
    end: int
    label: str
    terms: tuple[int, ...]


class DictionaryGazetteer(Gazetteer[DictionaryGazetteerParameters]):
    """Compares normalised tokens: terms match whole words only, except in scripts written without spaces.

    The arrays of a saved matcher are mapped into memory, so that processes share them; each holds its own vocabulary.
    Measured with 1,000,000 terms of 1 to 4 words, 200,000 of them different (`core/bench/gazetteers.py`): about 190
    bytes of memory per term while it is used, 80 in files.
    """

    title: ClassVar[str] = "Dictionary"
    description: ClassVar[str] = "Finds the terms of lexicons in texts, with their variants. For all languages."
    parameters_model: ClassVar[type[Parameters]] = DictionaryGazetteerParameters
    natures: ClassVar[tuple[Nature, ...]] = ("sequence_labelling",)
    version: ClassVar[str] = "1"

    def __init__(self, parameters: DictionaryGazetteerParameters) -> None:
        super().__init__(parameters)
        self._matcher: TermMatcher | None = None
        self._contexts: TermContexts | None = None
        self._hashes: WordHashes | None = None
        self.simplified = 0
        self.left_out = 0
        """Forms of the last synchronisation that cannot be found: only punctuation, or too many words."""

    def synchronize(self, terms: Iterable[Term], *, language: str, progress: Progress = no_progress) -> None:
        """Build the matcher; see `Gazetteer.synchronize`. If it fails, the earlier matcher stays.

        Raises:
            ComponentError: the terms have too many labels.
        """
        from annotarium_engines.gazetteers.matcher_builder import MatcherBuilder, mapping_of_rows

        settings = self.parameters
        labels = TermLabels(
            mapping_of_rows((row.found, row.label) for row in settings.labels),
            property_name=settings.label_property.strip() if settings.label_by == "property" else "",
            other=settings.other,
        )
        builder = MatcherBuilder(
            self._form_settings(language),
            labels,
            lexicons=settings.lexicons,
            language=language,
            ignore_hyphens=settings.ignore_hyphens,
            with_contexts=settings.ambiguity == "context",
        )
        builder.read(terms, progress)
        self._matcher, self._contexts = builder.build()
        self.left_out, self._hashes = builder.left_out, None

    def _form_settings(self, language: str) -> FormSettings:
        settings = self.parameters
        stops = {normalize_form(form) for form in settings.stop_terms}
        if settings.stop_words:
            stops |= stop_words(language)
        return FormSettings(
            rule=KeyRule(settings.case_sensitive, settings.fold_diacritics, settings.variants),
            acronyms=settings.acronyms,
            minimum_length=settings.minimum_length,
            stop_forms=frozenset(stops),
            types=frozenset(settings.other_forms),
            language="" if settings.all_languages or language == "xx" else language,
            obsolete=settings.obsolete,
        )

    @property
    def terms(self) -> int:
        """Return the number of terms that can be found."""
        return len(self._matcher.table) if self._matcher is not None else 0

    def annotate(self, documents: Iterable[Document], language: str) -> Iterator[Document]:
        """Yield the same documents with the terms added; see `Gazetteer.annotate`.

        The language of the texts is that of the last synchronisation. Annotations share the objects of their terms.
        """
        known: dict[int, Term] = {}
        for batch in _batches(documents, lambda one: len(one.text)):
            for document, matches in zip(batch, self.find([one.text for one in batch]), strict=True):
                found = [self._annotation(document.text, match, known) for match in matches]
                yield document.model_copy(update={"annotations": [*document.annotations, *found]})

    def find(self, texts: Sequence[str]) -> list[list[TermMatch]]:
        """Return the matches of each text, by position.

        Raises:
            ComponentError: there is no matcher.
        """
        matcher = self._matcher
        if matcher is None:
            raise ComponentError("This gazetteer has no matcher.", fix="Synchronise the gazetteer first.")
        if not len(matcher.table):
            return [[] for _ in texts]
        found: list[list[TermMatch]] = []
        for batch in _batches(texts, len):
            if len(batch[0]) > _WINDOW:
                found.append(self._bounded(partial(self._matches_in_windows, matcher, batch[0])))
            else:
                found += [self._bounded(partial(self._matches, matcher, one)) for one in matcher.match(batch)]
        return found

    def _bounded(self, matches: Callable[[OverlapPolicy], Iterator[TermMatch]]) -> list[TermMatch]:
        """Return the matches of a text by the policy of the parameters, or the longest if they are too many."""
        policy = self.parameters.overlaps
        found = list(islice(matches(policy), MOST_MATCHES + 1 if policy == "all" else None))
        if policy != "all" or len(found) <= MOST_MATCHES:
            return found
        self.simplified += 1
        return list(matches("longest"))

    def _matches_in_windows(self, matcher: TermMatcher, text: str, policy: OverlapPolicy) -> Iterator[TermMatch]:
        for start, end in text_windows(text, _WINDOW):
            (matched,) = matcher.match([text[start:end]])
            for match in self._matches(matcher, matched, policy):
                yield match._replace(start=match.start + start, end=match.end + start)

    def _matches(self, matcher: TermMatcher, matched: MatchedText, policy: OverlapPolicy) -> Iterator[TermMatch]:
        table = matcher.table
        for one in select_candidates(matcher.candidates(matched.matches), policy):
            by_label: dict[str, list[int]] = {}
            terms = self._terms_of(matcher, matched, one)
            for term in terms:
                label = table.labels[int(table.label_numbers[term])]
                by_label.setdefault(label, []).append(term)
            if policy == "all":
                for label, group in by_label.items():
                    yield TermMatch(one.start, one.end, label, tuple(group))
            else:
                yield TermMatch(one.start, one.end, next(iter(by_label)), terms)

    def _terms_of(self, matcher: TermMatcher, matched: MatchedText, candidate: Candidate) -> tuple[int, ...]:
        """Return the terms of an ambiguous name that the parameters choose."""
        terms, rule = candidate.terms, self.parameters.ambiguity
        if len(terms) == 1 or rule == "all":
            return terms
        if rule == "lexicon_order" or self._contexts is None:
            return terms[:1]
        from annotarium_engines.gazetteers.ambiguity import WordHashes, words_around

        if self._hashes is None:
            self._hashes = WordHashes(matcher.language)
        first, past = matched.token_at(candidate.start), matched.token_at(candidate.end)
        return (self._contexts.best_term(terms, words_around(matched.split, first, past, self._hashes)),)

    def _annotation(self, text: str, match: TermMatch, known: dict[int, Term]) -> Annotation:
        start, end = match.start, match.end
        if len(known) > _KNOWN_TERMS:
            known.clear()
        for number in match.terms:
            if number not in known:
                known[number] = self._term(number)
        return Annotation(
            start=start,
            end=end,
            text=text[start:end],
            label_name=match.label,
            creation_mode="automatic",
            terms=[known[number] for number in match.terms],
        )

    def _term(self, number: int) -> Term:
        assert self._matcher is not None
        table = self._matcher.table
        return Term(
            identifier=table.names.identifier(number),
            lexicon=table.lexicons[int(table.lexicon_numbers[number])],
            preferred_form=table.names.preferred_form(number),
        )

    def save(self, folder: Path) -> None:
        """Write the matcher as arrays and `manifest.json`."""
        from annotarium_engines.gazetteers.matcher_files import write_matcher

        if self._matcher is None:
            raise ComponentError("This gazetteer has no matcher.", fix="Synchronise the gazetteer first.")
        facts = {
            "component": _COMPONENT,
            "version": self.version,
            "parameters": self.parameters.model_dump(),
            "terms": self.terms,
            "libraries": library_versions("PyStemmer"),
        }
        write_matcher(folder, self._matcher, self._contexts, facts)

    def load(self, folder: Path) -> None:
        """Map what `save` wrote into memory; the folder must stay.

        Raises:
            ComponentError: the files are damaged, or another version wrote them.
        """
        from annotarium_engines.gazetteers.matcher_files import read_matcher

        self._matcher, self._contexts = read_matcher(folder, component=_COMPONENT, version=self.version)
        self._hashes = None


def _batches(items: Iterable[Item], length: Callable[[Item], int]) -> Iterator[list[Item]]:
    """Yield items in lists of at most `_WINDOW` code points, or of one item."""
    batch: list[Item] = []
    size = 0
    for item in items:
        if batch and size + length(item) > _WINDOW:
            yield batch
            batch, size = [], 0
        batch.append(item)
        size += length(item) + 1
    if batch:
        yield batch
