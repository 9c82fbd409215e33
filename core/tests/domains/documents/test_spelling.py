"""Spelling tolerance: what is close to a word that no document contains, with the rights of the caller."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(
        document("d1", "Iron deficiency in adults. The deficiency is treated."),
        document("d2", "An efficient treatment of anaemia."),
        document("d3", "Crème brûlée for dessert."),
    )
    return corpus


def meant(corpus: Corpus, query: str, **params: Any) -> tuple[str | None, int]:
    found = corpus.post("/documents/_did_you_mean", params={"query": query} | params)
    return found.get("query"), found["documents"]


@pytest.mark.parametrize(
    ("query", "suggested"),
    [
        ("deficeincy", ("deficiency", 1)),
        ("Iron defficiency", ("Iron deficiency", 1)),
        ("tretment", ("treatment", 1)),
        ("deficiency", (None, 0)),
        ("xylophone", (None, 0)),
        ("deficeincy xylophone", (None, 0)),
        ("", (None, 0)),
        ("it", (None, 0)),
    ],
)
def test_what_is_close(filled: Corpus, query: str, suggested: tuple[str | None, int]) -> None:
    assert meant(filled, query) == suggested


def test_the_query_language_stays(filled: Corpus) -> None:
    """Operators, fields and patterns are not words to correct."""
    assert meant(filled, "deficeincy AND adults", simpleQuery=False) == ("deficiency AND adults", 1)
    assert meant(filled, "metadata.kind:deficeincy", simpleQuery=False) == (None, 0)
    assert meant(filled, "zzzz*", simpleQuery=False) == (None, 0)


def test_who_may_ask(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid."""
    path = f"{filled.path}/documents/_did_you_mean?query=deficeincy"
    assert client.post(path).status_code == 401
    minimal = as_user(client, "mia", "Minimal", f"readProject:{filled.project.name}")
    assert minimal.post(path).status_code == 403
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}")
    assert reader.post(path).json()["query"] == "deficiency"
