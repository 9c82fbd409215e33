"""The answers that are computed while their askers wait for live events, and those that ended some minutes ago.

They are stored in the queue server, so that any API process can report them; without one, in this process. An answer
whose process was killed is reported as failed: the process renews a mark with a short life while it answers.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from threading import Lock
from typing import Any, TypeVar

import orjson
import structlog

from annotarium.events.bus import get_queue_server_client
from annotarium.search.answer_client import interrupted

log = structlog.get_logger(__name__)
KEPT_SECONDS, ALIVE_SECONDS = 600, 15
"""How long an answer is kept after its last change; how long after the last mark its process counts as alive."""
_STATE, _ALIVE, _STOP = "annotarium:answer:", "annotarium:answer-alive:", "annotarium:answer-stop:"
_MAX_LOCAL = 128
Found = TypeVar("Found")


@dataclass(frozen=True)
class AnswerState:
    """An answer as `AnswerRead` in JSON, and whose it is."""

    user_id: int
    project_id: int
    details: dict[str, Any]


class AnswerStates:
    """The states of answers by resultID. Thread-safe; a queue server that fails is replaced by this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._local: OrderedDict[str, tuple[float, AnswerState]] = OrderedDict()
        self._stopped: set[str] = set()

    def store(self, state: AnswerState) -> None:
        """Store the present state of an answer; a running one counts as alive for `ALIVE_SECONDS`."""
        result_id, running = state.details["resultID"], state.details["status"] == "running"
        content = orjson.dumps([state.user_id, state.project_id, state.details])

        def write(client: Any) -> bool:
            with client.pipeline(transaction=True) as pipeline:
                if running:
                    pipeline.set(_ALIVE + result_id, b"1", ex=ALIVE_SECONDS)
                pipeline.set(_STATE + result_id, content, ex=KEPT_SECONDS)
                pipeline.execute()
            return True

        stored = _with_queue_server(write)
        with self._lock:
            self._local.pop(result_id, None)
            if not running:
                self._stopped.discard(result_id)
            if not stored:
                self._local[result_id] = (time.monotonic() + KEPT_SECONDS, state)
                while len(self._local) > _MAX_LOCAL:
                    self._local.popitem(last=False)

    def renew(self, result_id: str) -> None:
        """State that the process that computes the answer is alive."""
        _with_queue_server(lambda client: client.set(_ALIVE + result_id, b"1", ex=ALIVE_SECONDS))

    def find(self, result_id: str) -> AnswerState | None:
        """The state of an answer, None if there is none (any more); failed if its process does not exist any more."""
        with self._lock:
            until, local = self._local.get(result_id, (0.0, None))
        if local is not None:
            return local if until > time.monotonic() else None
        found = _with_queue_server(lambda client: client.mget(_STATE + result_id, _ALIVE + result_id))
        if found is None or found[0] is None:
            return None
        state = AnswerState(*orjson.loads(found[0]))
        if state.details["status"] == "running" and found[1] is None:
            error = interrupted()
            problem = {"code": error.error, "message": error.message, "cause": error.cause, "fix": error.fix}
            return AnswerState(state.user_id, state.project_id, state.details | {"status": "failed", "error": problem})
        return state

    def stop(self, result_id: str) -> None:
        """Request the end of an answer; its process notices within a second."""
        with self._lock:
            if result_id in self._local:
                self._stopped.add(result_id)
        _with_queue_server(lambda client: client.set(_STOP + result_id, b"1", ex=KEPT_SECONDS))

    def is_stopped(self, result_id: str) -> bool:
        """Whether the end of an answer was requested."""
        with self._lock:
            if result_id in self._stopped:
                return True
        return bool(_with_queue_server(lambda client: client.exists(_STOP + result_id)))


def _with_queue_server(act: Callable[[Any], Found]) -> Found | None:
    """The result of the function with the queue server's client; None if there is none, or it fails."""
    client = get_queue_server_client()
    if client is None:
        return None
    try:
        return act(client)
    except Exception as error:  # noqa: BLE001  # clients are told by the next request that succeeds
        log.info("answer_state_not_shared", error=str(error))
        return None


@lru_cache(maxsize=1)
def get_answer_states() -> AnswerStates:
    """Return the states as this process sees them."""
    return AnswerStates()
