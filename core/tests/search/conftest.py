"""Engines under contract. A second engine joins by adding its maker to `ENGINES`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.engine import SearchEngine
from annotarium.search.spec import IndexKey

ENGINES: dict[str, Callable[[Path], SearchEngine]] = {"embedded": EmbeddedEngine}


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchEngine]:
    made = ENGINES[request.param](tmp_path / "index")
    yield made
    made.close()


@pytest.fixture
def key() -> IndexKey:
    return IndexKey("project", "segments", "en")
