"""The HTTP server of an API process, with its own socket or with one that several processes share.

If several processes listen on one socket, all wake up for a connection and asyncio accepts as many as are waiting, so
one process would get them all. Here each accepts one at a time and leaves connections to processes with less load.
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
"""How long a connection is left to less loaded processes, in case they are too busy to accept it."""
_PAUSE_SECONDS = 1.0
ACTIVE = 8
_ABSENT = 1 << 40
_NO_MORE_FILES = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)


class ProcessLoads:
    """The load of each process, computed from its open connections, in memory shared by forked processes."""

    def __init__(self, processes: int) -> None:
        self._weights = memoryview(mmap.mmap(-1, 8 * processes)).cast("q")
        for number in range(processes):
            self.withdraw(number)

    def report(self, number: int, weight: int) -> None:
        """Publish the load of a process."""
        self._weights[number] = weight

    def withdraw(self, number: int) -> None:
        """Mark a process as not running, so that no connection is left to it."""
        self._weights[number] = _ABSENT

    def has_least(self, number: int) -> bool:
        """Whether no other process has less load."""
        return self._weights[number] <= min(self._weights)


class SharedSocket:
    """One process's share of a listening socket from which other processes accept too."""

    def __init__(self, listening: socket.socket, loads: ProcessLoads, number: int) -> None:
        self._listening = listening
        self._loads = loads
        self._number = number
        self._weight = 0
        self._yielded = False
        self._take: Callable[[socket.socket], None] = socket.socket.close
        self._timer: asyncio.TimerHandle | None = None

    def start(self, take: Callable[[socket.socket], None]) -> None:
        """Pass accepted connections to `take`. Must be called in the running loop."""
        self._take = take
        self._listening.setblocking(False)
        self.report(0)
        self._watch()

    def stop(self) -> None:
        """Accept no further connections."""
        self._loads.withdraw(self._number)
        if self._timer is not None:
            self._timer.cancel()
        asyncio.get_running_loop().remove_reader(self._listening.fileno())

    def report(self, weight: int) -> None:
        """Publish this process's load: `ACTIVE` for each HTTP connection, 1 for a WebSocket, which is mostly idle."""
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
        except OSError as error:  # another process accepted it, or the client is gone
            if error.errno in _NO_MORE_FILES:
                log.warning("no_connection_taken", error=str(error))
                self._pause(_PAUSE_SECONDS)
            return
        self.report(self._weight + ACTIVE)
        self._take(connection)


class ApiServer(uvicorn.Server):
    """Serves the application on its own socket (`run(sockets=...)`) or on its share of a common one.

    Args:
        on_ready: called once, when requests are answered.
    """

    def __init__(self, config: uvicorn.Config, on_ready: Callable[[], None], share: SharedSocket | None = None) -> None:
        super().__init__(config)
        self._on_ready = on_ready
        self._share = share
        self._beginning: set[asyncio.Task[None]] = set()
        self._connections = ConnectionWatch(get_settings())

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start the application, then accept connections."""
        await super().startup(sockets=[] if self._share else sockets)
        if not self.started:
            return
        self.watching = asyncio.create_task(watch_event_loop())
        gc.freeze()  # the garbage collector need not scan what stays loaded
        gc.enable()
        if self._share is not None:
            self._share.start(self._take)
        self._on_ready()

    async def on_tick(self, counter: int) -> bool:
        """Check connections and publish the load; called ten times per second."""
        self._connections.look(self.server_state.connections, asyncio.get_running_loop().time())
        if self._share is not None and not self.should_exit:
            http = self.config.http_protocol_class
            active = sum(isinstance(one, http) for one in self.server_state.connections)
            self._share.report(active * ACTIVE + len(self.server_state.connections) - active)
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Accept no more connections, close the open ones, stop the application."""
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
    """The uvicorn configuration.

    Args:
        forks: the application is loaded here for processes that will be forked from this one.
    """
    proxies = get_settings().trusted_proxies
    return uvicorn.Config(
        "annotarium.app:create_preloaded_app" if forks else "annotarium.app:create_app",
        factory=True,
        log_config=None,
        access_log=logs_requests(),
        server_header=False,
        http=TimedProtocol,
        proxy_headers=bool(proxies),  # by default uvicorn trusts every client on this machine
        forwarded_allow_ips=proxies,
        timeout_graceful_shutdown=3,
        timeout_keep_alive=75,  # longer than idle connections of proxies and clients, which would find them closed
        ws="websockets-sansio",
        ws_max_size=4_096,
    )
