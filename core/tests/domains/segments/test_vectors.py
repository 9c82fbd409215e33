"""Vectors of a project, end to end: computed by a job, searched, updated with documents, deleted."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.models import Job, Vectorization
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.segments import jobs
from annotarium.domains.segments.vectorization import start_missing_vectorizations
from annotarium.jobs.run import run_job
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay, index_key, rebuild
from annotarium.search.query_vectors import get_vector_client

SMALL = {"vectorizer": "lsa", "parameters": {"dimension": 9}}
SHIPS = [
    "The captain steers the ship over the sea.",
    "Sailors on the ship obey the captain.",
    "The ship sails over the sea in a storm.",
    "A storm at sea frightens the sailors.",
    "The harbour shelters the ship from the storm.",
    "The boat and its sailors reach the harbour.",
]
BREAD = [
    "The baker kneads the dough for the bread.",
    "The bread needs flour and an oven.",
    "The oven bakes the dough of the baker.",
    "Flour and water make the dough.",
    "The baker sells the bread of the oven.",
    "The bread is made of flour and water.",
]
ALL = len(SHIPS) + len(BREAD)


def texts(answer: Any) -> list[str]:
    return [hit["segment"]["text"] for hit in answer["hits"]]


def search(corpus: Corpus, query: str, kind: str = "vector", **more: Any) -> Any:
    return corpus.post("/segments/_search", params={"query": query, "searchType": kind} | more)


def state(corpus: Corpus) -> dict[str, Any]:
    found: dict[str, Any] = corpus.get("/vectorizers")["vectorizations"][0]
    return found


@pytest.fixture
def fleet(corpus: Corpus) -> Corpus:
    """Two documents about ships and bread with their vectors."""
    corpus.add(document("ships", " ".join(SHIPS)), document("bread", " ".join(BREAD)))
    job = corpus.post("/segments/_vectorize", json=SMALL)
    assert job["type"] == "PROJECT_VECTORIZATION"
    corpus.run_jobs()
    return corpus


def test_a_job_computes_vectors_and_searches_use_them(fleet: Corpus) -> None:
    """S-018, C-060: a text is found by its meaning, even if it does not contain all words of the query."""
    ready = state(fleet)
    assert (ready["state"], ready["documents"], ready["total"], ready["dimension"]) == ("ready", 2, 2, 9)
    answer = search(fleet, "captain")
    assert answer["searchType"] == "vector"
    assert set(texts(answer)[:2]) == set(SHIPS[:2])  # only these contain the word
    assert set(texts(answer)[2:4]) <= set(SHIPS[2:])
    assert answer["total"] == {"value": ALL, "relation": "eq"}
    assert [hit["vectorRank"] for hit in answer["hits"]] == list(range(1, 11))
    documents = fleet.post("/documents/_search", params={"query": "flour", "searchType": "vector"})
    assert documents["hits"][0]["document"]["identifier"] == "bread"


def test_hybrid_search_fuses_both_rankings(fleet: Corpus) -> None:
    """S-018, C-036, conflict 9 of the contract: scores are sums of 1 / (60 + rank), in every form of nativeRRF."""
    answer = search(fleet, "captain", "hybrid")
    for hit in answer["hits"]:
        ranks = [hit[name] for name in ("textRank", "vectorRank") if name in hit]
        assert hit["score"] == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
    assert "textRank" in answer["hits"][0]
    for native in ("true", "false", "yes", "no", "if_available"):
        assert texts(search(fleet, "captain", "hybrid", nativeRRF=native)) == texts(answer)
    body = {"search": {"query": "captain", "type": "hybrid", "vector": {"nativeRRF": "no", "vectorizer": "default"}}}
    assert texts(fleet.post("/segments/_do_search", json=body)) == texts(answer)


def test_filters_apply_before_nearest_neighbours(fleet: Corpus) -> None:
    answer = search(fleet, "captain", selectedFacets="metadata.documentIdentifier:bread", facet=True)
    assert answer["total"]["value"] == 0
    answer = search(fleet, "captain", queryFilter="documentIdentifier:bread", facet=True)
    assert set(texts(answer)) == set(BREAD)
    counted = {one["name"]: sum(b["doc_count"] for b in one["buckets"]) for one in answer["aggregations"]}
    assert counted["inDataset"] == answer["total"]["value"] == len(BREAD)
    page = search(fleet, "captain", queryFilter="documentIdentifier:bread", **{"from": 2, "size": 2})
    assert (texts(page), page["total"]["value"]) == (texts(answer)[2:4], len(BREAD))


def test_vector_query_and_words_of_an_advanced_query(fleet: Corpus) -> None:
    by_words = search(fleet, "captain -flour documentIdentifier:ships")
    assert texts(by_words) == texts(search(fleet, "captain"))
    other = search(fleet, "", vectorQuery="flour for bread")
    assert texts(other)[0] in BREAD
    both = search(fleet, "captain", "hybrid", vectorQuery="flour for bread")
    assert {hit["segment"]["text"] for hit in both["hits"] if hit.get("vectorRank") == 1} <= set(BREAD)


def test_an_empty_query_returns_everything(fleet: Corpus) -> None:
    answer = search(fleet, "")
    assert (answer["searchType"], answer["total"]["value"]) == ("text", ALL)


def test_new_and_changed_documents_get_vectors(fleet: Corpus) -> None:
    """T-031."""
    fleet.add(document("harbour", "A harbour shelters every ship."), document("ships", "Bread is on the ship."))
    assert state(fleet)["documents"] == 1
    assert start_missing_vectorizations() == 1
    assert start_missing_vectorizations() == 0  # it is running
    fleet.run_jobs()
    assert (state(fleet)["documents"], state(fleet)["total"]) == (3, 3)
    assert start_missing_vectorizations() == 1  # two of three documents are new or changed: a new fit
    fleet.run_jobs()
    assert start_missing_vectorizations() == 0
    assert "A harbour shelters every ship." in texts(search(fleet, "shelters in the harbour"))[:3]
    fleet.delete("/documents/harbour")
    assert "A harbour shelters every ship." not in texts(search(fleet, "harbour"))
    found = verify(fleet.project.name)[fleet.project.name]
    assert (found["without_vectors"], found["differing"]) == (0, 0)


def test_a_rebuilt_index_gets_its_vectors_back(fleet: Corpus) -> None:
    rebuild(fleet.project.name)
    assert verify(fleet.project.name)[fleet.project.name]["without_vectors"] == ALL + 2
    assert search(fleet, "captain")["total"]["value"] == 0
    assert start_missing_vectorizations() == 1
    fleet.run_jobs()
    assert verify(fleet.project.name)[fleet.project.name]["without_vectors"] == 0
    assert search(fleet, "captain")["total"]["value"] == ALL


def test_new_vectors_replace_the_old_ones(fleet: Corpus) -> None:
    before = state(fleet)["timestamp"]
    fleet.post("/segments/_vectorize", json={"vectorizer": "lsa", "parameters": {"dimension": 8}})
    assert texts(search(fleet, "captain"))[0] in SHIPS  # the old vectors are used until the new ones are complete
    fleet.run_jobs()
    after = state(fleet)
    assert (after["dimension"], after["parameters"]["dimension"]) == (8, 8)
    assert after["timestamp"] > before
    names = get_search_engine().stats(index_key(fleet.project, "segments")).vectors
    assert list(names) == [f"default@{after['timestamp']}"]
    assert texts(search(fleet, "captain"))[0] in SHIPS


def test_similar_segments_by_vector(fleet: Corpus) -> None:
    """S-025, conflict 5 of the contract."""
    first = search(fleet, "captain")["hits"][0]
    alike = fleet.post("/segments/_similar", params={"segid": first["_id"], "searchType": "vector", "size": 2})
    assert set(texts(alike)) <= set(SHIPS) - {first["segment"]["text"]}
    body = {"search": {"type": "hybrid", "size": 2}, "output": {"highlight": True}}
    both = fleet.post("/segments/_similar", params={"segid": first["_id"]}, json=body)
    assert set(texts(both)) <= set(SHIPS)
    marked = both["hits"][0]
    assert marked["highlights"]["text"]
    by_text = fleet.post("/segments/_similar", params={"text": "flour", "searchType": "vector"})
    assert texts(by_text)[0] in BREAD
    ships = fleet.post("/documents/_search", params={"query": "ship"})["hits"][0]["_id"]
    other = fleet.post("/documents/_similar", params={"segid": ships, "searchType": "vector"})
    assert [hit["document"]["identifier"] for hit in other["hits"]] == ["bread"]
    fleet.post("/segments/_similar", 404, params={"segid": "1-0"})
    fleet.post("/segments/_similar", 400, params={"segid": first["_id"], "fields": "metadata"})


def test_a_killed_vector_process_is_restarted(fleet: Corpus) -> None:
    search(fleet, "captain")
    process = get_vector_client()._process
    assert process is not None
    process.kill()
    assert texts(search(fleet, "sea of ships"))[0] in SHIPS
    assert get_vector_client()._process is not process


def test_searches_without_vectors(corpus: Corpus) -> None:
    """A hybrid search falls back to text search, which the response states; a vector search is refused."""
    corpus.add(document("ships", SHIPS[0]))
    assert corpus.get("/vectorizers")["vectorizations"] == []
    refused = corpus.post("/segments/_search", 400, params={"query": "sea", "searchType": "vector"})
    assert "no vectors" in refused["message"]
    answer = search(corpus, "sea", "hybrid")
    assert (answer["searchType"], texts(answer)) == ("text", SHIPS[:1])
    unknown = corpus.post("/segments/_search", 400, params={"searchType": "vector", "vectorizer": "other"})
    assert "other" in unknown["message"]


def test_an_empty_project_waits_for_documents(corpus: Corpus) -> None:
    job = corpus.post("/segments/_vectorize")
    corpus.run_jobs()
    assert corpus.get(f"/job/{job['id']}")["status"] == "FAILED"
    assert state(corpus)["state"] == "failed"
    assert start_missing_vectorizations() == 0
    corpus.add(document("ships", " ".join(SHIPS)))
    assert start_missing_vectorizations() == 1
    corpus.run_jobs()
    assert (state(corpus)["state"], state(corpus)["documents"]) == ("ready", 1)


def test_the_vectorizer_is_fitted_again_when_the_corpus_doubled(fleet: Corpus) -> None:
    before = state(fleet)["timestamp"]
    fleet.add(document("a", "Trains run on rails."), document("b", "A train stops at stations."))
    assert start_missing_vectorizations() == 1
    fleet.run_jobs()
    assert state(fleet)["timestamp"] > before
    assert texts(search(fleet, "train"))[0] in ("Trains run on rails.", "A train stops at stations.")


def test_invalid_vectorizers_are_refused(corpus: Corpus) -> None:
    corpus.post("/segments/_vectorize", 404, json={"vectorizer": "no_such"})
    wrong = corpus.post("/segments/_vectorize", 400, json={"vectorizer": "lsa", "parameters": {"dimension": 1}})
    assert wrong["details"][0]["field"] == "dimension"
    corpus.delete("/vectorizers/default", 404)


def test_deleting_vectors(fleet: Corpus) -> None:
    fleet.delete("/vectorizers/default", 204)
    get_outbox_relay().settle(fleet.project.id)
    assert fleet.get("/vectorizers")["vectorizations"] == []
    assert get_search_engine().stats(index_key(fleet.project, "segments")).vectors == {}
    assert search(fleet, "captain", "hybrid")["searchType"] == "text"


def test_the_project_reports_its_vectors(corpus: Corpus) -> None:
    corpus.add(document("ships", " ".join(SHIPS)))
    assert corpus.get("/_info")["vectorizers"] == []
    corpus.post("/segments/_vectorize", json=SMALL)
    assert corpus.get("/_info")["vectorizers"] == []
    corpus.run_jobs()
    assert corpus.get("/_info")["vectorizers"] == ["default"]


def test_permissions_to_compute_vectors(fleet: Corpus, as_user: Any, client: Any) -> None:
    path = f"{fleet.path}/segments/_vectorize"
    assert client.post(path).status_code == 401
    stranger = as_user(client, "stranger", "Reader")
    assert stranger.post(path).status_code == 404
    reader = as_user(client, "peer", "Reader", f"readProject:{fleet.project.name}")
    assert reader.get(f"{fleet.path}/vectorizers").status_code == 200
    assert reader.post(path).status_code == 403
    assert reader.delete(f"{fleet.path}/vectorizers/default").status_code == 403
    writer = as_user(client, "writer", f"writeProject:{fleet.project.name}", f"readProject:{fleet.project.name}")
    assert writer.post(path).status_code == 403
    lacks_component = as_user(
        client,
        "tuner",
        f"writeProject:{fleet.project.name}",
        f"readProject:{fleet.project.name}",
        "changeProjectConfig",
    )
    assert lacks_component.post(path).status_code == 403
    with_it = as_user(client, "owner", f"writeProject:{fleet.project.name}", "changeProjectConfig", "useVectorizer:lsa")
    assert with_it.post(path).status_code == 200


def test_hybrid_search_requires_its_permission(fleet: Corpus, as_user: Any, client: Any) -> None:
    """C-060."""
    reader = as_user(client, "plain", "useSearch", f"readProject:{fleet.project.name}")
    asked = {"query": "ship", "searchType": "hybrid"}
    assert reader.post(f"{fleet.path}/segments/_search", params=asked).status_code == 403
    assert reader.post(f"{fleet.path}/segments/_search", params=asked | {"searchType": "vector"}).status_code == 200


def test_a_killed_run_is_resumed(fleet: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is killed after the first batch: the next run of the job uses the same model and the vectors
    written."""
    old = state(fleet)["timestamp"]
    fleet.add(document("harbour", "A harbour shelters every ship."))
    written: list[int] = []
    write = jobs._write_vectors

    def die_after_one(*arguments: Any) -> int:
        if written:
            raise KeyboardInterrupt
        written.append(write(*arguments))
        return written[0]

    monkeypatch.setattr(jobs, "_write_vectors", die_after_one)
    monkeypatch.setattr(jobs, "BATCH_DOCUMENTS", 1)
    job = fleet.post("/segments/_vectorize", json=SMALL)
    with pytest.raises(KeyboardInterrupt):
        run_job(job["id"])
    assert state(fleet)["timestamp"] == old
    assert search(fleet, "captain")["searchType"] == "vector"  # the old vectors are used
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get(Job, job["id"])
        assert row is not None
        row.state = "waiting"  # as the reconciler does
        building = unit.session.query(Vectorization).filter_by(project_id=fleet.project.id).one().building
    monkeypatch.setattr(jobs, "_write_vectors", write)
    run_job(job["id"])
    after = state(fleet)
    assert (after["timestamp"], after["documents"], after["total"]) == (building, 3, 3)
    assert list(get_search_engine().stats(index_key(fleet.project, "documents")).vectors) == [f"default@{building}"]


