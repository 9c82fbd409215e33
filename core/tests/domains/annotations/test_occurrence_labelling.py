"""Labelling all occurrences of words in a document, in what is found, in the corpus: counted before, undone at once."""

from __future__ import annotations

import time
from typing import Any

import pytest
from support.factories import Corpus, document
from support.second_writer import write_during

from annotarium.domains.annotations import jobs, propagation
from annotarium.domains.annotations.occurrences import OccurrenceQuery, occurrences

TEXT = "Élan, elan and Cafe\u0301 de\n Paris; CAFÉ de Paris. l’eau, l'eau."


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", "The elan of Paris."), document("d3", "No elan here."))
    corpus.add_labels("place", "word")
    return corpus


def label_all(corpus: Corpus, text: str, status: int = 200, **body: Any) -> dict[str, Any]:
    values = {"text": text, "labelName": "word", "documentIdentifier": "d1"} | body
    answer: dict[str, Any] = corpus.post("/annotations/_label_occurrences", status, json=values)
    return answer


def texts(corpus: Corpus, name: str = "d1") -> list[str]:
    return [one["text"] for one in corpus.get(f"/documents/{name}")["annotations"]]


@pytest.mark.parametrize(
    ("words", "options", "found"),
    [
        ("elan", {}, ["elan"]),
        ("elan", {"caseSensitive": False, "foldAccents": True}, ["Élan", "elan"]),
        ("café de paris", {"caseSensitive": False, "foldAccents": True}, ["Cafe\u0301 de\n Paris", "CAFÉ de Paris"]),
        ("l'eau", {"foldAccents": True}, ["l’eau", "l'eau"]),
        ("ela", {"wholeWords": False}, ["ela"]),
        ("tea", {}, []),
    ],
)
def test_in_a_document(filled: Corpus, words: str, options: dict[str, bool], found: list[str]) -> None:
    """The dry run counts and shows what is then made; one undo takes it all back."""
    counted = label_all(filled, words, dryRun=True, **options)
    assert (counted["created"], [one["text"] for one in counted["examples"]]) == (len(found), found)
    assert texts(filled) == []
    done = label_all(filled, words, **options)
    assert [one["text"] for one in done["annotations"]] == found
    assert texts(filled) == found
    assert label_all(filled, words, **options)["created"] == 0
    if found:
        back = filled.post("/documents/d1/_history/_undo")
        assert len(back["removed"]) == len(found)
        assert texts(filled) == []


def test_in_what_a_search_finds_and_in_the_corpus(filled: Corpus) -> None:
    search = {"query": "paris"}
    counted = label_all(filled, "elan", scope="found", search=search, dryRun=True)
    assert (counted["documents"], counted["created"], "job" in counted) == (2, 2, False)
    assert {one["documentIdentifier"] for one in counted["examples"]} == {"d1", "d2"}
    job = label_all(filled, "elan", scope="found", search=search)["job"]
    filled.run_jobs()
    assert filled.get(f"/job/{job['id']}")["result"]["changes"] == 2
    assert (texts(filled), texts(filled, "d2"), texts(filled, "d3")) == (["elan"], ["elan"], [])
    whole = label_all(filled, "elan", scope="corpus")["job"]
    filled.run_jobs()
    assert texts(filled, "d3") == ["elan"]
    back = filled.post(f"/job/{whole['id']}/_undo")
    filled.run_jobs()
    assert filled.get(f"/job/{back['id']}")["result"]["undone"] == 1
    assert (texts(filled, "d2"), texts(filled, "d3")) == (["elan"], [])


def test_the_preview_counts_whole_and_partial_matches(filled: Corpus) -> None:
    """Without `wholeWords` in the request only whole words are labelled; both numbers leave out what has the label."""
    filled.add(document("d4", "Paris, Parisian, parisian; cosmoParis."), document("d5", "Parisienne"))
    options = {"documentIdentifier": "d4"}
    first = label_all(filled, "Paris", dryRun=True, **options)
    assert (first["created"], first["insideWords"], first["insideWordsAtLeast"]) == (1, 2, False)
    every = label_all(filled, "Paris", dryRun=True, wholeWords=False, **options)
    assert (every["created"], every["insideWords"]) == (3, 2)
    corpus = label_all(filled, "Paris", dryRun=True, scope="corpus")
    assert (corpus["created"], corpus["insideWords"]) == (4, 3)
    found = label_all(filled, "Paris", dryRun=True, scope="found", search={"query": "Parisienne"})
    assert (found["created"], found["insideWords"]) == (0, 1)
    assert [one["text"] for one in label_all(filled, "Paris", **options)["annotations"]] == ["Paris"]
    label_all(filled, "Paris", wholeWords=False, **options)
    after = label_all(filled, "Paris", dryRun=True, **options)
    assert (after["created"], after["insideWords"]) == (0, 0)


