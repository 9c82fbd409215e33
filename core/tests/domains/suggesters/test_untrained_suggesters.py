"""C-074: a suggester that asks an entity-fishing server; where no server is named it is listed as unavailable."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.entity_fishing_server import VARIABLE, EntityFishingServer, entity_fishing_server
from support.factories import Corpus, document

from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.suggesters import jobs, service
from annotarium.registry import get_registry

ENGINE = "EntityFishing"
TEXT = "\U0001f600 Ada Lovelace saw Paris. Nothing here. Back in Paris."


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[EntityFishingServer]:
    """A server that this installation names."""
    with entity_fishing_server() as state:
        monkeypatch.setenv(VARIABLE, state.address)
        get_registry.cache_clear()
        yield state
        monkeypatch.undo()
        get_registry.cache_clear()


@pytest.fixture
def without_server(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv(VARIABLE, raising=False)
    get_registry.cache_clear()
    yield
    monkeypatch.undo()
    get_registry.cache_clear()


def add(corpus: Corpus, *identifiers: str) -> None:
    corpus.add(*(document(identifier, TEXT) for identifier in identifiers))


def labels(corpus: Corpus, *names: str) -> None:
    for name in names:
        corpus.post("/labels", json={"name": name, "label": name})


def create(corpus: Corpus, **parameters: Any) -> str:
    name: str = corpus.post("/suggesters", json={"engine": ENGINE, "parameters": parameters})["name"]
    return name


def start(corpus: Corpus, name: str) -> None:
    corpus.post(f"/suggesters/{name}/_start")
    corpus.run_jobs()


def job_count(corpus: Corpus) -> int:
    with unit_of_work(actor="tests", write=False) as unit:
        return unit.session.query(Job).filter_by(project_id=corpus.project.id, type="TRAIN_AND_SUGGEST").count()


def test_it_proposes_before_anything_is_annotated(corpus: Corpus, server: EntityFishingServer) -> None:
    """C-074, T-029. Offsets are code points of the document, after a character beyond the BMP, too."""
    labels(corpus, "person", "location")
    add(corpus, "d1")
    name = create(corpus)
    assert ENGINE in corpus.get("/engines", params={"type": "suggester"})
    assert corpus.get("/unavailable_engines", params={"type": "suggester"}) == []
    assert (
        corpus.get("/engine_parameters", params={"type": "suggester", "engine": ENGINE, "uiSchema": True})[
            "needsLabels"
        ]
        is False
    )
    start(corpus, name)
    state = corpus.get(f"/suggesters/{name}")
    assert (state["running"], state["training"], state["models"], state["uptodate"]) == (True, False, 0, True)
    shown = corpus.get("/suggestions")["suggestions"]
    found = [
        (TEXT[item["start"] : item["end"]], item["text"], item["labelName"])
        for one in shown
        for item in one["annotations"]
    ]
    assert sorted(found) == [
        ("Ada Lovelace", "Ada Lovelace", "person"),
        ("Paris", "Paris", "location"),
        ("Paris", "Paris", "location"),
    ]
    assert {one["suggester"] for one in shown} == {name}
    assert "suggester" not in {kind for kind, rows in corpus.get("/annotators_by_type").items() if rows}


def test_what_it_proposed_is_replaced_after_many_answers_only(
    corpus: Corpus, server: EntityFishingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It learns nothing from answers, so it asks the server again when half of its proposals may be answered."""
    monkeypatch.setattr(service, "ANSWERS_BEFORE_NEW_PROPOSALS", 12)
    labels(corpus, "person", "location")
    add(corpus, "d1", "d2", "d3")
    name = create(corpus)
    start(corpus, name)
    assert job_count(corpus) == 1
    for number in range(service.ANSWERS_BEFORE_TRAINING):
        corpus.annotate("d1", "person", number, number + 1)
    assert (job_count(corpus), corpus.get(f"/suggesters/{name}")["uptodate"]) == (1, True)
    for number in range(2):
        corpus.annotate("d2", "person", number, number + 1)
    assert job_count(corpus) == 2
    corpus.run_jobs()
    add(corpus, "d4")
    assert corpus.get(f"/suggesters/{name}")["uptodate"] is False, "there is a new text"
    for number in range(service.ANSWERS_BEFORE_TRAINING):
        corpus.annotate("d3", "person", number, number + 1)
    assert job_count(corpus) == 3
    corpus.run_jobs()
    assert "d4" in {one["documentIdentifier"] for one in corpus.get("/suggestions")["suggestions"]}


