"""Which engine an installation uses, and where the engine stores its files."""

from __future__ import annotations

from pathlib import Path

from annotarium.search.engine import SearchEngine
from annotarium.search.engine_factory import open_search_engine
from annotarium.search.index_and_search_types import IndexDoc, IndexKey, SearchSpec
from annotarium.settings import Settings


def test_an_installation_has_one_file_per_project_and_kind(tmp_path: Path) -> None:
    engine: SearchEngine = open_search_engine(Settings(data=tmp_path))
    for kind in ("documents", "segments"):
        engine.bulk(IndexKey("p1", kind, "en"), [IndexDoc("a", "text", vectors={"multi/lingual": [1.0, 2.0]})])  # type: ignore[arg-type]
    engine.close()
    assert {path.name for path in (tmp_path / "index" / "p1").glob("*.sqlite")} == {
        "documents.sqlite",
        "segments.sqlite",
    }
    again = open_search_engine(Settings(data=tmp_path))
    assert again.search(IndexKey("p1", "documents", "en"), SearchSpec()).total == 1
    again.close()


def test_project_names_cannot_escape_the_index_folder(tmp_path: Path) -> None:
    engine = open_search_engine(Settings(data=tmp_path))
    for project in ("../../x", "/etc", "a/b", "..", "con.", "\ud800"):
        engine.bulk(IndexKey(project, "terms"), [IndexDoc("a", "text")])
        assert engine.stats(IndexKey(project, "terms")).items == 1
    engine.close()
    outside = [path for path in tmp_path.rglob("*.sqlite") if path.parent.parent != tmp_path / "index"]
    assert outside == []
