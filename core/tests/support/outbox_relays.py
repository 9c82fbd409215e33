"""The relay of outbox rows with its thread, for fixtures."""

from __future__ import annotations

from collections.abc import Iterator

from annotarium.search.indexer import OutboxRelay, get_outbox_relay


def following_relay() -> Iterator[OutboxRelay]:
    """Start the thread of the relay, and stop it at the end of the test."""
    relay = get_outbox_relay()
    relay.follow()
    yield relay
    relay.stop()
