"""Password hashing, checks in constant time, and throttling of password guessing.

One argon2id check costs about 150 ms and 64 MiB. Therefore only a few run at the same time, never inside a writing
transaction, and a correct pair of name and password is remembered for a minute (as a keyed digest) for programs that
send it with every call.
"""

from __future__ import annotations

import hashlib
import hmac
import math
import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from typing import TypeVar

import structlog
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from pwdlib import PasswordHash
from pwdlib.exceptions import UnknownHashError
from pwdlib.hashers.argon2 import Argon2Hasher

from annotarium.access.networks import network_of_address
from annotarium.errors import InvalidInput, NotAuthenticated, TooManyRequests
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
PASSWORD_MAX_LENGTH = 512
REMEMBERED_SECONDS = 60.0
_REMEMBERED_MAX = 2_048
_PARALLEL_CHECKS, _WAITING_CHECKS = 4, 20
_MEMORY_SECONDS, _ADDRESS_SECONDS, _KNOWN_SECONDS = 3_600, 300, 30 * 86_400
_LONGEST_PAUSE, _LONGEST_ACCOUNT_PAUSE = 900, 60
_ACCOUNT_SHARE = 10
T = TypeVar("T")


class AccountDisabled(NotAuthenticated):
    """401 for a correct password of a disabled account (E-021), so that only its owner learns of the status."""

    error = "disabled"
    default_fix = "Ask an administrator to enable the account"


class _PasswordHasher:
    """Holds the current hasher, so that tests can replace it with a cheap one."""

    def __init__(self) -> None:
        self.hasher = PasswordHash((Argon2Hasher(),))
        self.decoy = ""


_password_hasher = _PasswordHasher()


