"""Limits how often tokens of invitations are tried, and how many invitations are sent by e-mail.

Each process counts on its own. A token has 256 random bits: the limits keep guessing cheap for the server, they are
not what prevents it from succeeding. They apply to valid and invalid tokens alike.
"""

from __future__ import annotations

import math
import time

from limits import RateLimitItem, RateLimitItemPerHour, RateLimitItemPerMinute
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from annotarium.access.networks import network_of_address
from annotarium.errors import TooManyRequests
from annotarium_schemas.messages import Message, message

TRIES_PER_ACCOUNT = RateLimitItemPerMinute(30, 10)
TRIES_PER_ADDRESS = RateLimitItemPerMinute(600, 10)
"""Many people may share an address: a class that accepts one link needs two tries each."""
MAILS_PER_ACCOUNT = RateLimitItemPerHour(20)
MAILS_PER_RECIPIENT = RateLimitItemPerHour(3)


class InvitationLimits:
    """The counters of this process."""

    def __init__(self) -> None:
        self.forget_all()

    def forget_all(self) -> None:
        self._counts = MovingWindowRateLimiter(MemoryStorage())

    def take_try(self, user_id: int, address: str) -> None:
        """Count one use of a token, valid or not.

        Raises:
            TooManyRequests: the account or the address tries too often.
        """
        self._take(
            message("limit.invitationTries", "Too many invitations were opened in a short time"),
            (TRIES_PER_ACCOUNT, f"try:{user_id}"),
            (TRIES_PER_ADDRESS, f"from:{network_of_address(address)}"),
        )

    def take_mail(self, user_id: int, recipient: str) -> None:
        """Count one e-mail to a recipient.

        Raises:
            TooManyRequests: the account sends too many, or the recipient gets too many from all accounts together.
        """
        self._take(
            message("limit.invitationMails", "Too many invitations were sent by e-mail in a short time"),
            (MAILS_PER_ACCOUNT, f"mail:{user_id}"),
            (MAILS_PER_RECIPIENT, f"to:{recipient.casefold()}"),
        )

    def _take(self, refusal: Message, *counted: tuple[RateLimitItem, str]) -> None:
        for item, key in counted:
            if self._counts.hit(item, key):
                continue
            seconds = max(1, math.ceil(self._counts.get_window_stats(item, key).reset_time - time.time()))
            refused = TooManyRequests(
                refusal, fix=message("fix.waitSeconds", "Wait {seconds} s, then try again", seconds=seconds)
            )
            refused.retry_after = seconds
            raise refused


invitation_limits = InvitationLimits()
