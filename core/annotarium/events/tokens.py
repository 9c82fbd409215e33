"""Tokens that open a live connection: for one user, usable once, within a minute."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass

import structlog

from annotarium.access.rights import Access
from annotarium.access.tokens import make_token, read_token
from annotarium.events.bus import get_queue_server_client

log = structlog.get_logger(__name__)
AUDIENCE = "annotarium:live"
TOKEN_SECONDS = 60
_used: dict[str, float] = {}
_lock = threading.Lock()


@dataclass(frozen=True)
class LiveClaims:
    """The user of the connection, and the sign-in or API key it depends on; neither for callers with a password.

    `ends_at` is when that expires, in seconds since the Unix epoch; None = never.
    """

    user_id: int
    session_id: int | None
    key_id: int | None = None
    ends_at: int | None = None


def make_live_token(access: Access, ends_at: int | None = None) -> str:
    """A token for the caller, whose sign-in or API key expires at `ends_at` (seconds since the Unix epoch)."""
    facts = {"sid": access.session_id, "kid": access.key_id, "end": ends_at}
    return make_token(AUDIENCE, str(access.user_id), TOKEN_SECONDS, **facts)


def use_live_token(token: str) -> LiveClaims | None:
    """The claims of a token, None if it is invalid or was used before."""
    claims = read_token(AUDIENCE, token)
    if claims is None or not _is_first_use(str(claims["jti"])):
        return None
    try:
        facts = [claims.get(name) for name in ("sid", "kid", "end")]
        return LiveClaims(int(claims["sub"]), *(int(fact) if fact is not None else None for fact in facts))
    except (TypeError, ValueError):
        return None


def _is_first_use(name: str) -> bool:
    client = get_queue_server_client()
    if client is not None:
        try:
            return bool(client.set(f"annotarium:live-token:{name}", b"1", nx=True, ex=TOKEN_SECONDS + 5))
        except Exception as error:  # noqa: BLE001  # no queue server: used tokens are known here only
            log.info("token_use_not_shared", error=str(error))
    with _lock:
        now = time.monotonic()
        for old in [key for key, until in _used.items() if until < now]:
            del _used[old]
        if name in _used:
            return False
        _used[name] = now + TOKEN_SECONDS + 5
        return True
