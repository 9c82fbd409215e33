"""What undo, redo and restore answer, write into the history and leave alone where others worked on the same."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document
from support.live_events import args_of

from annotarium.db.models import Document, Suggestion
from annotarium.db.unit_of_work import Event, unit_of_work

TEXT = "Anna Smith lives in Paris. Anna works there."
HISTORY = "/documents/d1/_history"


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT))
    corpus.add_labels("person", "place")
    return corpus


@pytest.fixture
def press(topics: Corpus) -> Corpus:
    """Of whose labels one holds at a time."""
    topics.add(document("d1", TEXT))
    topics.add_labels("press", "sport")
    return topics


@pytest.fixture
def marie(corpus: Corpus, as_user: Any, client: Any) -> Corpus:
    """Annotates the same documents and sees the work of others."""
    return annotator(corpus, as_user, client, "readUserAnnot:*")


def annotator(corpus: Corpus, as_user: Any, client: Any, *grants: str) -> Corpus:
    caller = as_user(client, "marie", "Annotator", f"writeProject:{corpus.project.name}", *grants)
    return Corpus(caller, corpus.project, corpus.run_jobs)


def entries(corpus: Corpus) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = corpus.get(HISTORY)["entries"]
    return found


def undo(corpus: Corpus, status: int = 200, **body: Any) -> Any:
    return corpus.post(f"{HISTORY}/_undo", status, json=body)


def redo(corpus: Corpus, status: int = 200, **body: Any) -> Any:
    return corpus.post(f"{HISTORY}/_redo", status, json=body)


def restore(corpus: Corpus, entry: dict[str, Any], status: int = 200, *, act: bool = False, **body: Any) -> Any:
    path = f"{HISTORY}/{entry['identifier']}/_restore"
    return corpus.post(path, status, json=body, params={"act": True} if act else {})


def starts(corpus: Corpus) -> list[int]:
    return sorted(one["start"] for one in corpus.get("/documents/d1")["annotations"])


def given(corpus: Corpus) -> list[str]:
    return sorted(one["labelName"] for one in corpus.get("/documents/d1")["categories"])


def give(corpus: Corpus, label: str) -> Any:
    return corpus.post("/categories", json={"documentIdentifier": "d1", "labelName": label})


def test_undo_of_another_operation_than_the_one_that_was_intended_is_refused(filled: Corpus) -> None:
    """Two windows of one person: what the second one shows as next is not undone by the first one's act."""
    filled.annotate("d1", "person", 0, 4)
    meant = filled.get(HISTORY)["undo"]["act"]
    filled.annotate("d1", "place", 20, 25)
    assert undo(filled, 409, act=meant)["message"] == "Another change comes first (undo)"
    assert starts(filled) == [0, 20]
    last = filled.get(HISTORY)["undo"]["act"]
    assert undo(filled, act=last)["act"] == last
    assert starts(filled) == [0]
    assert redo(filled, 409, act=last)["message"] == "Another change comes first (redo)"


def test_the_answer_says_what_comes_next(filled: Corpus) -> None:
    """The same as the history says when it is asked anew."""
    for start in (0, 27):
        filled.annotate("d1", "person", start, start + 4)
    for act, counts in ((undo, (1, 1)), (undo, (None, 1)), (redo, (1, 1)), (redo, (1, None))):
        answer, asked = act(filled), filled.get(HISTORY)
        assert (answer.get("undo"), answer.get("redo")) == (asked.get("undo"), asked.get("redo"))
        assert tuple(answer.get(name, {}).get("count") for name in ("undo", "redo")) == counts
    answer = restore(filled, entries(filled)[-1])
    assert (answer["changed"], answer["undo"], "redo" in answer) == (1, filled.get(HISTORY)["undo"], False)


@pytest.mark.parametrize(("whole", "changed", "left"), [(False, 1, []), (True, 2, ["press"])])
def test_restoring_a_change_or_its_operation(press: Corpus, whole: bool, changed: int, left: list[str]) -> None:
    """A category that took the place of another one: alone it only goes; with its act the other one comes back."""
    give(press, "press")
    give(press, "sport")
    made = next(one for one in entries(press) if one["action"] == "created" and one["after"]["labelName"] == "sport")
    answer = restore(press, made, act=whole)
    assert (answer["act"], answer["changed"], answer["kept"]) == (made["act"], changed, 0)
    assert given(press) == left


