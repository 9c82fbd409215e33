"""Two users in one document: what each receives of the other's labelling, presence, and repeated requests."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.access import rights_revision
from annotarium.access.rights import Access
from annotarium.access.visibility import may_read_document_of_group, may_read_labelling
from annotarium.db.models import User, UserShare
from annotarium.db.unit_of_work import unit_of_work
from annotarium.events.presence import MESSAGE_MAX, parse_location
from annotarium.settings import get_settings

PATIENCE = 0.3
"""Seconds without an event after which no more is expected."""


@pytest.fixture
def shared(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", "Anna Smith lives in Paris."), document("d2", "Nobody lives here."))
    corpus.add_labels("person", "place")
    return corpus


def join(client: Any, as_user: Any, corpus: Corpus, name: str, *grants: str) -> Any:
    """A caller who may write the project, with these permissions on the work of others."""
    caller = as_user(client, name, *grants)
    with unit_of_work(actor="tests", write=True) as unit:
        user = unit.session.query(User).filter_by(username=name).one()
        unit.session.add(UserShare(project_id=corpus.project.id, user_id=user.id, write=True))
        rights_revision.note_rights_change(unit.session)
    return caller


@contextmanager
def listening(*callers: Any) -> Iterator[list[Any]]:
    with ExitStack() as stack:
        tokens = [caller.get("/api/eventbus-login").json()["access_token"] for caller in callers]
        sockets = [
            stack.enter_context(caller.client.websocket_connect(f"/api/events?token={token}"))
            for caller, token in zip(callers, tokens, strict=True)
        ]
        yield sockets


def next_of(socket: Any, mutation: str) -> Any:
    """The next event of that name; skips others."""
    while True:
        event = socket.receive_json()
        if event["mutation"] == mutation:
            return event


def marker(corpus: Corpus) -> None:
    """Send an event that every user of the project receives: events before it have arrived when it does."""
    with unit_of_work(actor="tests", write=True) as unit:
        unit.emit("marker", project=corpus.project.name)


def heard_before_marker(socket: Any) -> list[Any]:
    events = []
    while (event := socket.receive_json())["mutation"] != "marker":
        events.append(event)
    return [event for event in events if event["mutation"] in {"annotations", "categories", "presence"}]


def annotate(caller: Any, corpus: Corpus, start: int, end: int, **headers: str) -> Any:
    body = {"documentIdentifier": "d1", "labelName": "person", "start": start, "end": end}
    answer = caller.post(f"{corpus.path}/annotations", json=body, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_each_change_event_carries_the_new_state(client: Any, as_user: Any, shared: Corpus) -> None:
    """B-002: created, changed, deleted and restored, as in the document; with the user and the key."""
    wanda = join(client, as_user, shared, "wanda")
    path = f"{shared.path}/annotations"
    with listening(shared.caller) as [socket]:
        made = annotate(wanda, shared, 0, 10, **{"Idempotency-Key": "k-1"})
        event = next_of(socket, "annotations")
        assert (event["project"], event["arg"]["type"], event["arg"]["by"]) == (shared.project.name, "created", "wanda")
        assert (event["arg"]["key"], event["arg"]["documentIdentifier"]) == ("k-1", "d1")
        assert "about" not in event
        assert [event["arg"]["state"]] == shared.get("/documents/d1")["annotations"]

        shared.patch(f"/annotations/{made['identifier']}", json={"labelName": "place", "start": 5})
        event = next_of(socket, "annotations")
        assert (event["arg"]["type"], event["arg"]["version"], event["arg"]["by"]) == ("updated", 2, "root")
        assert [event["arg"]["state"]] == shared.get("/documents/d1")["annotations"]
        assert event["arg"]["state"]["text"] == "Smith"

        shared.delete(f"/annotations/{made['identifier']}")
        event = next_of(socket, "annotations")
        assert (event["arg"]["type"], event["arg"]["version"]) == ("deleted", 3)
        assert "state" not in event["arg"]
        assert wanda.post(f"{path}/{made['identifier']}/_restore").status_code in {200, 404}


def test_a_category_event_carries_the_new_state(client: Any, as_user: Any, topics: Corpus) -> None:
    """T-017: the category that was replaced is reported too."""
    topics.add(document("d1", "Anna Smith lives in Paris."))
    topics.add_labels("person", "place")
    with listening(topics.caller) as [socket]:
        for label in ("person", "place"):
            topics.post("/categories", json={"documentIdentifier": "d1", "labelName": label, "status": "OK"})
        told = [next_of(socket, "categories")["arg"] for _ in range(3)]
        assert [one["type"] for one in told] == ["created", "deleted", "created"]
        assert [told[2]["state"]] == topics.get("/documents/d1")["categories"]


@pytest.mark.parametrize(
    ("grants", "hears"),
    [(("readUserAnnot:*",), True), (("readUserAnnot:root",), True), (("readUserAnnot:zoe",), False), ((), False)],
)
def test_events_of_others_labelling_require_read_permission(
    client: Any, as_user: Any, shared: Corpus, grants: tuple[str, ...], hears: bool
) -> None:
    """readUserAnnot applies to live events as it does to the document."""
    paul = join(
        client,
        as_user,
        shared,
        f"paul-{len(grants)}-{hears}-{'-'.join(grants)[-3:].strip('*:')}",
        "readModeAnnot:all",
        *grants,
    )
    with listening(paul) as [socket]:
        made = annotate(shared.caller, shared, 0, 10)
        shared.patch(f"/annotations/{made['identifier']}", json={"status": "KO"})
        shared.delete(f"/annotations/{made['identifier']}")
        own = annotate(paul, shared, 20, 25)
        marker(shared)
        told = heard_before_marker(socket)
    others = [event["arg"]["type"] for event in told if event["arg"]["by"] == "root"]
    assert others == (["created", "updated", "deleted"] if hears else [])
    assert [event["arg"]["identifier"] for event in told if event["arg"]["by"] != "root"] == [own["identifier"]]


def test_read_modes_apply_to_live_events(client: Any, as_user: Any, shared: Corpus) -> None:
    """readModeAnnot: only automatic labelling."""
    rita = join(client, as_user, shared, "rita-modes", "readUserAnnot:*", "readModeAnnot:automatic")
    body = {"documentIdentifier": "d1", "labelName": "person", "status": None}
    with listening(rita) as [socket]:
        for start, mode in ((0, "manual"), (5, "automatic")):
            shared.post("/annotations", json=body | {"start": start, "end": 10, "creationMode": mode})
        marker(shared)
        assert [event["arg"]["state"]["start"] for event in heard_before_marker(socket)] == [5]


def test_no_events_for_inaccessible_documents(monkeypatch: pytest.MonkeyPatch, client: Any) -> None:
    monkeypatch.setattr(get_settings(), "document_level_access", True)
    of_press = Access(7, "paul", group_ids=frozenset({3}))
    assert may_read_document_of_group(of_press, 3)
    assert may_read_document_of_group(of_press, None)
    assert not may_read_document_of_group(of_press, 4)
    assert may_read_document_of_group(Access(8, "ada", permissions=frozenset({"readProject:*"})), 4)


def test_own_work_is_always_readable() -> None:
    nobody = Access(7, "paul")
    assert may_read_labelling(nobody, "paul", "manual")
    assert not may_read_labelling(nobody, "root", "automatic")
    reader = Access(7, "paul", permissions=frozenset({"readModeAnnot:all"}))
    assert may_read_labelling(reader, "root", "automatic")
    assert not may_read_labelling(reader, "root", "manual")
    assert not may_read_labelling(reader, "root", "imported")


def send_presence(socket: Any, corpus: Corpus, document_identifier: str | None, session: str = "s") -> None:
    place = {"project": corpus.project.name, "document": document_identifier, "session": session}
    socket.send_json({"present": place if document_identifier is not None else None})


def presence(socket: Any) -> tuple[str, str, str]:
    arg = next_of(socket, "presence")["arg"]
    return arg["type"], arg["user"], arg["documentIdentifier"]


def test_presence_events_when_users_open_and_leave_a_document(client: Any, as_user: Any, shared: Corpus) -> None:
    wanda = join(client, as_user, shared, "wanda", "readUserAnnot:*", "readModeAnnot:all")
    with listening(shared.caller) as [root]:
        send_presence(root, shared, "d1", "a")
        assert presence(root) == ("here", "root", "d1")
        with listening(wanda) as [other]:
            send_presence(other, shared, "d1", "b")
            # A user who joins receives the users present, and those are notified of the new one.
            assert {presence(other), presence(other)} == {("here", "wanda", "d1"), ("here", "root", "d1")}
            assert presence(root) == ("here", "wanda", "d1")
            assert presence(root) == ("here", "root", "d1")
            send_presence(other, shared, "d2", "b")
            assert presence(root) == ("gone", "wanda", "d1")
            send_presence(other, shared, "d1", "b")
            assert presence(root) == ("here", "wanda", "d1")
            assert presence(root) == ("here", "root", "d1")
        # Closing the connection counts as leaving.
        assert presence(root) == ("gone", "wanda", "d1")


def test_renewing_a_connection_keeps_presence(client: Any, as_user: Any, shared: Corpus) -> None:
    """C-002: the new connection is opened before the old one is closed."""
    wanda = join(client, as_user, shared, "wanda", "readUserAnnot:*", "readModeAnnot:all")
    with listening(shared.caller) as [root], listening(wanda) as [renewed]:
        send_presence(root, shared, "d1", "a")
        presence(root)
        with listening(wanda) as [first]:
            send_presence(first, shared, "d1", "b")
            assert presence(root) == ("here", "wanda", "d1")
            send_presence(renewed, shared, "d1", "b")
            presence(renewed)
        time.sleep(PATIENCE)
        marker(shared)
        assert {event["arg"]["type"] for event in heard_before_marker(root)} == {"here"}


def test_presence_is_sent_only_to_readers_of_the_same_document(client: Any, as_user: Any, shared: Corpus) -> None:
    """readUserAnnot: users whose work may not be read are not shown as present either."""
    blind = join(client, as_user, shared, "blind-user")
    with listening(shared.caller, blind, shared.caller) as [root, blinded, elsewhere]:
        send_presence(blinded, shared, "d1", "b")
        assert presence(blinded) == ("here", "blind-user", "d1")
        send_presence(elsewhere, shared, "d2", "c")
        assert presence(elsewhere) == ("here", "root", "d2")
        send_presence(root, shared, "d1", "a")
        assert presence(root) == ("here", "root", "d1")
        time.sleep(PATIENCE)
        marker(shared)
        assert {event["arg"]["user"] for event in heard_before_marker(blinded)} <= {"blind-user"}
        assert heard_before_marker(elsewhere) == []


def test_an_inaccessible_document_has_no_presence(client: Any, as_user: Any, shared: Corpus) -> None:
    stranger = as_user(client, "stranger", "readUserAnnot:*")
    with listening(shared.caller, stranger) as [root, other]:
        send_presence(root, shared, "d1", "a")
        presence(root)
        send_presence(other, shared, "d1", "b")
        send_presence(root, shared, "missing", "a")
        time.sleep(PATIENCE)
        marker(shared)
        assert heard_before_marker(root) == []


@pytest.mark.parametrize(
    "message",
    [
        None,
        "hello",
        "[1]",
        "{}",
        '{"present": 3}',
        '{"present": {"project": "p"}}',
        '{"present": {"project": "p", "document": 3, "session": "s"}}',
        '{"present": {"project": "p", "document": "", "session": "s"}}',
        '{"present": {"project": "p", "document": "d", "session": "' + "s" * 65 + '"}}',
        '{"present": null}' + " " * MESSAGE_MAX,
    ],
)
def test_other_client_messages_are_ignored(message: str | None) -> None:
    assert parse_location(message) == (False, None)


def test_repeated_changes_and_deletions_with_a_key_are_applied_once(shared: Corpus) -> None:
    """After a lost response, the repeated request gets the first response, in spite of If-Match and of deleted rows."""
    made = shared.annotate("d1", "person", 0, 10)
    path = f"/annotations/{made['identifier']}"
    headers = {"Idempotency-Key": "change-1", "If-Match": '"1"'}
    first = shared.patch(path, json={"status": "KO"}, headers=headers)
    assert shared.patch(path, json={"status": "KO"}, headers=headers) == first
    assert shared.get("/documents/d1")["annotations"][0]["version"] == first["version"] == 2
    headers = {"Idempotency-Key": "remove-1", "If-Match": '"2"'}
    assert shared.delete(path, headers=headers) == shared.delete(path, headers=headers)
    assert shared.delete(path, 404)["message"]
    headers = {"Idempotency-Key": "restore-1"}
    restored = shared.post(f"{path}/_restore", headers=headers)
    assert shared.post(f"{path}/_restore", headers=headers) == restored
    assert [one["version"] for one in shared.get("/documents/d1")["annotations"]] == [restored["version"]]


def test_a_refused_change_can_be_repeated_with_its_key(shared: Corpus) -> None:
    """A 412 response stores nothing under the key: after resolving the conflict, the same operation is sent again with
    the new version.
    """
    made = shared.annotate("d1", "person", 0, 10)
    path = f"/annotations/{made['identifier']}"
    shared.patch(path, json={"status": "KO"})
    refused = shared.patch(path, 412, json={"labelName": "place"}, headers={"Idempotency-Key": "m", "If-Match": '"1"'})
    assert refused["details"][0]["current"]["version"] == 2
    changed = shared.patch(path, json={"labelName": "place"}, headers={"Idempotency-Key": "m", "If-Match": '"2"'})
    assert (changed["labelName"], changed["status"], changed["version"]) == ("place", "KO", 3)


def test_repeated_category_changes_with_a_key_are_applied_once(topics: Corpus) -> None:
    topics.add(document("d1", "Anna Smith lives in Paris."))
    topics.post("/labels", json={"label": "person"})
    made = topics.post("/categories", json={"documentIdentifier": "d1", "labelName": "person", "status": None})
    path = f"/categories/{made['identifier']}"
    headers = {"Idempotency-Key": "accept", "If-Match": '"1"'}
    assert topics.patch(path, json={"status": "OK"}, headers=headers) == topics.patch(
        path, json={"status": "OK"}, headers=headers
    )
    headers = {"Idempotency-Key": "gone", "If-Match": '"2"'}
    assert topics.delete(path, headers=headers) == topics.delete(path, headers=headers)


def test_two_annotators_of_the_same_span_both_keep_their_annotation(client: Any, as_user: Any, shared: Corpus) -> None:
    wanda = join(client, as_user, shared, "wanda")
    made = {annotate(caller, shared, 0, 10)["identifier"] for caller in (wanda, shared.caller)}
    assert {one["identifier"] for one in shared.get("/documents/d1")["annotations"]} == made
    assert len(made) == 2
