"""System limits that a server process sets at its start."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from annotarium.server.launch import raise_file_limit


@pytest.fixture
def files() -> Iterator[int]:
    """Yield the limit of open files, and restore it afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_the_limit_of_open_files_is_raised_up_to_the_hard_limit(files: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = min(files, 256)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    raise_file_limit(few + 44)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few + 44, hard)
    raise_file_limit(few)  # it is never lowered
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few + 44, hard)
    if hard != resource.RLIM_INFINITY:
        raise_file_limit(hard + 1)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
