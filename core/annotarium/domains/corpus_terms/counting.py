"""Counts forms in bounded memory, and selects the candidates among them.

Rare forms are dropped as in the lossy counting of Manku and Motwani (VLDB 2002). A sequence that occurs only inside a
longer one is no candidate, which is the idea of the C-value of Frantzi, Ananiadou and Mima (2000).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from annotarium.domains.corpus_terms.extraction import form_key, similarity_key
from annotarium_schemas.documents import Term

MAX_FORMS = 300_000
"""Forms that are counted at the same time; beyond it the rarest are dropped, so that memory stays bounded."""
MAX_CANDIDATES = 1_000
"""Candidates per kind, the most frequent ones."""
MIN_OCCURRENCES, MIN_DOCUMENTS = 3, 2
"""Of a sequence of words. A labelled span is a candidate from its first occurrence."""
MAX_EXAMPLES = 3
MAX_SIMILAR = 3
CONTEXT = 80
"""Characters before and after an occurrence in an example."""
_SPELLINGS = 20


@dataclass(slots=True)
class FormCount:
    """What was counted of one form. `positions` are (document id, start, end) of its first occurrences."""

    occurrences: int = 0
    documents: int = 0
    last_document: int = -1
    labels: Counter[str] = field(default_factory=Counter)
    positions: list[tuple[int, int, int]] = field(default_factory=list)


class FormCounter:
    """Counts forms by key. The occurrences of a document must be added one after the other for exact `documents`."""

    def __init__(self, limit: int = MAX_FORMS) -> None:
        self.forms: dict[str, FormCount] = {}
        self._limit, self._floor = limit, 0

    def add(self, key: str, document_id: int, start: int, end: int, label: str = "") -> None:
        """Count one occurrence."""
        form = self.forms.get(key)
        if form is None:
            if len(self.forms) >= self._limit:
                self._drop_rarest()
            form = self.forms[key] = FormCount()
        form.occurrences += 1
        if form.last_document != document_id:
            form.documents, form.last_document = form.documents + 1, document_id
        if label:
            form.labels[label] += 1
        if len(form.positions) < MAX_EXAMPLES:
            form.positions.append((document_id, start, end))

    def _drop_rarest(self) -> None:
        while len(self.forms) > self._limit // 2:
            self._floor += 1
            self.forms = {key: form for key, form in self.forms.items() if form.occurrences > self._floor}
        self._floor = 0

    def most_frequent(self, least: int, documents: int, most: int) -> dict[str, FormCount]:
        """The most frequent forms with at least so many occurrences and documents."""
        found = [
            (key, form) for key, form in self.forms.items() if form.occurrences >= least and form.documents >= documents
        ]
        found.sort(key=lambda one: (-one[1].occurrences, -len(one[0]), one[0]))
        return dict(found[:most])


def without_parts(forms: dict[str, FormCount]) -> dict[str, FormCount]:
    """The forms, without those that occur only inside a longer one."""
    contained: set[str] = set()
    for key, form in forms.items():
        words = key.split(" ")
        for first in range(len(words)):
            for last in range(first + 1, len(words) + 1):
                part = " ".join(words[first:last])
                if part != key and part in forms and forms[part].occurrences <= form.occurrences:
                    contained.add(part)
    return {key: form for key, form in forms.items() if key not in contained}


@dataclass(slots=True)
class Candidate:
    """A candidate with what its row contains."""

    key: str
    kind: str
    count: FormCount
    spellings: Counter[str] = field(default_factory=Counter)
    examples: list[dict[str, Any]] = field(default_factory=list)
    similar: list[dict[str, str]] = field(default_factory=list)

    def row(self) -> dict[str, Any]:
        """Values of the columns that describe the candidate."""
        label = self.count.labels.most_common(1)
        return {
            "key": self.key,
            "form": (self.spellings.most_common(1)[0][0] if self.spellings else self.key)[:255],
            "kind": self.kind,
            "label_name": label[0][0] if label else "",
            "occurrences": self.count.occurrences,
            "documents": self.count.documents,
            "examples": self.examples,
            "similar": self.similar,
        }


def compare_with_terms(candidates: Collection[Candidate], terms: Iterable[Term]) -> list[Candidate]:
    """The candidates that no term has as a form; `similar` is filled with terms that have a similar form.

    The terms are read once and not collected.
    """
    left = {one.key: one for one in candidates}
    by_similarity: dict[str, list[Candidate]] = {}
    for one in candidates:
        by_similarity.setdefault(similarity_key(one.key), []).append(one)
    for term in terms:
        for form in _forms_of(term):
            left.pop(form_key(form), None)
            for one in by_similarity.get(similarity_key(form), ()):
                _add_similar(one, term)
    return list(left.values())


def _forms_of(term: Term) -> Iterator[str]:
    yield term.preferred_form or term.identifier
    further = (term.properties or {}).get("altForms")
    if isinstance(further, list):
        yield from (form for form in further if isinstance(form, str))


def _add_similar(candidate: Candidate, term: Term) -> None:
    found = {
        "lexicon": term.lexicon,
        "identifier": term.identifier,
        "preferredForm": term.preferred_form or term.identifier,
    }
    if found not in candidate.similar and len(candidate.similar) < MAX_SIMILAR:
        candidate.similar.append(found)


def add_examples(document: tuple[int, str, str, str], positions: Positions) -> None:
    """Add the examples in one document, (id, identifier, title, text), to their candidates."""
    identifier, title, text = document[1:]
    for candidate, start, end in positions.get(document[0], ()):
        spelling = " ".join(text[start:end].split())
        if len(candidate.spellings) < _SPELLINGS:
            candidate.spellings[spelling] += 1
        candidate.examples.append(
            {
                "documentIdentifier": identifier,
                "documentTitle": title[:255],
                "start": start,
                "end": end,
                "before": text[max(0, start - CONTEXT) : start],
                "text": text[start:end],
                "after": text[end : end + CONTEXT],
            }
        )


Positions = dict[int, list[tuple[Candidate, int, int]]]
"""Occurrences to show, by document id."""


def positions_by_document(candidates: Iterable[Candidate]) -> Positions:
    """The occurrences of the candidates that become examples."""
    found: Positions = {}
    for one in candidates:
        for document_id, start, end in one.count.positions:
            found.setdefault(document_id, []).append((one, start, end))
    return found
