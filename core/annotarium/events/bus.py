"""The bus: publishes the events of a commit to all API processes with the queue server's publish/subscribe."""

from __future__ import annotations

import time
from collections import deque
from dataclasses import astuple
from functools import lru_cache
from typing import Any

import orjson
import structlog

from annotarium.db.signals import Signal
from annotarium.db.unit_of_work import Event, EventVisibility, UnitOfWork
from annotarium.settings import get_settings
from annotarium.system.follower_thread import FollowerThread

log = structlog.get_logger(__name__)
CHANNEL = "annotarium:events"
_MAX_EVENTS_PER_MESSAGE = 200
"""Maximum number of events in one message."""

received_locally = Signal[[list[Event]]]("received_locally")
"""Events published by this process while there is no queue server; sent outside any transaction."""

_BATCH_SECONDS, _BUSY_BATCH_SECONDS = 0.01, 0.03
"""How long the publisher's thread collects events, longer while many arrive: one message for all of them costs hardly
more than for one.
"""


class Publisher(FollowerThread):
    """Publishes the events of commits; one per process.

    After `follow`, a thread does it, so that requests do not wait for the queue server.
    """

    def __init__(self) -> None:
        super().__init__("event publisher")
        self._waiting: deque[Event] = deque()

    def on_commit(self, unit: UnitOfWork) -> None:
        """Publish the events of a unit, or pass them to the thread. Never raises: events may be lost."""
        self.publish(unit.events)

    def publish(self, events: list[Event]) -> None:
        """Publish events immediately, or pass them to the thread if it runs. Never raises."""
        if not events:
            return
        if self._thread is None:
            _publish_or_deliver_locally(events)
        else:
            self._waiting.extend(events)
            self._wake.set()

    def _follow(self) -> None:
        events: list[Event] = []
        while self._thread is not None or self._waiting:
            self._wake.wait(5)
            self._wake.clear()
            time.sleep(_BUSY_BATCH_SECONDS if len(events) > 1 else _BATCH_SECONDS)
            events = [self._waiting.popleft() for _ in range(len(self._waiting))]
            for begin in range(0, len(events), _MAX_EVENTS_PER_MESSAGE):
                _publish_or_deliver_locally(events[begin : begin + _MAX_EVENTS_PER_MESSAGE])


def _publish_or_deliver_locally(events: list[Event]) -> None:
    if not _publish_to_queue_server(encode_events(events)):
        received_locally.send(events)


@lru_cache(maxsize=1)
def get_publisher() -> Publisher:
    """The publisher of this process."""
    return Publisher()


def publish_events_of_unit(unit: UnitOfWork) -> None:
    """Publish the events of a committed unit (connected to `db.unit_of_work.committed`)."""
    get_publisher().on_commit(unit)


def _publish_to_queue_server(message: bytes) -> bool:
    client = get_queue_server_client()
    if client is None:
        return False
    try:
        client.publish(CHANNEL, message)
    except Exception as error:  # noqa: BLE001  # committed already; clients refetch when they reconnect
        log.info("event_not_published", error=str(error))
        return False
    return True


_clients: dict[str, Any] = {}


def get_queue_server_client() -> Any:
    """The queue server client of this process, None if no queue server is configured."""
    url = get_settings().redis_url
    if not url:
        return None
    if url not in _clients:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        _clients.clear()
        # A commit must not wait for an unreachable queue server: one immediate retry, for a dropped connection.
        _clients[url] = Redis.from_url(url, socket_connect_timeout=1, socket_timeout=5, retry=Retry(NoBackoff(), 1))
    return _clients[url]


def encode_events(events: list[Event]) -> bytes:
    """Serialise events as one message."""
    return orjson.dumps(
        [
            [
                event.mutation,
                event.arg,
                event.project,
                event.user,
                event.user_group,
                _about_to_list(event),
                event.project_id,
            ]
            for event in events
        ],
        default=str,
    )


def _about_to_list(event: Event) -> list[Any] | None:
    return None if event.about is None else list(astuple(event.about))


def decode_events(message: bytes) -> list[Event]:
    """Parse the events of a message; empty for an invalid one."""
    try:
        return [
            Event(
                mutation, arg, project, user, group, EventVisibility(*about) if about is not None else None, project_id
            )
            for mutation, arg, project, user, group, about, project_id in orjson.loads(message)
        ]
    except (ValueError, TypeError):
        log.warning("event_not_understood")
        return []


def event_to_json(event: Event) -> bytes:
    """The JSON that clients receive (B-002)."""
    body: dict[str, Any] = {"mutation": event.mutation, "arg": event.arg}
    addressed = {"user": event.user, "userGroup": event.user_group, "project": event.project}
    given: dict[str, Any] = {key: value for key, value in addressed.items() if value is not None}
    return orjson.dumps((given if given else {"global": True}) | body, default=str)