def _row(unit: Any, corpus: Corpus) -> Vectorization:
    found: Vectorization = unit.session.query(Vectorization).filter_by(project_id=corpus.project.id).one()
    return found


def test_the_measured_benefit_is_reported_and_weights_vectors(corpus: Corpus) -> None:
    """S-018: the weight of the vectors is lowered where they find less on the project's own texts."""
    corpus.add(
        *(document(f"d{n}", f"{SHIPS[n % 6]} {BREAD[n % 5]} Ship{n} sails.", title=f"Ship{n} log") for n in range(30))
    )
    corpus.post("/segments/_vectorize", json=SMALL)
    corpus.run_jobs()
    probe = state(corpus)["probe"]
    assert probe["documents"] == 30
    assert 0 <= probe["weight"] <= 1
    assert probe["titles"]["questions"] == probe["sentences"]["questions"] == 15
    with unit_of_work(actor="tests", write=True) as unit:
        _row(unit, corpus).probe = probe | {"weight": 0.0}
    words = texts(search(corpus, "captain bread", "text"))
    assert texts(search(corpus, "captain bread", "hybrid"))[: len(words)] == words
    with unit_of_work(actor="tests", write=True) as unit:
        _row(unit, corpus).probe = ["damaged"]
    first = search(corpus, "captain bread", "hybrid")["hits"][0]
    ranks = [first[name] for name in ("textRank", "vectorRank") if name in first]
    assert first["score"] == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
    corpus.delete("/vectorizers/default", 204)


