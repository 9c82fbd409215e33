"""Who calls: cookie, bearer token, basic credentials or API key of a request."""

from __future__ import annotations

from fastapi import Request

from annotarium.access.rights import Access


def identify(request: Request) -> Access | None:
    """The caller's rights, None when the request carries no valid credentials."""
    raise NotImplementedError
