"""Hybrid search finds no less than text search alone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from typing import Any

import pytest

BENCH = Path(__file__).parents[2] / "bench" / "search_quality.py"


@pytest.fixture(scope="module")
def quality() -> Any:
    spec = importlib.util.spec_from_file_location("search_quality", BENCH)
    assert spec and spec.loader
    module = sys.modules["search_quality"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["xquad-ar", "articles-en"])
def test_hybrid_search_is_not_worse_than_text_search(quality: Any, real_data: Path, tmp_path: Path, name: str) -> None:
    """Regression test on a corpus where it found less; `core/bench/search_quality.py` prints all corpora."""
    collection = quality.collection_of(name, real_data)
    bench = quality.Bench(collection, tmp_path)
    bench.vectorize("lsa")
    bench.fill()
    text, hybrid = bench.measure("text"), bench.measure("hybrid", "lsa")
    assert text[0] > 90
    assert hybrid[0] >= text[0] - 0.5
    assert hybrid[1] >= text[1] - 0.5