def test_partial_matches_are_counted_for_a_limited_time(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "BATCH", 1)
    monkeypatch.setattr(propagation, "_SECONDS_INSIDE_WORDS", -1.0)
    assert label_all(filled, "lan", dryRun=True, scope="corpus")["insideWordsAtLeast"] is True


@pytest.mark.parametrize(("scope", "count"), [("document", 1), ("found", 2), ("corpus", 3)])
@pytest.mark.parametrize("dry_run", [True, False])
def test_nobody_waits_for_the_search(
    filled: Corpus, monkeypatch: pytest.MonkeyPatch, scope: str, count: int, dry_run: bool
) -> None:
    """Somebody else writes while occurrences are looked for."""
    written = write_during(monkeypatch, propagation, "find_spans_to_label")
    body: dict[str, Any] = {"scope": scope, "dryRun": dry_run}
    answer = label_all(filled, "elan", **body, search={"query": "paris"} if scope == "found" else None)
    assert answer["created"] == (count if dry_run or scope == "document" else 0)
    assert written == [True]


def test_a_place_labelled_after_the_search_is_left_alone(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody labels it between the search in one document and the writing."""
    find = propagation.find_spans_to_label

    def find_then_label(*given: Any) -> Any:
        spans = find(*given)
        filled.annotate("d1", "word", 6, 10)
        return spans

    monkeypatch.setattr(propagation, "find_spans_to_label", find_then_label)
    answer = label_all(filled, "elan")
    assert (answer["created"], answer["existing"], texts(filled)) == (0, 1, ["elan"])


def test_a_repeated_request_is_answered_without_a_search(
    filled: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any
) -> None:
    """An identical call under its `Idempotency-Key` gets the first answer, and nothing is looked for again."""
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}")
    path = f"{filled.path}/annotations/_label_occurrences"
    body = {"text": "elan", "labelName": "word", "documentIdentifier": "d1"}
    headers = {"Idempotency-Key": "once"}
    first = writer.post(path, json=body, headers=headers).json()
    written = write_during(monkeypatch, propagation, "find_spans_to_label")
    assert writer.post(path, json=body, headers=headers).json() == first
    assert (first["created"], written) == (1, [])


def test_the_job_writes_in_short_transactions(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is found in a large document or many is written in parts; nothing is labelled twice or left out."""
    filled.add(document("long", "elan " * 25), *(document(f"short{one}", "elan, elan") for one in range(4)))
    sizes: list[int] = []
    create = propagation.create_copies

    def noted(call: Any, template: Any, copies: Any) -> Any:
        made = create(call, template, copies)
        sizes.append(len(made))
        return made

    monkeypatch.setattr(propagation, "create_copies", noted)
    monkeypatch.setattr(jobs, "SPANS_AT_ONCE", 10)
    job = label_all(filled, "elan", scope="corpus")["job"]
    filled.run_jobs()
    assert max(sizes) == 10
    assert sum(sizes) == 25 + 8 + 3
    assert len(texts(filled, "long")) == 25
    assert filled.get(f"/job/{job['id']}")["result"]["changes"] == sum(sizes)


def test_what_is_labelled_or_deleted_meanwhile_is_left_alone(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the search and the writing another person labels a place and deletes a document."""
    parts = propagation.parts_of_copies

    def meanwhile(*given: Any) -> Any:
        filled.annotate("d2", "word", 4, 8)
        filled.delete("/documents/d3")
        return parts(*given)

    label_all(filled, "elan", scope="corpus")
    monkeypatch.setattr(propagation, "parts_of_copies", meanwhile)
    filled.run_jobs()
    assert (texts(filled), texts(filled, "d2")) == (["elan"], ["elan"])


def test_very_many_in_one_document_are_made_by_a_job(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(propagation, "DIRECT_MAX", 1)
    answer = label_all(filled, "elan", caseSensitive=False, foldAccents=True)
    assert (answer["created"], answer.get("annotations", [])) == (0, [])
    filled.run_jobs()
    assert texts(filled) == ["Élan", "elan"]
    assert texts(filled, "d2") == []


def test_who_may_label(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid."""
    path = f"{filled.path}/annotations/_label_occurrences"
    body = {"text": "elan", "labelName": "word", "documentIdentifier": "d1"}
    assert client.post(path, json=body).status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}")
    assert reader.post(path, json=body).status_code == 403
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}")
    assert writer.post(path, json=body).json()["created"] == 1
    assert writer.post(path, json=body | {"scope": "corpus"}).status_code == 403
    assert writer.post(path, json=body | {"scope": "found", "search": {"query": "elan"}}).status_code == 403


