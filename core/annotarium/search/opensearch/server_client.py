"""HTTP requests to the search server: one client per process, retries while the server is busy, translated errors."""

from __future__ import annotations

import logging
import os
import random
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any
from urllib.parse import urlencode

import opensearchpy
import orjson
import structlog
from opensearchpy import exceptions as faults

from annotarium.errors import AnnotariumError, InvalidInput, ServiceUnavailable
from annotarium.search.automaton import TooManyStates
from annotarium.search.engine import IndexStarting
from annotarium.settings import Settings
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
logging.getLogger("opensearch").setLevel(logging.CRITICAL)  # we log what matters ourselves

ANSWER_SECONDS = 30.0
"""Timeout of one request in seconds."""

SEARCH_PATIENCE, WRITE_PATIENCE = 2.0, 8.0
"""Seconds for which a request is retried while the server reports that it is overloaded."""

_SHARD_WAIT = "5s"
"""How long the server holds back a change of an index that is not open. Its default of a minute exceeds our timeout."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.25, 5.0
_BUSY = (429, 503)
_STARTING = frozenset(
    (
        "search_phase_execution_exception",  # all shards failed without a reason: none is open
        "no_shard_available_action_exception",
        "unavailable_shards_exception",
        "illegal_index_shard_state_exception",
        "index_shard_not_started_exception",
        "cluster_manager_not_discovered_exception",
        "master_not_discovered_exception",
    )
)
"""Error types of the server for indexes that are not open (yet)."""
_RETRY_LATER = "Try again in a minute. Changes are kept meanwhile, and found once the search server is back"


class SearchServerUnavailable(ServiceUnavailable):
    """The search server cannot be used at the moment."""

    error = "search_unavailable"
    default_fix = _RETRY_LATER


class SearchServerAccessDenied(SearchServerUnavailable):
    """The server rejects the name and password, or the account lacks rights for the request."""


class RequestRejected(AnnotariumError):
    """The server rejected the request; `kind` is its error type."""

    error = "search_refused"
    default_fix = "Look into the log, or build the index again: annotarium index rebuild"

    def __init__(self, kind: str, reason: str) -> None:
        super().__init__("The search server refused the request", cause=f"{kind}: {reason}"[:300])
        self.kind = kind
        self.reason = reason


class IndexNotFound(Exception):
    """The index does not exist on the server."""


class _CircuitBreaker:
    """Blocks requests for a while after the server did not answer; the pauses grow to five seconds."""

    def __init__(self) -> None:
        self._pause = 0.0
        self._closed_until = 0.0

    def check(self) -> None:
        if time.monotonic() < self._closed_until:
            raise SearchServerUnavailable(
                message("search.noAnswer", "The search server does not respond"),
                cause=message("search.justNow", "It did not respond a moment ago"),
            )

    def failed(self) -> None:
        self._pause = min(max(self._pause * 2, _FIRST_PAUSE), _LONGEST_PAUSE)
        self._closed_until = time.monotonic() + self._pause

    def answered(self) -> None:
        self._pause = self._closed_until = 0.0


class SearchServerClient:
    """The search server of the settings. Threads and forked processes may share a client.

    All requests raise:
        SearchServerUnavailable: no connection, no answer in time, overloaded, or credentials rejected.
        IndexNotFound: the index does not exist.
        IndexStarting: the index is not open yet.
        InvalidInput: the query has too many words or a regular expression is too complex.
        RequestRejected: any other rejection.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._gate = _CircuitBreaker()
        self._lock = threading.Lock()
        self._client: opensearchpy.OpenSearch | None = None
        self._process = 0

    def get(self, path: str, **parameters: Any) -> Any:
        """Send a GET request."""
        return self.request("GET", path, None, parameters)

    def post(self, path: str, body: Mapping[str, Any] | None = None, **parameters: Any) -> Any:
        """Send a POST request."""
        return self.request("POST", path, body, parameters)

    def put(self, path: str, body: Mapping[str, Any], **parameters: Any) -> Any:
        """Send a PUT request."""
        return self.request("PUT", path, body, parameters)

    def delete(self, path: str, body: Mapping[str, Any] | None = None, **parameters: Any) -> None:
        """Send a DELETE request; what does not exist is ignored."""
        with suppress(IndexNotFound):
            self.request("DELETE", path, body, parameters)

    def bulk(self, path: str, lines: list[bytes], **parameters: Any) -> list[dict[str, Any]]:
        """Send index, delete and update actions. Returns the results of those that failed, except for missing items.

        While the server is too busy for some of the actions, all of them are repeated, so they must be idempotent.
        """
        body = b"\n".join(lines).decode() + "\n"
        deadline = time.monotonic() + WRITE_PATIENCE
        # In the path, because the client takes a parameter of that name for its own timeout.
        target = f"{path}/_bulk?{urlencode({'timeout': _SHARD_WAIT} | _encoded_parameters(parameters))}"
        for pause in _pauses():
            answer = self.request("POST", target, body, {}, WRITE_PATIENCE)
            results = [next(iter(item.values())) for item in answer["items"]] if answer["errors"] else []
            failed = [result for result in results if "error" in result and result["status"] != 404]
            if not any(result["status"] in _BUSY or result["status"] == 409 for result in failed):
                return failed
            if time.monotonic() + pause > deadline:
                break
            time.sleep(pause)
        raise _temporarily_unavailable(*_failure_kind_and_reason(failed[0]["error"]))

    def request(
        self,
        method: str,
        path: str,
        body: Mapping[str, Any] | str | None,
        parameters: Mapping[str, Any],
        patience: float = SEARCH_PATIENCE,
    ) -> Any:
        """Send one request.

        It is repeated while the server is overloaded, and once when a pooled connection was dead.
        """
        content = body if body is None or isinstance(body, str) else orjson.dumps(body).decode()
        deadline = time.monotonic() + patience
        again = True
        for pause in _pauses():
            self._gate.check()
            try:
                answer = self._perform(method, path, content, parameters)
            except faults.ConnectionError as failure:
                if again and not isinstance(failure, faults.ConnectionTimeout):
                    again = False
                    continue
                self._gate.failed()
                raise _unavailable(failure) from failure
            except faults.TransportError as failure:
                self._gate.answered()
                if failure.status_code not in _BUSY or time.monotonic() + pause > deadline:
                    raise _as_search_error(failure) from failure
                time.sleep(pause)
            else:
                self._gate.answered()
                return answer
        raise AssertionError("pauses have no end")

    def close(self) -> None:
        """Close the connections of this process."""
        with self._lock:
            client, self._client = self._client, None
        if client is not None and self._process == os.getpid():
            client.close()

    def _perform(self, method: str, path: str, body: str | None, parameters: Mapping[str, Any]) -> Any:
        return self._connected().transport.perform_request(
            method, path, params=_encoded_parameters(parameters), body=body
        )

    def _connected(self) -> opensearchpy.OpenSearch:
        with self._lock:
            if self._client is None or self._process != os.getpid():  # connections cannot be used after a fork
                self._client, self._process = self._connect(), os.getpid()
            return self._client

    def _connect(self) -> opensearchpy.OpenSearch:
        assert self._settings.opensearch_url is not None
        authority = self._settings.opensearch_authority
        options: dict[str, Any] = {} if authority is None else {"ca_certs": str(authority)}
        return opensearchpy.OpenSearch(
            self._settings.opensearch_url.split(","),
            timeout=ANSWER_SECONDS,
            max_retries=0,
            http_compress=True,
            pool_maxsize=32,
            **options,
        )


