"""Two API processes behind one address behave as one: what one acknowledged is immediately visible in the other.

Real processes over real connections; `windows()` gives one connection to each.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import orjson
import pytest
from support.api_processes import PASSWORD, BrowserTab, ConcurrentAnnotators, ServeProcess, annotation_body, wait_for
from websockets.sync.client import ClientConnection, connect

TEXT = "word " * 400
LABELS = 5
DOCUMENTS = 8


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServeProcess]:
    server = ServeProcess(tmp_path_factory.mktemp("served"))
    yield server
    server.stop()


@pytest.fixture(scope="module")
def path(server: ServeProcess) -> str:
    return server.make_project("together", DOCUMENTS, TEXT, LABELS)


class Model:
    """The expected state: spans by identifier, and the documents that are left."""

    def __init__(self, documents: int) -> None:
        self.spans: dict[str, tuple[str, str, int]] = {}
        self.documents = {f"d{number}" for number in range(documents)}
        self.tried = 0

    def documents_with(self, label: str) -> int:
        return len({document for document, one, _ in self.spans.values() if one == label})


def change(window: BrowserTab, path: str, model: Model, chance: random.Random) -> None:
    """Make a random change as users do; it has to be acknowledged."""
    act = chance.random()
    if model.spans and act < 0.25:
        identifier = chance.choice(sorted(model.spans))
        window.call("DELETE", f"{path}/annotations/{identifier}")
        del model.spans[identifier]
    elif act > 0.97 and len(model.documents) > 3:
        gone = chance.choice(sorted(model.documents))
        window.call("DELETE", f"{path}/documents/{gone}")
        model.documents.discard(gone)
        model.spans = {key: one for key, one in model.spans.items() if one[0] != gone}
    else:
        model.tried += 1
        document, label = chance.choice(sorted(model.documents)), f"l{chance.randrange(LABELS)}"
        start = (model.tried % 400) * 5
        made = window.call("POST", f"{path}/annotations", annotation_body(document, label, start))
        model.spans[made["identifier"]] = (document, label, start)


def check(window: BrowserTab, path: str, model: Model, chance: random.Random) -> None:
    """Compare search, count and list with the model."""
    label = f"l{chance.randrange(LABELS)}"
    found = window.call("POST", f"{path}/documents/_search?size=0&selectedFacets=label:{label}")
    assert found["total"]["value"] == model.documents_with(label), label
    assert window.call("POST", f"{path}/documents/_search?size=0")["total"]["value"] == len(model.documents)
    document = chance.choice(sorted(model.documents))
    listed = window.call("GET", f"{path}/documents/{document}")["annotations"]
    mine = {(one[1], one[2]) for one in model.spans.values() if one[0] == document}
    assert {(one["labelName"], one["start"]) for one in listed} == mine


def test_connections_are_spread_over_both_processes(server: ServeProcess) -> None:
    """Ten connections opened at the same time, and ten opened one after the other."""
    with server.windows() as both:
        for one in both:
            one.call("GET", "/projects")
    for pause in (0.0, 0.03):
        windows = [BrowserTab(server.address, server.token) for _ in range(10)]
        threads = [threading.Thread(target=one.refusal, args=("GET", "/auth/login")) for one in windows]
        for thread in threads:
            thread.start()
            time.sleep(pause)
        for thread in threads:
            thread.join()
        shares = Counter(server.process_of(one) for one in windows)
        assert len(shares) == 2, shares
        assert min(shares.values()) >= 3, shares
        for one in windows:
            one.close()
        time.sleep(0.3)


def test_acknowledged_changes_are_visible_in_the_other_process(server: ServeProcess) -> None:
    """A long random walk: a change through one process; search, count and list through the other."""
    path = server.make_project("walked", DOCUMENTS, TEXT, LABELS)
    seed = random.randrange(10**6)
    chance, model = random.Random(seed), Model(DOCUMENTS)
    with server.windows() as windows:
        for step in range(250):
            writer = chance.randrange(2)
            for _ in range(chance.randint(1, 3)):
                change(windows[writer], path, model, chance)
            try:
                check(windows[1 - writer], path, model, chance)
            except AssertionError as error:
                raise AssertionError(f"seed {seed}, step {step}: {error}") from error


def test_a_search_does_not_apply_outbox_rows_again(server: ServeProcess, path: str) -> None:
    """The process that applied an outbox row notifies the others, long before the row is deleted."""
    noted = list((server.folder / "data" / "index").glob("*.applied"))
    assert noted
    with server.windows() as (first, second):
        first.call("POST", f"{path}/annotations", annotation_body("d0", "l0", 1_000) | {"start": 1_001, "text": "ord"})
        before = noted[0].stat().st_size
        second.call("POST", f"{path}/documents/_search?size=0")
        once = noted[0].stat().st_size
        for window in (first, second, first):
            window.call("POST", f"{path}/documents/_search?size=0")
        time.sleep(0.5)
        assert before <= once == noted[0].stat().st_size


def test_a_sign_out_applies_to_all_processes(server: ServeProcess) -> None:
    token = server.sign_in("admin")
    with server.windows(token, token) as (first, second):
        assert [first.refusal("GET", "/projects"), second.refusal("GET", "/projects")] == [0, 0]
        first.call("POST", "/auth/logout")
        assert [second.refusal("GET", "/projects"), first.refusal("GET", "/projects")] == [401, 401]


def test_a_revoked_right_is_revoked_in_all_processes(server: ServeProcess, path: str) -> None:
    server.call("POST", "/users", {"username": "reader", "password": PASSWORD, "roles": ["Annotator"]})
    share = f"{path}/shares/users"
    with server.windows(server.token, server.sign_in("reader")) as (admin, reader):
        assert reader.refusal("GET", f"{path}/labels") == 404
        admin.call("POST", f"{share}?username=reader", {"read": True, "write": False})
        assert reader.refusal("GET", f"{path}/labels") == 0
        admin.call("DELETE", f"{share}/reader")
        assert reader.refusal("GET", f"{path}/labels") == 404
        admin.call("PATCH", "/users/reader", {"disabled": True})
        assert reader.refusal("GET", "/projects") == 401


def test_wrong_passwords_are_counted_over_all_processes(server: ServeProcess) -> None:
    """Eight wrong passwords, spread over both processes: then neither accepts another attempt for some seconds, not
    even the right password.
    """
    server.call("POST", "/users", {"username": "guessed", "password": PASSWORD, "roles": ["Annotator"]})
    wrong = {"email": "guessed", "password": "not it at all"}
    with server.windows("", "") as windows:
        said = []
        while said.count(401) < 8:  # five immediately, then after 1, 2 and 4 seconds
            said.append(windows[len(said) % 2].refusal("POST", "/auth/login", wrong))
            if said[-1] == 429:
                time.sleep(0.1)
        assert said[:6] == [401] * 5 + [429]
        assert [one.refusal("POST", "/auth/login", wrong | {"password": PASSWORD}) for one in windows] == [429, 429]


def test_concurrent_calls_with_one_idempotency_key_run_once(server: ServeProcess, path: str) -> None:
    """The same `Idempotency-Key` reaches both processes at the same time."""
    answers: list[Any] = []

    def create(window: BrowserTab, name: str, key: dict[str, str]) -> None:
        answers.append(window.call("POST", f"{path}/labels", {"name": name, "label": name.title()}, **key))

    with server.windows() as windows:
        for number in range(10):
            threads = [
                threading.Thread(target=create, args=(one, f"twice{number}", {"idempotency-key": f"twice-{number}"}))
                for one in windows
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        names = [one["name"] for one in windows[0].call("GET", f"{path}/labels")]
    assert len(answers) == 20
    assert sorted(name for name in names if name.startswith("twice")) == [f"twice{number}" for number in range(10)]


def open_live(server: ServeProcess) -> ClientConnection:
    token = server.call("GET", "/eventbus-login")["access_token"]
    return connect(f"{server.address.replace('http', 'ws')}/api/events?token={token}")


def next_matching_event(live: ClientConnection, wanted: Any, seconds: float = 60) -> dict[str, Any]:
    """Return the next event for which `wanted` is true."""
    limit = time.monotonic() + seconds
    while True:
        event: dict[str, Any] = orjson.loads(live.recv(timeout=max(0.01, limit - time.monotonic())))
        if wanted(event):
            return event


def live_process(server: ServeProcess, live: ClientConnection) -> int:
    port = live.socket.getsockname()[1]
    for process in server.serving():
        if any(one.raddr and one.raddr.port == port for one in process.net_connections(kind="tcp")):
            return process.pid
    return 0


def test_users_in_one_document_see_each_other_across_processes(server: ServeProcess, path: str) -> None:
    """Users who join, are present and leave; and an operation of one is sent to the other."""
    opened: list[ClientConnection] = []
    while len({live_process(server, one) for one in opened}) < 2:
        assert len(opened) < 40, "one process takes all live connections"
        opened.append(open_live(server))
    first = opened[0]
    second = next(one for one in opened if live_process(server, one) != live_process(server, first))

    def be(live: ClientConnection, session: str | None) -> None:
        place = session and {"project": "together", "document": "d0", "session": session}
        live.send(orjson.dumps({"present": place}).decode())

    def present(session: str, kind: str) -> Any:
        return lambda event: (
            event["mutation"] == "presence" and (event["arg"]["session"], event["arg"]["type"]) == (session, kind)
        )

    be(first, "one")
    next_matching_event(first, present("one", "here"))
    be(second, "two")
    next_matching_event(first, present("two", "here"))
    next_matching_event(second, present("one", "here"))
    server.call("POST", f"{path}/labels", {"name": "heard", "label": "Heard"})
    for live in (first, second):
        next_matching_event(live, lambda event: event["mutation"].startswith("label"))
    be(second, None)
    next_matching_event(first, present("two", "gone"))
    for one in opened:
        one.close()


def test_one_process_has_the_leader_lock(server: ServeProcess) -> None:
    """One of them has the leader lock; when it dies, the other takes it over."""
    lock = str(server.folder / "data" / "run" / "housekeeping.lock")

    def holders() -> list[int]:
        return [one.pid for one in server.serving() if any(file.path == lock for file in one.open_files())]

    wait_for(lambda: len(holders()) == 1)
    before = holders()[0]
    next(one for one in server.serving() if one.pid == before).kill()
    wait_for(lambda: len(server.serving()) == 2 and len(holders()) == 1 and holders() != [before])


def test_identifiers_of_the_processes_differ(server: ServeProcess) -> None:
    """The identifiers of each process contain its own number: the byte of the file that it has locked."""
    with server.windows() as windows:
        made = [one.call("POST", "/projects", {"name": f"n{n}", "label": f"n{n}"}) for n, one in enumerate(windows)]
    assert len(made) == 2
    with closing(sqlite3.connect(server.folder / "data" / "annotarium.sqlite")) as record:
        rows = record.execute("SELECT id FROM projects WHERE name IN ('n0', 'n1')").fetchall()
    assert len({(one >> 12) & 1023 for (one,) in rows}) == 2


def test_a_killed_process_loses_no_acknowledged_write(server: ServeProcess) -> None:
    """During many writes: what it acknowledged is stored, the other process continues, and a new one starts
    immediately.
    """
    path = server.make_project("storm", DOCUMENTS, TEXT, 1)
    with ConcurrentAnnotators(server, path, 4, DOCUMENTS) as storm:
        wait_for(lambda: storm.count_since(0) > 40)
        victim = server.serving()[0]
        victim.kill()
        killed_at = time.monotonic()
        wait_for(lambda: storm.count_since(killed_at) > 40)
        wait_for(lambda: len(server.serving()) == 2)
    storm.check()
    assert victim.pid not in {one.pid for one in server.serving()}
    with server.windows() as windows:
        for window in windows:
            assert window.refusal("GET", "/projects") == 0


def test_the_forking_process_is_restarted_and_a_stop_ends_all(tmp_path: Path) -> None:
    """If it is killed, the API is briefly down; clients wait for the next one. An orderly stop leaves no process."""
    server = ServeProcess(tmp_path, workers=0)
    before = server.serving()
    server.preparing().kill()
    wait_for(lambda: not any(one.is_running() for one in before))
    assert server.call("GET", "/projects") == []
    wait_for(lambda: len(server.serving()) == 2)
    after = server.serving()
    assert server.stop() == 0
    wait_for(lambda: not any(one.is_running() for one in after))
    assert "Traceback" not in server.log.read_text()


def test_a_process_that_cannot_start_is_reported(tmp_path: Path) -> None:
    """A database that cannot be opened: the supervisor reports the cause and ends."""
    (tmp_path / "data" / "annotarium.sqlite").mkdir(parents=True)
    with pytest.raises(AssertionError, match="The API did not start"):
        ServeProcess(tmp_path, workers=0)
