"""Words tokenized during the import give the same index as texts read from the database."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus, document

from annotarium.db.database import get_database
from annotarium.search import import_tokenizing, indexer, repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.import_tokenizing import TokenFiles, TokenizedBatch, Tokenizer
from annotarium.search.index_and_search_types import KINDS
from annotarium.search.text_analysis import get_analyser
from annotarium.settings import get_settings

ALPHABET = "abcé ıß日本ハ語-.,_\n\u0301\u0627\u064b1"


@given(st.text(ALPHABET, max_size=30), st.lists(st.integers(0, 30)))
def test_token_lines_equal_those_of_the_separate_ranges(text: str, places: list[int]) -> None:
    borders = sorted(min(place, len(text)) for place in places)
    tokens = get_analyser("en").tokens(text)
    parts = [tokens.part(start, end).line() for start, end in pairwise([0, *borders, len(text)])]
    assert get_analyser("en").lines(text, borders) == parts


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    texts = [
        "Ann was running. Bob ran.",
        "Two  children",
        "Écrites, ils\u0301 venaient! Growing 日本語。終",
        "Nothing grows.",
    ]
    corpus.add(*(document(f"d{number}", text) for number, text in enumerate(texts)))
    return corpus


def rows_with_words(project: int) -> list[list[Any]]:
    """All rows of both indexes that contain words."""
    found = []
    for path in sorted(Path(get_settings().index_folder).glob(f"{project}/**/*.sqlite")):
        connection = sqlite3.connect(path)
        queries = ("SELECT id, title, text FROM fts JOIN doc ON n = fts.rowid", "SELECT surface, term FROM word")
        found += [sorted(connection.execute(query)) for query in queries]
        connection.close()
    return found


def test_index_from_pretokenized_words_equals_index_from_texts(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The text is read again only where its words were tokenized for other segments, or where it exceeds the limit."""
    project = corpus.project.id
    indexer.rebuild(corpus.project.name)
    expected = rows_with_words(project)
    assert len(expected) == 4
    assert all(expected)
    with get_database().session(write=False) as session:
        ids = [one for batch in repository.iterate_document_ids(session, project) for one in batch]
        states = repository.load_indexable_documents(session, project, ids, with_text=True, labels={})
    monkeypatch.setattr(import_tokenizing, "MAX_TEXT_LENGTH", 30)
    cutter = Tokenizer("en")
    words, told = {}, []
    for number, state in enumerate(states[one] for one in ids):
        words[state.id] = cutter.tokenize(state.text or "", state.segments if number else [(0, 4)])
        told.append(cutter.new_inflected() or b"{}")
    read: list[int] = []
    load = repository.load_texts
    monkeypatch.setattr(repository, "load_texts", lambda session, lack: read.extend(lack) or load(session, lack))
    files = TokenFiles(tmp_path, 1)
    place = files.put(ids, words, told)
    assert place is not None
    given_words = TokenizedBatch()
    given_words.read(ids, *place, "en")
    files.close()
    get_search_engine().drop(str(project))
    for kind in KINDS:
        indexer.index_documents(project, ids, [kind], given_words)
    assert rows_with_words(project) == expected
    assert sorted(read) == sorted([ids[0], ids[2]] * 2)


def test_words_tokenized_for_another_language_are_not_used(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    words = TokenizedBatch()
    words.language = "fr"
    monkeypatch.setattr(words, "tokens_of", lambda *_: pytest.fail("used"))
    with get_database().session(write=False) as session:
        ids = [one for batch in repository.iterate_document_ids(session, corpus.project.id) for one in batch]
    indexer.index_documents(corpus.project.id, ids, words=words)
