"""P-022: annotating without storing is limited per minute, except for users with the permission for production use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from limits.errors import StorageError

from annotarium.access.rights import Access
from annotarium.access.throttle import CallRateLimiter, throttle
from annotarium.app import declared_routes
from annotarium.errors import TooManyRequests
from annotarium.settings import get_settings

FEW = 3


@pytest.fixture(autouse=True)
def low_rate_limit(data_folder: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    throttle.forget_all()
    monkeypatch.setattr(get_settings(), "annotate_calls_per_minute", FEW)
    yield
    throttle.forget_all()


def access(user_id: int, *permissions: str) -> Access:
    return Access(user_id=user_id, username=f"u{user_id}", permissions=frozenset(permissions))


def test_every_operation_that_annotates_without_storing_is_throttled(app: Any) -> None:
    """P-022: the family of `/annotate`, and the same operations under `/projects`, which would otherwise bypass the
    limit.
    """
    found = {
        path
        for _, path, rule in declared_routes(app)
        if rule is not None and rule.unthrottled_permission == "useProduction"
    }
    assert {path for _, path, _ in declared_routes(app) if path.startswith("/api/annotate/")} <= found
    beside = {path.removeprefix("/api/projects/{project_name}/") for path in found if "/api/annotate/" not in path}
    assert beside == {
        "_annotate",
        "annotators/{annotator_name}/_annotate",
        "annotators/{annotator_name}/_annotate_documents",
        "plans/{plan_name}/_annotate_binary",
        "plans/{plan_name}/_annotate_format_binary",
        "plans/{plan_name}/_annotate_format_documents",
        "plans/{plan_name}/_annotate_format_text",
        "plans/_try",
    }


def test_calls_over_the_limit_are_refused_with_the_time_to_wait(client: Any, as_user: Any, make_project: Any) -> None:
    """P-022: 429 with `Retry-After` and a fix in the message; users with `useProduction` and other users are not
    affected.
    """
    project = make_project(readers=("ann", "bob", "pro"))
    path = f"/api/annotate/projects/{project.name}/_annotate"
    ann, bob, pro = as_user(client, "ann"), as_user(client, "bob"), as_user(client, "pro", "useProduction")
    body = {"content": b"Marie slept.", "headers": {"Content-Type": "text/plain"}}
    for _ in range(FEW):
        assert ann.post(path, **body).status_code == 404, "there is no annotator: the call itself went through"
    refused = ann.post(path, **body)
    assert refused.status_code == 429
    assert 1 <= int(refused.headers["retry-after"]) <= 60
    told = refused.json()
    assert (told["code"], told["error"]) == (429, "too_many_requests")
    assert "3 annotation requests per minute" in told["message"]
    assert "useProduction" in told["fix"] and refused.headers["retry-after"] in told["fix"]
    other = f"/api/projects/{project.name}/annotators/any/_annotate"
    assert ann.post(other, **body).status_code == 429, "one count for all of the family"
    assert bob.post(path, **body).status_code == 404
    assert [pro.post(path, **body).status_code for _ in range(FEW * 3)] == [404] * FEW * 3
    assert ann.get(f"/api/projects/{project.name}/annotators_by_type").status_code == 200


def test_a_token_without_the_permission_is_throttled(client: Any, as_user: Any, make_project: Any) -> None:
    """P-022: a token without the permission is throttled although its user is not."""
    project = make_project(readers=("pro2",))
    path, body = f"/api/projects/{project.name}/_annotate", {"content": b"x"}
    pro = as_user(client, "pro2", "useProduction")
    bare = client.post(
        "/api/auth/login",
        params={"noPermissions": True},
        json={"email": "pro2", "password": "correct horse battery"},
    ).json()["access_token"]
    header = {"Authorization": f"Bearer {bare}"}
    assert [client.post(path, headers=header, **body).status_code for _ in range(FEW)] == [404] * FEW
    assert client.post(path, headers=header, **body).status_code == 429
    assert pro.post(path, **body).status_code == 404


def test_checking_the_limit_does_not_count() -> None:
    counting = CallRateLimiter()
    for _ in range(FEW * 2):
        counting.check(access(1), "useProduction")
    for _ in range(FEW):
        counting.take(access(1), "useProduction")
    with pytest.raises(TooManyRequests):
        counting.check(access(1), "useProduction")
    with pytest.raises(TooManyRequests):
        counting.take(access(1), "useProduction")
    counting.take(access(2), "useProduction")
    counting.take(access(1, "useProduction"), "useProduction")


def test_the_setting_zero_disables_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(get_settings(), "annotate_calls_per_minute", 0)
    counting = CallRateLimiter()
    for _ in range(FEW * 5):
        counting.take(access(1), "useProduction")


def test_processes_share_the_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two processes share the count of the queue server; when it is down, each continues with its own count."""
    from limits.storage import MemoryStorage

    shared = MemoryStorage()
    monkeypatch.setattr(get_settings(), "redis_url", "redis://queue.invalid:1")
    monkeypatch.setattr("annotarium.access.throttle._storage_at", lambda url: shared)
    first, second = CallRateLimiter(), CallRateLimiter()
    first.take(access(1), "useProduction")
    for _ in range(FEW - 1):
        second.take(access(1), "useProduction")
    for one in (first, second):
        with pytest.raises(TooManyRequests) as refused:
            one.take(access(1), "useProduction")
        assert refused.value.retry_after is not None and 1 <= refused.value.retry_after <= 60

    def away(*_: object, **__: object) -> bool:
        raise StorageError(ConnectionError("away"))

    monkeypatch.setattr(shared, "acquire_entry", away)
    for _ in range(FEW - 1):
        first.take(access(1), "useProduction")
    with pytest.raises(TooManyRequests):
        first.take(access(1), "useProduction")