def test_titles_are_found_by_vectors(corpus: Corpus) -> None:
    """S-006: no vector contained titles before."""
    corpus.add(
        document("ships", " ".join(SHIPS), title="Seafaring"), document("bread", " ".join(BREAD), title="Pastry")
    )
    corpus.post("/segments/_vectorize", json=SMALL)
    corpus.run_jobs()
    for word, identifier, part in (("seafaring", "ships", SHIPS), ("pastry", "bread", BREAD)):
        found = corpus.post("/documents/_search", params={"query": word, "searchType": "vector"})
        assert found["hits"][0]["document"]["identifier"] == identifier
        found = texts(search(corpus, word))
        assert found[0] in part
        assert len(set(found[: len(part)]) & set(part)) > len(part) / 2


def test_vectors_of_an_earlier_release_are_computed_again_once(fleet: Corpus) -> None:
    """They were computed from sentences without titles, and never measured."""
    with unit_of_work(actor="tests", write=True) as unit:
        _row(unit, fleet).probe = {}
    before = state(fleet)["timestamp"]
    assert search(fleet, "captain", "hybrid")["searchType"] == "hybrid"  # they are used meanwhile
    assert start_missing_vectorizations() == 1
    fleet.run_jobs()
    assert state(fleet)["timestamp"] > before
    assert state(fleet)["probe"]["documents"] == 2
    assert start_missing_vectorizations() == 0


def test_a_rebuilt_index_does_not_count_as_a_changed_corpus(fleet: Corpus) -> None:
    before = state(fleet)["timestamp"]
    rebuild(fleet.project.name)
    assert start_missing_vectorizations() == 1
    fleet.run_jobs()
    assert start_missing_vectorizations() == 0
    assert state(fleet)["timestamp"] == before
