"""Limits how often an account may call the routes that annotate without storing, unless it has `useProduction` (P-022).

Requests are counted over the last minute, for all sessions and keys of an account together. The count is in the queue
server, so that it spans API processes and machines; while that server is unreachable, each process counts on its own.
Applies only to routes whose rule sets `Rule.unthrottled_permission`.
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
    """Counts the calls, over the last minute, of accounts that lack a permission."""

    def __init__(self) -> None:
        self.forget_all()

    def check(self, access: Access, permission: str) -> None:
        """Raise `TooManyRequests` if the next call would exceed the limit; counts nothing."""
        self._ask(access, permission, counted=False)

    def take(self, access: Access, permission: str) -> None:
        """Count a call.

        Raises:
            TooManyRequests: it exceeds the limit; in this case it is not counted.
        """
        self._ask(access, permission, counted=True)

    def forget_all(self) -> None:
        """Reset the count of this process."""
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
                    self._own.hit(item, account)  # continues the count if the queue server becomes unreachable
                _refuse_when_over_limit(wait, most, permission)
                return
        _refuse_when_over_limit(_seconds_to_wait(self._own, item, account, counted=counted), most, permission)

    def _common(self) -> MovingWindowRateLimiter | None:
        """The count shared by all processes, None if no queue server is configured."""
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
    """Seconds until the next call is allowed, 0 if it is allowed now; with `counted` the call is then counted."""
    if (limiter.hit if counted else limiter.test)(item, account):
        return 0
    return max(1, math.ceil(limiter.get_window_stats(item, account).reset_time - time.time()))


def _refuse_when_over_limit(seconds: int, most: int, permission: str) -> None:
    if seconds == 0:
        return
    words = "This account may send at most {number} annotation requests per minute"
    fix = "Wait {seconds} s, send several documents in one request, or ask an administrator for the permission {name}"
    refused = TooManyRequests(
        message("limit.annotateRate", words, number=most),
        fix=message("fix.annotateRate", fix, seconds=seconds, name=permission),
    )
    refused.retry_after = seconds
    raise refused


throttle = CallRateLimiter()
