"""Spelling tolerance: for a search without hits, the same query with words that the documents contain."""

from __future__ import annotations

import re
from collections import Counter

from annotarium.access.call import ProjectCall
from annotarium.domains.documents.loader import load_documents
from annotarium.domains.documents.schemas import SpellingSuggestion
from annotarium.search.engine import SearchEngine
from annotarium.search.highlight import Highlighter
from annotarium.search.index_and_search_types import IndexKey, SearchSpec
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.search_rights import require_search
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.text_analysis import fold_case_and_accents

_WORD = re.compile(r"(?<![\w:])[^\W\d_]{4,40}(?![\w:*?~])")
"""Words that may be misspelled: not fields, patterns, short words and numbers."""
_MAX_WORDS = 5
_READ = 20
"""Number of documents from which the spelling is taken."""
_OPERATORS = frozenset({"and", "or", "not"})


class _DocumentSearch:
    """Searches documents with the caller's rights."""

    def __init__(self, call: ProjectCall) -> None:
        self._call = call
        self._engine: SearchEngine
        self._key: IndexKey
        self._engine, self._key = open_index(call.project, "documents", reader=call.username)
        self._names = self._engine.facet_names(self._key)

    def _spec(self, query: str, simple: bool, size: int) -> SearchSpec:
        params = SearchParams(query=query, simple=simple, size=size)
        require_search(self._call.access, params)
        return build_search_spec(params, "documents", self._call.access, self._call.project, self._names)

    def count(self, query: str, *, simple: bool) -> int:
        return self._engine.search(self._key, self._spec(query, simple, 0)).total

    def similar_words(self, word: str, edits: int) -> Counter[str]:
        """Words of the documents found that are within some edits of a word, in lower case, with their frequency."""
        spec = self._spec(f"{word}~{edits}", False, _READ)
        ids = [int(hit.id) for hit in self._engine.search(self._key, spec).hits]
        words: Counter[str] = Counter()
        marker = Highlighter(self._call.project.lang, spec.query)
        for document in load_documents(self._call, ids, {"text", "title"}).values():
            for text in (document["title"], document["text"]):
                words.update(text[span.start : span.end].lower() for span in marker.spans(text))
        return words


def suggest_spelling(call: ProjectCall, query: str, *, simple: bool) -> SpellingSuggestion:
    """The query with each word that no document contains replaced by the nearest one that some document contains.

    Only documents that the caller may read are used, so that no word of another one is told.
    """
    search = _DocumentSearch(call)
    corrected = query
    for word in list(dict.fromkeys(_WORD.findall(query)))[:_MAX_WORDS]:
        if word.lower() in _OPERATORS or search.count(f'"{word}"', simple=False):
            continue
        better = _nearest(word, search)
        if better is None:
            return SpellingSuggestion()
        corrected = re.sub(rf"(?<!\w){re.escape(word)}(?!\w)", better, corrected)
    if corrected == query:
        return SpellingSuggestion()
    documents = search.count(corrected, simple=simple)
    return SpellingSuggestion(query=corrected, documents=documents) if documents else SpellingSuggestion()


def _nearest(word: str, search: _DocumentSearch) -> str | None:
    folded = fold_case_and_accents(word)
    for edits in (1, 2):
        words = search.similar_words(word, edits)
        if words:
            return min(words, key=lambda one: (_edits(folded, fold_case_and_accents(one)), -words[one], one))
    return None


def _edits(one: str, other: str) -> int:
    """Insertions, deletions, substitutions and transpositions of neighbours between two words."""
    before: list[int] = []
    row = list(range(len(other) + 1))
    for at, letter in enumerate(one, start=1):
        earlier, before, row = before, row, [at]
        for place, wanted in enumerate(other, start=1):
            cost = min(before[place] + 1, row[place - 1] + 1, before[place - 1] + (letter != wanted))
            if at > 1 and place > 1 and letter == other[place - 2] and one[at - 2] == wanted:
                cost = min(cost, earlier[place - 2] + 1)
            row.append(cost)
    return row[-1]
