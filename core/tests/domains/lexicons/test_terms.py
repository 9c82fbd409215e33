"""Terms by hand, their relations and the tree (S-048)."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus


@pytest.fixture
def animals(corpus: Corpus) -> Corpus:
    corpus.post("/lexicons", json={"label": "Animals"})
    return corpus


def add(corpus: Corpus, identifier: str, status: int = 200, *, overwrite: bool = False, **properties: Any) -> Any:
    body = {"identifier": identifier, "preferredForm": identifier.title(), "properties": properties}
    return corpus.post("/lexicons/animals", status, json=body, params={"overwrite": overwrite})


def get(corpus: Corpus, identifier: str, status: int = 200) -> Any:
    return corpus.post("/lexicons/animals/_get_term", status, json={"identifier": identifier})


def roots(corpus: Corpus) -> list[str]:
    return [one["identifier"] for one in corpus.get("/lexicons/animals/_roots")["terms"]]


def children(corpus: Corpus, identifier: str) -> list[str]:
    found = corpus.post("/lexicons/animals/_children", json={"identifier": identifier})
    assert found["total"] == len(found["terms"])
    return [one["identifier"] for one in found["terms"]]


def test_a_term_is_created_read_changed_and_deleted(animals: Corpus) -> None:
    made = add(animals, "cat", altForms=["kitty", "kitty", " "], note="small")
    assert (made["preferredForm"], made["value"], made["lexicon"]) == ("Cat", "Cat", "animals")
    assert made["properties"] == {"altForms": ["kitty"], "note": "small"}
    body = {"identifier": "cat", "preferredForm": "House cat", "set": {"size": 3}, "unset": ["note"]}
    match = {"If-Match": f'"{made["version"]}"'}
    changed = animals.post("/lexicons/animals/_update_term", json=body, headers=match)
    assert (changed["preferredForm"], changed["properties"]) == ("House cat", {"altForms": ["kitty"], "size": 3})
    animals.post("/lexicons/animals/_update_term", 412, json=body, headers=match)
    animals.post("/lexicons/animals/_delete_term", 412, json={"identifier": "cat"}, headers=match)
    animals.post("/lexicons/animals/_delete_term", 204, json={"identifier": "cat"})
    get(animals, "cat", 404)
    add(animals, "cat")


def test_a_deleted_term_is_restored_as_it_was(animals: Corpus) -> None:
    add(animals, "mammal")
    add(animals, "cat", broader=["mammal"], altForms=["kitty"])
    add(animals, "kitten", broader=["cat"])
    path, body = "/lexicons/animals/_restore_term", {"identifier": "cat"}
    animals.post(path, 404, json=body)
    animals.post("/lexicons/animals/_delete_term", 204, json=body)
    assert roots(animals) == ["kitten", "mammal"]
    restored = animals.post(path, json=body)
    assert (restored["preferredForm"], restored["properties"]) == (
        "Cat",
        {"altForms": ["kitty"], "broader": ["mammal"]},
    )
    assert (roots(animals), children(animals, "cat")) == (["mammal"], ["kitten"])
    animals.post(path, 409, json=body)
    animals.post("/lexicons", json={"label": "Others"})
    animals.post("/lexicons/animals/_delete_term", 204, json=body)
    animals.post("/lexicons/others/_restore_term", 404, json=body)
    body_of_mammal = {"identifier": "mammal", "set": {"broader": ["kitten"]}}
    animals.post("/lexicons/animals/_update_term", json=body_of_mammal)
    animals.post(path, 400, json=body)


def test_value_stands_for_the_preferred_form_and_identifiers_are_derived(animals: Corpus) -> None:
    """Conflicts 37."""
    made = animals.post("/lexicons/animals", json={"value": "Sea lion"})
    again = animals.post("/lexicons/animals", json={"value": "Sea lion"})
    assert (made["identifier"], made["preferredForm"], again["identifier"]) == ("sea_lion", "Sea lion", "sea_lion_2")
    animals.post("/lexicons/animals", 400, json={})


def test_an_identifier_is_taken_once_unless_overwritten(animals: Corpus) -> None:
    add(animals, "cat", note="old")
    add(animals, "cat", 409)
    assert add(animals, "cat", overwrite=True)["properties"] == {}


def test_terms_of_a_locked_lexicon_are_not_changed_by_hand(animals: Corpus) -> None:
    add(animals, "cat")
    animals.patch("/lexicons/animals", json={"manualEditionAllowed": False})
    add(animals, "dog", 409)
    animals.post("/lexicons/animals/_update_term", 409, json={"identifier": "cat"})
    animals.post("/lexicons/animals/_delete_term", 409, json={"identifier": "cat"})


@pytest.mark.parametrize(
    "wrong",
    [
        {"identifier": "x" * 513},
        {"identifier": "a\x00b"},
        {"identifier": "a", "preferredForm": "x" * 1_001},
        {"identifier": "a", "properties": {"broader": "b"}},
        {"identifier": "a", "properties": {"broader": ["a"]}},
        {"identifier": "a", "properties": {"altForms": [1]}},
        {"identifier": "a", "properties": {"altForms": ["x"] * 20_001}},
        {"identifier": "a", "properties": {"note": "\x00"}},
    ],
)
def test_what_cannot_be_stored_is_refused(animals: Corpus, wrong: dict[str, Any]) -> None:
    animals.post("/lexicons/animals", 400, json=wrong)
    assert roots(animals) == []


def test_the_tree_follows_the_relations(animals: Corpus) -> None:
    add(animals, "cat", broader=["mammal"])
    assert roots(animals) == ["cat"]
    add(animals, "mammal", related=["cat"])
    add(animals, "dog", broader=["mammal", "nowhere"])
    assert roots(animals) == ["mammal"]
    assert children(animals, "mammal") == ["cat", "dog"]
    card = get(animals, "mammal")
    assert [one["identifier"] for one in card["narrower"]] == ["cat", "dog"]
    assert [one["identifier"] for one in card["related"]] == ["cat"]
    assert [one["identifier"] for one in get(animals, "cat")["broader"]] == ["mammal"]
    animals.post("/lexicons/animals/_update_term", json={"identifier": "cat", "unset": ["broader"]})
    assert (roots(animals), children(animals, "mammal")) == (["cat", "mammal"], ["dog"])
    animals.post("/lexicons/animals/_update_term", json={"identifier": "mammal", "newIdentifier": "animal"})
    assert roots(animals) == ["cat", "dog", "animal"]
    animals.post("/lexicons/animals/_update_term", json={"identifier": "animal", "newIdentifier": "mammal"})
    assert children(animals, "mammal") == ["dog"]
    animals.post("/lexicons/animals/_delete_term", 204, json={"identifier": "mammal"})
    assert roots(animals) == ["cat", "dog"]


def test_a_circle_is_refused(animals: Corpus) -> None:
    add(animals, "a", broader=["b"])
    add(animals, "b", broader=["c"])
    add(animals, "c", 400, broader=["a"])
    add(animals, "c")
    body = {"identifier": "c", "set": {"broader": ["a"]}}
    animals.post("/lexicons/animals/_update_term", 400, json=body)
    assert roots(animals) == ["c"]


def test_the_tree_is_paged_in_alphabetical_order(animals: Corpus) -> None:
    for name in ("Zebra", "ape", "Élan", "eagle"):
        animals.post("/lexicons/animals", json={"preferredForm": name})
    page = animals.get("/lexicons/animals/_roots", params={"from": 1, "size": 2})
    assert ([one["preferredForm"] for one in page["terms"]], page["total"]) == (["eagle", "Élan"], 4)
    animals.get("/lexicons/animals/_roots", 400, params={"size": 100_000})


def test_changes_of_terms_raise_the_version_of_the_lexicon(animals: Corpus) -> None:
    def version() -> int:
        return int(animals.get("/lexicons/animals")["termsVersion"])

    seen = [version()]
    add(animals, "cat")
    seen.append(version())
    animals.post("/lexicons/animals/_update_term", json={"identifier": "cat", "preferredForm": "Tom"})
    seen.append(version())
    animals.post("/lexicons/animals/_delete_term", 204, json={"identifier": "cat"})
    seen.append(version())
    assert seen == sorted(set(seen))