def cleared_and_partly_back(filled: Corpus, marie: Corpus) -> str:
    """Two spans that root cleared in one act, of which marie brought one back."""
    first, _ = (filled.annotate("d1", "person", start, start + 4)["identifier"] for start in (0, 27))
    filled.post("/annotations/_clear", params={"createdBy": ["root"]})
    marie.post(f"/annotations/{first}/_restore")
    return str(first)


def test_what_is_stored_is_dealt_with_in_undo_and_redo(filled: Corpus, marie: Corpus) -> None:
    """The history says so in both; nothing can be taken back of that."""
    first = cleared_and_partly_back(filled, marie)
    assert undo(filled, 409)["details"][0]["current"]["start"] == 0
    back = undo(filled, decision="theirs")
    assert (back["changed"], back["kept"], starts(filled)) == (1, 1, [0, 27])
    (kept,) = (one for one in entries(filled) if one["action"] == "kept")
    deleted = next(one for one in entries(filled) if one["action"] == "deleted" and one["entityIdentifier"] == first)
    assert (kept["kind"], kept["undoes"], kept["by"]) == ("undo", deleted["identifier"], "root")
    assert kept["before"] == kept["after"] == deleted["before"]
    assert not kept["restorable"]
    restore(filled, kept, 400)
    again = redo(filled)
    assert (again["changed"], again["kept"], starts(filled)) == (1, 1, [0])
    assert [one["kind"] for one in entries(filled) if one["action"] == "kept"] == ["redo", "undo"]


def test_what_was_stored_stays_what_others_make_of_it_in_redo(filled: Corpus, marie: Corpus) -> None:
    """Overwriting is about what one's own act changed: it changed nothing of that."""
    first = cleared_and_partly_back(filled, marie)
    undo(filled, decision="theirs")
    marie.patch(f"/annotations/{first}", json={"end": 10})
    redo(filled, 409)
    answer = redo(filled, decision="mine")
    assert (answer["changed"], answer["kept"]) == (1, 1)
    assert [(one["start"], one["end"]) for one in filled.get("/documents/d1")["annotations"]] == [(0, 10)]


def test_what_is_so_already_is_stored_and_not_changed_again(filled: Corpus, marie: Corpus) -> None:
    """Restoring writes nothing then; undo writes that it was dealt with."""
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    for end in (10, 4):
        filled.patch(f"/annotations/{made}", json={"end": end})
    moved = entries(filled)[1]
    count = len(entries(filled))
    assert (moved["before"]["end"], moved["after"]["end"]) == (4, 10)
    answer = restore(filled, moved)
    assert (answer["changed"], answer["kept"], len(entries(filled))) == (0, 1, count)
    filled.patch(f"/annotations/{made}", json={"end": 10})
    marie.patch(f"/annotations/{made}", json={"end": 4})
    version = marie.get("/documents/d1")["annotations"][0]["version"]
    undo(filled, 409)
    answer = undo(filled, decision="mine")
    assert (answer["changed"], answer["kept"], entries(filled)[0]["action"]) == (0, 1, "kept")
    assert filled.get("/documents/d1")["annotations"][0]["version"] == version


