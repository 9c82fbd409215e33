"""History of a document: who did what, undo and redo that hold after a reload, nothing of others overwritten."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

TEXT = "Anna Smith lives in Paris. Anna works there."


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT), document("d2", TEXT))
    corpus.add_labels("person", "place")
    return corpus


def history(corpus: Corpus, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = corpus.get("/documents/d1/_history", params=parameters)
    return found


def spans(corpus: Corpus) -> list[tuple[int, int, str, str | None]]:
    found = corpus.get("/documents/d1")["annotations"]
    assert all(TEXT[one["start"] : one["end"]] == one["text"] for one in found)
    return [(one["start"], one["end"], one["labelName"], one.get("status")) for one in found]


def undo(corpus: Corpus, status: int = 200, **body: Any) -> Any:
    return corpus.post("/documents/d1/_history/_undo", status, json=body)


def redo(corpus: Corpus, status: int = 200, **body: Any) -> Any:
    return corpus.post("/documents/d1/_history/_redo", status, json=body)


def as_marie(corpus: Corpus, as_user: Any, client: Any, *grants: str) -> Corpus:
    caller = as_user(client, "marie", "Annotator", f"writeProject:{corpus.project.name}", *grants)
    return Corpus(caller, corpus.project, corpus.run_jobs)


def test_every_operation_can_be_undone_and_redone(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    seen = [spans(filled)]
    for body in ({"end": 10}, {"labelName": "place"}, {"status": "KO"}):
        filled.patch(f"/annotations/{made}", json=body)
        seen.append(spans(filled))
    filled.delete(f"/annotations/{made}")
    seen.append(spans(filled))
    for state in reversed(seen[:-1]):
        back = undo(filled)
        assert spans(filled) == state
        assert [one["identifier"] for one in back["annotations"]] == [made]
    assert undo(filled)["removed"] == [made]
    assert spans(filled) == []
    undo(filled, 409)
    for state in seen:
        redo(filled)
        assert spans(filled) == state
    redo(filled, 409)
    assert filled.facet("label") == {}


def test_new_operation_clears_the_redo_stack(filled: Corpus) -> None:
    filled.annotate("d1", "person", 0, 4)
    undo(filled)
    assert history(filled)["redo"]["count"] == 1
    filled.annotate("d1", "place", 20, 25)
    assert "redo" not in history(filled)
    assert "Nothing" in redo(filled, 409)["message"] or "nothing" in redo(filled, 409)["message"]
    assert spans(filled) == [(20, 25, "place", "OK")]


def test_history_says_who_did_what_when(filled: Corpus, as_user: Any, client: Any) -> None:
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    marie.patch(f"/annotations/{made}", json={"end": 10})
    marie.annotate("d1", "place", 20, 25)
    found = history(filled)
    told = [(one["by"], one["action"], one.get("after", {}).get("text")) for one in found["entries"]]
    assert told == [("marie", "created", "Paris"), ("marie", "updated", "Anna Smith"), ("root", "created", "Anna")]
    assert found["entries"][1]["before"] == {
        "labelName": "person",
        "start": 0,
        "end": 4,
        "text": "Anna",
        "status": "OK",
        "creationMode": "manual",
        "createdBy": "root",
    }
    assert found["people"] == [{"createdBy": "marie", "count": 2}, {"createdBy": "root", "count": 1}]
    assert [one["by"] for one in history(filled, by=["root"])["entries"]] == ["root"]
    assert len(history(filled, of=made)["entries"]) == 2
    first = history(filled, size=2)
    rest = history(filled, size=2, before=first["next"])
    assert [one["identifier"] for one in first["entries"] + rest["entries"]] == [
        one["identifier"] for one in found["entries"]
    ]
    assert "next" not in rest


def test_undo_does_not_overwrite_somebody_else(filled: Corpus, as_user: Any, client: Any) -> None:
    """409 shows both; the person decides."""
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.patch(f"/annotations/{made}", json={"end": 10})
    marie.patch(f"/annotations/{made}", json={"labelName": "place"})
    before = spans(filled)
    refused = undo(filled, 409)
    assert refused["cause"] == "marie has changed it since"
    shown = refused["details"][0]
    assert (shown["entry"]["before"]["end"], shown["later"]["by"]) == (4, "marie")
    assert shown["current"]["labelName"] == "place"
    assert spans(filled) == before
    kept = undo(filled, decision="theirs")
    assert (kept["changed"], kept["kept"]) == (0, 1)
    assert spans(filled) == before
    # What was kept is dealt with: the next undo is about the act before, which marie's change stands against too.
    assert undo(filled, 409)["details"][0]["entry"]["action"] == "created"
    assert undo(filled, decision="mine")["removed"] == [made]
    assert spans(filled) == []


def test_undo_passes_over_what_others_took_back_themselves(filled: Corpus, as_user: Any, client: Any) -> None:
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    marie.patch(f"/annotations/{made}", json={"labelName": "place"})
    undo(filled, 409)
    undo(marie)
    assert undo(filled)["removed"] == [made]
    redo(filled)
    redo(marie)
    undo(filled, 409)


def test_undo_concerns_only_own_operations_on_the_document(filled: Corpus, as_user: Any, client: Any) -> None:
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    filled.annotate("d1", "person", 0, 4)
    marie.annotate("d1", "place", 20, 25)
    filled.annotate("d2", "person", 0, 4)
    undo(filled)
    assert spans(filled) == [(20, 25, "place", "OK")]
    undo(filled, 409)
    assert len(filled.get("/documents/d2")["annotations"]) == 1


def test_restore_of_one_entry(filled: Corpus, as_user: Any, client: Any) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.patch(f"/annotations/{made}", json={"end": 10})
    filled.delete(f"/annotations/{made}")
    entries = history(filled)["entries"]
    assert all(one["restorable"] for one in entries)
    filled.post(f"/documents/d1/_history/{entries[0]['identifier']}/_restore")
    assert spans(filled) == [(0, 10, "person", "OK")]
    filled.post(f"/documents/d1/_history/{entries[1]['identifier']}/_restore")
    assert spans(filled) == [(0, 4, "person", "OK")]
    assert undo(filled)["annotations"][0]["end"] == 10
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    marie.patch(f"/annotations/{made}", json={"status": "KO"})
    path = f"/documents/d1/_history/{entries[1]['identifier']}/_restore"
    assert filled.post(path, 409)["details"][0]["later"]["by"] == "marie"
    filled.post(path, json={"decision": "mine"})
    assert spans(filled) == [(0, 4, "person", "OK")]
    filled.post("/documents/d1/_history/12/_restore", 404)
    filled.post("/documents/d1/_history/x/_restore", 400)


def test_the_label_of_what_comes_back_must_be_there(filled: Corpus) -> None:
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.delete(f"/annotations/{made}")
    filled.delete("/labels/person")
    refused = undo(filled, 409)
    assert (refused["cause"], refused["details"][0]["firm"]) == ("Its label has been deleted since", True)
    said = {"code": "kept.ofLabel", "values": {}}
    assert refused["said"]["cause"] == refused["details"][0]["said"]["message"] == said
    assert undo(filled, decision="theirs")["kept"] == 1


def test_operation_is_undone_as_a_whole(topics: Corpus) -> None:
    """T-017: what a category replaced comes back with its undo."""
    topics.add(document("d1", TEXT))
    topics.add_labels("press", "sport")
    first = topics.post("/categories", json={"documentIdentifier": "d1", "labelName": "press"})["identifier"]
    second = topics.post("/categories", json={"documentIdentifier": "d1", "labelName": "sport"})["identifier"]
    found = history(topics)
    assert found["undo"]["count"] == 2
    assert len({one["act"] for one in found["entries"]}) == 2
    back = undo(topics)
    assert (back["removed"], [one["identifier"] for one in back["categories"]]) == ([second], [first])
    assert [one["labelName"] for one in topics.get("/documents/d1")["categories"]] == ["press"]
    redo(topics)
    assert [one["labelName"] for one in topics.get("/documents/d1")["categories"]] == ["sport"]
    assert topics.facet("category") in ({"sport": 1}, {})


def test_what_is_hidden_neither_hinders_nor_is_overwritten(topics: Corpus, as_user: Any, client: Any) -> None:
    """Somebody who does not see others' categories gives one beside them; taking back does not meet them either."""
    topics.add(document("d1", TEXT))
    topics.add_labels("sport", "politics")
    marie = as_marie(topics, as_user, client)

    def give(who: Corpus, label: str) -> None:
        who.post("/categories", json={"documentIdentifier": "d1", "labelName": label, "status": "OK"})

    def named(who: Corpus) -> list[str]:
        return sorted(one["labelName"] for one in who.get("/documents/d1")["categories"])

    give(marie, "sport")
    give(marie, "politics")
    give(topics, "sport")  # The manager sees both: marie's goes.
    give(marie, "politics")
    give(marie, "sport")
    assert (named(marie), named(topics)) == (["sport"], ["sport", "sport"])
    undone = undo(marie)
    assert [one["labelName"] for one in undone["categories"]] == ["politics"]
    assert (named(marie), named(topics)) == (["politics"], ["politics", "sport"])
    assert redo(marie)["kept"] == 0
    assert (named(marie), named(topics)) == (["sport"], ["sport", "sport"])


