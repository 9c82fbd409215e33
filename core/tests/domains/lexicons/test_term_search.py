"""Search of terms: fields, facets, highlights, sorting, inverting, paging (S-048)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from support.factories import Corpus

from annotarium.db.models import LexiconTerm
from annotarium.db.unit_of_work import unit_of_work
from annotarium.search import repository
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import IndexDoc
from annotarium.search.index_verification import is_consistent, verify
from annotarium.search.indexer import index_key, rebuild
from annotarium.search.term_entries import term_entry


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.post("/lexicons", json={"label": "Animals"})
    corpus.post("/lexicons", json={"label": "Towns"})
    cat = {"altForms": ["kitty"], "forms": [{"form": "chat", "language": "fr", "type": "preferred"}]}
    corpus.post("/lexicons/animals", json={"identifier": "A1", "preferredForm": "Cat", "properties": cat})
    corpus.post("/lexicons/animals", json={"identifier": "A2", "preferredForm": "Dog", "properties": {"note": "barks"}})
    corpus.post("/lexicons/towns", json={"identifier": "T1", "preferredForm": "Halden"})
    return corpus


def search(corpus: Corpus, query: str = "", **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = corpus.post("/lexicons/_search", params={"query": query} | parameters)
    return found


def names(found: dict[str, Any]) -> list[str]:
    return sorted(hit["term"]["identifier"] for hit in found["hits"])


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", ["A1", "A2", "T1"]),
        ("cat", ["A1"]),
        ("kitty", ["A1"]),
        ("preferredForm:cat", ["A1"]),
        ("preferredForm:kitty", []),
        ("identifier:T1", ["T1"]),
        ("lexicon:animals AND NOT dog", ["A1"]),
        ("nothing", []),
    ],
)
def test_queries(filled: Corpus, query: str, expected: list[str]) -> None:
    assert names(search(filled, query)) == expected


def test_facets_and_selections(filled: Corpus) -> None:
    found = search(filled, facet=True)
    facets = {one["name"]: {b["key"]: b["doc_count"] for b in one["buckets"]} for one in found["aggregations"]}
    assert facets["lexicon"] == {"animals": 2, "towns": 1}
    assert facets["language"] == {"fr": 1}
    assert facets["properties"] == {"altForms": 1, "forms": 1, "note": 1}
    assert not facets.keys() & {"termIdentifier", "lexiconId", "documentTitle"}
    assert names(search(filled, selectedFacets="lexicon:animals")) == ["A1", "A2"]
    assert names(search(filled, "cat", invertSearch=True)) == ["A2", "T1"]


@pytest.mark.parametrize(
    "query",
    [
        "bibliothèque",
        "BIBLIOTHEQUE",
        ' "Bibliothèque"',
        '"bibliothèque" OR zebra',
        '(bibliotheque*) OR preferredForm:"bibliotheque" OR identifier:"bibliotheque"',
    ],
)
def test_exact_forms_come_first(corpus: Corpus, query: str) -> None:
    """The last query is that of the studio's picker."""
    corpus.post("/lexicons", json={"label": "Places"})
    forms: dict[str, list[str]] = {
        "Bibliothèque, bibliothèque de bibliothèque": [],
        "Bibliothèque +": [],
        "Médiathèque": ["bibliothèque"],
        "Salle": ["bibliothèque bibliothèque"],
        "Bibliothèque": ["Collection de livres rangés, lus et prêtés"],
    }
    for number, (form, others) in enumerate(forms.items()):
        term = {"identifier": f"P{number}", "preferredForm": form, "properties": {"altForms": others}}
        corpus.post("/lexicons/places", json=term)
    found = search(corpus, query, highlight=True, facet=True)
    shown = [hit["term"]["preferredForm"] for hit in found["hits"]]
    assert found["total"]["value"] == len(shown) == 5
    assert shown[:2] == ["Bibliothèque", "Médiathèque"]
    assert found["hits"][0]["highlights"]["preferredForm"] == [{"start": 0, "end": 12}]
    assert "otherForm" not in {one["name"] for one in found["aggregations"]}


def test_exact_forms_match_no_other_terms(filled: Corpus) -> None:
    assert names(search(filled, "kitty", selectedFacets="lexicon:towns")) == []
    assert names(search(filled, "kitty", invertSearch=True)) == ["A2", "T1"]
    assert names(search(filled, "...")) == []
    assert names(search(filled, "kitty", simple=True)) == ["A1"]


