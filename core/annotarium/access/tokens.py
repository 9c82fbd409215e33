"""Signed tokens: they identify the user and the sign-in and contain no rights.

One algorithm (HS256) and one secret per installation, created at the first start and stored in `<data>/secret.key`
(mode 0600). Each purpose has its own audience, so that a token for one purpose is invalid for another.
"""

from __future__ import annotations

import os
import secrets
import tempfile
import time
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import jwt

from annotarium.settings import get_settings

ALGORITHM = "HS256"
SIGN_IN_AUDIENCE = "annotarium:sign-in"
UNLIMITED_SECONDS = 10 * 365 * 86_400
"""Lifetime of a token if sessions do not expire (`session_minutes` 0, C-001)."""
_SECRET_BYTES = 48


@dataclass(frozen=True)
class SignInClaims:
    """The content of a sign-in token. `expires_at` is in seconds since the Unix epoch."""

    user_id: int
    session_id: int
    revision: int
    expires_at: int


def signing_secret() -> bytes:
    """The secret of this installation, created if it does not exist."""
    return _read_or_make_secret(str(get_settings().data))


@lru_cache(maxsize=8)
def _read_or_make_secret(folder: str) -> bytes:
    path = Path(folder) / "secret.key"
    if not path.exists():
        _make_secret(path)
    if path.stat().st_mode & 0o077:
        path.chmod(0o600)
    secret = path.read_bytes()
    if len(secret) < 32:
        raise RuntimeError(f"{path} is damaged. Remove it and restart; all users then have to sign in again")
    return secret


def _make_secret(path: Path) -> None:
    """Create the secret file atomically: of two processes that start together, the first `link` wins."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, draft = tempfile.mkstemp(dir=path.parent, prefix=".secret-")  # created with mode 0600
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(secrets.token_urlsafe(_SECRET_BYTES).encode())
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        os.unlink(draft)


def make_token(audience: str, subject: str, seconds: int, **claims: Any) -> str:
    """A signed token for one audience, valid for `seconds`."""
    now = int(time.time())
    body = {"aud": audience, "sub": subject, "iat": now, "exp": now + seconds, "jti": secrets.token_urlsafe(12)}
    return jwt.encode(claims | body, signing_secret(), algorithm=ALGORITHM)


def read_token(audience: str, token: str) -> dict[str, Any] | None:
    """The claims of a valid token for that audience, None for anything else."""
    try:
        claims: dict[str, Any] = jwt.decode(
            token,
            signing_secret(),
            algorithms=[ALGORITHM],
            audience=audience,
            options={"require": ["aud", "sub", "exp", "iat", "jti"]},
        )
    except jwt.InvalidTokenError:
        return None
    return claims


def make_sign_in_token(claims: SignInClaims) -> str:
    """The signed token for a sign-in."""
    seconds = claims.expires_at - int(time.time())
    return make_token(SIGN_IN_AUDIENCE, str(claims.user_id), seconds, sid=claims.session_id, rev=claims.revision)


def read_sign_in_token(token: str) -> SignInClaims | None:
    """The claims of a sign-in token, None if it is invalid or expired."""
    try:
        claims = _verified_sign_in_claims(signing_secret(), token)
    except (KeyError, TypeError, ValueError):
        return None
    return claims if time.time() < claims.expires_at else None


@lru_cache(maxsize=4_096)
def _verified_sign_in_claims(_secret: bytes, token: str) -> SignInClaims:
    """Check signature and content, which do not change: results are cached. Raises if invalid (not cached)."""
    claims = read_token(SIGN_IN_AUDIENCE, token)
    if claims is None:
        raise ValueError("not a valid token")
    return SignInClaims(int(claims["sub"]), int(claims["sid"]), int(claims["rev"]), int(claims["exp"]))


def session_seconds() -> int:
    """Lifetime of a sign-in in seconds."""
    minutes = get_settings().session_minutes
    return minutes * 60 if minutes > 0 else UNLIMITED_SECONDS
