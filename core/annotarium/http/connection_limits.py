"""Limits of connections: clients that send or read too slowly are disconnected, so that none can occupy thousands.

uvicorn only ends connections that are idle between two requests; an incomplete header or body would stay open
permanently. Here each connection notes which part of a request it is in, at almost no cost per request, and the server
checks all connections once a second (`ConnectionWatch`). The limits:

- request line and headers: `header_seconds` in total, `HEADER_BYTES`, `HEADER_FIELDS`;
- the body: `body_seconds` without a byte, and `BODY_RATE` bytes per second on average. Time in which the server
    does not
  read (slow disk, waiting for a thread) does not count;
- the rest of a body after the response: `body_seconds` in total and `REST_BYTES`. It is read and discarded, so that a
  client that is still sending sees the response and not a broken connection;
- the response: `answer_seconds` without the client reading a byte of it.

A request that is being processed has no limit here: some wait for a job. WebSockets have uvicorn's own limit (pings).
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network
from typing import Any, Literal

import structlog
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from annotarium.access.networks import network_of_address
from annotarium.settings import Settings

log = structlog.get_logger(__name__)
HEADER_BYTES, HEADER_FIELDS = 128 * 1024, 128
BODY_RATE = 500
REST_BYTES = 64 * 1024 * 1024
LOOK_SECONDS = 1.0
_TIMED_OUT, _HEADERS_TOO_LARGE = "408 Request Timeout", "431 Request Header Fields Too Large"
ExceededLimit = Literal["headers", "body", "rest", "answer"]
open_by_network: Counter[str] = Counter()
"""HTTP connections of this process, by the network of the client."""


class TooLargeHeaders(Exception):
    """Aborts the parsing of a request."""


class TimedProtocol(HttpToolsProtocol):
    """A connection that tracks which part of a request it is in."""

    most_per_network: int = 1 << 30
    trusted: tuple[IPv4Network | IPv6Network, ...] = ()
    """Both are set for the process by `ConnectionWatch`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._part: Literal["idle", "headers", "body"] = "headers"
        self._since = self._progress = self._seen = self._taken = self.loop.time()
        self._header_bytes = self._header_fields = 0
        self._body_bytes = self._rest_from = self._unsent = 0
        self._unread_seconds = 0.0
        self._answered: float | None = None
        self._network: str | None = None
        self._running: RequestResponseCycle | None = None

    # -- called by uvicorn and the parser ----------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Accept the connection, or abort it if its network has too many."""
        super().connection_made(transport)
        self._network = network_of_address(self.client[0]) if self.client else ""
        open_by_network[self._network] += 1
        if open_by_network[self._network] > self.most_per_network and not self._is_trusted():
            transport.abort()

    def _is_trusted(self) -> bool:
        """Whether the client is one of our proxies, which forwards the connections of many clients."""
        with suppress(ValueError):
            return self.client is not None and any(ip_address(self.client[0]) in one for one in self.trusted)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        """Notify the running request: with pipelined requests, the base class notifies the last one only."""
        self._uncount()
        if self._running is not None and not self._running.response_complete:
            self._running.disconnected = True
            self._running.message_event.set()
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: Any) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    def handle_websocket_upgrade(self) -> None:
        """Stop counting the connection: from here on it is a WebSocket, whose own protocol watches it."""
        self._uncount()
        super().handle_websocket_upgrade()

    def _uncount(self) -> None:
        if self._network is not None:
            open_by_network[self._network] -= 1
            if open_by_network[self._network] <= 0:
                del open_by_network[self._network]
            self._network = None

    def data_received(self, data: bytes) -> None:
        """Handle received bytes."""
        if self._part == "idle":
            self._begin()
        before = self._part
        super().data_received(data)
        if before == self._part == "headers":  # the parser calls no callback before a header is complete
            self._header_bytes += len(data)
            if self._header_bytes > 2 * HEADER_BYTES and not self.transport.is_closing():
                self._refuse(_HEADERS_TOO_LARGE)

    def _begin(self) -> None:
        self._part = "headers"
        self._since = self.loop.time()
        self._header_bytes = self._header_fields = 0

    def on_message_begin(self) -> None:
        """Handle the start of a request."""
        self._begin()
        super().on_message_begin()

    def on_url(self, url: bytes) -> None:
        """Handle a part of the URL."""
        self._count(len(url))
        super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        """Handle a header, or a trailer after a chunked body."""
        self._header_fields += 1
        self._count(len(name) + len(value))
        super().on_header(name, value)

    def _count(self, size: int) -> None:
        self._header_bytes += size
        if self._header_bytes > HEADER_BYTES or self._header_fields > HEADER_FIELDS:
            raise TooLargeHeaders

    def on_headers_complete(self) -> None:
        """Start the limits of the body."""
        self._part = "body"
        self._since = self._progress = self._seen = self.loop.time()
        self._body_bytes, self._unread_seconds, self._answered = 0, 0.0, None
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """Handle a part of the body."""
        self._progress = self.loop.time()
        self._body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        """Handle the end of the request."""
        self._part = "idle"
        super().on_message_complete()
        if self._answers_nothing() and self.timeout_keep_alive_task is None and not self.transport.is_closing():
            # The response was sent before the body was complete: the base class has stopped the keep-alive timer.
            self.timeout_keep_alive_task = self.loop.call_later(
                self.timeout_keep_alive, self.timeout_keep_alive_handler
            )

    def send_400_response(self, msg: str) -> None:
        """Respond to a malformed request, with 431 if the headers are too large."""
        if self._header_bytes > HEADER_BYTES or self._header_fields > HEADER_FIELDS:
            self._refuse(_HEADERS_TOO_LARGE)
        else:
            super().send_400_response(msg)

    # -- called by the watch -----------------------------------------------------------------------------------------

    def exceeded(self, now: float, late: float, settings: Settings) -> ExceededLimit | None:
        """The limit that the connection exceeds, None if it exceeds none.

        Args:
            now: time of the loop's clock in seconds.
            late: seconds during which this process was blocked; they do not count against the client.
        """
        self._since, self._progress = self._since + late, self._progress + late
        passed, self._seen = now - self._seen, now
        if self._is_unread(now, late, settings.answer_seconds):
            return "answer"
        if self._part == "headers":
            if not self._answers_nothing():
                self._since = now  # a pipelined request waits until the previous one is answered
            return "headers" if now - self._since > settings.header_seconds else None
        if self._part == "body":
            return self._exceeded_body_limit(now, passed, settings.body_seconds)
        return None

    def _exceeded_body_limit(self, now: float, passed: float, limit: float) -> ExceededLimit | None:
        if self._answers_nothing():
            if self._answered is None:
                self._answered, self._rest_from = now, self._body_bytes
            over = self._body_bytes - self._rest_from > REST_BYTES
            return "rest" if over or now - self._answered > limit else None
        if self.flow.read_paused:
            self._unread_seconds += passed
            self._progress = now
            return None
        seconds = now - self._since - self._unread_seconds
        slow = seconds > limit and self._body_bytes < BODY_RATE * seconds
        return "body" if slow or now - self._progress > limit else None

    def _is_unread(self, now: float, late: float, limit: float) -> bool:
        unsent = self.transport.get_write_buffer_size()
        self._taken = now if unsent == 0 or unsent < self._unsent else self._taken + late
        self._unsent = unsent
        return now - self._taken > limit

    def _answers_nothing(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def end(self, exceeded: ExceededLimit) -> None:
        """Close the connection, with an error response if one can still be sent."""
        if exceeded == "answer":
            self.transport.abort()
        elif exceeded == "rest" or (self.cycle is not None and self.cycle.response_started and self._part == "body"):
            self.transport.close()
        else:
            self._refuse(_TIMED_OUT)

    def _refuse(self, status: str) -> None:
        words = status[4:].encode()
        head = f"HTTP/1.1 {status}\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: {len(words)}\r\n"
        self.transport.write(head.encode() + b"connection: close\r\n\r\n" + words)
        self.transport.close()


class ConnectionWatch:
    """Ends the connections of this process that exceed a limit."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._looked: float | None = None
        TimedProtocol.most_per_network = settings.connections_per_address
        TimedProtocol.trusted = tuple(ip_network(one) for one in settings.trusted_proxies)

    def look(self, connections: Iterable[object], now: float) -> int:
        """Check all connections, at most once every `LOOK_SECONDS`; returns the number of connections ended.

        Args:
            now: time of the loop's clock in seconds.
        """
        passed = LOOK_SECONDS if self._looked is None else now - self._looked
        if passed < LOOK_SECONDS:
            return 0
        self._looked = now
        late = passed - LOOK_SECONDS if passed > 2 * LOOK_SECONDS else 0.0
        ended: Counter[str] = Counter()
        for one in list(connections):
            if isinstance(one, TimedProtocol) and one.transport is not None:
                exceeded = one.exceeded(now, late, self._settings)
                if exceeded is not None:
                    one.end(exceeded)
                    ended[exceeded] += 1
        if ended:
            log.info("slow_connections_closed", **ended)
        return ended.total()