def _encoded_parameters(parameters: Mapping[str, Any]) -> dict[str, Any]:
    return {name: str(value).lower() if isinstance(value, bool) else value for name, value in parameters.items()}


def _pauses() -> Any:
    pause = 0.1
    while True:
        yield pause * random.uniform(0.8, 1.2)
        pause = min(pause * 2, 2.0)


def _failure_kind_and_reason(error: Any) -> tuple[str, str]:
    """Return the error type and the message from a server error."""
    if not isinstance(error, Mapping):
        return "unknown", str(error)
    causes = error.get("root_cause") or [error]
    shards = [one.get("reason") for one in error.get("failed_shards") or () if isinstance(one.get("reason"), Mapping)]
    inner = (shards or causes)[0]
    while isinstance(inner.get("caused_by"), Mapping):
        inner = inner["caused_by"]
    return str(inner.get("type", error.get("type", "unknown"))), str(inner.get("reason", ""))


def _unavailable(failure: faults.ConnectionError) -> SearchServerUnavailable:
    log.warning("search_server_away", error=str(failure)[:500])
    if isinstance(failure, faults.ConnectionTimeout):
        return SearchServerUnavailable(
            message("search.noAnswer", "The search server does not respond"),
            cause=message("search.late", "It did not respond in time"),
        )
    if isinstance(failure, faults.SSLError):
        return SearchServerUnavailable(
            "The search server cannot be trusted",
            cause=message("search.certificate", "Its certificate is not trusted"),
            fix="Name the authority in ANNOTARIUM_OPENSEARCH_AUTHORITY",
        )
    return SearchServerUnavailable(
        message("search.noAnswer", "The search server does not respond"),
        cause=message("search.noConnection", "There is no connection to it"),
    )


def _temporarily_unavailable(kind: str, reason: str) -> ServiceUnavailable:
    """Return the error for a server that is overloaded or has not opened its indexes yet."""
    if kind in _STARTING or (kind == "cluster_block_exception" and "not recovered" in reason):
        return IndexStarting(f"{kind}: {reason}"[:300])
    return SearchServerUnavailable(
        message("search.overloaded", "The search server is overloaded"), cause=f"{kind}: {reason}"[:300]
    )


def _as_search_error(failure: faults.TransportError) -> Exception:
    status = failure.status_code
    body = failure.info if isinstance(failure.info, Mapping) else {}
    kind, reason = _failure_kind_and_reason(body.get("error", failure.error))
    if status == 404:
        return IndexNotFound(reason)
    if kind == "too_many_clauses" or "maxClauseCount" in reason:
        return InvalidInput(message("search.manyWords", "The query has too many words"), fix="Ask with fewer words")
    log.warning("search_server_refused", status=status, kind=kind, reason=reason[:500])
    if status in _BUSY:
        return _temporarily_unavailable(kind, reason)
    if kind == "cluster_block_exception":
        return SearchServerUnavailable(
            message("search.noChanges", "The search server accepts no changes"),
            cause=reason[:300],
            fix="Give it more disk space",
        )
    if status in (401, 403):
        return SearchServerAccessDenied(
            "The search server does not let us in",
            cause=message("search.password", "It refuses the name and password, or their rights are insufficient"),
            fix="Check the name and password in OPENSEARCH_URL",
        )
    if kind.startswith("too_complex_to_determinize"):
        return TooManyStates()
    return RequestRejected(kind, reason)
