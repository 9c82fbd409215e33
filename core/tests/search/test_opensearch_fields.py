"""Names and limits of OpenSearch: any facet name, more facets than fields, vectors of another length, no vectors."""

from __future__ import annotations

import random
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.search_engines import ENGINES, delete_indexes, search_server

from annotarium.errors import ServiceUnavailable
from annotarium.search.embedded.engine import EmbeddedEngine
from annotarium.search.engine_factory import open_search_engine
from annotarium.search.facet_selections import FacetSelection
from annotarium.search.index_and_search_types import (
    INDEX_VERSION,
    FacetSpec,
    IndexDoc,
    IndexKey,
    IndexPatch,
    SearchSpec,
)
from annotarium.search.opensearch import engine as engine_module
from annotarium.search.opensearch import nearest_vectors, schema, searching
from annotarium.search.opensearch.engine import OpenSearchEngine
from annotarium.search.opensearch.index_and_field_names import IndexNames, default_sort_key, field_name, server_item_id
from annotarium.search.query import parse_advanced
from annotarium.settings import Settings

KEY = IndexKey("project", "documents", "en")


@pytest.fixture
def engine(tmp_path: Path) -> Iterator[OpenSearchEngine]:
    made = ENGINES["opensearch"](tmp_path)
    assert isinstance(made, OpenSearchEngine)
    yield made
    delete_indexes(made)
    made.close()


@given(st.lists(st.text(), unique=True, max_size=8))
def test_field_names_are_valid_and_distinct(names: list[str]) -> None:
    kept = {name.encode("utf-8", "replace") for name in names}
    fields = {field_name(name) for name in names}
    assert len(fields) == len(kept)
    assert all(field and field.isascii() and not set(field) & set('. *,\x00"') for field in fields)


@given(st.lists(st.text(), unique=True, max_size=8))
def test_index_names_are_valid_and_distinct_per_project(projects: list[str]) -> None:
    names = {IndexNames("a", project, "documents").generation(1) for project in projects}
    assert len(names) == len({project.encode("utf-8", "replace") for project in projects})
    assert all(name == name.lower() and len(name) < 120 for name in names)
    assert not any(set(name) & set(' "*\\<|,>/?#:') for name in names)


def test_items_are_ordered_by_the_numbers_in_their_ids() -> None:
    assert sorted(["12-5", "2-40", "2-5", "112-0"], key=default_sort_key) == ["2-5", "2-40", "12-5", "112-0"]
    assert len(server_item_id("y" * 10_000)) < 512 and server_item_id("y" * 10_000) != server_item_id("y" * 9_999)
    assert server_item_id("") != server_item_id("x")


def test_facets_beyond_the_limit_of_fields_work_like_the_others(
    engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "FIELD_LIMIT", 40)
    names = [f"metadata.field.{number:03} (é)" for number in range(80)]
    docs = [
        IndexDoc(f"{number}", "text", facets={names[at]: [f"v{number % 3}", "all"] for at in range(number, 80, 7)})
        for number in range(14)
    ]
    engine.bulk(KEY, docs)
    fields = schema.open_index(engine._server, IndexNames(engine._prefix, KEY.project, KEY.kind).live)
    assert fields is not None and 5 < len(fields.fields["f"]) < 60, "the limit was not reached"
    used = {name for doc in docs for name in doc.facets}
    assert engine.facet_names(KEY) == sorted(used)
    for name in sorted(used):
        holding = [doc for doc in docs if name in doc.facets]
        hits = engine.search(KEY, SearchSpec(selections=[FacetSelection(name, "all", "+")], facets=[FacetSpec(name)]))
        assert hits.total == len(holding)
        assert sum(bucket.doc_count for bucket in hits.facets[0].buckets) == 2 * len(holding)
    last = max(name for name in used if field_name(name) not in fields.fields["f"])
    escaped = "".join(f"\\{one}" if one in "() " else one for one in last)

    def found(query: str) -> int:
        return engine.search(KEY, SearchSpec(query=parse_advanced(query))).total

    holding_last = sum(last in doc.facets for doc in docs)
    assert found(f"{escaped}:*") == found(f"{escaped}:al*") == found(f"{escaped}:a?l") == holding_last > 0
    assert found(f"{escaped}:[a TO b]") == holding_last
    assert found(f"{escaped}:[w TO *]") == 0
    assert found(f"{escaped}:v*") == holding_last
    assert [bucket.key for bucket in engine.terms(KEY, last, "A")] == ["all"]
    mine = next(doc.id for doc in docs if last in doc.facets)
    engine.patch(KEY, [IndexPatch(mine, {last: ["changed"]})])
    assert found(f"{escaped}:changed") == 1
    assert found(f"{escaped}:all") == holding_last - 1
    engine.bulk(KEY, delete_matching=[FacetSelection(last, "changed")])
    assert engine.stats(KEY).items == 13