@cache
def _password_check_semaphore() -> threading.BoundedSemaphore:
    """Limits concurrent checks in this process: its share of `_PARALLEL_CHECKS`."""
    return threading.BoundedSemaphore(max(1, _PARALLEL_CHECKS // get_settings().api_processes))


class _PasswordCheckQueue:
    """Limits how many threads wait for a password check."""

    def __init__(self) -> None:
        self._waiting = 0
        self._lock = threading.Lock()

    @contextmanager
    def slot(self) -> Iterator[None]:
        """Wait for a password check slot.

        Raises:
            TooManyRequests: too many callers wait already; they must not occupy all threads of the process.
        """
        with self._lock:
            full = self._waiting >= _WAITING_CHECKS
            self._waiting += not full
        if full:
            refusal = TooManyRequests(
                message("signIn.busy", "Too many people are signing in at the moment"),
                fix=message("fix.waitSeconds", "Wait {seconds} s, then try again", seconds=1),
            )
            refusal.retry_after = 1
            raise refusal
        try:
            with _password_check_semaphore():
                yield
        finally:
            with self._lock:
                self._waiting -= 1


_password_check_queue = _PasswordCheckQueue()


def set_password_hash_cost(*, memory_kib: int, iterations: int, lanes: int) -> None:
    """Set the cost of a hash for this process."""
    _password_hasher.hasher = PasswordHash(
        (Argon2Hasher(time_cost=iterations, memory_cost=memory_kib, parallelism=lanes),)
    )
    _password_hasher.decoy = ""


def hash_password(password: str) -> str:
    """The argon2id hash to store."""
    return _password_hasher.hasher.hash(password)


def require_good_password(password: str, field: str = "password") -> None:
    """Raise `InvalidInput` for a password that violates the policy (C-042, V-005)."""
    least = get_settings().password_min_length
    if len(password) < least or len(password) > PASSWORD_MAX_LENGTH or not password.strip():
        message = f"The password needs at least {least} characters"
        if len(password) > PASSWORD_MAX_LENGTH:
            message = f"The password has more than {PASSWORD_MAX_LENGTH} characters"
        raise InvalidInput(message, details=[{"field": field, "message": message}])


def password_is_right(password: str, stored: str | None) -> bool:
    """Check a password. Without a stored hash (unknown user), does the same amount of work and returns False."""
    if len(password) > PASSWORD_MAX_LENGTH:
        password, stored = "", None
    if stored is None:
        if not _password_hasher.decoy:
            _password_hasher.decoy = hash_password(secrets.token_urlsafe(16))
        _password_hasher.hasher.verify(password, _password_hasher.decoy)
        return False
    try:
        return _password_hasher.hasher.verify(password, stored)
    except UnknownHashError:
        return False


class SignInLimiter:
    """Makes clients that send wrong passwords wait; correct sign-ins of others from the same address pass (G16).

    There are three counters, which treat existing and unknown names alike:

    - per account and address: after `sign_in_attempts`, each further wrong password makes this pair wait for 1 s, 2 s,
      4 s, up to 15 minutes;
    - per account, from all addresses: after ten times as many, for 1 s, 2 s, up to one minute. An address from
        which the
      account has signed in before is exempt;
    - per address: after `sign_in_attempts_per_address` within five minutes, for the rest of the five minutes.

    A successful sign-in resets the first two. Each process counts its own attempts, and all processes count together in
    the queue server, so that a guesser gains nothing by reaching another process. While that server is unreachable, the
    local counters remain in force.
    """

    def __init__(self) -> None:
        self.forget_all()

    def check(self, username: str, address: str) -> None:
        """Raise `TooManyRequests`, with the seconds to wait, while one of the three counters requires waiting."""
        keys = _AttemptCounterKeys.of(username, address)
        seconds = max(self._ask(lambda store: _seconds_to_wait(store, keys)))
        if seconds > 0:
            refusal = TooManyRequests(
                "Too many wrong passwords.",
                cause=message("signIn.paused", "Sign-in is temporarily blocked"),
                fix=message("fix.waitSeconds", "Wait {seconds} s, then try again", seconds=seconds),
            )
            refusal.retry_after = seconds
            raise refusal

    def failed(self, username: str, address: str) -> None:
        """Count one wrong password."""
        keys, free = _AttemptCounterKeys.of(username, address), get_settings().sign_in_attempts
        pair = max(self._ask(lambda store: store.incr(keys.pair, _MEMORY_SECONDS)))
        everywhere = max(self._ask(lambda store: store.incr(keys.account, _MEMORY_SECONDS)))
        there = max(self._ask(lambda store: store.incr(keys.address, _ADDRESS_SECONDS)))
        self._pause(keys.pair, _backoff(pair - free, _LONGEST_PAUSE))
        self._pause(keys.account, _backoff(everywhere - free * _ACCOUNT_SHARE, _LONGEST_ACCOUNT_PAUSE))
        if there >= get_settings().sign_in_attempts_per_address:
            ends = min(self._ask(lambda store: store.get_expiry(keys.address)))
            self._pause(keys.address, max(1, math.ceil(ends - time.time())))

    def succeeded(self, username: str, address: str) -> None:
        """Reset the account's counters; the counter of the address remains."""
        keys = _AttemptCounterKeys.of(username, address)

        def forget(store: Storage) -> int:
            for key in (keys.pair, keys.account, _pause_key(keys.pair), _pause_key(keys.account)):
                store.clear(key)
            return store.incr(keys.known, _KNOWN_SECONDS)

        self._ask(forget)

    def forget_all(self) -> None:
        """Reset the counters of this process."""
        self._own = MemoryStorage()
        self._shared: Storage | None = None

    def _pause(self, key: str, seconds: int) -> None:
        if seconds > 0:
            self._ask(lambda store: (store.clear(_pause_key(key)), store.incr(_pause_key(key), seconds))[1])

    def _ask(self, question: Callable[[Storage], T]) -> list[T]:
        """Run an operation on the local counters and on the shared ones, if reachable; the results of both."""
        answers = [question(self._own)]
        shared = self._common()
        if shared is not None:
            try:
                answers.append(question(shared))
            except StorageError as error:
                log.info("sign_in_tries_not_shared", error=str(error.storage_error))
        return answers

    def _common(self) -> Storage | None:
        """The shared counters, None if no queue server is configured."""
        url = get_settings().redis_url
        if url and self._shared is None:
            from limits.storage import RedisStorage

            self._shared = RedisStorage(
                url.replace("unix://", "redis+unix://", 1),
                key_prefix="annotarium:sign-in",
                wrap_exceptions=True,
                socket_connect_timeout=1,
                socket_timeout=2,
            )
        return self._shared if url else None


@dataclass(frozen=True)
class _AttemptCounterKeys:
    """Keys of the counters for one attempt."""

    pair: str
    account: str
    address: str
    known: str

    @classmethod
    def of(cls, username: str, address: str) -> _AttemptCounterKeys:
        account = hashlib.sha256(username.strip().lower().encode("utf-8", "surrogatepass")).hexdigest()
        network = network_of_address(address)
        return cls(
            f"pair:{account}:{network}", f"account:{account}", f"address:{network}", f"known:{account}:{network}"
        )


def _pause_key(key: str) -> str:
    return f"paused:{key}"


def _seconds_to_wait(store: Storage, keys: _AttemptCounterKeys) -> int:
    known = store.get(keys.known) > 0
    asked = [keys.pair, keys.address] if known else [keys.pair, keys.account, keys.address]
    # For an unknown key a store returns the current time as expiry, so the store must be queried before the clock is
    # read.
    return max(0, *(math.ceil(store.get_expiry(_pause_key(key)) - time.time()) for key in asked))


def _backoff(over: int, longest: int) -> int:
    """Seconds to wait when the number of wrong passwords exceeds the allowance by `over`; 0 if `over` is negative."""
    return 0 if over < 0 else min(1 << min(over, 20), longest)


limiter = SignInLimiter()


@dataclass(frozen=True)
class _VerifiedPassword:
    hash_mark: str
    until: float


class VerifiedPasswordCache:
    """Pairs verified within the last minute, keyed by a digest under a secret that exists only in this process."""

    def __init__(self) -> None:
        self._key = secrets.token_bytes(32)
        self._entries: OrderedDict[str, _VerifiedPassword] = OrderedDict()
        self._lock = threading.Lock()

    def _digest(self, username: str, password: str, address: str) -> str:
        text = f"{len(address)}:{address}{len(username)}:{username}{password}".encode("utf-8", "surrogatepass")
        return hmac.new(self._key, text, hashlib.sha256).hexdigest()

    def knows(self, username: str, password: str, stored: str, address: str) -> bool:
        """Whether this pair was verified recently, from that address and against the hash stored now."""
        with self._lock:
            entry = self._entries.get(self._digest(username, password, address))
        return entry is not None and entry.until > time.monotonic() and hmac.compare_digest(entry.hash_mark, stored)

    def remember(self, username: str, password: str, stored: str, address: str) -> None:
        """Remember a correct pair, only for the address it came from: from elsewhere it counts as a guess."""
        with self._lock:
            digest = self._digest(username, password, address)
            self._entries[digest] = _VerifiedPassword(stored, time.monotonic() + REMEMBERED_SECONDS)
            while len(self._entries) > _REMEMBERED_MAX:
                self._entries.popitem(last=False)

    def forget_all(self) -> None:
        with self._lock:
            self._entries.clear()


verified_passwords = VerifiedPasswordCache()


def check_sign_in(username: str, password: str, stored: str | None, address: str) -> bool:
    """Whether the password is correct, within the limits on guessing.

    Args:
        stored: the hash of the account, None if there is no such account.
        address: IP address the request comes from.

    Raises:
        TooManyRequests: the attempts of the account or the address are used up, or too many checks are waiting.
    """
    if stored is not None and verified_passwords.knows(username, password, stored, address):
        return True
    limiter.check(username, address)
    with _password_check_queue.slot():
        limiter.check(username, address)  # other waiting requests may have used up the attempts meanwhile
        if not password_is_right(password, stored):
            limiter.failed(username, address)
            return False
    limiter.succeeded(username, address)
    verified_passwords.remember(username, password, stored or "", address)
    return True
