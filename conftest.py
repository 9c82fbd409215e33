"""What the tests of all packages share: material from outside of the repository, and the mark of what needs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from support import published_api, real_corpora


@pytest.fixture(scope="session")
def real_data() -> Path:
    """The folder of the public corpora; without one the test is skipped."""
    if real_corpora.ABSENT:
        pytest.skip(real_corpora.MISSING)
    return real_corpora.DATA


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what runs otherwise, or only, where the public corpora or the published description are."""
    for item in items:
        module = getattr(item, "module", None)
        uses = {getattr(value, "__module__", None) for value in vars(module).values()} if module else set()
        if "real_data" in getattr(item, "fixturenames", ()) or real_corpora.__name__ in uses:
            item.add_marker("real_corpora")
        if item.get_closest_marker("skipif") and any(
            mark.kwargs.get("reason") == published_api.MISSING for mark in item.iter_markers("skipif")
        ):
            item.add_marker("real_corpora")
