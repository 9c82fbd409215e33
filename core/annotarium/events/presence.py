"""Who is in which document: said by the clients, told to those in the same document, remembered nowhere.

A client says over its live connection where it is. Each process tells the others by an event; whoever arrives asks, and
those who are there say so again. A client that is no longer heard of for a while is gone (the studio waits 75 s).
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
    """A document somebody is in; `session` is the client's own name for one of its windows."""

    project: str
    document: str
    session: str

    def includes(self, event: Event) -> bool:
        """Whether an event for one document is for those who are here."""
        return event.about is not None and event.project == self.project and event.about.document == self.document

    def answers(self, event: Event) -> bool:
        """Whether who is here has to say so again: to somebody who arrives, or who says that this window is gone."""
        own = self.includes(event) and event.arg["session"] == self.session
        return own if event.arg["type"] == "gone" else bool(event.arg["asks"]) and self.includes(event) and not own


def parse_location(message: str | None) -> tuple[bool, Location | None]:
    """What a client said: whether it said where it is, and where (None: nowhere). Anything else is ignored."""
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
    """A name as said; empty when it is none."""
    return message_body if isinstance(message_body, str) and len(message_body) <= limit else ""


def is_location_readable(access: Access, location: Location) -> bool:
    """Whether the caller may read the document."""
    with get_database().session(write=False) as session:
        return repository.is_document_readable(session, access, location.project, location.document)


def make_presence_event(access: Access, location: Location, kind: str, *, asks: bool = False) -> Event:
    """The event that somebody is `here` or `gone`; with `asks`, those who are there answer."""
    arg: dict[str, Any] = {"type": kind, "documentIdentifier": location.document, "user": access.username}
    arg |= {"session": location.session, "asks": asks}
    # Whoever may not read what this person labels does not see the person either.
    about = EventVisibility(creator=access.username, mode="manual", document=location.document)
    return Event(MUTATION, arg, location.project, about=about)
