"""Lexicons and gazetteers for tests: `from support.vocabularies import add_lexicon, add_gazetteer`."""

from __future__ import annotations

from typing import Any

import pytest

from annotarium.registry import get_registry
from support.factories import Corpus

DISEASES = {"D1": ("asthma", ["bronchial asthma"]), "D2": ("gout", []), "D3": ("measles", ["rubeola"])}


def add_lexicon(corpus: Corpus, label: str = "Diseases", terms: dict[str, tuple[str, list[str]]] | None = None) -> str:
    """Create a lexicon with terms, by identifier (preferred form, further forms); returns its name."""
    name: str = corpus.post("/lexicons", json={"label": label})["name"]
    for identifier, (form, further) in (DISEASES if terms is None else terms).items():
        body = {"identifier": identifier, "preferredForm": form, "properties": {"altForms": further}}
        corpus.post(f"/lexicons/{name}", json=body)
    return name


def engine() -> str:
    """The name of an installed gazetteer."""
    names = get_registry().names("gazetteer")
    if not names:
        pytest.skip("no gazetteer is installed")
    return names[0]


def add_gazetteer(corpus: Corpus, *lexicons: str, label: str = "Finder", **more: Any) -> str:
    """Create a gazetteer over lexicons; returns its name."""
    body = {"engine": engine(), "label": label, "parameters": {"lexicons": list(lexicons)}} | more
    name: str = corpus.post("/gazetteers", json=body)["name"]
    return name


def synchronize(corpus: Corpus, name: str, **parameters: Any) -> dict[str, Any]:
    """Synchronise a gazetteer and return the ended job."""
    job = corpus.post(f"/gazetteers/{name}/_synchronize", params=parameters)
    assert job["type"] == "SYNCHRONIZE_TERMS"
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended


def linked(corpus: Corpus) -> dict[str, list[str]]:
    """By annotated text, the identifiers of the terms of the annotations."""
    found: dict[str, list[str]] = {}
    for document in corpus.get("/documents"):
        for one in document["annotations"]:
            found.setdefault(one["text"], []).extend(term["identifier"] for term in one.get("terms", []))
    return found