def test_another_project_is_no_way_to_texts(filled: Corpus, as_user: Any, client: Any) -> None:
    """Neither identifiers nor picked hits of a project that the caller may not read are counted or shown."""
    (hit,) = filled.post("/documents/_search", params={"query": "The elan of Paris"})["hits"][:1]
    stranger = as_user(client, "sam", "ProjectManager", "createProject", "annotateCorpus", "writeLabel")
    own = f"/api/projects/{stranger.post('/api/projects', json={'label': 'Own', 'name': 'own'}).json()['projectName']}"
    stranger.post(f"{own}/labels", json={"label": "word"})
    body = {"text": "elan", "labelName": "word", "dryRun": True}
    picked = body | {"scope": "found", "search": {"ids": [hit["_id"]]}}
    for base, answers in ((filled.path, (404, 404)), (own, (404, 200))):
        path = f"{base}/annotations/_label_occurrences"
        named = stranger.post(path, json=body | {"documentIdentifier": "d2"})
        chosen = stranger.post(path, json=picked)
        assert (named.status_code, chosen.status_code) == answers, chosen.text
        assert "Paris" not in named.text + chosen.text
    assert (chosen.json()["created"], chosen.json()["insideWords"]) == (0, 0)


def test_wrong_requests(filled: Corpus) -> None:
    label_all(filled, "elan", 404, labelName="nobody")
    label_all(filled, "elan", 404, documentIdentifier="nowhere")
    for body in ({"documentIdentifier": None}, {"scope": "found"}, {"scope": "world"}):
        label_all(filled, "elan", 400, **body)
    label_all(filled, "  ", 400)


def test_accents_alone_are_found_as_they_are() -> None:
    query = OccurrenceQuery("\u0301", whole_words=False, fold_accents=True)
    assert list(occurrences("a\u0301", query)) == []
    assert list(occurrences("한국", OccurrenceQuery("한국", fold_accents=True))) == [(0, 2)]


@pytest.mark.parametrize(
    ("text", "words", "found"),
    [
        ("a\u0301a\u0301b", "aab", ["a\u0301a\u0301b"]),
        ("x cafe\u0301\u0302 y", "Café", ["cafe\u0301\u0302"]),
        ("one \n\u00a0 two one two", "one two", ["one \n\u00a0 two", "one two"]),
        ("co\u00adop coop", "coop", ["co\u00adop", "coop"]),
        ("İstanbul istanbul ISTANBUL", "istanbul", ["İstanbul", "istanbul", "ISTANBUL"]),
        ("ΛΌΓΟΣ λόγος λογοσ", "λογος", ["ΛΌΓΟΣ", "λόγος", "λογοσ"]),
        ("\U0001f600 Élan \U0001f600", "elan", ["Élan"]),
        ("Straße STRASSE", "straße", ["Straße"]),
    ],
)
def test_what_is_compared_as_equal(text: str, words: str, found: list[str]) -> None:
    query = OccurrenceQuery(words, case_sensitive=False, fold_accents=True)
    assert [text[start:end] for start, end in occurrences(text, query)] == found


@pytest.mark.parametrize("folded", [False, True])
def test_a_long_query_in_a_long_text_is_quick(folded: bool) -> None:
    """A regular expression took the product of both lengths: 16 seconds in which the process did nothing else."""
    query = OccurrenceQuery("a" * 999 + "b", case_sensitive=False, fold_accents=folded)
    before = time.process_time()
    assert list(occurrences("aá" * 150_000, query)) == []
    assert time.process_time() - before < 5
