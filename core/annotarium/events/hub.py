"""The hub: one subscription per API process, and a bounded queue for each live connection.

A connection gets an event only if its user may see it at that time. A connection that reads too slowly, whose user's
rights changed, or whose sign-in ended is closed: its client reconnects and reloads everything.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import structlog
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.access.visibility import may_read_document_of_group, may_read_labelling
from annotarium.db.database import get_database
from annotarium.db.models import Project
from annotarium.db.unit_of_work import Event
from annotarium.events import bus, presence, repository
from annotarium.events.current_access import find_current_access
from annotarium.events.presence import Location
from annotarium.events.tokens import LiveClaims

log = structlog.get_logger(__name__)
QUEUE_MAX = 256
VISIBILITY = "visibility"
"""The event that notifies a user of changed rights on a project; see `domains.shares`."""
POLICY, TRY_AGAIN, RESTART = 1008, 1013, 1012
_RETRY_SECONDS = 1.0


@dataclass(eq=False)
class Connection:
    """A live connection. `queue` contains messages; None ends it, with `code` as the close code.

    `location` is the document that its user has open, None for no document.
    """

    claims: LiveClaims
    access: Access
    loop: asyncio.AbstractEventLoop
    queue: asyncio.Queue[bytes | None] = field(default_factory=lambda: asyncio.Queue(QUEUE_MAX + 1))
    code: int = 1000
    location: Location | None = None

    def put(self, messages: list[bytes]) -> None:
        """Enqueue messages; a full queue closes the connection. Must be called in the loop's thread."""
        for message in messages:
            if self.queue.qsize() >= QUEUE_MAX:
                self.end(TRY_AGAIN)
                return
            self.queue.put_nowait(message)

    def end(self, code: int, last: Iterable[bytes] = ()) -> None:
        """Close the connection. Unread messages are dropped, except `last`. Must be called in the loop's thread."""
        if self.code != 1000:
            return
        self.code = code
        while not self.queue.empty():
            self.queue.get_nowait()
        for message in (*islice(last, QUEUE_MAX), None):
            self.queue.put_nowait(message)


class Hub:
    """All live connections of this process."""

    def __init__(self) -> None:
        self._connections: set[Connection] = set()
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._revision = -1

    # -- connections ------------------------------------------------------------------------------------------------

    def open(self, claims: LiveClaims, loop: asyncio.AbstractEventLoop) -> Connection | None:
        """Register a connection; None if its user may not sign in (any more)."""
        access = find_current_access(claims)
        if access is None:
            return None
        connection = Connection(claims, access, loop)
        with self._lock:
            self._connections.add(connection)
        return connection

    def close(self, connection: Connection) -> None:
        """Remove a connection, which leaves its document too."""
        with self._lock:
            self._connections.discard(connection)
        self.move(connection, None)

    def move(self, connection: Connection, location: Location | None) -> None:
        """Set the document that the user has open, None for none. A document the user may not read counts as none."""
        if location is not None and not presence.is_location_readable(connection.access, location):
            location = None
        before, connection.location = connection.location, location
        told = []
        if before is not None and before != location and not self._is_at(before):
            told.append(presence.make_presence_event(connection.access, before, "gone"))
        if location is not None:
            told.append(presence.make_presence_event(connection.access, location, "here", asks=before != location))
        bus.get_publisher().publish(told)

    def _is_at(self, location: Location) -> bool:
        """Whether another connection of the same window is there: a window opens a new one to renew its token."""
        return any(connection.location == location for connection in self._all())

    def _answer(self, events: list[Event], connections: list[Connection]) -> None:
        """Answer presence events: to a user who arrives, and to a wrong notice that somebody here is gone."""
        answers = [
            presence.make_presence_event(connection.access, connection.location, "here")
            for event in events
            if event.mutation == presence.MUTATION
            for connection in connections
            if connection.location is not None and connection.location.answers(event)
        ]
        bus.get_publisher().publish(answers)

    def _all(self) -> list[Connection]:
        with self._lock:
            return list(self._connections)

    def check_rights(self, last: Callable[[Access], list[bytes]] | None = None) -> None:
        """Close the connections of users whose rights changed, who were disabled, or who signed out.

        `last` returns messages to deliver before the close if the user still has access: a reconnecting client reloads
        everything, but not events for this user alone (T-007).
        """
        connections = self._all()
        if not connections:
            return
        revision, _ = repository.read_rights_revision(get_database(), None)
        if revision == self._revision:
            return
        self._revision = revision
        for connection in connections:
            access = find_current_access(connection.claims)
            if access != connection.access:
                messages = last(access) if last is not None and access is not None else []
                _call_in_connection_loop(connection, partial(connection.end, last=messages), POLICY)

    # -- events -----------------------------------------------------------------------------------------------------

    def deliver(self, events: list[Event]) -> None:
        """Send events to the connections whose users may see them now."""
        connections = self._all()
        if not connections:
            return
        with get_database().session(write=False) as session:
            projects = _load_projects_of_events(session, events)
        self.check_rights(partial(_visibility_messages_for_user, events, projects))
        messages = [(event, bus.event_to_json(event)) for event in events if event.mutation != VISIBILITY]
        deleted = {
            event.project for event in events if event.mutation == "project" and event.arg.get("type") == "deleted"
        }
        for connection in connections:
            if connection.location is not None and connection.location.project in deleted:
                connection.location = None  # a later project of that name has other documents
            mine = [message for event, message in messages if _is_event_for_connection(connection, event, projects)]
            mine += _visibility_messages_for_user(events, projects, connection.access)
            if mine:
                _call_in_connection_loop(connection, connection.put, mine)
        self._answer(events, connections)

    def end_all(self, code: int) -> None:
        """Close all connections; their clients reconnect and reload everything."""
        for connection in self._all():
            _call_in_connection_loop(connection, connection.end, code)

    # -- subscription -----------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Subscribe to the bus."""
        self._stop.clear()
        bus.received_locally.connect(self.deliver)
        if bus.get_queue_server_client() is not None:
            self._thread = threading.Thread(target=self._subscribe, name="live-events", daemon=True)
            self._thread.start()

    async def stop(self) -> None:
        """Unsubscribe and close all connections."""
        self._stop.set()
        bus.received_locally.disconnect(self.deliver)
        self.end_all(RESTART)
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, 5)
            self._thread = None

    def _subscribe(self) -> None:
        interrupted = False
        while not self._stop.is_set():
            try:
                with bus.get_queue_server_client().pubsub(ignore_subscribe_messages=True) as subscription:
                    subscription.subscribe(bus.CHANNEL)
                    subscription.get_message(timeout=1.0)
                    if interrupted:
                        self.end_all(RESTART)  # events were missed
                    interrupted = False
                    self._read(subscription)
            except Exception as error:  # noqa: BLE001  # queue server unreachable: retry
                if not interrupted:
                    log.warning("live_events_interrupted", error=str(error))
                interrupted = True
                time.sleep(_RETRY_SECONDS)

    def _read(self, subscription: Any) -> None:
        while not self._stop.is_set():
            message = subscription.get_message(timeout=1.0)
            if message is None or message.get("type") != "message" or not self._all():
                continue
            try:
                self.deliver(bus.decode_events(message["data"]))
            except Exception:
                log.exception("event_not_delivered")


