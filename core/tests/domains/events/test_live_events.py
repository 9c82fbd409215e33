"""Live events: the token, the WebSocket, who receives what."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from starlette.websockets import WebSocketDisconnect

from annotarium.access import rights_revision
from annotarium.db.models import Project, SignInSession, User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.events import endpoints as live
from annotarium.events import hub as hub_module
from annotarium.events.hub import get_hub
from annotarium.jobs.job_creation import start_job


@pytest.fixture
def project(make_project: Any) -> Project:
    return make_project(owner="marie", readers=("paul",))  # type: ignore[no-any-return]


def login(caller: Any) -> str:
    """C-002."""
    answer = caller.get("/api/eventbus-login").json()
    assert set(answer) == {"access_token", "ttl"}
    assert answer["ttl"] == 60_000
    return str(answer["access_token"])


@contextmanager
def listening(caller: Any) -> Iterator[Any]:
    with caller.client.websocket_connect(f"/api/events?token={login(caller)}") as socket:
        yield socket


def publish(**event: Any) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        unit.emit("thing", {"type": "changed", "status": "x"}, **event)


def closed_with(socket: Any) -> int:
    try:
        while True:
            socket.receive_json()
    except WebSocketDisconnect as end:
        return end.code


def wait_for(condition: Callable[[], Any]) -> None:
    limit = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < limit
        time.sleep(0.01)


def test_events_reach_only_their_receivers(client: Any, as_user: Any, project: Project) -> None:
    """B-002: the serialised event, and who receives it."""
    marie, paul, zoe = (as_user(client, name, groups=("press",) * (name == "zoe")) for name in ("marie", "paul", "zoe"))
    with listening(marie) as to_marie, listening(paul) as to_paul, listening(zoe) as to_zoe:
        publish(project=project.name)
        publish(user="paul")
        publish(user_group="press")
        publish()
        body = {"mutation": "thing", "arg": {"type": "changed", "status": "x"}}
        about_project = body | {"project": project.name}
        to_all = body | {"global": True}
        assert [to_marie.receive_json() for _ in range(2)] == [about_project, to_all]
        assert [to_paul.receive_json() for _ in range(3)] == [about_project, body | {"user": "paul"}, to_all]
        assert [to_zoe.receive_json() for _ in range(2)] == [body | {"userGroup": "press"}, to_all]


def test_a_job_sends_an_event(client: Any, as_user: Any, project: Project) -> None:
    """T-023 starts from this event."""
    with listening(as_user(client, "paul")) as socket:
        with unit_of_work(actor="marie", write=True) as unit:
            job = start_job(
                unit,
                type="DOC_IMPORT",
                function="none",
                arguments={},
                project=unit.session.get(Project, project.id),
                created_by="marie",
                description="Import",
            )
        event = socket.receive_json()
        assert (event["project"], event["mutation"]) == (project.name, "job")
        assert event["arg"]["id"] == job.id
        assert (event["arg"]["type"], event["arg"]["status"]) == ("DOC_IMPORT", "STARTED")


def test_a_failed_transaction_sends_no_event(client: Any, as_user: Any) -> None:
    def fail() -> None:
        with unit_of_work(actor="tests", write=True) as unit:
            unit.emit("lost")
            raise ValueError

    with listening(as_user(client, "marie")) as socket:
        with pytest.raises(ValueError):
            fail()
        publish()
        assert socket.receive_json()["mutation"] == "thing"


def test_an_event_token_is_valid_for_one_connection(client: Any, as_user: Any) -> None:
    token = login(as_user(client, "marie"))
    with client.websocket_connect(f"/api/events?token={token}"):
        pass
    for wrong in (token, "", "nonsense"):
        with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/events?token={wrong}"):
            pass


def test_sign_in_tokens_and_event_tokens_are_not_interchangeable(client: Any, as_user: Any) -> None:
    marie = as_user(client, "marie")
    bearer = marie.headers["Authorization"].removeprefix("Bearer ")
    with pytest.raises(WebSocketDisconnect), client.websocket_connect(f"/api/events?token={bearer}"):
        pass
    answer = client.get("/api/eventbus-login", headers={"Authorization": f"Bearer {login(marie)}"})
    assert answer.status_code == 401
    assert client.get("/api/eventbus-login").status_code == 401


def change(username: str, what: str) -> None:
    with unit_of_work(actor="tests", write=True) as unit:
        user = unit.session.query(User).filter_by(username=username).one()
        if what == "disabled":
            user.disabled = True
        elif what == "signed out":
            for sign_in in unit.session.query(SignInSession).filter_by(user_id=user.id):
                sign_in.ended_at = 1
        else:
            user.permissions = [*user.permissions, "writeLabel"]
        rights_revision.note_rights_change(unit.session)


@pytest.mark.parametrize("what", ["disabled", "signed out", "another right"])
def test_a_permission_change_closes_the_connection(client: Any, as_user: Any, what: str) -> None:
    name = f"user-{what.replace(' ', '-')}"
    with listening(as_user(client, name)) as socket, listening(as_user(client, "marie")) as other:
        change(name, what)
        get_hub().check_rights()
        assert closed_with(socket) == hub_module.POLICY
        publish()
        assert other.receive_json()["mutation"] == "thing"


def test_no_event_is_delivered_after_a_permission_was_revoked(client: Any, as_user: Any, make_project: Any) -> None:
    project = make_project(owner="marie", readers=("rita",))
    with listening(as_user(client, "rita")) as socket:
        with unit_of_work(actor="tests", write=True) as unit:
            unit.session.execute(User.__table__.metadata.tables["user_shares"].delete())
            rights_revision.note_rights_change(unit.session)
            unit.emit("secret", project=project.name)
        assert closed_with(socket) == hub_module.POLICY


def received_events(socket: Any) -> dict[str, Any]:
    """The next visibility event; the connection is closed after it, because permissions changed."""
    event: dict[str, Any] = socket.receive_json()
    while event["mutation"] != "visibility":
        event = socket.receive_json()
    assert closed_with(socket) == hub_module.POLICY
    return event


def test_users_gaining_or_losing_a_project_are_notified(client: Any, as_user: Any, make_project: Any) -> None:
    """T-007: the event states whether the project is visible now, although the connection is closed after it."""
    project = make_project(owner="marie")
    marie, nina = (as_user(client, name, groups=("desk",)) for name in ("marie", "nina"))
    shares = f"/api/projects/{project.name}/shares/users"
    for act, visible in (
        (lambda: marie.post(f"{shares}?username=nina", json={"read": True, "write": False}), True),
        (lambda: marie.post(f"{shares}?username=nina", json={"read": True, "write": True}), True),
        (lambda: marie.delete(f"{shares}/nina"), False),
    ):
        with listening(nina) as socket:
            assert act().status_code == 204
            event = received_events(socket)
        assert event["project"] == project.name
        assert event["arg"] == {"type": "changed", "name": project.name, "label": project.label, "visible": visible}


def test_connections_of_slow_readers_are_closed(client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "QUEUE_MAX", 0)
    with listening(as_user(client, "marie")) as socket:
        publish()
        assert closed_with(socket) == hub_module.TRY_AGAIN


def test_a_closed_connection_is_unregistered(client: Any, as_user: Any) -> None:
    hub = get_hub()
    wait_for(lambda: not hub._connections)
    with listening(as_user(client, "marie")):
        assert len(hub._connections) == 1
    wait_for(lambda: not hub._connections)


def test_client_messages_are_ignored(client: Any, as_user: Any) -> None:
    with listening(as_user(client, "marie")) as socket:
        socket.send_text("hello")
        publish()
        assert socket.receive_json()["mutation"] == "thing"


def test_client_messages_are_rate_limited(client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each message may be sent on to all readers of a document; unread input waits at the sender."""
    moved: list[Any] = []
    monkeypatch.setattr(hub_module.Hub, "move", lambda _hub, _connection, place: moved.append(place))
    monkeypatch.setattr(live, "MESSAGES_AT_ONCE", 5)
    monkeypatch.setattr(live, "MESSAGES_PER_SECOND", 0.001)
    with listening(as_user(client, "marie")) as socket:
        for _ in range(50):
            socket.send_json({"present": None})
        wait_for(lambda: len(moved) >= 5)
        assert all(client.get("/api/health/live").status_code == 200 for _ in range(20))
        assert len(moved) == 5
        get_hub().end_all(hub_module.RESTART)
        assert closed_with(socket) == hub_module.RESTART


def test_live_connections_per_user_are_limited(client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "CONNECTIONS_PER_USER", 2)
    marie = as_user(client, "marie")
    with listening(marie), listening(marie):
        with pytest.raises(WebSocketDisconnect) as closed, listening(marie):
            pass
        assert closed.value.code == hub_module.TRY_AGAIN
        with listening(as_user(client, "paul")):
            pass
    with listening(marie):
        pass
