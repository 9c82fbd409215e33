"""The HTTP server of an API process, alone on its socket or beside others that share it.

Several processes that listen on one socket are woken together, and asyncio takes as many connections as there are at
once: one process would get them all. Here each takes one at a time and leaves it to others that have less to do.
"""

from __future__ import annotations

import asyncio
import errno
import gc
import mmap
import socket
from collections.abc import Callable

import structlog
import uvicorn

from annotarium.http.connection_limits import ConnectionWatch, TimedProtocol
from annotarium.server.logs import logs_requests
from annotarium.server.watchdog import watch_event_loop
from annotarium.settings import get_settings

log = structlog.get_logger(__name__)
_YIELD_SECONDS = 0.01
"""How long a connection is left to processes that have less, should these be too busy to take it."""
_PAUSE_SECONDS = 1.0
ACTIVE = 8
_ABSENT = 1 << 40
_NO_MORE_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ProcessLoads:
    """What the open connections of each process weigh, in memory that forked processes share."""

    def __init__(self, processes: int) -> None:
        self._weights = memoryview(mmap.mmap(-1, 8 * processes)).cast("q")
        for number in range(processes):
            self.withdraw(number)

    def report(self, number: int, weight: int) -> None:
        """A process says what it has."""
        self._weights[number] = weight

    def withdraw(self, number: int) -> None:
        """A process is not there: nobody leaves connections to it."""
        self._weights[number] = _ABSENT

    def has_least(self, number: int) -> bool:
        """Whether no process has less."""
        return self._weights[number] <= min(self._weights)


class SharedSocket:
    """The part of one process in accepting connections of a socket that others accept from too."""

    def __init__(self, listening: socket.socket, loads: ProcessLoads, number: int) -> None:
        self._listening = listening
        self._loads = loads
        self._number = number
        self._weight = 0
        self._yielded = False
        self._take: Callable[[socket.socket], None] = socket.socket.close
        self._timer: asyncio.TimerHandle | None = None

    def start(self, take: Callable[[socket.socket], None]) -> None:
        """Have connections given to `take` (in the running loop)."""
        self._take = take
        self._listening.setblocking(False)
        self.report(0)
        self._watch()

    def stop(self) -> None:
        """Take no more."""
        self._loads.withdraw(self._number)
        if self._timer is not None:
            self._timer.cancel()
        asyncio.get_running_loop().remove_reader(self._listening.fileno())

    def report(self, weight: int) -> None:
        """What is open now: `ACTIVE` for each connection of requests, 1 for a live one, which is quiet."""
        self._weight = weight
        self._loads.report(self._number, weight)

    def _watch(self) -> None:
        asyncio.get_running_loop().add_reader(self._listening.fileno(), self._on_waiting)

    def _pause(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        loop.remove_reader(self._listening.fileno())
        self._timer = loop.call_later(seconds, self._watch)

    def _on_waiting(self) -> None:
        if not self._yielded and not self._loads.has_least(self._number):
            self._yielded = True
            self._pause(_YIELD_SECONDS)
            return
        self._yielded = False
        try:
            connection, _ = self._listening.accept()
        except OSError as error:  # somebody else has it, or the client is gone
            if error.errno in _NO_MORE_FILES:
                log.warning("no_connection_taken", error=str(error))
                self._pause(_PAUSE_SECONDS)
            return
        self.report(self._weight + ACTIVE)
        self._take(connection)


class ApiServer(uvicorn.Server):
    """Serves the application on a socket of its own (`run(sockets=...)`), or on its share of a common one.

    Args:
        on_ready: called once requests are answered.
    """

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None], share: SharedSocket | None = None) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._share = share
        self._beginning: set[asyncio.Task[None]] = set()
        self._connections = ConnectionWatch(get_settings())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then take connections."""
        await super().startup(sockets=[] if self._share else sockets)
        if not self.started:
            return
        self.watching = asyncio.create_task(watch_event_loop())
        gc.freeze()  # what is loaded stays: the collector need not look at it
        gc.enable()
        if self._share is not None:
            self._share.start(self._take)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Ten times a second."""
        self._connections.look(self.server_state.connections, asyncio.get_running_loop().time())
        if self._share is not None and not self.should_exit:
            http = self.config.http_protocol_class
            active = sum(isinstance(one, http) for one in self.server_state.connections)
            self._share.report(active * ACTIVE + len(self.server_state.connections) - active)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Take no more connections, end the open ones, stop the application."""
        if self._share is not None:
            self._share.stop()
        await super().shutdown(sockets=sockets)

    def _take(self, connection: socket.socket) -> None:
        task = asyncio.get_running_loop().create_task(self._begin(connection))
        self._beginning.add(task)
        task.add_done_callback(self._beginning.discard)

    async def _begin(self, connection: socket.socket) -> None:
        connection.setblocking(False)
        try:
            if connection.family in (socket.AF_INET, socket.AF_INET6):
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            await asyncio.get_running_loop().connect_accepted_socket(self._protocol, connection)
        except OSError as error:
            log.info("connection_lost_at_once", error=str(error))
            connection.close()

    def _protocol(self) -> asyncio.Protocol:
        make: Callable[..., asyncio.Protocol] = self.config.http_protocol_class
        return make(
            config=self.config,
            server_state=self.server_state,
            app_state=self.lifespan.state,
            _loop=asyncio.get_running_loop(),
        )


def server_config(*, forks: bool = False) -> uvicorn.Config:
    """How the application is served.

    Args:
        forks: it is loaded for processes that will be forked from this one.
    """
    proxies = get_settings().trusted_proxies
    return uvicorn.Config(
        "annotarium.app:create_preloaded_app" if forks else "annotarium.app:create_app",
        factory=True,
        log_config=None,
        access_log=logs_requests(),
        server_header=False,
        http=TimedProtocol,
        proxy_headers=bool(proxies),  # uvicorn itself would believe every caller of this machine
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=75,  # longer than proxies and clients keep an idle connection: else they meet a closed one
        ws="websockets-sansio",
        ws_max_size=4_096,
    )
