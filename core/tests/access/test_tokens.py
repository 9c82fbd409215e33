"""Tokens: one secret per installation, one algorithm, one audience per purpose (threats T18)."""

from __future__ import annotations

import base64
import json
import time
from pathlib import Path
from typing import Any

import jwt
import pytest

from annotarium.access import tokens
from annotarium.access.tokens import SIGN_IN_AUDIENCE, SignInClaims, make_sign_in_token, make_token, read_sign_in_token
from annotarium.settings import get_settings


def _claims(seconds: int = 60) -> SignInClaims:
    return SignInClaims(7, 8, 0, int(time.time()) + seconds)


def test_a_token_names_user_and_sign_in(data_folder: Path) -> None:
    token = make_sign_in_token(_claims())
    read = read_sign_in_token(token)
    assert read is not None
    assert (read.user_id, read.session_id, read.revision) == (7, 8, 0)
    body = jwt.decode(token, options={"verify_signature": False}, audience=SIGN_IN_AUDIENCE)
    assert set(body) == {"aud", "sub", "iat", "exp", "jti", "sid", "rev"}


def test_the_secret_is_created_once_and_readable_by_its_owner_only(data_folder: Path) -> None:
    first = tokens.signing_secret()
    path = data_folder / "secret.key"
    assert path.stat().st_mode & 0o777 == 0o600
    assert len(first) >= 48
    path.chmod(0o644)
    tokens._read_or_make_secret.cache_clear()
    assert tokens.signing_secret() == first
    assert path.stat().st_mode & 0o777 == 0o600


def test_each_installation_has_its_own_secret(tmp_path: Path) -> None:
    assert tokens._read_or_make_secret(str(tmp_path / "a")) != tokens._read_or_make_secret(str(tmp_path / "b"))
    assert sorted(path.name for path in (tmp_path / "a").iterdir()) == ["secret.key"]


def test_a_damaged_secret_is_refused(tmp_path: Path) -> None:
    (tmp_path / "secret.key").write_bytes(b"short")
    with pytest.raises(RuntimeError, match="damaged"):
        tokens._read_or_make_secret(str(tmp_path))


def test_forged_tokens_are_refused(data_folder: Path) -> None:
    good = make_sign_in_token(_claims())
    head, body, signature = good.split(".")
    none_head = base64.urlsafe_b64encode(json.dumps({"alg": "none", "typ": "JWT"}).encode()).rstrip(b"=").decode()
    other = json.loads(base64.urlsafe_b64decode(body + "=="))
    other["sub"] = "1"
    changed = base64.urlsafe_b64encode(json.dumps(other).encode()).rstrip(b"=").decode()
    secret = tokens.signing_secret()
    claims: dict[str, Any] = {"aud": SIGN_IN_AUDIENCE, "sub": "7", "sid": 8, "rev": 0, "iat": 1, "jti": "x"}
    forged = [
        f"{none_head}.{body}.",
        f"{none_head}.{body}.{signature}",
        f"{head}.{changed}.{signature}",
        jwt.encode(claims | {"exp": int(time.time()) + 60}, b"k" * 64, algorithm="HS256"),
        jwt.encode(claims | {"exp": int(time.time()) + 60}, secret + b"x" * 32, algorithm="HS512"),
        jwt.encode(claims, secret, algorithm="HS256"),
        make_token("another purpose", "7", 60, sid=8, rev=0),
        make_token(SIGN_IN_AUDIENCE, "7", -5, sid=8, rev=0),
        make_token(SIGN_IN_AUDIENCE, "root", 60, sid=8, rev=0),
        make_token(SIGN_IN_AUDIENCE, "7", 60),
        "",
        "a.b.c",
        good[:-2],
    ]
    assert [read_sign_in_token(token) for token in forged] == [None] * len(forged)
    assert read_sign_in_token(good) is not None


def test_session_length_follows_the_setting(data_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """C-001: minutes; 0 = no expiry."""
    assert tokens.session_seconds() == 480 * 60
    monkeypatch.setattr(get_settings(), "session_minutes", 0)
    assert tokens.session_seconds() == tokens.UNLIMITED_SECONDS
