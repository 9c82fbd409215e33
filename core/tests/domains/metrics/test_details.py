"""Details of metrics: for each caller, every figure equals a plain count over the documents that this caller
exports."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import combinations, pairwise, product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus, document

from annotarium.db.confirmed_labelling import is_confirmed
from annotarium.domains.metrics import counting
from annotarium.domains.metrics.repository import LabellingGroupCount

Count = dict[str, Any]
STATES = ("confirmed", "rejected", "unreviewed")


def state(one: Count) -> str:
    if one.get("status") == "KO":
        return "rejected"
    return "confirmed" if is_confirmed(one.get("status"), one.get("creationMode", "undefined")) else "unreviewed"


def by_state(items: list[Count], key: str) -> dict[str, dict[str, int]]:
    found: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for one in items:
        found[one[key]][state(one)] += 1
    return {name: {one: counts[one] for one in STATES} for name, counts in found.items()}


def counts_by_id(counts: list[Count]) -> dict[str, Any]:
    return {one["_id"]: {key: value for key, value in one.items() if key != "_id"} for one in counts}


def flat(counts: list[Count]) -> dict[str, int]:
    return {one["_id"]: one["count"] for one in counts}


def overlaps(found: Count) -> dict[tuple[str, str], int]:
    labels = found["labels"]
    return {(a, b): found["counts"][i][j] for (i, a), (j, b) in product(enumerate(labels), repeat=2)}


def expected_overlaps(pieces: list[set[str]]) -> Counter[tuple[str, str]]:
    found: Counter[tuple[str, str]] = Counter()
    for labels in pieces:
        found.update((label, label) for label in labels)
        found.update(pair for a, b in combinations(sorted(labels), 2) for pair in ((a, b), (b, a)))
    return found


def random_corpus(corpus: Corpus, seed: int) -> random.Random:
    """Import documents of several lengths, with labelling of any status, by users and by models."""
    chance = random.Random(seed)
    made = []
    for number in range(20):
        words = [
            chance.choice(("Anna", "Bob", "Paris", "came.", "left.")) for _ in range(chance.choice((1, 5, 30, 90)))
        ]
        text = " ".join(words)
        spans = []
        for _ in range(chance.randrange(6)):
            start = chance.randrange(len(text))
            end = min(len(text), start + chance.randint(1, 9))
            span = {"start": start, "end": end, "text": text[start:end], "labelName": chance.choice("abc")}
            span["creationMode"] = chance.choice(("manual", "automatic", "imported"))
            spans.append(span | chance.choice(({}, {"status": "OK"}, {"status": "KO"})))
        metadata = chance.choice(({}, {"kind": "x"}, {"kind": ["x", "y"], "note": "n"}, {"kind": ""}))
        made.append(document(f"d{number}", text, metadata=metadata) | {"annotations": spans})
    corpus.add(*made)
    return chance


def work(caller: Any, corpus: Corpus, chance: random.Random, count: int) -> None:
    """Add annotations and categories as this caller."""
    for _ in range(count):
        name = f"d{chance.randrange(20)}"
        body = {"documentIdentifier": name, "labelName": chance.choice("abc"), "start": 0, "end": chance.randint(1, 3)}
        assert caller.post(f"{corpus.path}/annotations", json=body).status_code in (200, 409)


@pytest.mark.parametrize("seed", range(3))
def test_every_figure_equals_a_plain_count(corpus: Corpus, as_user: Any, client: Any, seed: int) -> None:
    """S-040; readUserAnnot: each caller's figures count the labelling that the caller may read."""
    chance = random_corpus(corpus, seed)
    write = f"writeProject:{corpus.project.name}"
    rights = (
        "seeDatasetStats",
        "seeCorpusStats",
        "readFacet:*",
        "exportDocuments",
        "seeDocuments",
        "readModeAnnot:all",
        write,
    )
    own_only = as_user(client, "wanda", *rights)
    work(own_only, corpus, chance, 9)
    of_two = as_user(client, "omar", *rights, "readUserAnnot:wanda")
    work(of_two, corpus, chance, 5)
    gone = f"d{chance.randrange(20)}"
    corpus.delete(f"/documents/{gone}")
    for caller in (corpus.caller, own_only, of_two):
        documents = [caller.get(f"{corpus.path}/documents/d{n}").json() for n in range(20) if f"d{n}" != gone]
        items = [one for each in documents for one in each.get("annotations", [])]
        metrics = caller.get(f"{corpus.path}/annotationMetrics", params={"details": True}).json()
        details = metrics["details"]
        assert counts_by_id(details["labels"]) == by_state(items, "labelName")
        assert counts_by_id(details["creators"]) == by_state(items, "createdBy")
        assert flat(details["statuses"]) == Counter(one.get("status", "undefined") for one in items)
        modes = flat(details["modes"])
        undefined = modes.pop("imported", 0) + modes.pop("undefined", 0)  # documents report both as undefined
        assert Counter(modes) + Counter(undefined=undefined) == Counter(
            one.get("creationMode", "undefined") for one in items
        )
        confirmed = [one for one in items if state(one) == "confirmed"]
        assert flat(metrics["annotationFacets"]["labels"]) == Counter(one["labelName"] for one in confirmed)
        assert flat(metrics["annotationFacets"]["texts"]) == Counter(one["text"] for one in confirmed)
        assert metrics["annotationCount"] == len(confirmed)
        assert details["documentCount"] == len(documents)
        assert details["segmentCount"] == sum(len(one["sentences"]) for one in documents)
    metrics = corpus.get("/annotationMetrics", params={"details": True, "computeTexts": False})
    assert metrics["annotationFacets"]["texts"] == []
    documents = [corpus.get(f"/documents/d{n}") for n in range(20) if f"d{n}" != gone]
    pieces = [
        {
            one["labelName"]
            for one in each.get("annotations", [])
            if one.get("status") != "KO" and one["start"] < segment["end"] and one["end"] > segment["start"]
        }
        for each in documents
        for segment in each["sentences"]
    ]
    counts = overlaps(metrics["details"]["overlaps"])
    assert {pair: count for pair, count in counts.items() if count} == expected_overlaps(pieces)
    check_corpus(corpus, documents)


