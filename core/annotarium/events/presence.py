"""Presence: which users have which document open. Sent by clients, forwarded to others in the same document, not
stored.

A client reports its document over its live connection. Each process notifies the others by an event; a client that
arrives asks, and the others report again. A client without reports for some time counts as gone (the web app waits
75 s).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import orjson

from annotarium.access.rights import Access
from annotarium.db.database import get_database
from annotarium.db.unit_of_work import Event, EventVisibility
from annotarium.events import repository

MUTATION = "presence"
MESSAGE_MAX = 4096
_NAME_MAX = 512
_SESSION_MAX = 64


@dataclass(frozen=True)
class Location:
    """A document that a user has open; `session` is the client's own id of the window."""

    project: str
    document: str
    session: str

    def includes(self, event: Event) -> bool:
        """Whether an event about one document concerns this location."""
        return event.about is not None and event.project == self.project and event.about.document == self.document

    def answers(self, event: Event) -> bool:
        """Whether this location must be reported again: to a user who arrives, or after a wrong `gone`."""
        own = self.includes(event) and event.arg["session"] == self.session
        return own if event.arg["type"] == "gone" else bool(event.arg["asks"]) and self.includes(event) and not own


def parse_location(message: str | None) -> tuple[bool, Location | None]:
    """Parse a client's message: whether it reports a location, and which (None: no document)."""
    if message is None or len(message) > MESSAGE_MAX:
        return False, None
    try:
        message_body = orjson.loads(message)
    except ValueError:
        return False, None
    if not isinstance(message_body, dict) or "present" not in message_body:
        return False, None
    location = message_body["present"]
    if location is None:
        return True, None
    if not isinstance(location, dict):
        return False, None
    names = [
        _valid_name(location.get(key), limit)
        for key, limit in (("project", _NAME_MAX), ("document", _NAME_MAX), ("session", _SESSION_MAX))
    ]
    return (True, Location(*names)) if all(names) else (False, None)


def _valid_name(message_body: Any, limit: int) -> str:
    """The value if it is a valid name, else empty."""
    return message_body if isinstance(message_body, str) and len(message_body) <= limit else ""


def is_location_readable(access: Access, location: Location) -> bool:
    """Whether the document exists and the caller may read it."""
    with get_database().session(write=False) as session:
        return repository.is_document_readable(session, access, location.project, location.document)


def make_presence_event(access: Access, location: Location, kind: str, *, asks: bool = False) -> Event:
    """The event that a user is `here` or `gone`; with `asks`, others in the document respond."""
    arg: dict[str, Any] = {"type": kind, "documentIdentifier": location.document, "user": access.username}
    arg |= {"session": location.session, "asks": asks}
    # Users who may not read this user's annotations do not see the user's presence either.
    about = EventVisibility(creator=access.username, mode="manual", document=location.document)
    return Event(MUTATION, arg, location.project, about=about)