def test_a_conflict_shows_the_changes_as_the_history_does(filled: Corpus, marie: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.patch(f"/annotations/{made}", json={"end": 10})
    marie.patch(f"/annotations/{made}", json={"labelName": "place"})
    later, mine, _ = entries(filled)
    (shown,) = undo(filled, 409)["details"]
    assert shown["entry"] == mine | {"restorable": False}
    assert shown["later"] == later | {"restorable": False}
    assert shown["current"] == later["after"]
    assert (shown["field"], shown["firm"], "other" in shown) == ("annotation", False, False)
    assert shown["said"]["message"]["code"] == "kept.changedBy"


def test_a_category_that_goes_meets_no_rival(press: Corpus, as_user: Any, client: Any) -> None:
    """Somebody who did not see it gave another one beside it: taking the own one back has nothing against it."""
    give(press, "press")
    give(annotator(press, as_user, client), "sport")
    assert len(undo(press)["removed"]) == 1
    assert given(press) == ["sport"]


def test_overwriting_takes_the_rival_away_and_redo_brings_it_back(press: Corpus, as_user: Any, client: Any) -> None:
    marie = annotator(press, as_user, client, "readUserAnnot:*")
    made = give(press, "press")["identifier"]
    press.delete(f"/categories/{made}")
    rival = give(marie, "sport")["identifier"]
    (shown,) = undo(press, 409)["details"]
    assert (shown["firm"], shown["other"]["labelName"], "current" in shown) == (False, "sport", True)
    assert shown["current"] is None
    kept = undo(press, decision="theirs")
    assert (kept["changed"], kept["kept"], given(press)) == (0, 1, ["sport"])
    restored = restore(press, next(one for one in entries(press) if one["action"] == "deleted"), decision="mine")
    assert (restored["changed"], restored["removed"]) == (2, [rival])
    assert [one["identifier"] for one in restored["categories"]] == [made]
    assert [one["kind"] for one in entries(press)[:2]] == ["restore", "restore"]
    assert all("undoes" not in one for one in entries(press)[:2])
    assert given(press) == ["press"]
    assert undo(press)["changed"] == 2
    assert given(press) == ["sport"]


def test_a_span_never_comes_back_next_to_the_same_one(filled: Corpus) -> None:
    """Not even when it was decided to overwrite: nothing is changed, whatever the decision."""
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.delete(f"/annotations/{made}")
    again = filled.annotate("d1", "person", 0, 4)["identifier"]
    deleted = entries(filled)[1]
    for decision in ({}, {"decision": "mine"}):
        (shown,) = restore(filled, deleted, 409, **decision)["details"]
        assert (shown["firm"], shown["other"]["start"]) == (True, 0)
    answer = restore(filled, deleted, decision="theirs")
    assert (answer["changed"], answer["kept"]) == (0, 1)
    assert [one["identifier"] for one in filled.get("/documents/d1")["annotations"]] == [again]


def test_the_label_that_is_gone_cannot_be_overwritten(filled: Corpus) -> None:
    """Undo keeps it then and goes on; restoring, which is about one thing, refuses."""
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.delete(f"/annotations/{made}")
    filled.delete("/labels/person")
    deleted = next(one for one in entries(filled) if one["action"] == "deleted" and one["entity"] == "annotation")
    assert restore(filled, deleted, 409, decision="mine")["details"][0]["firm"]
    answer = undo(filled, decision="mine")
    assert (answer["changed"], answer["kept"], starts(filled)) == (0, 1, [])


def test_what_one_may_not_see_any_more_is_out_of_reach(filled: Corpus, as_user: Any, client: Any) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    marie = annotator(filled, as_user, client, "readUserAnnot:*")
    marie.patch(f"/annotations/{made}", json={"end": 10})
    marie = annotator(filled, as_user, client)
    refused = undo(marie, 409)
    assert (refused["cause"], refused["details"][0]["firm"]) == ("You do not have access to it", True)
    assert undo(marie, decision="mine")["kept"] == 1
    assert filled.get("/documents/d1")["annotations"][0]["end"] == 10


def test_restoring_passes_over_ones_own_later_changes_only(filled: Corpus, marie: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.patch(f"/annotations/{made}", json={"end": 10})
    filled.patch(f"/annotations/{made}", json={"labelName": "place"})
    moved = entries(filled)[1]
    assert restore(marie, moved, 409)["details"][0]["later"]["by"] == "root"
    answer = restore(filled, moved)
    assert [(one["end"], one["labelName"]) for one in answer["annotations"]] == [(4, "person")]


def test_relations_are_reported_when_they_come_back_or_their_annotation_does(filled: Corpus) -> None:
    anna, paris = (filled.annotate("d1", "person", start, start + 4)["identifier"] for start in (0, 20))
    body = {"documentIdentifier": "d1", "name": "lives in", "source": anna, "target": paris}
    made = filled.post("/relations", json=body)["identifier"]

    def listed(answer: dict[str, Any]) -> list[str]:
        return [one["identifier"] for one in answer.get("relations", [])]

    filled.patch(f"/annotations/{anna}", json={"end": 10})
    assert listed(undo(filled)) == [], "it was there all the time"
    filled.delete(f"/annotations/{anna}")
    assert listed(undo(filled)) == [made]
    filled.delete(f"/relations/{made}")
    assert listed(undo(filled)) == [made]
    filled.patch(f"/relations/{made}", json={"name": "knows"})
    assert listed(undo(filled)) == [made]
    gone = undo(filled)
    assert (listed(gone), gone["removed"]) == ([], [made])


@pytest.mark.parametrize(("count", "one_by_one"), [(20, True), (21, False)])
def test_many_changes_are_reported_at_once(
    filled: Corpus, emitted_events: list[Event], count: int, one_by_one: bool
) -> None:
    for start in range(count):
        filled.annotate("d1", "person", start, start + 2)
    filled.post("/annotations/_clear")
    emitted_events.clear()
    assert undo(filled)["changed"] == count
    assert starts(filled) == list(range(count))
    together = [arg["count"] for arg in args_of(emitted_events, "labelling")]
    assert together == ([] if one_by_one else [count])
    assert all(one.get("undoes") for one in entries(filled)[:count]), "each has its own entry"


def proposed(filled: Corpus) -> dict[str, Any]:
    """A suggestion on the first sentence, as it is listed."""
    with unit_of_work(actor="tests", write=True) as done:
        found = done.session.scalars(select(Document).filter_by(identifier="d1", project_id=filled.project.id)).one()
        proposed = {"labelName": "person", "start": 0, "end": 4, "text": "Anna", "identifier": "1", "score": 0.5}
        place = {"project_id": filled.project.id, "document_id": found.id, "start": 0, "end": 26}
        row = Suggestion(
            **place, annotations=[proposed], categories=[], confidence=0.5, priority=0.5, suggester="s", created_at=1
        )
        done.session.add(row)
    (there,) = filled.get("/suggestions")["suggestions"]
    assert isinstance(there, dict)
    return there


def test_a_skipped_suggestion_is_restored_and_skipped_again(filled: Corpus) -> None:
    """Restoring is an act of its own, which does not count as the undo of the skipping."""
    there = proposed(filled)
    filled.delete(f"/suggestions/{there['_id']}")
    skipped = entries(filled)[0]
    answer = restore(filled, skipped)
    assert (answer["changed"], answer["kept"], answer["suggestions"]) == (1, 0, [there["_id"]])
    assert filled.get("/suggestions")["suggestions"] == [there]
    restored, skipped = entries(filled)
    assert (restored["kind"], "undoes" in restored, skipped["takenBack"]) == ("restore", False, False)
    answer = restore(filled, skipped)
    assert (answer["changed"], answer["kept"], answer["suggestions"]) == (0, 1, [])
    undo(filled)
    assert filled.get("/suggestions")["suggestions"] == []
    assert entries(filled)[0]["undoes"] == restored["identifier"]
    undo(filled)
    assert filled.get("/suggestions")["suggestions"] == [there]
    assert entries(filled)[0]["undoes"] == skipped["identifier"]
    filled.post("/suggestions/_clear")
    assert redo(filled)["kept"] == 1, "it is gone already"


def test_a_skip_that_somebody_else_took_back_is_not_made_again_by_redo(filled: Corpus, marie: Corpus) -> None:
    there = proposed(filled)
    filled.delete(f"/suggestions/{there['_id']}")
    restore(marie, entries(filled)[0])
    answer = undo(filled)
    assert (answer["changed"], answer["kept"]) == (0, 1)
    answer = redo(filled)
    assert (answer["changed"], answer["kept"], answer["suggestions"]) == (0, 1, [])
    assert filled.get("/suggestions")["suggestions"] == [there]


def test_what_is_requested_with_nonsense_is_refused(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    assert filled.get(HISTORY, 400, params={"of": "x"})["message"] == "of is not an identifier"
    assert filled.get(HISTORY, 400, params={"before": "x"})["message"] == "before is not an identifier"
    assert filled.post(f"{HISTORY}/x/_restore", 400)["message"] == "The entry is not an identifier"
    assert filled.post(f"{HISTORY}/{made}/_restore", 404)["message"].startswith(f"There is no change {made} in")
    imported = next(iter(filled.get(HISTORY, params={"size": 500})["entries"]))
    assert imported["restorable"]
    assert undo(filled)["ok"]
    assert undo(filled, 409)["message"] == "There is nothing to undo on this document"


def test_a_change_of_the_document_itself_is_not_taken_back_here(filled: Corpus) -> None:
    filled.post("/documents/_tag", 204, params={"identifier": "d1"}, json={"name": "kind", "value": "a"})
    (tagged,) = entries(filled)
    assert (tagged["entity"], tagged["restorable"]) == ("document", False)
    assert restore(filled, tagged, 400)["message"].startswith("Only changes of annotations")


def test_who_may_only_read_is_offered_nothing(filled: Corpus, as_user: Any, client: Any) -> None:
    filled.annotate("d1", "person", 0, 4)
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}", "readUserAnnot:*")
    assert reader.get(f"{filled.path}{HISTORY}/_state").json() == {}
    assert set(filled.get(f"{HISTORY}/_state")) == {"undo"}
    page = filled.get(HISTORY, params={"size": 1})
    assert ("next" in page, len(page["entries"])) == (False, 1)
    assert filled.get(HISTORY, params={"before": page["entries"][0]["identifier"]})["people"] == []
