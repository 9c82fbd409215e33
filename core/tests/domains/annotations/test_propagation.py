"""Copying an annotation to all equal occurrences: exact places, nothing twice, counted before, taken back."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus, document
from support.second_writer import write_during

from annotarium.domains.annotations import propagation
from annotarium.domains.annotations.occurrences import OccurrenceQuery, occurrences, uncovered_spans

TEXT = "Paris. paris, Parisian; Paris-Nord and Cafe\u0301 Paris\u0301. Paris"


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", "In Paris and Paris."), document("d3", "Nothing here."))
    corpus.add_labels("person", "place")
    return corpus


def spans(corpus: Corpus, name: str = "d1") -> list[tuple[int, int, str]]:
    found = corpus.get(f"/documents/{name}")
    text = found["text"]
    assert all(text[one["start"] : one["end"]] == one["text"] for one in found["annotations"])
    return [(one["start"], one["end"], one["labelName"]) for one in found["annotations"]]


def propagate(corpus: Corpus, made: dict[str, Any], status: int = 200, **body: Any) -> dict[str, Any]:
    answer: dict[str, Any] = corpus.post(f"/annotations/{made['identifier']}/_propagate", status, json=body)
    return answer


@pytest.mark.parametrize(
    ("options", "starts"),
    [
        ({}, [0, 24, 53]),
        ({"wholeWords": False}, [0, 14, 24, 53]),
        ({"caseSensitive": False}, [0, 7, 24, 53]),
        ({"caseSensitive": False, "wholeWords": False}, [0, 7, 14, 24, 53]),
    ],
)
def test_in_the_document_at_once(filled: Corpus, options: dict[str, bool], starts: list[int]) -> None:
    """Never half a sign: the accent after the last letter belongs to it."""
    made = filled.annotate("d1", "place", 0, 5)
    counted = propagate(filled, made, dryRun=True, **options)
    assert (counted["occurrences"], counted["existing"], counted["created"]) == (len(starts), 1, len(starts) - 1)
    assert len(spans(filled)) == 1
    done = propagate(filled, made, **options)
    assert [one["start"] for one in done["annotations"]] == starts[1:]
    assert spans(filled) == [(start, start + 5, "place") for start in starts]
    assert propagate(filled, made, **options)["created"] == 0
    back = filled.post("/documents/d1/_history/_undo")
    assert len(back["removed"]) == len(starts) - 1
    assert spans(filled) == [(0, 5, "place")]
    assert spans(filled, "d2") == []


def test_places_inside_of_what_carries_the_label_are_left(filled: Corpus) -> None:
    filled.annotate("d1", "place", 24, 34)
    filled.annotate("d1", "person", 53, 58)
    made = filled.annotate("d1", "place", 0, 5)
    assert propagate(filled, made)["created"] == 1
    assert (53, 58, "place") in spans(filled)
    assert (24, 29, "place") not in spans(filled)


def test_in_the_corpus_as_a_job_with_a_count_before(filled: Corpus) -> None:
    made = filled.annotate("d1", "place", 0, 5)
    counted = propagate(filled, made, scope="corpus", dryRun=True)
    assert {key: counted[key] for key in ("documents", "occurrences", "existing", "created", "atLeast")} == {
        "documents": 2,
        "occurrences": 5,
        "existing": 1,
        "created": 4,
        "atLeast": False,
    }
    assert "job" not in counted
    job = propagate(filled, made, scope="corpus")["job"]
    filled.run_jobs()
    ended = filled.get(f"/job/{job['id']}")
    assert (ended["status"], ended["result"]["changes"]) == ("COMPLETED", 4)
    assert (len(spans(filled)), len(spans(filled, "d2")), spans(filled, "d3")) == (3, 2, [])
    assert filled.facet("label") == {"place": 2}
    told = filled.get("/documents/d2/_history")["entries"]
    assert {one["jobId"] for one in told} == {job["id"]}
    assert "Labelling" in told[0]["jobDescription"]
    # Jobs are taken back as a whole, not document by document.
    filled.post("/documents/d2/_history/_undo", 409)
    back = filled.post(f"/job/{job['id']}/_undo")
    filled.run_jobs()
    assert filled.get(f"/job/{back['id']}")["result"]["undone"] == 4
    assert (len(spans(filled)), spans(filled, "d2")) == (1, [])


@pytest.mark.parametrize("body", [{}, {"dryRun": True}, {"scope": "corpus"}, {"scope": "corpus", "dryRun": True}])
def test_nobody_waits_for_the_search(filled: Corpus, monkeypatch: pytest.MonkeyPatch, body: dict[str, Any]) -> None:
    """Somebody else writes while occurrences are looked for."""
    made = filled.annotate("d1", "place", 0, 5)
    written = write_during(monkeypatch, propagation, "find_spans_to_label")
    assert propagate(filled, made, **body)["occurrences"] == (5 if "scope" in body else 3)
    assert written == [True]


def test_very_many_in_the_document_are_made_by_a_job(
    filled: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any
) -> None:
    """Only with the right to annotate the corpus, and in this document only."""
    made = filled.annotate("d1", "place", 0, 5)
    monkeypatch.setattr(propagation, "DIRECT_MAX", 1)
    writer = as_user(client, "rosa", "Reader", f"writeProject:{filled.project.name}", "readUserAnnot:*")
    assert writer.post(f"{filled.path}/annotations/{made['identifier']}/_propagate", json={}).status_code == 403
    answer = propagate(filled, made)
    assert (answer["created"], answer.get("annotations", []), bool(answer["job"])) == (0, [], True)
    filled.run_jobs()
    assert (len(spans(filled)), spans(filled, "d2")) == (3, [])


def test_a_source_deleted_after_the_search(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is not copied any more."""
    made = filled.annotate("d1", "place", 0, 5)
    find = propagation.find_spans_to_label

    def find_then_delete(*given: Any) -> Any:
        found = find(*given)
        filled.delete(f"/annotations/{made['identifier']}")
        return found

    monkeypatch.setattr(propagation, "find_spans_to_label", find_then_delete)
    propagate(filled, made, 404)
    assert spans(filled) == []


