"""Answers that continue after the response: `asyncAnswer`.

A thread computes the answer and publishes its growing state as live events to the asker alone; `AnswerSlots` limit the
threads. The last state is stored, so that a client that reconnects gets it from any API process.
"""

from __future__ import annotations

import threading
import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Any

import structlog

from annotarium.access.call import ProjectCall
from annotarium.access.repository import find_project
from annotarium.db.database import get_database
from annotarium.db.unit_of_work import Event
from annotarium.domains.segments.answer_run import AnswerRun
from annotarium.domains.segments.answer_serializers import error_to_json
from annotarium.events.bus import get_publisher
from annotarium.events.current_access import find_current_access
from annotarium.events.tokens import LiveClaims
from annotarium.search.answer_client import interrupted
from annotarium.search.answer_states import AnswerState, get_answer_states

log = structlog.get_logger(__name__)
MUTATION = "answer"
INTERVAL_SECONDS = 0.2
"""Shortest time between two events of an answer: only the latest state matters."""
RENEWAL_SECONDS = 4.0
_NOT_SENT = frozenset({"passages", "context"})
"""Fields that the response has and that never change: events stay small."""


@dataclass(frozen=True)
class Asker:
    """Who asked, where, and with which credential."""

    claims: LiveClaims
    username: str
    project_id: int
    project_name: str

    def may_read(self) -> bool:
        """Whether the asker, with the same credential, may search in the project now."""
        access = find_current_access(self.claims)
        if access is None or not access.can("useSearch"):
            return False
        with get_database().session(write=False) as session:
            project = find_project(session, self.project_name)
            return project is not None and project.id == self.project_id and access.rights_on(project).read


def start_answer(call: ProjectCall, run: AnswerRun, slot: ExitStack) -> dict[str, Any]:
    """Compute an answer in a thread; return its state before the first word. `slot` is closed at its end."""
    claims = LiveClaims(call.access.user_id, call.access.session_id, call.access.key_id)
    asker = Asker(claims, call.username, call.project.id, call.project.name)
    state = run.first_state()
    get_answer_states().store(AnswerState(claims.user_id, asker.project_id, state))
    work = _BackgroundAnswer(asker, run, state)
    thread = threading.Thread(target=work.compute, args=(slot.pop_all(),), name="answer", daemon=True)
    thread.start()
    return state


class _BackgroundAnswer:
    def __init__(self, asker: Asker, run: AnswerRun, state: dict[str, Any]) -> None:
        self._asker, self._run, self._state = asker, run, state
        self._published = self._renewed = time.monotonic()
        self._changed = False

    def compute(self, slot: ExitStack) -> None:
        with slot:
            try:
                self._follow()
            except Exception:
                log.exception("answer_failed")
                self._end("failed", error_to_json(interrupted()))

    def _follow(self) -> None:
        states = self._run.states(INTERVAL_SECONDS)
        try:
            for state in states:
                if state is not None:
                    self._state, self._changed = state, True
                    if state["status"] != "running":
                        break
                if time.monotonic() - self._published < INTERVAL_SECONDS:
                    continue
                if get_answer_states().is_stopped(self._state["resultID"]):
                    self._end("stopped")
                    return
                if not self._publish():
                    self._end("stopped", publish=False)
                    return
        finally:
            states.close()
        self._publish(last=True)

    def _publish(self, *, last: bool = False) -> bool:
        """Publish and store the state if it changed; False if the asker may not read it any more."""
        now = time.monotonic()
        self._published = now
        if not self._asker.may_read():
            if last:
                self._end("stopped", publish=False)
            return False
        if self._changed:
            self._changed, self._renewed = False, now
            self._store()
            self._send()
        elif now - self._renewed >= RENEWAL_SECONDS:
            self._renewed = now
            get_answer_states().renew(self._state["resultID"])
        return True

    def _end(self, status: str, error: dict[str, Any] | None = None, *, publish: bool = True) -> None:
        self._state = self._state | {"status": status, "error": error}
        self._store()
        if publish:
            self._send()

    def _store(self) -> None:
        get_answer_states().store(AnswerState(self._asker.claims.user_id, self._asker.project_id, self._state))

    def _send(self) -> None:
        sent = {name: value for name, value in self._state.items() if name not in _NOT_SENT}
        arg = {"resultID": self._state["resultID"], "answerDetails": sent}
        asker = self._asker
        event = Event(MUTATION, arg, asker.project_name, user=asker.username, project_id=asker.project_id)
        get_publisher().publish([event])