def test_highlights_paging_and_sorting(filled: Corpus) -> None:
    hit = search(filled, "kitty", highlight=True)["hits"][0]
    assert hit["highlights"] == {"preferredForm": [], "altForms": {"0": [{"start": 0, "end": 5}]}}
    page = search(filled, sort="-preferredForm", size=2)
    assert [one["term"]["preferredForm"] for one in page["hits"]] == ["Halden", "Dog"]
    assert page["total"]["value"] == 3
    assert search(filled, "cat", searchType="vector")["searchType"] == "text"


def test_changes_are_found_at_once_and_after_a_rebuild(filled: Corpus) -> None:
    filled.post("/lexicons/animals/_update_term", json={"identifier": "A1", "preferredForm": "Lynx"})
    filled.post("/lexicons/animals/_delete_term", 204, json={"identifier": "A2"})
    assert (names(search(filled, "lynx")), names(search(filled, "preferredForm:cat"))) == (["A1"], [])
    rebuild(filled.project.name)
    assert names(search(filled)) == ["A1", "T1"]
    filled.delete("/lexicons/animals")
    assert names(search(filled)) == ["T1"]


def test_who_may_search(filled: Corpus, as_user: Any, client: Any) -> None:
    """P-019."""
    path = f"{filled.path}/lexicons/_search"
    assert client.post(path).status_code == 401
    assert as_user(client, "nora", "useSearch").post(path).status_code == 404
    assert as_user(client, "rita", "readProject:*").post(path).status_code == 403
    assert as_user(client, "sven", "readProject:*", "useSearch").post(path).status_code == 200


def test_broken_queries_are_refused(filled: Corpus) -> None:
    filled.post("/lexicons/_search", 400, params={"query": "(cat AND"})
    filled.post("/lexicons/_search", 400, params={"sort": "colour"})


def test_hits_hold_the_beginning_of_long_properties(filled: Corpus) -> None:
    many = {"altForms": [f"form {number}" for number in range(300)], "note": "x" * 9_000}
    filled.post("/lexicons/towns", json={"identifier": "T2", "preferredForm": "Long", "properties": many})
    shown = search(filled, "long")["hits"][0]["term"]["properties"]
    assert (len(shown["altForms"]), len(shown["note"])) == (50, 2_000)
    whole = filled.post("/lexicons/towns/_get_term", json={"identifier": "T2"})["properties"]
    assert (len(whole["altForms"]), len(whole["note"])) == (300, 9_000)


@pytest.mark.parametrize("damage", ["missing", "different", "left over", "facet"])
def test_verify_finds_terms_that_differ_and_repairs_them(filled: Corpus, damage: str) -> None:
    name, key = filled.project.name, index_key(filled.project, "terms")
    search = {"query": "cat", "facet": True}
    before = filled.post("/lexicons/_search", params=search)
    facts = verify(name)[name]
    assert is_consistent(facts)
    assert facts["terms"] == facts["indexed_terms"] > 0
    found = before["hits"][0]["_id"]
    changes: dict[str, Any] = {
        "missing": {"deletes": [found]},
        "different": {"upserts": [replace(read_entry(found), title="Other")]},
        "left over": {"upserts": [replace(read_entry(found), id="1")]},
        "facet": {"upserts": [replace(read_entry(found), facets=read_entry(found).facets | {"lexicon": ["other"]})]},
    }
    get_search_engine().bulk(key, **changes[damage])
    facts = verify(name)[name]
    assert not is_consistent(facts)
    assert (facts["wrong_terms"] == 1) == (damage in ("missing", "different"))
    assert is_consistent(verify(name, repair=True)[name])
    after = filled.post("/lexicons/_search", params=search)
    assert without_scores(after) == without_scores(before)
    assert filled.facet("lexicon", "lexicons") == {"animals": 2, "towns": 1}


def without_scores(found: dict[str, Any]) -> list[dict[str, Any]]:
    """The hits; OpenSearch's scores change a little with entries that were replaced."""
    return [{name: value for name, value in hit.items() if name != "score"} for hit in found["hits"]]


def read_entry(found: str) -> IndexDoc:
    with unit_of_work(actor="tests", write=False) as unit:
        project_id = unit.session.query(LexiconTerm).filter_by(id=int(found)).one().project_id
        (state,) = repository.load_indexable_terms(unit.session, project_id, [int(found)])
    return term_entry(state)
