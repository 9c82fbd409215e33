"""Passwords: policy, equal time for unknown users, throttling of guesses (threats G16)."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from annotarium.access import passwords
from annotarium.access.passwords import SignInLimiter, check_sign_in, hash_password, password_is_right
from annotarium.errors import InvalidInput, TooManyRequests

pytestmark = pytest.mark.usefixtures("data_folder")


@pytest.fixture
def expensive_hashes() -> Iterator[None]:
    passwords.set_password_hash_cost(memory_kib=8 * 1024, iterations=3, lanes=1)
    yield
    passwords.set_password_hash_cost(memory_kib=64, iterations=1, lanes=1)


def _cheapest(stored: str | None) -> float:
    """Return the processor seconds of this thread for one check, so that load on the machine does not count."""
    spent = []
    for _ in range(9):
        begin = time.thread_time()
        assert not password_is_right("wrong password", stored)
        spent.append(time.thread_time() - begin)
    return min(spent)


@pytest.mark.usefixtures("expensive_hashes")
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
        passwords.require_good_password(password)
        return
    with pytest.raises(InvalidInput, match="characters") as failure:
        passwords.require_good_password(password)
    assert failure.value.details[0]["field"] == "password"


def test_the_default_cost_is_that_of_argon2id_with_64_mib() -> None:
    hasher = passwords.Argon2Hasher()
    assert "m=65536" in hasher.hash("x")


class Clock:
    """Clock that advances only when a test advances it."""

    def __init__(self) -> None:
        self.now = time.time()

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(time, "time", clock)
    return clock


def _wait(limiter: SignInLimiter, username: str, address: str) -> int:
    """Seconds until the next attempt is allowed, 0 for none."""
    try:
        limiter.check(username, address)
    except TooManyRequests as error:
        refused = error
    else:
        return 0
    assert refused.retry_after is not None
    assert str(refused.retry_after) in str(refused.fix)
    return refused.retry_after


def _guess(limiter: SignInLimiter, clock: Clock, username: str, address: str, times: int) -> list[int]:
    """Try wrong passwords, each as soon as it is allowed; returns the seconds each had to wait."""
    waited = []
    for _ in range(times):
        waited.append(_wait(limiter, username, address))
        clock.now += waited[-1]
        limiter.failed(username, address)
    return waited


def test_wrong_passwords_delay_their_account_and_address_exponentially(clock: Clock) -> None:
    """G16: five attempts are free, then the wait doubles from one second up to a quarter of an hour; other accounts at
    the address are not affected.
    """
    limiter = SignInLimiter()
    waited = _guess(limiter, clock, "marie", "10.0.0.1", 16)
    assert waited == [0] * 5 + [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900]
    assert _wait(limiter, "MARIE ", "10.0.0.1") == 900
    assert _wait(limiter, "paul", "10.0.0.1") == 0, "another account behind the same address"
    assert _wait(limiter, "marie", "10.0.0.2") == 0, "the same account from elsewhere"


def test_unknown_names_are_delayed_like_existing_ones(clock: Clock) -> None:
    limiter = SignInLimiter()
    known, unknown = (_guess(limiter, clock, name, "10.0.0.1", 9) for name in ("marie", "nobody-of-this-name"))
    assert known == unknown


def test_guessing_from_many_addresses_delays_the_account(clock: Clock) -> None:
    """At most a minute, so that the owner can still sign in; immediately from an address where the account signed in
    before.
    """
    limiter = SignInLimiter()
    limiter.succeeded("marie", "10.9.9.9")
    waited = []
    for number in range(70):
        waited += _guess(limiter, clock, "marie", f"10.0.0.{number}", 1)
    assert waited[:50] == [0] * 50
    assert waited[50:58] == [1, 2, 4, 8, 16, 32, 60, 60]
    assert _wait(limiter, "marie", "10.1.1.1") == 60
    assert _wait(limiter, "marie", "10.9.9.9") == 0
    assert _wait(limiter, "paul", "10.0.0.1") == 0


def test_guessing_many_names_blocks_the_address(clock: Clock) -> None:
    """A hundred wrong passwords in five minutes; the addresses of one IPv6 network count as one."""
    limiter = SignInLimiter()
    for number in range(100):
        assert _guess(limiter, clock, f"name{number}", f"2001:db8::{number:x}", 1) == [0]
    assert 0 < _wait(limiter, "paul", "2001:db8::ffff:1") <= 300
    assert _wait(limiter, "paul", "2001:db8:0:1::1") == 0
    clock.now += 301
    assert _wait(limiter, "paul", "2001:db8::1") == 0


def test_a_sign_in_resets_the_count_of_wrong_passwords(clock: Clock) -> None:
    limiter = SignInLimiter()
    _guess(limiter, clock, "marie", "10.0.0.1", 8)
    limiter.succeeded("marie", "10.0.0.1")
    assert _guess(limiter, clock, "marie", "10.0.0.1", 6) == [0] * 5 + [1]


def test_password_checks_in_progress_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """A check is slow on purpose; a flood of sign-ins must not occupy every thread of the process."""
    turns = threading.BoundedSemaphore(1)
    monkeypatch.setattr(passwords, "_password_check_semaphore", lambda: turns)
    refused: list[int] = []

    def sign_in(number: int) -> None:
        try:
            check_sign_in(f"name{number}", "wrong password", None, f"10.0.{number}.1")
        except TooManyRequests:
            refused.append(number)

    with turns:
        threads = [threading.Thread(target=sign_in, args=(number,)) for number in range(40)]
        for thread in threads:
            thread.start()
        limit = time.monotonic() + 30
        while len(refused) < 20 and time.monotonic() < limit:
            time.sleep(0.01)
    for thread in threads:
        thread.join()
    assert len(refused) == 20


def test_a_verified_password_is_cached_for_its_hash_only(monkeypatch: pytest.MonkeyPatch) -> None:
    stored = hash_password("right password")
    assert check_sign_in("zoe", "right password", stored, "a")
    calls: list[str] = []
    monkeypatch.setattr(passwords, "password_is_right", lambda password, _: calls.append(password))
    assert check_sign_in("zoe", "right password", stored, "a")
    assert calls == []
    assert not check_sign_in("zoe", "right password", hash_password("new password"), "a")
    assert not check_sign_in("zoe", "wrong password", stored, "a")
    assert len(calls) == 2


def test_the_cache_of_verified_passwords_expires_and_holds_no_password(
    monkeypatch: pytest.MonkeyPatch, data_folder: Path
) -> None:
    kept = passwords.VerifiedPasswordCache()
    kept.remember("zoe", "right password", "hash", "10.0.0.1")
    assert kept.knows("zoe", "right password", "hash", "10.0.0.1")
    assert not kept.knows("zoe", "right password", "hash", "10.0.0.2")
    assert "right password" not in repr(kept.__dict__)
    later = time.monotonic() + passwords.REMEMBERED_SECONDS + 1
    monkeypatch.setattr(passwords.time, "monotonic", lambda: later)
    assert not kept.knows("zoe", "right password", "hash", "10.0.0.1")
