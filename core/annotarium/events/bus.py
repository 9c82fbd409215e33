"""The bus: publishes the events of a commit to every API process, through the queue server's publish/subscribe."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
import structlog

from annotarium.db.unit import Event, UnitOfWork
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)
CHANNEL = "annotarium:events"

Receiver = Callable[[list[Event]], None]
_local: list[Receiver] = []


def listen_locally(receiver: Receiver | None) -> None:
    """The receiver of this process, for events published here while no queue server is there; None for no one."""
    _local[:] = [receiver] if receiver is not None else []


def publish_unit(unit: UnitOfWork) -> None:
    """Publish the events of a committed unit (for `db.unit.on_commit`). Never raises: events may be lost."""
    if not unit.events:
        return
    if not _publish(encode(unit.events)):
        for receiver in _local:
            receiver(unit.events)


def _publish(message: bytes) -> bool:
    client = open_client()
    if client is None:
        return False
    try:
        client.publish(CHANNEL, message)
    except Exception as error:  # noqa: BLE001  # whatever it says: the commit is done, clients refetch when they reconnect
        log.info("event_not_published", error=str(error))
        return False
    return True


_clients: dict[str, Any] = {}


def open_client() -> Any:
    """The client of this process; None where no queue server is configured."""
    url = get_settings().redis_url
    if not url:
        return None
    if url not in _clients:
        from redis import Redis
        from redis.backoff import NoBackoff
        from redis.retry import Retry

        _clients.clear()
        # A commit does not wait for a queue server that is away: one more try for a dropped connection, at once.
        _clients[url] = Redis.from_url(url, socket_connect_timeout=1, socket_timeout=5, retry=Retry(NoBackoff(), 1))
    return _clients[url]


def encode(events: list[Event]) -> bytes:
    """Events as one message."""
    return orjson.dumps(
        [[event.mutation, event.arg, event.project, event.user, event.user_group] for event in events], default=str
    )


def decode(message: bytes) -> list[Event]:
    """Events of a message; none of one that is not ours."""
    try:
        return [Event(*fields) for fields in orjson.loads(message)]
    except (ValueError, TypeError):
        log.warning("event_not_understood")
        return []


def wire(event: Event) -> bytes:
    """The form a client gets (B-002)."""
    body: dict[str, Any] = {"mutation": event.mutation, "arg": event.arg}
    addressed = {"user": event.user, "userGroup": event.user_group, "project": event.project}
    given: dict[str, Any] = {key: value for key, value in addressed.items() if value is not None}
    return orjson.dumps((given if given else {"global": True}) | body, default=str)
