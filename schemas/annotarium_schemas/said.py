"""Deprecated alias of `annotarium_schemas.messages` for components that import it. Removed in 2.0."""

from __future__ import annotations

import warnings

from annotarium_schemas.messages import JOINED, join_messages, message, message_of, restore_message
from annotarium_schemas.messages import Message as Said
from annotarium_schemas.messages import MessageJson as Wire

__all__ = ["JOINED", "Said", "Wire", "joined", "said_again", "said_of", "say"]

warnings.warn(
    "annotarium_schemas.said is annotarium_schemas.messages now: say is message, said_of is message_of",
    DeprecationWarning,
    stacklevel=2,
)
say, said_of, said_again, joined = message, message_of, restore_message, join_messages