def test_it_stops_asking_when_it_has_enough(
    corpus: Corpus, server: EntityFishingServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "SUGGESTIONS_PER_CRITERION", 3)
    labels(corpus, "location")
    add(corpus, *(f"d{number}" for number in range(6)))
    start(corpus, create(corpus))
    assert corpus.get("/suggestions")["total"]["value"] == 3
    assert len(server.asked) < 8


def test_a_server_that_fails_fails_the_job_and_keeps_what_was_proposed(
    corpus: Corpus, server: EntityFishingServer
) -> None:
    labels(corpus, "location")
    add(corpus, "d1")
    name = create(corpus)
    start(corpus, name)
    before = corpus.get("/suggestions")["suggestions"]
    server.answer = (503, b"")
    corpus.post(f"/suggesters/{name}/_start?forceTraining=true")
    corpus.run_jobs()
    assert corpus.get("/suggestions")["suggestions"] == before != []
    (job,) = [one for one in corpus.get("/jobs") if one["status"] == "FAILED"]
    assert "entity-fishing" in str(job)
    assert corpus.get(f"/suggesters/{name}")["training"] is False


def test_without_a_server_it_is_listed_as_unavailable(
    corpus: Corpus, without_server: None, as_user: Any, client: Any
) -> None:
    """C-074: administrators read which setting is missing, others only that it is."""
    path, project = f"{corpus.path}/unavailable_engines", corpus.project.name
    query = {"type": "suggester"}
    assert client.get(path, params=query).status_code == 401
    assert as_user(client, "sven", "useEngine:*").get(path, params=query).status_code == 404
    member = as_user(client, "max", "useEngine:*", f"readProject:{project}")
    (listed,) = member.get(path, params=query).json()
    assert listed["name"] == ENGINE
    assert listed["title"] and listed["description"] and "setting" not in listed
    french = member.get(path, params=query, headers={"accept-language": "fr"}).json()[0]
    assert french["title"] == "Entités Wikidata (entity-fishing)"
    admin = as_user(client, "ada", "useEngine:*", "createUserIn:*", f"readProject:{project}")
    assert admin.get(path, params=query).json()[0]["setting"] == VARIABLE
    assert as_user(client, "una", f"readProject:{project}").get(path, params=query).json() == []
    assert member.get(path, params={"type": "segmenter"}).status_code == 404
    assert ENGINE not in corpus.get("/engines", params=query)
    form = corpus.get("/engine_parameters", params=query | {"engine": ENGINE, "uiSchema": True})
    assert form["defaults"]["minSelectorScore"] == 0.1
    for _ in range(2):  # before and after its module was loaded
        refused = corpus.post("/suggesters", 503, json={"engine": ENGINE})
        assert VARIABLE not in str(refused)


def test_a_suggester_that_lost_its_server_stays_readable(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    with entity_fishing_server() as server:
        monkeypatch.setenv(VARIABLE, server.address)
        get_registry.cache_clear()
        labels(corpus, "location")
        add(corpus, "d1")
        name = create(corpus)
        start(corpus, name)
    monkeypatch.delenv(VARIABLE)
    get_registry.cache_clear()
    assert [one["name"] for one in corpus.get("/suggesters")] == [name]
    for number in range(12):
        corpus.annotate("d1", "location", number, number + 1)
    assert job_count(corpus) == 1, "no job that must fail"
    assert "set up" in corpus.post(f"/suggesters/{name}/_start", 503)["cause"]
    corpus.post(f"/suggesters/{name}/_stop", 204)
    assert corpus.delete(f"/suggesters/{name}") == {"removedCount": 1}
    monkeypatch.undo()
    get_registry.cache_clear()