Projects = dict[str | int, Project]
"""The projects of events, by name or, if the event has it, by id."""


def _load_projects_of_events(session: Session, events: list[Event]) -> Projects:
    found: Projects = {}
    found.update(repository.find_projects_by_name(session, {one.project for one in events if one.project}))
    projects_by_id = repository.find_projects_by_id(
        session, {one.project_id for one in events if one.project_id is not None}
    )
    session.expunge_all()
    for event in events:
        project = projects_by_id.get(event.project_id) if event.project_id is not None else None
        if project is not None and event.project is not None:
            project.name = event.project  # rights refer to the event's name; detached, so nothing is saved
            found[project.id] = project
    return found


def _project_of_event(event: Event, projects: Projects) -> Project | None:
    return projects.get(event.project or "" if event.project_id is None else event.project_id)


def _is_project_deletion(event: Event) -> bool:
    return event.mutation == "project" and isinstance(event.arg, dict) and event.arg.get("type") == "deleted"


def _call_in_connection_loop(connection: Connection, act: Any, argument: Any) -> None:
    try:
        connection.loop.call_soon_threadsafe(act, argument)
    except RuntimeError:  # its loop has ended
        log.info("live_connection_gone")


def _is_event_for_connection(connection: Connection, event: Event, projects: Projects) -> bool:
    """Whether the connection's user may see the event and has the document of the event open, if it has one."""
    if event.about is not None and event.about.document is not None:
        location = connection.location
        if location is None or not location.includes(event):
            return False
    return _may_see_event(connection.access, event, projects) and _may_read_event_content(connection.access, event)


def _visibility_messages_for_user(events: list[Event], projects: Projects, access: Access) -> list[bytes]:
    """The visibility events for this user, each with whether the project is visible now."""
    messages = []
    for event in events:
        project = _project_of_event(event, projects)
        told = event.mutation == VISIBILITY and event.user == access.username
        if told and project is not None and access.opens(project.name):
            visible = project.deleted_at is None and access.rights_on(project).read
            messages.append(bus.event_to_json(replace(event, arg={**event.arg, "visible": visible})))
    return messages


def _may_read_event_content(access: Access, event: Event) -> bool:
    """Whether the user may read what the event is about: a user's labelling, a document of a group."""
    about = event.about
    if about is None:
        return True
    told = [(about.creator, about.mode)] if about.creator is not None else []
    if not all(may_read_labelling(access, creator, mode) for creator, mode in (*told, *about.others)):
        return False
    return may_read_document_of_group(access, about.group)


def _may_see_event(access: Access, event: Event, projects: Projects) -> bool:
    """Whether the event is for this user: their own or a group's, of a project they can read, or for everybody."""
    if event.user is not None:
        return event.user == access.username and _is_within_restriction(access, event)
    if event.user_group is not None:
        return event.user_group in access.group_names
    if event.project is not None:
        project = _project_of_event(event, projects)
        return project is not None and access.rights_on(project).read
    return True


def _is_within_restriction(access: Access, event: Event) -> bool:
    """Whether an event for the user, which may name any project, is within the restriction of the connection."""
    if access.restriction is None or access.restriction.project_filter is None:
        return True
    return event.project is not None and access.opens(event.project)


@lru_cache(maxsize=1)
def get_hub() -> Hub:
    """The hub of this process."""
    return Hub()
