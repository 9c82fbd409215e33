"""What a process of ours asks of the system when it starts."""

from __future__ import annotations

import resource
from collections.abc import Iterator

import pytest

from annotarium.server.launch import raise_file_limit


@pytest.fixture
def files() -> Iterator[int]:
    """The limit of open files, put back afterwards."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    yield soft
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def test_more_files_are_allowed_up_to_what_the_system_lets(files: int) -> None:
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    few = min(files, 256)
    resource.setrlimit(resource.RLIMIT_NOFILE, (few, hard))
    raise_file_limit(few + 44)
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few + 44, hard)
    raise_file_limit(few)  # never fewer
    assert resource.getrlimit(resource.RLIMIT_NOFILE) == (few + 44, hard)
    if hard != resource.RLIM_INFINITY:
        raise_file_limit(hard + 1)
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
