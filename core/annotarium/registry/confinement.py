"""Drops the rights of this process: it can only read given files, without network access or other programs.

Linux only, no privileges needed: Landlock (kernel 5.13 and later) for files, TCP and signals, a seccomp filter for what
Landlock does not cover (local sockets, tracing, starting programs), resource limits for the rest. If the system lacks
one of them, the others still apply: `confine` returns which.
"""

from __future__ import annotations

import ctypes
import os
import platform
import resource
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

_PR_SET_NO_NEW_PRIVS, _PR_SET_SECCOMP, _PR_SET_DUMPABLE = 38, 22, 4
_SECCOMP_FILTER = 2
_CREATE, _ADD, _RESTRICT = 444, 445, 446  # landlock_*: the same numbers on all architectures
_PATH_BENEATH = 1
_READ = 1 << 0 | 1 << 2 | 1 << 3
"""Execute (needed to map shared libraries), read a file, read a folder."""
_READ_FILE = 1 << 2
_FILES_BY_VERSION = {1: 13, 2: 14, 3: 15, 5: 16}
"""Number of file access rights that a version of Landlock supports."""
_TCP_FROM, _SCOPES_FROM = 4, 6
_X32 = 0x40000000
_ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
# socket, connect, bind, accept, socketpair; execve, execveat; ptrace, process_vm_*; kill; pidfd_open, pidfd_getfd;
# io_uring_setup; unshare, mount, setns; chmod and related; open_by_handle_at; keyctl, add_key, request_key.
_REFUSED = {
    "x86_64": (
        *(41, 42, 49, 43, 288, 53, 59, 322, 101, 310, 311, 62, 434, 438, 425, 272, 165, 308, 90, 91, 268, 452, 304),
        *(250, 248, 249, 321),
    ),
    "aarch64": (
        *(198, 203, 200, 202, 242, 199, 221, 281, 117, 270, 271, 129, 434, 438, 425, 97, 40, 268, 52, 53, 452, 265),
        *(219, 217, 218, 280),
    ),
}
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 1  # EPERM


def confine(readable: Iterable[Path], *, memory: int, seconds: int) -> list[str]:
    """Drop all rights except reading the given files and folders; irrevocable, for all threads started from now on.

    Args:
        memory: bytes of address space.
        seconds: CPU time.

    Returns:
        Which restrictions apply: of `limits`, `files` (Landlock), `calls` (seccomp).
    """
    held = ["limits"]
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))  # no writing to files at all
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if sys.platform != "linux":
        return held
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return held
    if _restrict_file_access(libc, readable):
        held.append("files")
    if _restrict_system_calls(libc):
        held.append("calls")
    return held


def _restrict_file_access(libc: ctypes.CDLL, readable: Iterable[Path]) -> bool:
    version = libc.syscall(_CREATE, None, 0, 1)
    if version < 1:
        return False
    files = (1 << max(count for known, count in _FILES_BY_VERSION.items() if known <= version)) - 1
    wanted = [files, 3 if version >= _TCP_FROM else 0, 3 if version >= _SCOPES_FROM else 0]
    length = 3 if version >= _SCOPES_FROM else 2 if version >= _TCP_FROM else 1
    rules = struct.pack(f"={length}Q", *wanted[:length])
    ruleset = libc.syscall(_CREATE, rules, len(rules), 0)
    if ruleset < 0:
        return False
    for path in readable:
        _allow_reading(libc, ruleset, path)
    closed = libc.syscall(_RESTRICT, ruleset, 0) == 0
    os.close(ruleset)
    return bool(closed)


def _allow_reading(libc: ctypes.CDLL, ruleset: int, path: Path) -> None:
    try:
        opened = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # a missing file needs no rule
    rights = _READ if path.is_dir() else _READ & ~(1 << 3)
    rule = struct.pack("=Qi", rights, opened)
    libc.syscall(_ADD, ruleset, _PATH_BENEATH, rule, 0)
    os.close(opened)


def _restrict_system_calls(libc: ctypes.CDLL) -> bool:
    machine = platform.machine()
    if machine not in _REFUSED:
        return False
    numbers = _REFUSED[machine]
    # Load the architecture; refuse others. Load the system call number; refuse those listed, and those of x32.
    program = [(0x20, 0, 0, 4), (0x15, 1, 0, _ARCHITECTURES[machine]), (0x06, 0, 0, _REFUSE), (0x20, 0, 0, 0)]
    program.append((0x35, len(numbers) + 1, 0, _X32))
    program += [(0x15, len(numbers) - place, 0, number) for place, number in enumerate(numbers)]
    program += [(0x06, 0, 0, _ALLOW), (0x06, 0, 0, _REFUSE)]
    code = b"".join(struct.pack("=HBBI", *one) for one in program)
    buffer = ctypes.create_string_buffer(code, len(code))
    header = struct.pack("@HxxxxxxP", len(program), ctypes.addressof(buffer))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_FILTER, header, 0, 0) == 0)
