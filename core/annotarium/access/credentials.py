"""Passwords: hashing, checking in equal time, and slowing down those who guess.

One argon2id check costs about 150 ms and 64 MiB, so at most a few run at once, never inside a writing transaction, and
a pair of name and password that was right is remembered for a minute (as a keyed digest) for programs that send it
with every call.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import structlog
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter
from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError
from pwdlib.hashers.argon2 import Argon2Hasher

from annotarium.errors import InvalidInput, NotAuthenticated, TooManyRequests
from annotarium.settings import get_settings
from annotarium_schemas.said import say

log = structlog.get_logger(__name__)
PASSWORD_MAX_LENGTH = 512
REMEMBERED_SECONDS = 60.0
_REMEMBERED_MAX = 2_048
_WINDOW_MINUTES = 5
_PARALLEL_CHECKS = 4


class AccountDisabled(NotAuthenticated):
    """401 for a right password of a disabled account (E-021): only who knows the password learns of it."""

    error = "disabled"
    default_fix = "Ask an administrator to enable the account"


class _Cost:
    """The present hasher; tests make it cheap."""

    def __init__(self) -> None:
        self.hasher = PasswordHash((Argon2Hasher(),))
        self.decoy = ""


_cost = _Cost()


@cache
def _turns() -> threading.BoundedSemaphore:
    """This process's part of the checks that may run at once."""
    return threading.BoundedSemaphore(max(1, _PARALLEL_CHECKS // get_settings().api_processes))


def set_hash_cost(*, memory_kib: int, iterations: int, lanes: int) -> None:
    """Choose the price of a hash for this process."""
    _cost.hasher = PasswordHash((Argon2Hasher(time_cost=iterations, memory_cost=memory_kib, parallelism=lanes),))
    _cost.decoy = ""


def hash_password(password: str) -> str:
    """The argon2id hash to store."""
    return _cost.hasher.hash(password)


def require_good_password(password: str, field: str = "password") -> None:
    """Raise `InvalidInput` for a password outside the policy (C-042, V-005)."""
    least = get_settings().password_min_length
    if len(password) < least or len(password) > PASSWORD_MAX_LENGTH or not password.strip():
        message = f"The password needs at least {least} characters"
        if len(password) > PASSWORD_MAX_LENGTH:
            message = f"The password has more than {PASSWORD_MAX_LENGTH} characters"
        raise InvalidInput(message, details=[{"field": field, "message": message}])


def password_is_right(password: str, stored: str | None) -> bool:
    """Check a password; without a stored hash (unknown user) the same work is done and the answer is no."""
    if len(password) > PASSWORD_MAX_LENGTH:
        password, stored = "", None
    if stored is None:
        if not _cost.decoy:
            _cost.decoy = hash_password(secrets.token_urlsafe(16))
        _cost.hasher.verify(password, _cost.decoy)
        return False
    try:
        return _cost.hasher.verify(password, stored)
    except UnknownHashError:
        return False


class SignInLimiter:
    """Counts wrong passwords per account and per address in a moving window of five minutes (G16).

    Each process counts its own, and all together in the queue server, so that a guesser gains nothing by meeting
    another process. While that server is away the own count goes on.
    """

    def __init__(self) -> None:
        self.forget_all()

    def check(self, username: str, address: str) -> None:
        """Raise `TooManyRequests` once the account or the address used up its tries."""
        item = _tries()
        if not all(self._own.test(item, *key) and self._test_shared(item, key) for key in _keys(username, address)):
            refusal = TooManyRequests(
                "Too many wrong passwords.",
                cause=say("signIn.paused", "Sign-in is paused for a while"),
                fix="Wait five minutes and try again",
            )
            refusal.retry_after = _WINDOW_MINUTES * 60
            raise refusal

    def failed(self, username: str, address: str) -> None:
        """Count one wrong password."""
        item = _tries()
        for key in _keys(username, address):
            self._own.hit(item, *key)
            with self._shared_at_hand() as shared:
                if shared is not None:
                    shared.hit(item, *key)

    def succeeded(self, username: str, address: str) -> None:
        """Forget the account's wrong passwords; the address keeps its own."""
        item, key = _tries(), _keys(username, address)[0]
        self._own.clear(item, *key)
        with self._shared_at_hand() as shared:
            if shared is not None:
                shared.clear(item, *key)

    def forget_all(self) -> None:
        """Start the own count anew."""
        self._own = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None

    def _test_shared(self, item: RateLimitItemPerMinute, key: tuple[str, str]) -> bool:
        right = True
        with self._shared_at_hand() as shared:
            right = shared is None or shared.test(item, *key)
        return right

    @contextmanager
    def _shared_at_hand(self) -> Iterator[MovingWindowRateLimiter | None]:
        """The common count, None where no queue server is configured. That it does not answer stops nobody."""
        url = get_settings().redis_url
        if not url:
            yield None
            return
        if self._shared is None:
            from limits.storage import RedisStorage

            address = url.replace("unix://", "redis+unix://", 1)
            storage = RedisStorage(
                address,
                key_prefix="annotarium:sign-in",
                wrap_exceptions=True,
                socket_connect_timeout=1,
                socket_timeout=2,
            )
            self._shared = MovingWindowRateLimiter(storage)
        try:
            yield self._shared
        except StorageError as error:
            log.info("sign_in_tries_not_shared", error=str(error.storage_error))


def _tries() -> RateLimitItemPerMinute:
    return RateLimitItemPerMinute(get_settings().sign_in_attempts, _WINDOW_MINUTES)


def _keys(username: str, address: str) -> tuple[tuple[str, str], tuple[str, str]]:
    digest = hashlib.sha256(username.strip().lower().encode("utf-8", "surrogatepass")).hexdigest()
    return ("account", digest), ("address", address)


limiter = SignInLimiter()


@dataclass(frozen=True)
class _Remembered:
    hash_mark: str
    until: float


class RememberedPasswords:
    """Right answers of the last minute, keyed by a digest under a key that lives in this process only."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._entries: OrderedDict[str, _Remembered] = OrderedDict()
        self._lock = threading.Lock()

    def _digest(self, username: str, password: str, address: str) -> str:
        text = f"{len(address)}:{address}{len(username)}:{username}{password}".encode("utf-8", "surrogatepass")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()

    def knows(self, username: str, password: str, stored: str, address: str) -> bool:
        """Whether this pair was right a moment ago, from that address, for the very hash that is stored now."""
        with self._lock:
            entry = self._entries.get(self._digest(username, password, address))
        return entry is not None and entry.until > time.monotonic() and hmac.compare_digest(entry.hash_mark, stored)

    def keep(self, username: str, password: str, stored: str, address: str) -> None:
        """Remember a right pair for the address it came from: elsewhere a guess is a guess."""
        with self._lock:
            digest = self._digest(username, password, address)
            self._entries[digest] = _Remembered(stored, time.monotonic() + REMEMBERED_SECONDS)
            while len(self._entries) > _REMEMBERED_MAX:
                self._entries.popitem(last=False)

    def forget_all(self) -> None:
        """Forget every pair."""
        with self._lock:
            self._entries.clear()


remembered = RememberedPasswords()


def check_sign_in(username: str, password: str, stored: str | None, address: str) -> bool:
    """Whether the password is right, within the limits on guessing.

    Args:
        stored: the hash of the account, None when there is no such account.
        address: where the request comes from.

    Raises:
        TooManyRequests: the account or the address used up its tries.
    """
    if stored is not None and remembered.knows(username, password, stored, address):
        return True
    limiter.check(username, address)
    with _turns():
        limiter.check(username, address)  # those who waited here may have used up the tries meanwhile
        if not password_is_right(password, stored):
            limiter.failed(username, address)
            return False
    limiter.succeeded(username, address)
    remembered.keep(username, password, stored or "", address)
    return True
