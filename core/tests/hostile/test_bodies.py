"""Request bodies that would block the API: they are refused before they are read or before they are parsed."""

from __future__ import annotations

import asyncio
import gzip
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any

import orjson
import pytest
from support.asgi_requests import CHUNK_BYTES, send_request
from support.hostile_test_sizes import hostile_test_size
from support.local_server import LocalServer, eventually, read_answer, serve

from annotarium.access.request_limits import (
    ANONYMOUS,
    DOCUMENTS,
    LARGE_BODY,
    LARGE_PER_CALLER,
    PARSED_AT_ONCE,
    STANDARD,
    RequestLimits,
)
from annotarium.app import declared_routes
from annotarium.http import in_flight, requests
from annotarium.http.error_handlers import MOST_DETAILS
from annotarium.http.routing import LazyRoute
from annotarium.settings import get_settings

KINDS = ("application/json", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded", "text/plain")
LIVE = b"GET /api/health/live HTTP/1.1\r\nhost: x\r\n\r\n"


def _repeated(piece: bytes, size: int, begin: bytes = b"[", end: bytes = b"0]") -> bytes:
    return begin + piece * ((size - len(begin) - len(end)) // len(piece)) + end


# Bodies of a given size in bytes. The first ones have many values, which only counting detects.
MANY: dict[str, Callable[[int], bytes]] = {
    "empty lists": lambda size: _repeated(b"[],", size),
    "empty objects": lambda size: _repeated(b"{},", size),
    "zeros": lambda size: _repeated(b"0,", size),
    "empty texts": lambda size: _repeated(b'"",', size),
    "nested": lambda size: _repeated(b"[[[[0]]]],", size),
    "different keys": lambda size: b"{" + b",".join(b'"%x":0' % n for n in range(size // 9)) + b"}",
    "one key": lambda size: _repeated(b'"a":0,', size, b"{", b'"a":0}'),
    "quotes in texts": lambda size: _repeated(b'"\\"",0,', size),
    "backslashes in texts": lambda size: _repeated(b'"\\\\",0,', size),
    "UTF-16": lambda size: _repeated(b"[],", size // 2).decode().encode("utf-16"),
    "cut off": lambda size: _repeated(b"[],", size)[:-3],
}
FEW: dict[str, Callable[[int], bytes]] = {
    "deep": lambda size: b"[" * (size // 2) + b"]" * (size // 2),
    "one text": lambda size: b'["' + b"x" * (size - 4) + b'"]',
    "escapes": lambda size: b'["' + b"\\u00e9" * ((size - 4) // 6) + b'"]',
    "whole number": lambda size: b"[" + b"9" * (size - 2) + b"]",
    "fraction": lambda size: b"[0." + b"9" * (size - 4) + b"]",
    "long keys": lambda size: b'{"' + b"k" * (size - 6) + b'":0}',
    "commas in a text": lambda size: b'["' + b"," * (size - 4) + b'"]',
}


@pytest.fixture(scope="module")
def routes(app: Any, client: Any) -> dict[str, Any]:
    """Return paths of each class of limits that a signed-in user may call, and the rule."""
    return {f"{method} {path}": rule for method, path, rule in declared_routes(app)}


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Collect the number of values and keys of each parsed body."""
    counts: list[int] = []
    loads = orjson.loads

    def counting(content: bytes) -> Any:
        value = loads(content)
        counts.append(_count(value))
        return value

    monkeypatch.setattr(requests.orjson, "loads", counting)
    return counts


def _count(value: Any) -> int:
    total, waiting = 0, [value]
    while waiting:
        one = waiting.pop()
        total += 1
        if isinstance(one, dict):
            total += len(one)
            waiting.extend(one.values())
        elif isinstance(one, list):
            waiting.extend(one)
    return total


@pytest.fixture
def marie(client: Any, as_user: Any, make_project: Any) -> Any:
    make_project("bodies", owner="marie") if not _there else None
    _there.append(True)
    return as_user(client, "marie", "Reader", "createProject", "writeLabel")


_there: list[bool] = []
PLACES: dict[str, tuple[str, RequestLimits]] = {
    "sign-in": ("/api/auth/login", ANONYMOUS),
    "brief": ("/api/projects/bodies/annotations", STANDARD),
    "standard": ("/api/projects/bodies/labels", STANDARD),
    "documents": ("/api/annotate/_annotate_documents", DOCUMENTS),
}


def test_bodies_of_anonymous_callers_are_not_read(app: Any, client: Any) -> None:
    """Every route that requires an account: refused before the first byte, whatever length and type the request
    announces.
    """
    asked = 0
    for method, path, rule in declared_routes(app):
        if method in ("GET", "HEAD", "SOCKET") or rule is None or rule.anonymous:
            continue
        place = path.replace("{", "").replace("}", "").replace(":path", "")
        for announced in (-1, None, 10**12):
            sent = send_request(app, method, place, b"[]" * 1_000, kind=KINDS[asked % len(KINDS)], announced=announced)
            assert (sent.status, sent.read) == (401, 0), f"{method} {path}"
            asked += 1
    assert asked > 300


def test_long_bodies_of_callers_without_permission_are_not_read(
    app: Any, client: Any, as_user: Any, make_project: Any
) -> None:
    make_project("others", owner="root")
    paul = as_user(client, "paul")
    asked = 0
    for method, path, rule in declared_routes(app):
        if method in ("GET", "HEAD", "SOCKET") or rule is None or not (rule.permissions or rule.project):
            continue
        if rule.permissions and rule.permissions[0].endswith(":") and rule.any_of:
            continue
        place = path.replace("{project_name}", "others").replace("{", "").replace("}", "").replace(":path", "")
        for announced in (-1, None):
            sent = send_request(app, method, place, b" " * 70_000, headers=paul.headers, announced=announced)
            assert (sent.status in (403, 404), sent.read) == (True, 0), f"{method} {path}: {sent.status}"
            asked += 1
    assert asked > 150


@pytest.mark.parametrize("place", PLACES)
def test_a_long_body_is_refused_by_its_length(app: Any, marie: Any, place: str) -> None:
    """Announced: nothing of it is read. Chunked: no more than the limit and the chunk in which it was reached."""
    path, limits = PLACES[place]
    headers = {} if limits is ANONYMOUS else marie.headers
    assert limits.body_bytes is not None
    sent = send_request(app, "POST", path, b"", headers=headers, announced=limits.body_bytes + 1)
    assert (sent.status, sent.read) == (413, 0)
    for kind in KINDS:
        body = b" " * (limits.body_bytes + 10 * CHUNK_BYTES)
        sent = send_request(app, "POST", path, body, headers=headers, kind=kind, announced=None)
        assert sent.status == 413, kind
        assert sent.read <= limits.body_bytes + CHUNK_BYTES
    assert requests.body_memory.held == 0


@pytest.mark.parametrize("shape", MANY)
@pytest.mark.parametrize("place", PLACES)
def test_many_values_are_counted_before_they_are_parsed(
    app: Any, marie: Any, parsed: list[int], place: str, shape: str
) -> None:
    path, limits = PLACES[place]
    headers = {} if limits is ANONYMOUS else marie.headers
    assert limits.body_bytes is not None
    size = min(limits.body_bytes, hostile_test_size(1_500_000, limits.body_bytes))
    sent = send_request(app, "POST", path, MANY[shape](size), headers=headers)
    assert sent.status in (400, 413), sent.body[:300]
    assert all(count <= limits.body_values + 1 for count in parsed)
    assert len(sent.body) < 100_000
    assert requests.body_memory.held == 0


@pytest.mark.parametrize("shape", FEW)
@pytest.mark.parametrize("place", PLACES)
def test_long_and_deep_values_are_refused_with_a_message(app: Any, marie: Any, place: str, shape: str) -> None:
    path, limits = PLACES[place]
    headers = {} if limits is ANONYMOUS else marie.headers
    assert limits.body_bytes is not None
    size = min(limits.body_bytes, hostile_test_size(400_000, limits.body_bytes))
    sent = send_request(app, "POST", path, FEW[shape](size), headers=headers)
    assert sent.status in (400, 413), sent.body[:300]
    assert {"code", "message", "cause"} <= set(sent.json())
    assert len(sent.body) < 100_000


def test_punctuation_within_texts_does_not_count_as_values(app: Any, client: Any, marie: Any) -> None:
    """A text full of JSON punctuation is not refused for its number of values."""
    text = '1,2:[3]{4}, \\ " ' * 10_000
    sent = send_request(
        app, "POST", "/api/projects/bodies/labels", orjson.dumps({"name": "l", "label": text}), headers=marie.headers
    )
    assert sent.status == 400
    assert "values" not in sent.json()["message"]
    sent = send_request(
        app,
        "POST",
        "/api/projects/bodies/labels",
        orjson.dumps({"name": "fine", "label": "Fine"}),
        headers=marie.headers,
    )
    assert sent.status == 200, sent.body


@pytest.mark.parametrize("count", [500, 5_000, 40_000])
def test_very_many_errors_are_summarised(app: Any, marie: Any, count: int) -> None:
    """Listing all errors of a body takes far longer than parsing it."""
    body = (
        b'{"pipeline": [], "documents": ['
        + b"{}," * (count // 2)
        + b'{"text": 5}'
        + b',{"text": 5}' * (count // 8)
        + b"]}"
    )
    sent = send_request(app, "POST", "/api/annotate/_annotate_documents", body, headers=marie.headers)
    assert sent.status == 400
    assert len(sent.json().get("details", [])) <= MOST_DETAILS
    assert len(sent.body) < 100_000
    lists = b"[" + b"{}," * count + b"{}]"
    sent = send_request(app, "POST", "/api/projects/bodies/documents/_load", lists, headers=marie.headers)
    assert sent.status == 400
    assert 0 < len(sent.json()["details"]) <= MOST_DETAILS
    assert sent.json()["details"][0]["field"] == "0.id"


def test_a_compressed_body_is_not_decompressed(app: Any, parsed: list[int]) -> None:
    packed = gzip.compress(b"[" + b"[]," * 1_000_000 + b"0]")
    sent = send_request(app, "POST", "/api/auth/login", packed, headers={"content-encoding": "gzip"})
    assert (sent.status, parsed) == (400, [])


def test_the_parts_of_a_form_are_bounded(app: Any, client: Any, as_user: Any) -> None:
    """Unexpected parts, and headers of a part."""
    zoe = as_user(client, "zoe", "importDocuments")
    kind = "multipart/form-data; boundary=x"
    part = b'--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n\r\n'
    for form in (part * 2_001, b"--x\r\n" + b"a: b\r\n" * 50 + b"\r\n\r\n--x--\r\n", b"--x\r\na: " + b"b" * 50_000):
        sent = send_request(app, "POST", "/api/uploads", form, kind=kind, headers=zoe.headers)
        assert sent.status == 400, sent.body


def test_query_parameters_are_bounded(app: Any, client: Any) -> None:
    sent = send_request(app, "GET", "/api/ui-config?" + "&".join(["a=1"] * 4_001))
    assert sent.status == 400
    assert send_request(app, "GET", "/api/ui-config?" + "&".join(["a=1"] * 3_000)).status == 200


# -- requests in progress -------------------------------------------------------------------------------------------


@pytest.fixture
def server(app: Any, client: Any) -> Iterator[LocalServer]:
    eventually(lambda: in_flight.in_flight.count() == 0, "requests of another test")
    with serve(app) as one:
        yield one


def _half(path: str, length: int, token: str = "", sent: bytes = b"[") -> bytes:
    authorization = f"authorization: {token}\r\n" if token else ""
    kind = "content-type: application/json\r\n"
    head = f"POST {path} HTTP/1.1\r\nhost: x\r\n{kind}{authorization}content-length: {length}\r\n\r\n"
    return head.encode() + sent


def test_others_are_answered_while_large_bodies_are_parsed(
    server: LocalServer, marie: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Counted, not timed: with the maximum number of bodies in the parser, and more waiting, the loop keeps
    answering.
    """
    inside, go_on = [], threading.Event()
    read = requests._parse_and_count_values

    def slow(content: bytes, most: int) -> Any:
        if len(content) > LARGE_BODY:
            inside.append(threading.current_thread())
            assert go_on.wait(60)
        return read(content, most)

    monkeypatch.setattr(requests, "_parse_and_count_values", slow)
    token = marie.headers["Authorization"]
    body = b"[" + b"0," * (LARGE_BODY // 2) + b"0]"
    with ExitStack() as stack:
        sent = [stack.enter_context(server.connect()) for _ in range(LARGE_PER_CALLER)]
        for one in sent:
            one.sendall(_half("/api/annotate/_annotate_documents", len(body), token, body))
        eventually(lambda: len(inside) == PARSED_AT_ONCE, "nobody parses")
        for _ in range(50):
            assert server.answer(LIVE).startswith(b"HTTP/1.1 200")
        assert len(inside) == PARSED_AT_ONCE
        with server.connect() as fifth:
            fifth.sendall(_half("/api/annotate/_annotate_documents", len(body), token, body))
            answer = read_answer(fifth)
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"\r\nretry-after: 1\r\n" in answer.lower()
        go_on.set()
        for one in sent:
            assert read_answer(one).startswith(b"HTTP/1.1 400")
    eventually(lambda: in_flight.in_flight.count() == 0, "something is still counted")
    assert requests.body_memory.held == 0


def test_requests_in_progress_of_one_address_are_bounded(server: LocalServer, marie: Any) -> None:
    """Incomplete sign-ins from one address up to its limit: the next one gets 429; probes and signed-in users are
    served.
    """
    most = 2 * ANONYMOUS.at_once
    with ExitStack() as stack:
        held = [stack.enter_context(server.connect()) for _ in range(most)]
        for one in held:
            one.sendall(_half("/api/auth/login", 1_000))
        eventually(lambda: in_flight.in_flight.count() == most, "they are not all there")
        answer = server.answer(_half("/api/auth/login", 2, sent=b"{}"))
        assert answer.startswith(b"HTTP/1.1 429")
        assert b"\r\nretry-after: 1\r\n" in answer.lower()
        assert server.answer(LIVE).startswith(b"HTTP/1.1 200")
        token = marie.headers["Authorization"]
        mine = f"GET /api/current_user HTTP/1.1\r\nhost: x\r\nauthorization: {token}\r\n\r\n".encode()
        assert server.answer(mine).startswith(b"HTTP/1.1 200")
    eventually(lambda: in_flight.in_flight.count() == 0, "something is still counted")
    assert server.answer(_half("/api/auth/login", 2, sent=b"{}")).startswith(b"HTTP/1.1 400")


def test_requests_in_progress_of_one_user_are_bounded(
    server: LocalServer, client: Any, marie: Any, as_user: Any
) -> None:
    """Only a token with a valid signature identifies a user: requests with others are counted by their address."""
    token = marie.headers["Authorization"]
    with ExitStack() as stack:
        held = [stack.enter_context(server.connect()) for _ in range(STANDARD.at_once)]
        for one in held:
            one.sendall(_half("/api/projects/bodies/labels", 1_000, token))
        eventually(lambda: in_flight.in_flight.count() == STANDARD.at_once, "they are not all there")
        again = _half("/api/projects/bodies/labels", 2, token, b"{}")
        assert server.answer(again).startswith(b"HTTP/1.1 429")
        paul = as_user(client, "paul").headers["Authorization"]
        assert not server.answer(_half("/api/projects/bodies/labels", 2, paul, b"{}")).startswith(b"HTTP/1.1 429")
    eventually(lambda: in_flight.in_flight.count() == 0, "something is still counted")
    scope = {"headers": [(b"authorization", b"Bearer made-up")], "client": ("203.0.113.7", 1)}
    assert in_flight.caller_of(scope) == (("address", "203.0.113.7"), True)


def test_memory_for_bodies_is_bounded(app: Any, marie: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(requests, "LARGE_IN_ALL", 1_000_000)
    sent = send_request(app, "POST", "/api/annotate/_annotate_documents", b" " * 3_000_000, headers=marie.headers)
    assert sent.status == 503
    assert sent.read <= 1_000_000 + CHUNK_BYTES
    assert requests.body_memory.held == 0


def test_every_route_belongs_to_a_class_of_limits(app: Any) -> None:
    ceiling = get_settings().body_limit
    for route in app.routes:
        if isinstance(route, LazyRoute):
            limit = requests.body_limit(route.rule.limits)
            assert limit is None or limit <= ceiling
            assert route.rule.limits.at_once > 0


def test_counts_are_released_when_a_client_disconnects(app: Any, client: Any, marie: Any) -> None:
    """An interrupted body and a failing endpoint leave no counts behind."""

    async def broken() -> None:
        begun = asyncio.Event()

        async def receive() -> dict[str, Any]:
            if not begun.is_set():
                begun.set()
                return {"type": "http.request", "body": b" " * (LARGE_BODY + 1), "more_body": True}
            return {"type": "http.disconnect"}

        async def answer(message: Any) -> None:
            pass

        headers = [(b"content-type", b"application/json"), (b"content-length", b"300000")]
        headers.append((b"authorization", marie.headers["Authorization"].encode()))
        scope = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "scheme": "http"}
        path = "/api/annotate/_annotate_documents"
        scope |= {"path": path, "raw_path": path.encode(), "root_path": "", "query_string": b"", "headers": headers}
        scope |= {"client": ("203.0.113.7", 1), "server": ("x", 80), "state": {}}
        await app(scope, receive, answer)

    asyncio.run(broken())
    assert in_flight.in_flight.count() == 0
    assert requests.body_memory.held == 0