def check_corpus(corpus: Corpus, documents: list[Count]) -> None:
    details = corpus.get("/corpusMetrics", params={"details": True, "segmentLengths": True})["details"]
    segments = [one for each in documents for one in each["sentences"]]
    for steps, texts in (
        (details["documentLengths"], [len(one["text"]) for one in documents]),
        (details["segmentLengths"], [one["end"] - one["start"] for one in segments]),
    ):
        assert steps[0]["count"] and steps[-1]["count"]
        assert [one.get("to") for one in steps[:-1]] == [one["from"] for one in steps[1:]]
        for step in steps:
            assert step["count"] == sum(step["from"] <= length < step.get("to", 10**9) for length in texts)
        assert sum(step["count"] for step in steps) == len(texts)
    assert sum(one["count"] for one in details["growth"]) == len(documents)
    assert all(one["date"] % 86_400_000 == 0 for one in details["growth"])
    having = Counter(name for one in documents for name, value in one.get("metadata", {}).items() if value)
    assert {one["_id"]: one["documentCount"] for one in details["metadata"]} == having


def test_published_responses_have_no_details(corpus: Corpus) -> None:
    corpus.add(document("d1", "Anna came.", ("Anna", "person")))
    for path in ("corpusMetrics", "annotationMetrics", "categoriesMetrics"):
        assert "details" not in corpus.get(f"/{path}")
    assert "segmentLengths" not in corpus.get("/corpusMetrics", params={"details": True})["details"]


def test_an_empty_project(corpus: Corpus) -> None:
    details = corpus.get("/corpusMetrics", params={"details": True, "segmentLengths": True})["details"]
    assert details == {"documentLengths": [], "segmentLengths": [], "growth": [], "metadata": []}
    details = corpus.get("/annotationMetrics", params={"details": True})["details"]
    assert details["overlaps"] == {"labels": [], "counts": []}
    assert (details["labels"], details["documentCount"], details["segmentCount"]) == ([], 0, 0)


