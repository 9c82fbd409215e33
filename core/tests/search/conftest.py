"""The search engines that the contract tests run against. OpenSearch is included where ANNOTARIUM_TEST_OPENSEARCH_URL
names a server (CI starts one).
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.search_engines import ENGINES, delete_indexes
from support.search_items import ITEMS

from annotarium.search.engine import SearchEngine
from annotarium.search.index_and_search_types import IndexKey


@pytest.fixture(params=sorted(ENGINES))
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[SearchEngine]:
    made = ENGINES[request.param](tmp_path / "index")
    yield made
    delete_indexes(made)
    made.close()


@pytest.fixture
def key() -> IndexKey:
    return IndexKey("project", "segments", "en")


@pytest.fixture(params=sorted(ENGINES), scope="module")
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[SearchEngine]:
    """A filled engine, shared by the tests that only read."""
    made = ENGINES[request.param](tmp_path_factory.mktemp("library"))
    made.bulk(IndexKey("project", "segments", "en"), ITEMS)
    yield made
    delete_indexes(made)
    made.close()


@pytest.fixture
def filled(engine: SearchEngine, key: IndexKey) -> SearchEngine:
    engine.bulk(key, ITEMS, applied_seq=5)
    return engine
