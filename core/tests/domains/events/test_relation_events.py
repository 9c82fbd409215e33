"""Live events of relations: changes, and creation and deletion together with their annotations; who receives them."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.access import rights_revision
from annotarium.content.relations import events
from annotarium.db.models import User, UserShare
from annotarium.db.unit_of_work import unit_of_work

TEXT = "Anna Smith lives in Paris."


class Ears:
    """Live connections of some callers; `heard` returns the relation events since its last call."""

    def __init__(self, corpus: Corpus, client: Any) -> None:
        self.corpus, self.client = corpus, client

    def open(self, caller: Any) -> Any:
        token = caller.get("/api/eventbus-login").json()["access_token"]
        return self.client.websocket_connect(f"/api/events?token={token}")

    def heard(self, socket: Any) -> list[dict[str, Any]]:
        with unit_of_work(actor="tests", write=True) as unit:
            unit.emit("marker", project=self.corpus.project.name)
        found = []
        while (event := socket.receive_json())["mutation"] != "marker":
            if event["mutation"] == "relations":
                found.append(event["arg"])
        return found


def prepare(corpus: Corpus) -> tuple[str, str]:
    corpus.add(document("d1", TEXT))
    corpus.add_labels("person", "place")
    found = [corpus.annotate("d1", *place)["identifier"] for place in (("person", 0, 10), ("place", 20, 25))]
    return found[0], found[1]


def test_relation_events_carry_the_new_state(corpus: Corpus, client: Any) -> None:
    """B-002: with the user and the key of the operation; also those of deleted and restored annotations."""
    anna, paris = prepare(corpus)
    ears = Ears(corpus, client)
    body = {"documentIdentifier": "d1", "name": "lives in", "source": anna, "target": paris}
    with ears.open(corpus.caller) as socket:
        made = corpus.post("/relations", json=body, headers={"Idempotency-Key": "act-1"})
        (told,) = ears.heard(socket)
        assert told == {
            "type": "created",
            "documentIdentifier": "d1",
            "identifier": made["identifier"],
            "version": 1,
            "by": "root",
            "key": "act-1",
            "state": made,
        }
        changed = corpus.patch(f"/relations/{made['identifier']}", json={"name": "left"})
        (told,) = ears.heard(socket)
        changed.pop("ok")
        assert (told["type"], told["by"]) == ("updated", changed.pop("modifiedBy"))
        assert told["state"] == changed
        corpus.delete(f"/annotations/{paris}")
        (told,) = ears.heard(socket)
        assert (told["type"], told["identifier"], told["version"]) == ("deleted", made["identifier"], 3)
        assert "state" not in told
        back = corpus.post(f"/annotations/{paris}/_restore")
        (told,) = ears.heard(socket)
        assert (told["type"], [told["state"]]) == ("restored", back["relations"])
        corpus.delete(f"/relations/{made['identifier']}")
        undone = corpus.post("/documents/d1/_history/_undo")
        gone, again = ears.heard(socket)
        assert (gone["type"], again["type"]) == ("deleted", "restored")
        assert [again["state"]] == undone["relations"] == corpus.get("/documents/d1")["relations"]
        versions = [told["version"], gone["version"], again["version"]]
        assert versions == sorted(set(versions))


def test_relation_events_require_access_to_both_annotations(corpus: Corpus, client: Any, as_user: Any) -> None:
    anna, paris = prepare(corpus)
    ears = Ears(corpus, client)
    rosa = as_user(client, "rosa", "Reader")
    with unit_of_work(actor="tests", write=True) as unit:
        user = unit.session.query(User).filter_by(username="rosa").one()
        unit.session.add(UserShare(project_id=corpus.project.id, user_id=user.id, write=True))
        rights_revision.note_rights_change(unit.session)
    own = [
        rosa.post(
            f"{corpus.path}/annotations",
            json={"documentIdentifier": "d1", "labelName": "person", "start": start, "end": start + 4},
        ).json()["identifier"]
        for start in (0, 5)
    ]
    with ears.open(rosa) as socket:
        for name, source, target in (("a", anna, paris), ("b", own[0], paris), ("c", anna, own[0]), ("d", *own)):
            corpus.post(
                "/relations", json={"documentIdentifier": "d1", "name": name, "source": source, "target": target}
            )
        assert [told["state"]["name"] for told in ears.heard(socket)] == ["d"]


def test_one_event_requests_reloading_many_relations(
    corpus: Corpus, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(events, "SINGLE_EVENTS_MAX", 2)
    anna, paris = prepare(corpus)
    ears = Ears(corpus, client)
    for name in "abc":
        corpus.post("/relations", json={"documentIdentifier": "d1", "name": name, "source": anna, "target": paris})
    with ears.open(corpus.caller) as socket:
        corpus.delete(f"/annotations/{anna}")
        assert ears.heard(socket) == [{"type": "changed", "documentIdentifier": "d1", "by": "root"}]
