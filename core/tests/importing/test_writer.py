"""Changes of the project by writing a batch of documents, and the stored authors and timestamps."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.live_events import args_of

from annotarium.db.unit_of_work import Event


@pytest.fixture
def topics(as_admin: Any, make_project: Any, run_jobs: Any, client: Any) -> Corpus:
    project = make_project(lang="en", nature="classification", exclusive_classes=True)
    return Corpus(as_admin, project, run_jobs)


def categorized(name: str, *categories: dict[str, Any], **more: Any) -> dict[str, Any]:
    return document(name, f"Text of {name}. It goes on.", categories=list(categories), **more)


def is_exclusive(corpus: Corpus) -> bool:
    found: bool = corpus.get("/config")["classification"]["exclusive_classes"]
    return found


PRESS, SPORT = {"labelName": "press", "label": "Press"}, {"labelName": "sport", "label": "Sport"}


@pytest.mark.parametrize(
    ("documents", "exclusive"),
    [
        ([categorized("a", PRESS, SPORT | {"status": "KO"})], True),
        ([categorized("a", PRESS | {"status": "KO"}, SPORT | {"status": "KO"})], True),
        ([categorized("a", PRESS), categorized("b", SPORT)], True),
        ([categorized("a", PRESS | {"start": 0, "end": 9}, SPORT | {"start": 0, "end": 4})], True),
        ([categorized("a", PRESS, SPORT)], False),
        ([categorized("a", PRESS | {"status": "OK"}, SPORT | {"status": "OK"})], False),
        ([categorized("a", PRESS), categorized("b", PRESS, SPORT)], False),
    ],
    ids=["one rejected", "both rejected", "one each", "on parts", "two", "two confirmed", "the second has two"],
)
def test_only_two_accepted_categories_relax_an_exclusive_set(
    topics: Corpus, documents: list[dict[str, Any]], exclusive: bool
) -> None:
    """T-020. A rejected category states what a document is not: it does not count."""
    topics.add(*documents)
    assert is_exclusive(topics) is exclusive


def test_a_relaxed_project_is_announced_and_counts_a_new_version(topics: Corpus, emitted_events: list[Event]) -> None:
    topics.add(categorized("a", PRESS))
    assert [arg for arg in args_of(emitted_events, "project") if "classification" in arg] == []
    topics.add(categorized("b", PRESS, SPORT))
    relaxed = {"type": "updated", "by": "root", "classification": {"exclusive_classes": False}}
    relaxed["cause"] = "severalCategories"
    assert [arg for arg in args_of(emitted_events, "project") if "classification" in arg] == [relaxed]
    topics.add(categorized("c", PRESS, SPORT))
    assert len([arg for arg in args_of(emitted_events, "project") if "classification" in arg]) == 1


def test_author_and_timestamps_default_to_the_importer_and_now(corpus: Corpus) -> None:
    facts = {
        "createdBy": "marie",
        "createdDate": "2020-01-01T00:00:00.000Z",
        "modifiedDate": "2020-01-02T00:00:00.000Z",
    }
    span = {"start": 0, "end": 4, "labelName": "x"}
    created = {"start": 5, "end": 7, "labelName": "x", "createdDate": "2020-01-03T00:00:00.000Z"}
    corpus.add(document("d", "Text of d.", annotations=[span | facts, created, span | {"start": 8, "end": 9}]))
    first, second, third = sorted(corpus.get("/documents/d")["annotations"], key=lambda one: int(one["start"]))
    assert (first["createdBy"], first["createdDate"][:10], first["modifiedDate"][:10]) == (
        "marie",
        "2020-01-01",
        "2020-01-02",
    )
    assert (second["createdBy"], second["createdDate"][:10], second["modifiedDate"][:10]) == (
        "root",
        "2020-01-03",
        "2020-01-03",
    )
    assert third["createdBy"] == "root"
    assert third["createdDate"] == third["modifiedDate"] > "2026"


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Any, client: Any) -> Corpus:
    return Corpus(as_admin, make_project(lang="en"), run_jobs)


def test_relations_link_the_annotations_of_their_own_document(corpus: Corpus) -> None:
    """The indexes of the second document start at its own first annotation."""

    def linked(name: str, *places: tuple[int, int]) -> dict[str, Any]:
        spans = [
            {"identifier": f"{name}{at}", "start": start, "end": end, "labelName": "x"}
            for at, (start, end) in enumerate(places)
        ]
        relation = {"name": "next", "source": f"{name}0", "target": f"{name}{len(places) - 1}"}
        return document(name, "one two three four", annotations=spans, relations=[relation])

    corpus.add(linked("a", (0, 3), (4, 7), (8, 13)), linked("b", (4, 7), (14, 18)))
    for name, ends in (("a", (0, 8)), ("b", (4, 14))):
        found = corpus.get(f"/documents/{name}")
        start = {one["identifier"]: one["start"] for one in found["annotations"]}
        (relation,) = corpus.get("/relations", params={"documentIdentifier": name})["relations"]
        assert (start[relation["source"]], start[relation["target"]]) == ends