def test_who_may_copy(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid."""
    made = filled.annotate("d1", "place", 0, 5)
    path = f"{filled.path}/annotations/{made['identifier']}/_propagate"
    assert client.post(path, json={}).status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}", "readUserAnnot:*")
    assert reader.post(path, json={}).status_code == 403
    writes = (f"writeProject:{filled.project.name}", "readUserAnnot:*")
    writer = as_user(client, "rosa", "Reader", *writes)
    assert writer.post(path, json={"dryRun": True}).json()["created"] == 2
    assert writer.post(path, json={"scope": "corpus"}).status_code == 403
    blind = as_user(client, "ben", "Reader", f"writeProject:{filled.project.name}")
    assert blind.post(path, json={}).status_code == 404
    filled.post("/annotations/1/_propagate", 404, json={})
    propagate(filled, made, 400, scope="world")


words = st.text(st.sampled_from("ab A\u0301\u200d\U0001f469\u4e2d."), min_size=1, max_size=3)


@given(st.text(st.sampled_from("ab A\u0301\u200d\U0001f469\u4e2d."), max_size=40), words, st.booleans(), st.booleans())
def test_occurrences_are_slices_in_order(text: str, word: str, whole: bool, case: bool) -> None:
    found = list(occurrences(text, OccurrenceQuery(word, whole, case)))
    for start, end in found:
        same = text[start:end] == word if case else text[start:end].casefold() == word.casefold()
        assert same
        assert not text[end : end + 1].startswith(("\u0301", "\u200d"))
    assert all(before[1] <= after[0] for before, after in pairwise(found))
    if whole:
        assert set(found) <= {place for place in _all(text, word, case)}


def _all(text: str, word: str, case: bool) -> set[tuple[int, int]]:
    many = range(len(text) - len(word) + 1)
    equal = (lambda one: one == word) if case else (lambda one: one.casefold() == word.casefold())
    return {(at, at + len(word)) for at in many if equal(text[at : at + len(word)])}


pairs = st.lists(st.tuples(st.integers(0, 20), st.integers(1, 6)).map(lambda one: (one[0], one[0] + one[1])))


@given(pairs, pairs)
def test_uncovered_is_what_no_span_covers(places: list[tuple[int, int]], taken: list[tuple[int, int]]) -> None:
    covered = [any(start <= one[0] and one[1] <= end for start, end in taken) for one in places]
    assert uncovered_spans(places, taken) == [
        one for one, is_covered in zip(places, covered, strict=True) if not is_covered
    ]
