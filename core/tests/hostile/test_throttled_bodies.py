"""Bodies of callers over their rate limit: refused before they are read."""

from __future__ import annotations

from typing import Any

import pytest
from support.asgi_requests import CHUNK_BYTES, send_request
from support.hostile_test_sizes import hostile_test_size

from annotarium.access.request_limits import READ_UNASKED
from annotarium.access.throttle import throttle
from annotarium.settings import get_settings

FEW = 2


@pytest.mark.parametrize("announced", [-1, None])
def test_the_body_of_a_throttled_call_is_not_read(
    app: Any, client: Any, as_user: Any, make_project: Any, monkeypatch: pytest.MonkeyPatch, announced: int | None
) -> None:
    """P-022: megabytes of documents of a throttled caller cost nothing, whether their length is announced or not."""
    throttle.forget_all()
    monkeypatch.setattr(get_settings(), "annotate_calls_per_minute", FEW)
    project = make_project(readers=("big",))
    big = as_user(client, "big")
    path = f"/api/annotate/projects/{project.name}/annotators/any/_annotate_documents"
    body = b"[" + b" " * hostile_test_size(4 * READ_UNASKED, 64 * READ_UNASKED) + b"]"
    headers = big.headers
    for _ in range(FEW):
        assert send_request(app, "POST", path, b'[{"text": "x"}]', headers=headers).status == 404
    sent = send_request(app, "POST", path, body, headers=headers, announced=announced)
    assert (sent.status, sent.json()["error"]) == (429, "too_many_requests")
    assert sent.read <= (0 if announced else CHUNK_BYTES)
