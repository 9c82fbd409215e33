"""What keeps a change of a job from being taken back, what does not, and what is told when it was."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.live_events import args_of

from annotarium.db.unit_of_work import Event

TEXT = "Paris is large. Berlin is green."


def run(corpus: Corpus, path: str, **arguments: Any) -> dict[str, Any]:
    job = corpus.post(path, **arguments)
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{job['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended


def undo(corpus: Corpus, job: dict[str, Any]) -> tuple[int, list[str]]:
    """How many changes were taken back, and why the others were not."""
    back = run(corpus, f"/job/{job['id']}/_undo")
    report = corpus.get(f"/job/{back['id']}/items")["items"]
    assert len(report) == back["result"]["kept"]
    return back["result"]["undone"], sorted(line["said"]["message"]["code"] for line in report)


def given(corpus: Corpus, name: str = "alpha") -> list[str]:
    return sorted(one["labelName"] for one in corpus.get(f"/documents/{name}")["categories"])


@pytest.fixture
def labelled(corpus: Corpus) -> Corpus:
    corpus.add(document("alpha", TEXT, ("Paris", "city"), ("Berlin", "city")))
    corpus.add_labels("press", "sport")
    return corpus


@pytest.fixture
def exclusive(topics: Corpus) -> Corpus:
    topics.add(document("alpha", TEXT))
    topics.add_labels("press", "sport")
    return topics


def put(corpus: Corpus, label: str, **more: Any) -> Any:
    return corpus.post("/categories", json={"documentIdentifier": "alpha", "labelName": label} | more)


def test_undo_skips_rows_of_deleted_labels(labelled: Corpus) -> None:
    put(labelled, "press")
    job = run(labelled, "/documents/_search_and_delete_labelling")
    labelled.delete("/labels/press")
    assert undo(labelled, job) == (2, ["kept.ofLabel"])
    assert given(labelled) == []


def test_what_was_changed_since_stays_as_it_is(labelled: Corpus) -> None:
    job = run(labelled, "/documents/_search_and_categorize", json={"labelName": "press", "add": True})
    (made,) = labelled.get("/documents/alpha")["categories"]
    labelled.patch(f"/categories/{made['identifier']}", json={"status": "KO"})
    assert undo(labelled, job) == (0, ["kept.changedBy"])
    assert given(labelled) == ["press"]


def test_the_same_span_of_somebody_else_is_no_obstacle(labelled: Corpus, as_user: Any, client: Any) -> None:
    """Two people may say the same of a place; one person says it once."""
    job = run(labelled, "/documents/_search_and_delete_labelling")
    paul = as_user(client, "paul", "Annotator", f"writeProject:{labelled.project.name}")
    Corpus(paul, labelled.project, labelled.run_jobs).annotate("alpha", "city", 0, 5)
    assert undo(labelled, job) == (2, [])
    places = sorted((one["start"], one["createdBy"]) for one in labelled.get("/documents/alpha")["annotations"])
    assert places == [(0, "paul"), (0, "root"), (16, "root")]


def test_other_label_at_same_position_does_not_block_a_span(labelled: Corpus) -> None:
    job = run(labelled, "/documents/_search_and_delete_labelling")
    labelled.annotate("alpha", "press", 0, 5)
    assert undo(labelled, job) == (2, [])


def test_a_span_that_was_taken_away_again_is_no_obstacle(labelled: Corpus) -> None:
    job = run(labelled, "/documents/_search_and_delete_labelling")
    again = labelled.annotate("alpha", "city", 0, 5)["identifier"]
    labelled.delete(f"/annotations/{again}")
    assert undo(labelled, job) == (2, [])


def test_the_same_category_of_anybody_is_an_obstacle(labelled: Corpus, as_user: Any, client: Any) -> None:
    put(labelled, "press")
    job = run(labelled, "/documents/_search_and_delete_labelling", params={"labels": "press"})
    paul = as_user(client, "paul", "Annotator", f"writeProject:{labelled.project.name}")
    put(Corpus(paul, labelled.project, labelled.run_jobs), "press")
    undone, kept = undo(labelled, job)
    assert (undone, len(kept)) == (0, 1)
    assert given(labelled) == ["press"]


@pytest.mark.parametrize(
    ("own", "rival", "comes_back"),
    [({}, {}, False), ({}, {"status": "KO"}, True), ({"status": "KO"}, {}, True)],
    ids=["both hold", "the other one is rejected", "the own one is rejected"],
)
def test_only_a_category_that_holds_stands_against_one_that_holds(
    exclusive: Corpus, own: dict[str, Any], rival: dict[str, Any], comes_back: bool
) -> None:
    put(exclusive, "press", **own)
    job = run(exclusive, "/documents/_search_and_delete_labelling")
    put(exclusive, "sport", **rival)
    undone, kept = undo(exclusive, job)
    assert (undone, len(kept)) == ((1, 0) if comes_back else (0, 1))
    assert given(exclusive) == (["press", "sport"] if comes_back else ["sport"])


def test_compatible_categories_are_restored_together(labelled: Corpus) -> None:
    put(labelled, "press")
    job = run(labelled, "/documents/_search_and_delete_labelling", params={"labels": "press"})
    put(labelled, "sport")
    assert undo(labelled, job) == (1, [])
    assert given(labelled) == ["press", "sport"]


def test_restored_documents_emit_one_event_with_their_count(corpus: Corpus, emitted_events: list[Event]) -> None:
    corpus.add(document("alpha", TEXT), document("beta", "Paris sleeps."))
    job = run(corpus, "/documents/_search_and_delete", params={"query": "paris"})
    emitted_events.clear()
    assert undo(corpus, job) == (2, [])
    assert [arg for arg in args_of(emitted_events, "documents") if arg["type"] == "undone"] == [
        {"type": "undone", "count": 2, "by": "root"}
    ]
    emitted_events.clear()
    job = run(corpus, "/documents/_search_and_tag", json={"name": "kind", "value": "x"}, params={"query": "berlin"})
    assert undo(corpus, job) == (1, [])
    assert {"type": "undone", "count": 1, "by": "root"} in args_of(emitted_events, "documents")


def test_skipped_changes_emit_no_event(corpus: Corpus, emitted_events: list[Event]) -> None:
    corpus.add(document("alpha", TEXT))
    job = run(corpus, "/documents/_search_and_delete")
    corpus.add(document("alpha", "Another text."))
    emitted_events.clear()
    assert undo(corpus, job) == (0, ["kept.identifier"])
    assert [arg for arg in args_of(emitted_events, "documents") if arg["type"] == "undone"] == []


def test_each_step_back_is_a_version_of_its_own(corpus: Corpus) -> None:
    """Whoever holds an older one is told: the version grows by one with each change."""
    corpus.add(document("alpha", TEXT, metadata={"kind": "a"}))

    def version() -> int:
        return int(corpus.get("/documents/alpha")["version"])

    before = version()
    job = run(corpus, "/documents/_search_and_tag", json={"name": "kind", "value": "b"})
    assert version() == before + 1
    assert undo(corpus, job) == (1, [])
    assert version() == before + 2
    assert corpus.get("/documents/alpha")["metadata"] == {"kind": "a"}


def test_labelling_that_comes_back_has_a_new_version_and_its_history(corpus: Corpus) -> None:
    corpus.add(document("alpha", TEXT, ("Paris", "city")))
    (before,) = corpus.get("/documents/alpha")["annotations"]
    job = run(corpus, "/documents/_search_and_delete_labelling")
    undo(corpus, job)
    (after,) = corpus.get("/documents/alpha")["annotations"]
    assert (after["identifier"], after["version"]) == (before["identifier"], before["version"] + 2)


def test_adding_and_removing_jobs_are_undone_in_order(labelled: Corpus) -> None:
    first = run(labelled, "/documents/_search_and_categorize", json={"labelName": "press", "add": True})
    second = run(labelled, "/documents/_search_and_delete_labelling", params={"labels": "press"})
    assert undo(labelled, first) == (0, ["kept.changedBy"])
    assert undo(labelled, second) == (1, [])
    assert given(labelled) == ["press"]