def test_rights(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid; what a reader may not see is not in the history either."""
    made = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.patch(f"/annotations/{made}", json={"end": 10})
    entry = history(filled)["entries"][0]["identifier"]
    path = f"{filled.path}/documents/d1/_history"
    assert client.get(path).status_code == 401
    for action in ("_undo", "_redo", f"{entry}/_restore"):
        assert client.post(f"{path}/{action}").status_code == 401
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}", "readUserAnnot:*")
    seen = reader.get(path).json()
    assert (len(seen["entries"]), "undo" in seen, seen["entries"][0]["restorable"]) == (2, False, False)
    for action in ("_undo", "_redo", f"{entry}/_restore"):
        assert reader.post(f"{path}/{action}").status_code == 403
    marie = as_marie(filled, as_user, client)
    assert marie.get("/documents/d1/_history")["entries"] == []
    assert "people" not in marie.get("/documents/d1/_history") or not marie.get("/documents/d1/_history")["people"]
    marie.post(f"/documents/d1/_history/{entry}/_restore", 404)
    marie.annotate("d1", "person", 0, 4)
    assert [one["by"] for one in marie.get("/documents/d1/_history")["entries"]] == ["marie"]
    filled.get("/documents/missing/_history", 404)


def test_the_same_undo_sent_twice_is_one(filled: Corpus) -> None:
    filled.annotate("d1", "person", 0, 4)
    filled.annotate("d1", "place", 20, 25)
    headers = {"Idempotency-Key": "undo-1"}
    for _ in range(2):
        filled.post("/documents/d1/_history/_undo", headers=headers)
    assert spans(filled) == [(0, 4, "person", "OK")]


def test_clearing_is_in_the_history_and_undone(filled: Corpus, as_user: Any, client: Any) -> None:
    """B-006: clear by creator; every span that went has its row."""
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    filled.annotate("d1", "person", 0, 4)
    filled.annotate("d1", "place", 20, 25)
    marie.annotate("d1", "person", 27, 31)
    assert filled.post("/annotations/_clear", params={"createdBy": ["root"]})["count"] == 2
    assert spans(filled) == [(27, 31, "person", "OK")]
    assert history(filled)["undo"]["count"] == 2
    assert undo(filled)["changed"] == 2
    assert len(spans(filled)) == 3
    assert filled.facet("label(root)") in ({"person": 1, "place": 1}, {})


def test_bringing_back_what_one_deleted_is_undoing_it(filled: Corpus, as_user: Any, client: Any) -> None:
    """One stack: the undo of a message and that of the history are the same."""
    first, second = (filled.annotate("d1", "person", start, start + 4)["identifier"] for start in (0, 27))
    filled.delete(f"/annotations/{first}")
    filled.post(f"/annotations/{first}/_restore")
    told = history(filled)
    assert (told["entries"][0]["kind"], told["entries"][1]["takenBack"]) == ("undo", True)
    assert told["undo"]["entry"]["entityIdentifier"] == second, "the deletion is dealt with: undo goes on before it"
    redo(filled)
    assert spans(filled) == [(27, 31, "person", "OK")]
    undo(filled)
    assert undo(filled)["removed"] == [second]
    filled.post(f"/annotations/{second}/_restore")
    assert history(filled)["entries"][0]["kind"] == "redo"
    assert undo(filled)["removed"] == [second]
    marie = as_marie(filled, as_user, client, "readUserAnnot:*")
    marie.delete(f"/annotations/{first}")
    filled.post(f"/annotations/{first}/_restore")
    assert "kind" not in history(filled)["entries"][0], "what somebody else deleted comes back by an act of one's own"
    assert undo(filled)["removed"] == [first]


def project_state(corpus: Corpus) -> dict[str, tuple[str, str]]:
    """What comes next in the project: document and act, by what is done."""
    found = corpus.get("/_history/_state")
    return {kind: (turn["documentIdentifier"], turn["act"]) for kind, turn in found.items()}


def test_project_undo_takes_the_newest_operation_of_any_document(filled: Corpus, as_user: Any, client: Any) -> None:
    """One stack over all documents: the segments of many documents are labelled on one screen."""
    assert project_state(filled) == {}
    order = ["d1", "d2", "d1"]
    for at, name in enumerate(order):
        filled.annotate(name, "person", at, at + 4)
    as_marie(filled, as_user, client).annotate("d2", "place", 20, 25)
    for name in reversed(order):
        document_name, act = project_state(filled)["undo"]
        assert document_name == name
        assert act == filled.get(f"/documents/{name}/_history/_state")["undo"]["act"]
        filled.post(f"/documents/{name}/_history/_undo", json={"act": act})
    assert set(project_state(filled)) == {"redo"}
    for name in order:
        assert project_state(filled)["redo"][0] == name
        filled.post(f"/documents/{name}/_history/_redo", json={"act": project_state(filled)["redo"][1]})
    assert set(project_state(filled)) == {"undo"}
    filled.post("/documents/d1/_history/_undo")
    filled.annotate("d2", "place", 0, 4)
    assert set(project_state(filled)) == {"undo"}
    filled.delete("/documents/d2")
    assert project_state(filled)["undo"][0] == "d1"


def test_who_may_ask_what_comes_next_in_the_project(filled: Corpus, as_user: Any, client: Any) -> None:
    """Anonymous, forbidden, valid: a reader has nothing to undo."""
    filled.annotate("d1", "person", 0, 4)
    path = f"{filled.path}/_history/_state"
    assert client.get(path).status_code == 401
    assert as_user(client, "sven", "Annotator").get(path).status_code == 404
    reader = as_user(client, "rene", "Reader", f"readProject:{filled.project.name}")
    assert reader.get(path).json() == {}


def test_change_without_effect_is_no_operation(filled: Corpus) -> None:
    """Undo has nothing to take back of it, and nobody stands in the way of the acts before."""
    identifier = filled.annotate("d1", "person", 0, 4)["identifier"]
    filled.post("/categories", json={"documentIdentifier": "d1", "labelName": "place"})
    category = filled.get("/documents/d1")["categories"][0]["identifier"]
    same = {"status": "OK", "start": 0, "end": 4, "labelName": "person"}
    assert filled.patch(f"/annotations/{identifier}", json=same)["version"] == 1
    assert filled.patch(f"/categories/{category}", json={"status": "OK"})["version"] == 1
    assert [one["action"] for one in history(filled)["entries"]] == ["created", "created"]
    undo(filled)
    undo(filled)
    assert spans(filled) == []