def test_categories_on_documents(topics: Corpus) -> None:
    topics.add(document("d1", "A goal."), document("d2", "A vote."), document("d3", "A law."))
    topics.patch("/config", 204, json={"classification": {"exclusive_classes": False}})
    topics.add_labels("sport", "politics")
    for identifier, label in (("d1", "sport"), ("d2", "sport"), ("d2", "politics")):
        topics.post("/categories", json={"documentIdentifier": identifier, "labelName": label})
    found = topics.get("/categoriesMetrics", params={"details": True})
    details = found["details"]
    assert overlaps(details["overlaps"]) == expected_overlaps([{"sport"}, {"sport", "politics"}])
    assert counts_by_id(details["labels"])["sport"] == {"confirmed": 2, "rejected": 0, "unreviewed": 0}
    assert (found["documentsInDataset"], details["documentCount"]) == (2, 3)


def test_cooccurrence_and_metadata_figures_require_facet_permissions(corpus: Corpus, as_user: Any, client: Any) -> None:
    """readFacet: a matrix reveals no values that the facet would hide."""
    corpus.add(document("d1", "Anna came.", ("Anna", "person"), metadata={"kind": "a"}))
    rights = (
        "seeDatasetStats",
        "seeCorpusStats",
        "readUserAnnot:*",
        "readModeAnnot:all",
        f"readProject:{corpus.project.name}",
    )
    blind = as_user(client, "bea", *rights)
    found = blind.get(f"{corpus.path}/annotationMetrics", params={"details": True}).json()
    assert found["details"]["overlaps"] == {"labels": [], "counts": []}
    assert counts_by_id(found["details"]["labels"])["person"]["confirmed"] == 1
    params = {"details": True, "facet": "kind"}
    found = blind.get(f"{corpus.path}/corpusMetrics", params=params).json()
    assert (found["details"]["metadata"], found["documentFacets"]["facets"]) == ([], [])


@pytest.mark.parametrize("path", ["corpusMetrics", "annotationMetrics", "categoriesMetrics", "modelMetrics"])
def test_users_without_access_are_refused(corpus: Corpus, client: Any, path: str) -> None:
    client.cookies.clear()
    assert client.get(f"{corpus.path}/{path}", headers={"authorization": ""}).status_code == 401


CUBES = st.lists(
    st.builds(
        LabellingGroupCount,
        st.sampled_from("abc"),
        st.sampled_from(("OK", "KO", None)),
        st.sampled_from(("manual", "automatic", "imported", "undefined")),
        st.sampled_from(("ana", "bob")),
        st.integers(1, 9),
    )
)


@given(CUBES)
def test_margins_add_up(cube: list[LabellingGroupCount]) -> None:
    """Each margin counts every row once."""
    everything = sum(one.count for one in cube)
    for key in (lambda one: one.label, lambda one: one.creator):
        rows = counting.count_by_review_state(cube, key)
        assert sum(one.confirmed + one.rejected + one.unreviewed for one in rows) == everything
    confirmed = sum(one.confirmed for one in counting.count_by_review_state(cube, lambda one: one.label))
    assert confirmed == sum(one.count for one in counting.count_confirmed_by_label(cube))


@given(st.dictionaries(st.integers(0, 13), st.integers(1, 99)))
def test_length_histogram_has_no_gaps(counts: dict[int, int]) -> None:
    steps = counting.length_histogram(counting.DOCUMENT_EDGES, counts)
    assert sum(one.count for one in steps) == sum(counts.values())
    assert [one.to for one in steps[:-1]] == [one.from_ for one in steps[1:]]


@given(st.lists(st.integers(0, 3_000_000), min_size=1, max_size=30))
def test_buckets_of_lengths_follow_the_texts(lengths: list[int]) -> None:
    edges = list(counting.length_edges(min(lengths), max(lengths)))
    assert edges == sorted(set(edges)) and edges[0] <= min(lengths)
    assert len(edges) <= 15
    if edges != list(counting.DOCUMENT_EDGES):
        assert edges[-1] > max(lengths)
        assert sum(any(low <= one < high for one in lengths) for low, high in pairwise(edges)) >= 1


def test_texts_of_similar_lengths_are_told_apart() -> None:
    assert list(counting.length_edges(841, 966)) == list(range(840, 1_000, 20))
    assert list(counting.length_edges(850, 850)) == [850, 860]
    assert counting.length_edges(3, 90_000) == counting.DOCUMENT_EDGES
