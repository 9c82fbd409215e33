"""A category given to all equal or similar sentences or documents: counted, nobody overruled, taken back."""

from __future__ import annotations

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus
from support.second_writer import write_during

from annotarium.db.models import Category
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.categories import propagation
from annotarium.domains.categories.similarity import SimilarityCriterion
from annotarium.search.text_analysis import get_analyser

SENTENCES = {
    "d1": ["The goal came late.", "The minister spoke.", "the  goal came late."],
    "d2": ["The goal came late.", "The goals came late today."],
    "d3": ["Nobody came."],
}


@pytest.fixture
def filled(topics: Corpus) -> Corpus:
    """Three documents of known sentences, labels of one exclusive set."""
    for name, own in SENTENCES.items():
        at, cut = 0, []
        for sentence in own:
            cut.append({"start": at, "end": at + len(sentence)})
            at += len(sentence) + 1
        topics.add({"identifier": name, "title": name, "text": " ".join(own), "sentences": cut})
    topics.add_labels("sport", "politics")
    return topics


def categorise(corpus: Corpus, name: str, sentence: int | None, label: str = "sport", **more: Any) -> dict[str, Any]:
    body = {"documentIdentifier": name, "labelName": label} | more
    if sentence is not None:
        body |= place(corpus, name, sentence)
    made: dict[str, Any] = corpus.post("/categories", json=body)
    return made


def place(corpus: Corpus, name: str, sentence: int) -> dict[str, int]:
    one = corpus.get(f"/documents/{name}")["sentences"][sentence]
    return {"start": one["start"], "end": one["end"]}


def carried(corpus: Corpus) -> dict[str, list[str]]:
    """Labels of each sentence that carries one, confirmed; "" is the document."""
    found: dict[str, list[str]] = {}
    for name in SENTENCES:
        read = corpus.get(f"/documents/{name}")
        places = [("", read.get("categories", []))]
        places += [(str(at), one.get("categories") or []) for at, one in enumerate(read["sentences"])]
        for at, categories in places:
            labels = sorted(one["labelName"] for one in categories if one.get("status") == "OK")
            if labels:
                found[name + at] = labels
    return found


def propagate(corpus: Corpus, made: dict[str, Any], status: int = 200, **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = corpus.post(f"/categories/{made['identifier']}/_propagate", status, json=body)
    return answer


def test_equal_sentences_of_the_document_at_once_and_back_by_one_undo(filled: Corpus) -> None:
    made = categorise(filled, "d1", 0)
    counted = propagate(filled, made, dryRun=True)
    assert (counted["occurrences"], counted["existing"], counted["created"]) == (2, 1, 1)
    assert carried(filled) == {"d10": ["sport"]}
    assert propagate(filled, made, dryRun=True, caseSensitive=True)["created"] == 0
    done = propagate(filled, made)
    assert [{"start": one["start"], "end": one["end"]} for one in done["categories"]] == [place(filled, "d1", 2)]
    assert carried(filled) == {"d10": ["sport"], "d12": ["sport"]}
    assert filled.facet("classificationLabel", "segments") == {"sport": 2}
    assert propagate(filled, made)["created"] == 0
    filled.post("/documents/d1/_history/_undo")
    assert carried(filled) == {"d10": ["sport"]}


@pytest.mark.parametrize(
    ("body", "given"),
    [
        ({}, {"d12", "d20"}),
        ({"similar": True, "minShare": 0.75}, {"d12", "d20", "d21"}),
        ({"similar": True, "minShare": 1.0}, {"d12", "d20"}),
    ],
)
def test_in_the_corpus_as_a_job_that_can_be_taken_back(filled: Corpus, body: dict[str, Any], given: set[str]) -> None:
    made = categorise(filled, "d1", 0)
    counted = propagate(filled, made, scope="corpus", dryRun=True, **body)
    assert (counted["created"], counted["existing"]) == (len(given), 1)
    assert "job" not in counted
    job = propagate(filled, made, scope="corpus", **body)["job"]
    filled.run_jobs()
    ended = filled.get(f"/job/{job['id']}")
    assert (ended["status"], ended["result"]["changes"], ended["undoable"]) == ("COMPLETED", len(given), True)
    assert set(carried(filled)) == {"d10", *given}
    back = filled.post(f"/job/{job['id']}/_undo")
    filled.run_jobs()
    assert filled.get(f"/job/{back['id']}")["result"]["undone"] == len(given)
    assert carried(filled) == {"d10": ["sport"]}


def test_whole_documents(filled: Corpus) -> None:
    filled.add({"identifier": "d4", "title": "Other", "text": "nobody came. "})
    made = categorise(filled, "d3", None)
    propagate(filled, made, 400, scope="document")
    assert propagate(filled, made, scope="corpus", dryRun=True)["created"] == 1
    propagate(filled, made, scope="corpus")
    filled.run_jobs()
    assert [one["labelName"] for one in filled.get("/documents/d4")["categories"]] == ["sport"]
    assert carried(filled) == {"d3": ["sport"]}


def test_decisions_stay_and_proposals_are_confirmed(filled: Corpus) -> None:
    made = categorise(filled, "d1", 0)
    other = categorise(filled, "d2", 0, "politics")
    assert propagate(filled, made, scope="corpus", dryRun=True)["created"] == 1, "another one of the exclusive set"
    filled.delete(f"/categories/{other['identifier']}")
    refused = categorise(filled, "d2", 0, status="KO")
    counted = propagate(filled, made, scope="corpus", dryRun=True)
    assert (counted["created"], counted["existing"]) == (1, 2)
    propagate(filled, refused, 409, scope="corpus")
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get_one(Category, int(refused["identifier"]))
        row.status, row.creation_mode, row.created_by = None, "automatic", "model"
        unit.touch(filled.project.id, "facets", document_id=row.document_id)
    propagate(filled, made, scope="corpus")
    filled.run_jobs()
    assert carried(filled) == {"d10": ["sport"], "d12": ["sport"], "d20": ["sport"]}


@pytest.mark.parametrize("body", [{}, {"dryRun": True}, {"scope": "corpus"}, {"scope": "corpus", "dryRun": True}])
def test_nobody_waits_for_the_comparison(filled: Corpus, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any]) -> None:
    """Somebody else writes while sentences are compared; also while the job compares them."""
    made = categorise(filled, "d1", 0)
    written = write_during(monkeypatch, propagation, "find_similar")
    assert propagate(filled, made, **body)["occurrences"] == (3 if "scope" in body else 2)
    assert written == [True]
    filled.run_jobs()
    assert all(written)


