"""Discontinuous annotations: pieces within a hull, kept by every act, whole for those who know nothing of them."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.factories import Corpus, document

from annotarium.content.labelling.fragments import fit_fragments, fragment_texts, fragments_error, merge_fragments

TEXT = "breast \U0001f469\u200d\U0001f469 and ovarian cancer, left lung"
HULL, PIECES = (0, 26), [[0, 6], [20, 26]]


def prepare(corpus: Corpus) -> dict[str, Any]:
    corpus.add(document("d1", TEXT))
    corpus.add_labels("disease", "organ")
    made: dict[str, Any] = corpus.annotate("d1", "disease", *HULL, fragments=PIECES)
    return made


def only(corpus: Corpus) -> dict[str, Any]:
    found = corpus.get("/documents/d1")["annotations"]
    assert len(found) == 1
    one: dict[str, Any] = found[0]
    assert one["text"] == TEXT[one["start"] : one["end"]]
    if "fragments" in one:
        assert one["fragmentsText"] == [TEXT[start:end] for start, end in one["fragments"]]
        assert (one["fragments"][0][0], one["fragments"][-1][1]) == (one["start"], one["end"])
    return one


def test_fragments_are_returned_with_their_texts_and_the_hull(corpus: Corpus) -> None:
    made = prepare(corpus)
    assert (made["start"], made["end"], made["text"]) == (*HULL, TEXT[slice(*HULL)])
    assert made["fragments"] == PIECES
    assert made["fragmentsText"] == ["breast", TEXT[20:26]]
    assert only(corpus)["fragments"] == PIECES
    segment = corpus.post("/segments/_search", params={"query": "breast"})["hits"][0]["segment"]
    assert segment["annotations"][0]["fragments"] == PIECES
    whole = corpus.annotate("d1", "organ", 0, 6)
    assert not {"fragments", "fragmentsText"} & whole.keys()


@pytest.mark.parametrize(
    "fragments",
    [
        [],
        [[0, 26]],
        [[0, 6], [6, 26]],
        [[0, 8], [6, 26]],
        [[20, 26], [0, 6]],
        [[0, 6], [20, 25]],
        [[1, 6], [20, 26]],
        [[0, 6], [9, 9], [20, 26]],
        [[0, 6], [20, 400]],
        [[-1, 6], [20, 26]],
        [[0, 6, 7], [20, 26]],
        "0-6",
    ],
)
def test_wrong_fragments_are_refused_with_a_message(corpus: Corpus, fragments: Any) -> None:
    made = prepare(corpus)
    refused = corpus.annotate("d1", "organ", *HULL, 400, fragments=fragments)
    assert refused["message"]
    assert refused["fix"]
    assert "fragments" in refused["details"][0]["field"]
    hull = {"start": HULL[0], "end": HULL[1]}
    corpus.patch(f"/annotations/{made['identifier']}", 400, json={"fragments": fragments} | hull)
    assert only(corpus)["version"] == 1


def test_same_fragments_give_the_existing_annotation(corpus: Corpus) -> None:
    made = prepare(corpus)
    assert corpus.annotate("d1", "disease", *HULL, fragments=PIECES)["identifier"] == made["identifier"]
    others = [
        corpus.annotate("d1", "disease", *HULL)["identifier"],
        corpus.annotate("d1", "disease", *HULL, fragments=[[0, 3], [20, 26]])["identifier"],
    ]
    assert len({made["identifier"], *others}) == 3


def test_fragments_are_changed_and_merged(corpus: Corpus) -> None:
    path = f"/annotations/{prepare(corpus)['identifier']}"
    changed = corpus.patch(path, json={"fragments": [[0, 6], [20, 26], [28, 32]]})
    assert (changed["end"], changed["text"], len(changed["fragmentsText"])) == (32, TEXT[:32], 3)
    assert only(corpus)["fragments"] == [[0, 6], [20, 26], [28, 32]]
    labelled = corpus.patch(path, json={"labelName": "organ"})
    assert labelled["fragments"] == [[0, 6], [20, 26], [28, 32]]
    whole = corpus.patch(path, json={"fragments": None})
    assert (whole["start"], whole["end"]) == (0, 32)
    assert "fragments" not in whole
    apart = corpus.patch(path, json={"start": 2, "end": 9, "fragments": [[2, 3], [8, 9]]})
    assert (apart["start"], apart["end"], apart["fragments"]) == (2, 9, [[2, 3], [8, 9]])
    only(corpus)


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        ({"end": 30}, (0, 30, [[0, 6], [20, 30]])),
        ({"end": 22}, (0, 22, [[0, 6], [20, 22]])),
        ({"end": 20}, (0, 20, None)),
        ({"end": 10}, (0, 10, None)),
        ({"start": 3}, (3, 26, [[3, 6], [20, 26]])),
        ({"start": 8}, (8, 26, None)),
        ({"start": 8, "end": 12}, (8, 12, None)),
    ],
)
def test_offsets_alone_resize_the_outer_fragments(corpus: Corpus, change: Any, expected: Any) -> None:
    made = prepare(corpus)
    changed = corpus.patch(f"/annotations/{made['identifier']}", json=change)
    assert (changed["start"], changed["end"], changed.get("fragments")) == expected
    only(corpus)


def test_history_keeps_fragments(corpus: Corpus) -> None:
    made = prepare(corpus)
    path = f"/annotations/{made['identifier']}"
    corpus.patch(path, json={"fragments": [[0, 6], [28, 32]]})
    corpus.patch(path, json={"end": 5})
    corpus.delete(path)
    for expected in (None, [[0, 6], [28, 32]], PIECES):
        turned = corpus.post("/documents/d1/_history/_undo")
        assert turned["annotations"][0].get("fragments") == expected
        assert only(corpus).get("fragments") == expected
    for expected in ([[0, 6], [28, 32]], None):
        corpus.post("/documents/d1/_history/_redo")
        assert only(corpus).get("fragments") == expected
    entries = corpus.get("/documents/d1/_history")["entries"]
    assert entries[-1]["after"]["fragments"] == PIECES
    assert entries[-1]["after"]["fragmentsText"] == ["breast", TEXT[20:26]]


def test_what_stands_apart_is_not_copied(corpus: Corpus) -> None:
    made = prepare(corpus)
    refused = corpus.post(f"/annotations/{made['identifier']}/_propagate", 400, json={})
    assert refused["fix"]
    assert only(corpus)


def test_dataset_contains_the_fragments_of_each_segment(corpus: Corpus) -> None:
    corpus.add(document("d1", "One two three. Four five six."))
    corpus.post("/labels", json={"label": "n"})
    corpus.annotate("d1", "n", 4, 19, fragments=[[4, 7], [8, 13], [15, 19]])
    found = [one["annotations"][0] for one in corpus.get("/dataset")]
    assert [(one["start"], one["end"], one.get("fragments")) for one in found] == [
        (4, 13, [[4, 7], [8, 13]]),
        (0, 4, None),
    ]
    assert found[0]["fragmentsText"] == ["two", "three"]


places = st.tuples(st.integers(0, 30), st.integers(0, 30)).map(sorted)


@given(pieces=st.lists(places, max_size=8), start=st.integers(0, 29), more=st.integers(1, 30))
def test_fit_fragments_always_fits(pieces: list[list[int]], start: int, more: int) -> None:
    whole = merge_fragments(pieces)
    covered = {place for one in pieces for place in range(*one)}
    assert {place for one in whole for place in range(*one)} == covered
    end = start + more
    fit = fit_fragments(whole, start, end)
    if fit is not None:
        assert fragments_error(fit, start, end) is None
        inside = {place for one in fit for place in range(*one)}
        assert covered & set(range(start, end)) <= inside
        assert fragment_texts("".join(map(chr, range(65, 130))), fit)