def test_a_number_beyond_the_field_limit_is_rejected_with_a_message(
    engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(schema, "FIELD_LIMIT", 25)
    numbers = {f"n{number}": float(number) for number in range(30)}
    with pytest.raises(ServiceUnavailable, match="no room") as refused:
        engine.bulk(KEY, [IndexDoc("a", "text", numbers=numbers)])
    assert "total_fields" in (refused.value.fix or "")


def test_vectors_of_another_length_discard_earlier_ones(engine: OpenSearchEngine) -> None:
    engine.bulk(KEY, [IndexDoc(name, "text", vectors={"v": [1, number]}) for number, name in enumerate("abc")])
    engine.patch(KEY, [IndexPatch("b", vectors={"v": [1, 0, 1]})])
    assert engine.stats(KEY).vectors == {"v": 1}
    assert sorted(engine.vector_gaps(KEY, "v")) == ["a", "c"]
    hits = engine.search(KEY, SearchSpec(search_type="vector", vectorizer="v", vector=[1, 0, 1]))
    assert [hit.id for hit in hits.hits] == ["b"]
    assert hits.hits[0].score == pytest.approx(1)


def test_keep_vectors_removes_all_others(engine: OpenSearchEngine) -> None:
    engine.bulk(KEY, [IndexDoc("a", "text", vectors={"old@1": [1, 0], "new@2": [0, 1]})])
    engine.keep_vectors(KEY, ["new@2"])
    assert engine.stats(KEY).vectors == {"new@2": 1}
    spec = SearchSpec(search_type="vector", vectorizer="old@1", vector=[1, 0])
    assert engine.search(KEY, spec).total == 0
    assert list(engine.vector_gaps(KEY, "old@1")) == ["a"]


def test_the_vector_graph_finds_the_nearest_of_many(engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    docs = [IndexDoc(f"{n}", "text", facets={"even": [str(n % 2)]}, vectors={"v": [100, n]}) for n in range(400)]
    engine.bulk(KEY, docs)
    spec = SearchSpec(
        search_type="vector", vectorizer="v", vector=[100, 200], window=5, selections=[FacetSelection("even", "1", "+")]
    )
    exact = engine.search(KEY, spec).hits
    monkeypatch.setattr(searching, "EXACT_UP_TO", 10)
    near = engine.search(KEY, spec).hits
    assert [hit.id for hit in near] == [hit.id for hit in exact]
    assert [hit.score for hit in near] == pytest.approx([hit.score for hit in exact], abs=1e-5)
    assert {int(hit.id) for hit in near} <= {195, 197, 199, 201, 203, 205}


def test_queries_of_very_many_words_are_answered(engine: OpenSearchEngine) -> None:
    engine.bulk(KEY, [IndexDoc("a", "word17 other"), IndexDoc("b", "", "word511"), IndexDoc("c", "else")])
    words = parse_advanced(" OR ".join(f"word{number}" for number in range(512)))
    hits = engine.search(KEY, SearchSpec(query=words, default_fields=("text", "title")))
    assert sorted(hit.id for hit in hits.hits) == ["a", "b"]


def test_a_server_without_the_vector_plugin_supports_all_but_vectors(
    engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server refuses an unknown field type, as a server without the vector plugin does."""
    monkeypatch.setattr(schema, "VECTOR_TYPE", "knn_vector_of_no_plugin")
    engine.bulk(KEY, [IndexDoc("a", "text words", facets={"f": ["x"]}, vectors={"v": [1, 0]})])
    assert engine.stats(KEY).vectors == {}
    assert list(engine.vector_gaps(KEY, "v")) == ["a"]
    hits = engine.search(
        KEY, SearchSpec(query=parse_advanced("words"), search_type="hybrid", vectorizer="v", vector=[1, 0])
    )
    assert [hit.id for hit in hits.hits] == ["a"]


def test_installations_on_one_server_are_isolated() -> None:
    address = search_server()
    made = [OpenSearchEngine(Settings(opensearch_url=address, opensearch_prefix=f"t-{uuid.uuid4()}")) for _ in "ab"]
    for number, one in enumerate(made):
        one.bulk(KEY, [IndexDoc(f"{n}", "text") for n in range(number + 1)])
    made[1].drop("project")
    assert made[0].stats(KEY).items == 1
    for one in made:
        one.drop_all()
        one.close()


def test_which_engine_an_installation_gets(tmp_path: Path) -> None:
    given = Settings(data=tmp_path, opensearch_url="http://127.0.0.1:9")
    assert open_search_engine(given).name == "opensearch"
    assert open_search_engine(given.model_copy(update={"search_engine": "embedded"})).name == "embedded"
    with pytest.raises(ServiceUnavailable, match="No search server"):
        open_search_engine(Settings(data=tmp_path, opensearch_url=None, search_engine="opensearch"))


def test_space_of_replaced_items_is_reclaimed(engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    """Measured without this: 9,693 documents took 768 MB, with twice as many replaced items as live ones."""
    asked: list[str] = []
    post = engine._server.post

    def watched(path: str, *rest: Any, **parameters: Any) -> Any:
        asked.extend([path] if "_forcemerge" in path else [])
        return post(path, *rest, **parameters)

    monkeypatch.setattr(engine._server, "post", watched)
    engine.bulk(KEY, [IndexDoc(f"i{number}", "text") for number in range(40)])
    for label in ("one", "two"):
        engine.patch(KEY, [IndexPatch(f"i{number}", {"label": [label]}) for number in range(35)])
    engine.tidy()
    assert asked == []  # too few to be worth a merge
    monkeypatch.setattr(engine_module, "_MIN_REPLACED", 10)
    engine.tidy()
    assert [path.startswith(f"/{engine._names(KEY).live}") for path in asked] == [True]
    assert engine.stats(KEY).items == 40


def test_vectors_are_not_duplicated_in_the_stored_source(engine: OpenSearchEngine) -> None:
    """An annotation reads and rewrites the stored item, which must contain the vector afterwards."""
    engine.bulk(KEY, [IndexDoc("a", "text", vectors={"v": [0.6, 0.8]}), IndexDoc("b", "text")])
    engine.patch(KEY, [IndexPatch("a", {"label": ["person"]})])
    assert list(engine.vector_gaps(KEY, "v")) == ["b"]
    found = engine.search(KEY, SearchSpec(search_type="vector", vectorizer="v", vector=[0.6, 0.8]))
    assert [(hit.id, round(hit.score, 3)) for hit in found.hits] == [("a", 1.0)]
    (facts,) = engine._server.get(f"/{engine._names(KEY).live}.1.v/_settings").values()
    assert facts["settings"]["index"]["knn.derived_source"]["enabled"] == "true"


def test_a_change_of_other_fields_does_not_rewrite_the_vector(engine: OpenSearchEngine) -> None:
    """Lucene rewrites whole items: with the vector among their fields, each annotation wrote it again, with its entry
    in the vector graph.
    """
    engine.bulk(KEY, [IndexDoc(f"{n}", "text", vectors={"v": [1, n]}) for n in range(30)])
    first = _vectors_written(engine)
    for label in ("person", "place"):
        engine.patch(KEY, [IndexPatch(f"{n}", {"label": [label]}, {"metadata.n": n}) for n in range(30)])
    engine.bulk(KEY, patches=[IndexPatch("3", {"label": []}, complete=True)])
    assert _vectors_written(engine) == first == 30
    engine.patch(KEY, [IndexPatch("3", vectors={"v": [0, 1]}), IndexPatch("unknown", vectors={"v": [0, 1]})])
    assert _vectors_written(engine) == 31
    assert engine.stats(KEY).vectors == {"v": 30}
    found = engine.search(KEY, SearchSpec(search_type="vector", vectorizer="v", vector=[0, 1], window=1))
    assert [hit.id for hit in found.hits] == ["3"]
    engine.bulk(KEY, [IndexDoc("3", "written anew")], deletes=["4"])
    assert engine.stats(KEY).vectors == {"v": 28}
    engine.drop("project")
    assert engine._indexes(f"{engine._prefix}.*") == []


def _vectors_written(engine: OpenSearchEngine) -> int:
    names = f"{engine._prefix}.*"
    held = [name for name, index in engine._server.get(f"/{names}/_mapping").items() if "knn_vector" in str(index)]
    found = engine._server.get(f"/{','.join(held)}/_stats/indexing")
    return int(found["_all"]["primaries"]["indexing"]["index_total"])


@pytest.mark.parametrize("exact_up_to", [10, 100_000])
@pytest.mark.parametrize("window", [30, 120, 10_000])
def test_nearest_vectors_are_found_with_a_small_candidate_window(
    engine: OpenSearchEngine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window: int, exact_up_to: int
) -> None:
    """The engine requests more candidates, or names the items where few match. The embedded engine, which compares all
    vectors, gives the expected result.
    """
    monkeypatch.setattr(nearest_vectors, "WINDOW", window)
    monkeypatch.setattr(nearest_vectors, "MAX_NAMED_ITEMS", window // 8)
    monkeypatch.setattr(searching, "EXACT_UP_TO", exact_up_to)
    draw = random.Random(5)
    docs = []
    for n in range(300):
        vector = [draw.uniform(-1, 1), draw.uniform(-1, 1), 0.3]
        facets = {"half": [f"{n % 2}"], "tenth": [f"{n % 10}"], "few": [f"{n % 100}"], "far": [str(vector[0] < -0.5)]}
        docs.append(IndexDoc(f"{n}", f"word{n % 3}", facets=facets, vectors={"v": vector} if n % 7 else {}))
    other = EmbeddedEngine(tmp_path / "other")
    for each in (engine, other):
        each.bulk(KEY, docs)
    chosen = [
        [],
        [FacetSelection("half", "1")],
        [FacetSelection("tenth", "3")],
        [FacetSelection("few", "42")],
        [FacetSelection("far", "True")],
    ]
    for selections in [*chosen, [FacetSelection("tenth", "3"), FacetSelection("half", "0")]]:
        for kind in ("vector", "hybrid"):
            spec = SearchSpec(
                query=parse_advanced("word1"),
                search_type=kind,  # type: ignore[arg-type]
                vectorizer="v",
                vector=[1, 0.2, 0.3],
                window=9,
                size=300,
                selections=selections,
                facets=[FacetSpec("tenth")],
            )
            one, two = engine.search(KEY, spec), other.search(KEY, spec)
            assert {hit.id for hit in one.hits} == {hit.id for hit in two.hits}
            assert (one.total, one.facets) == (two.total, two.facets)
            if kind == "vector":
                assert [hit.id for hit in one.hits] == [hit.id for hit in two.hits]
    other.close()


def test_indexes_that_store_vectors_in_items_are_outdated(engine: OpenSearchEngine) -> None:
    """An index of the earlier layout is marked for reindexing. Until then searches succeed without using vectors."""
    engine.bulk(KEY, [IndexDoc("a", "text")])
    assert engine.version(KEY) == INDEX_VERSION
    path = f"/{engine._names(KEY).live}/_mapping"
    engine._server.put(path, {"_meta": {"dimensions": {"v": 2}, "version": INDEX_VERSION}})
    assert engine.version(KEY) < INDEX_VERSION
    spec = SearchSpec(query=parse_advanced("text"), search_type="hybrid", vectorizer="v", vector=[1, 0])
    assert [hit.id for hit in engine.search(KEY, spec).hits] == ["a"]
    engine.patch(KEY, [IndexPatch("a", {"label": ["x"]}, vectors={"v": [1, 0]})])
    assert engine.version(KEY) < INDEX_VERSION
    assert list(engine.vector_gaps(KEY, "v")) == []


def test_an_unknown_server_setting_is_omitted(engine: OpenSearchEngine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(schema, "_VECTOR_SETTINGS", ({"knn": True, "knn.unheard_of": True}, {"knn": True}, {}))
    engine.bulk(KEY, [IndexDoc("a", "text", vectors={"v": [0.6, 0.8]})])
    assert engine.stats(KEY).vectors == {"v": 1}