def test_very_many_sentences_of_a_document_are_done_by_a_job(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """In short transactions, and in this document only."""
    monkeypatch.setattr(propagation, "DIRECT_MAX", 0)
    made = categorise(filled, "d1", 0)
    answer = propagate(filled, made)
    assert (answer["created"], answer.get("categories", []), bool(answer["job"])) == (0, [], True)
    filled.run_jobs()
    assert carried(filled) == {"d10": ["sport"], "d12": ["sport"]}


def test_a_sentence_decided_after_the_comparison_is_left_alone(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    find = propagation.find_similar

    def find_then_decide(*given: Any, **options: Any) -> Any:
        found = find(*given, **options)
        categorise(filled, "d1", 2, "politics")
        return found

    made = categorise(filled, "d1", 0)
    monkeypatch.setattr(propagation, "find_similar", find_then_decide)
    answer = propagate(filled, made)
    assert (answer["created"], answer["existing"]) == (0, 2)
    assert carried(filled) == {"d10": ["sport"], "d12": ["politics"]}


def test_who_may_propagate_categories(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid."""
    made = categorise(filled, "d1", 0)
    path = f"{filled.path}/categories/{made['identifier']}/_propagate"
    assert client.post(path, json={}).status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}", "readUserAnnot:*")
    assert reader.post(path, json={}).status_code == 403
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}", "readUserAnnot:*")
    assert writer.post(path, json={"dryRun": True}).json()["created"] == 1
    assert writer.post(path, json={"scope": "corpus"}).status_code == 403
    blind = as_user(client, "ben", "Reader", f"writeProject:{filled.project.name}")
    assert blind.post(path, json={}).status_code == 404
    filled.post("/categories/1/_propagate", 404, json={})
    propagate(filled, made, 400, minShare=0.1)


words = st.lists(
    st.sampled_from(["goal", "late", "minister", "spoke", "came", "Goals", "слово", "中文字"]),
    max_size=6,
)


@given(words, words, st.sampled_from([None, 0.3, 0.5, 0.8, 1.0]))
def test_similar_text_contains_a_query_word(one: list[str], other: list[str], share: float | None) -> None:
    """The index is asked for a superset: nothing that is like the source is missed."""
    wanted = SimilarityCriterion(" ".join(one), "en", share=share)
    assert share is None or not wanted.matches("")
    if share is None:
        assert wanted.matches("  ".join(one).upper())
    query = wanted.query()
    if query is None or not wanted.matches(" ".join(other)):
        return
    asked = {term for word in re.findall('"([^"]+)"', query) for term in get_analyser("en").terms(word)}
    there = {term for term, *_ in get_analyser("en").tokens(" ".join(other)) if term}
    assert asked <= there if share is None else asked & there
