"""Counts the requests in progress by caller and class of route, so that one caller cannot occupy all threads.

Must be used only in the event loop's thread. A caller is the user of a token signed by this server; all other requests
are counted by their address, whatever credentials they carry.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from contextlib import contextmanager
from functools import lru_cache

from starlette.requests import cookie_parser
from starlette.types import Scope

from annotarium.access.identity import API_KEY_HEADER, SESSION_COOKIE
from annotarium.access.networks import network_of_address
from annotarium.access.tokens import read_sign_in_token
from annotarium.errors import TooManyRequests
from annotarium_schemas.messages import message

Caller = tuple[str, Hashable]
_AUTHORIZATION, _COOKIE, _KEY = b"authorization", b"cookie", API_KEY_HEADER.encode()
_SESSION = SESSION_COOKIE.encode() + b"="
_SHARED_ADDRESS = 2
"""An address may have this many times the limit of a user."""


class InFlight:
    """Counters of requests in progress."""

    def __init__(self) -> None:
        self._counts: dict[tuple[str, Caller], int] = {}

    def enter(self, what: str, caller: Caller, most: int) -> tuple[str, Caller]:
        """Count one more; the returned key must be passed to `leave`.

        Raises:
            TooManyRequests: `most` requests are in progress already (twice as many for an address).
        """
        key = (what, caller)
        count = self._counts.get(key, 0)
        if count >= (most if caller[0] == "user" else most * _SHARED_ADDRESS):
            refused = TooManyRequests(
                message("limit.inFlight", "Too many of your requests are being processed at the same time"),
                fix=message("fix.inFlight", "Wait until some of them are answered, then try again"),
            )
            refused.retry_after = 1
            raise refused
        self._counts[key] = count + 1
        return key

    def leave(self, key: tuple[str, Caller]) -> None:
        """Count one less."""
        left = self._counts[key] - 1
        if left:
            self._counts[key] = left
        else:
            del self._counts[key]

    @contextmanager
    def counted(self, what: str, caller: Caller, most: int) -> Iterator[None]:
        """Count one more inside the `with` block."""
        key = self.enter(what, caller, most)
        try:
            yield
        finally:
            self.leave(key)

    def count(self) -> int:
        """The number of all requests counted now."""
        return sum(self._counts.values())


in_flight = InFlight()


def caller_of(scope: Scope) -> tuple[Caller, bool]:
    """The caller a request is counted for, and whether it carries credentials of any kind, valid or not."""
    cookie = None
    has_credentials = False
    for name, value in scope["headers"]:
        if name == _AUTHORIZATION:
            user = _user_of_bearer(value) if value[:7].lower() == b"bearer " else None
            return (("user", user) if user is not None else _by_address(scope)), bool(value)
        if name == _KEY:
            has_credentials = True
        elif name == _COOKIE and _SESSION in value:
            cookie = value
    if cookie is not None and not has_credentials:
        user = _user_of_cookie(cookie)
        if user is not None:
            return ("user", user), True
    return _by_address(scope), has_credentials or cookie is not None


def _by_address(scope: Scope) -> Caller:
    client = scope.get("client")
    return "address", network_of_address(client[0]) if client else ""


def _user_of_token(token: str) -> int | None:
    claims = read_sign_in_token(token)
    return None if claims is None else claims.user_id


def _user_of_bearer(value: bytes) -> int | None:
    return _user_of_token(value[7:].strip().decode("latin-1"))


@lru_cache(maxsize=1_024)
def _token_of_cookie(value: bytes) -> str:
    return cookie_parser(value.decode("latin-1")).get(SESSION_COOKIE, "")


def _user_of_cookie(value: bytes) -> int | None:
    return _user_of_token(_token_of_cookie(value))
