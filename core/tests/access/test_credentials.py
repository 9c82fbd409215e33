"""Passwords: policy, equal time for unknown users, slowing down those who guess (threats G16)."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotarium.access import credentials
from annotarium.access.credentials import SignInLimiter, check_sign_in, hash_password, password_is_right
from annotarium.errors import InvalidInput, TooManyRequests

pytestmark = pytest.mark.usefixtures("data_folder")


@pytest.fixture
def dear_hashes() -> Iterator[None]:
    credentials.set_hash_cost(memory_kib=8 * 1024, iterations=3, lanes=1)
    yield
    credentials.set_hash_cost(memory_kib=64, iterations=1, lanes=1)


def _cheapest(stored: str | None) -> float:
    """Processor seconds of this thread, so that a busy machine does not count."""
    spent = []
    for _ in range(9):
        begin = time.thread_time()
        assert not password_is_right("wrong password", stored)
        spent.append(time.thread_time() - begin)
    return min(spent)


@pytest.mark.usefixtures("dear_hashes")
def test_an_unknown_user_costs_as_much_as_a_wrong_password() -> None:
    """G16: within 20%."""
    stored = hash_password("right password")
    _cheapest(None)
    shares = []
    for _ in range(3):
        known, unknown = _cheapest(stored), _cheapest(None)
        shares.append(abs(known - unknown) / known)
        if shares[-1] < 0.2:
            return
    pytest.fail(f"times differ by {shares}")


def test_hashes_are_argon2id_and_salted() -> None:
    first, second = hash_password("same"), hash_password("same")
    assert first.startswith("$argon2id$")
    assert first != second
    assert password_is_right("same", first)
    assert not password_is_right("Same", first)
    assert not password_is_right("same", "not a hash")


@pytest.mark.parametrize(
    ("password", "good"), [("1234567", False), ("12345678", True), ("        ", False), ("é" * 513, False)]
)
def test_the_policy_of_passwords(password: str, good: bool) -> None:
    """C-042, V-005: at least eight characters by default; absurd lengths are refused too."""
    if good:
        credentials.require_good_password(password)
        return
    with pytest.raises(InvalidInput, match="characters") as failure:
        credentials.require_good_password(password)
    assert failure.value.details[0]["field"] == "password"


def test_the_default_cost_is_that_of_argon2id_with_64_mib() -> None:
    hasher = credentials.Argon2Hasher()
    assert "m=65536" in hasher.hash("x")


def test_ten_wrong_passwords_pause_the_account_and_the_address() -> None:
    limiter = SignInLimiter()
    for _ in range(10):
        limiter.check("marie", "10.0.0.1")
        limiter.failed("marie", "10.0.0.1")
    with pytest.raises(TooManyRequests):
        limiter.check("marie", "10.0.0.2")
    with pytest.raises(TooManyRequests):
        limiter.check("MARIE ", "10.0.0.2")
    with pytest.raises(TooManyRequests):
        limiter.check("paul", "10.0.0.1")
    limiter.check("paul", "10.0.0.2")
    limiter.succeeded("marie", "10.0.0.9")
    limiter.check("marie", "10.0.0.2")


def test_a_right_pair_is_remembered_for_its_hash_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = hash_password("right password")
    assert check_sign_in("zoe", "right password", stored, "a")
    calls: list[str] = []
    monkeypatch.setattr(credentials, "password_is_right", lambda password, _: calls.append(password))
    assert check_sign_in("zoe", "right password", stored, "a")
    assert calls == []
    assert not check_sign_in("zoe", "right password", hash_password("new password"), "a")
    assert not check_sign_in("zoe", "wrong password", stored, "a")
    assert len(calls) == 2


def test_what_is_remembered_expires_and_holds_no_password(monkeypatch: pytest.MonkeyPatch, data_folder: Path) -> None:
    kept = credentials.RememberedPasswords()
    kept.keep("zoe", "right password", "hash", "10.0.0.1")
    assert kept.knows("zoe", "right password", "hash", "10.0.0.1")
    assert not kept.knows("zoe", "right password", "hash", "10.0.0.2")
    assert "right password" not in repr(kept.__dict__)
    later = time.monotonic() + credentials.REMEMBERED_SECONDS + 1
    monkeypatch.setattr(credentials.time, "monotonic", lambda: later)
    assert not kept.knows("zoe", "right password", "hash", "10.0.0.1")
