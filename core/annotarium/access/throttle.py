"""How often an account may call the routes that annotate without storing, unless it may use them in production (P-022).

Each request counts, for all sessions and keys of an account together, over the last minute. The count is kept in the
queue server, so that it holds across API processes and machines; while that server is away each process counts by
itself. Only routes whose rule names a permission (`Rule.unthrottled`) ask here.
"""

from __future__ import annotations

import math
import time

import structlog
from limits import RateLimitItemPerMinute
from limits.errors import StorageError
from limits.storage import MemoryStorage, Storage
from limits.strategies import MovingWindowRateLimiter

from annotarium.access.rights import Access
from annotarium.errors import TooManyRequests
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)


class CallRateLimiter:
    """Counts the calls of accounts that lack a permission, over the last minute."""

    def __init__(self) -> None:
        self.forget_all()

    def check(self, access: Access, permission: str) -> None:
        """Raise `TooManyRequests` when the next call would be over the limit; nothing is counted."""
        self._ask(access, permission, counted=False)

    def take(self, access: Access, permission: str) -> None:
        """Count a call.

        Raises:
            TooManyRequests: it is over the limit; it is not counted then.
        """
        self._ask(access, permission, counted=True)

    def forget_all(self) -> None:
        """Start the count of this process anew."""
        self._own = MovingWindowRateLimiter(MemoryStorage())
        self._shared: MovingWindowRateLimiter | None = None

    def _ask(self, access: Access, permission: str, *, counted: bool) -> None:
        most = get_settings().annotate_calls_per_minute
        if most == 0 or access.can(permission):
            return
        item, account = RateLimitItemPerMinute(most), str(access.user_id)
        shared = self._common()
        if shared is not None:
            try:
                wait = _seconds_to_wait(shared, item, account, counted=counted)
            except StorageError as error:
                log.info("calls_not_counted_together", error=str(error.storage_error))
            else:
                if counted and wait == 0:
                    self._own.hit(item, account)  # what goes on should the queue server go away
                _refuse_when_over_limit(wait, most, permission)
                return
        _refuse_when_over_limit(_seconds_to_wait(self._own, item, account, counted=counted), most, permission)

    def _common(self) -> MovingWindowRateLimiter | None:
        """The count of all processes, None where no queue server is configured."""
        url = get_settings().redis_url
        if url and self._shared is None:
            self._shared = MovingWindowRateLimiter(_storage_at(url))
        return self._shared if url else None


def _storage_at(url: str) -> Storage:
    from limits.storage import RedisStorage

    return RedisStorage(
        url.replace("unix://", "redis+unix://", 1),
        key_prefix="annotarium:annotate",
        wrap_exceptions=True,
        socket_connect_timeout=1,
        socket_timeout=2,
    )


def _seconds_to_wait(
    limiter: MovingWindowRateLimiter, item: RateLimitItemPerMinute, account: str, *, counted: bool
) -> int:
    """0 when there is room for the call, which is counted when asked."""
    if (limiter.hit if counted else limiter.test)(item, account):
        return 0
    return max(1, math.ceil(limiter.get_window_stats(item, account).reset_time - time.time()))


def _refuse_when_over_limit(seconds: int, most: int, permission: str) -> None:
    if seconds == 0:
        return
    words = "At most {number} annotation requests per minute are answered for this account"
    fix = "Wait {seconds} s, send several documents in one request, or ask an administrator for the permission {name}"
    refused = TooManyRequests(
        message("limit.annotateRate", words, number=most),
        fix=message("fix.annotateRate", fix, seconds=seconds, name=permission),
    )
    refused.retry_after = seconds
    raise refused


throttle = CallRateLimiter()
