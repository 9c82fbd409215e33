"""Lexicons: create, change, delete, clear; who may do so (S-047, P-014, V-026)."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus
from support.project_archives import upload_archive

from annotarium.content.palette import PALETTE
from annotarium.db.models import Lexicon, LexiconTerm
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.lexicons import service


def add_term(corpus: Corpus, lexicon: str, identifier: str, **properties: Any) -> dict[str, Any]:
    body = {"identifier": identifier, "preferredForm": identifier.title(), "properties": properties}
    answer: dict[str, Any] = corpus.post(f"/lexicons/{lexicon}", json=body)
    return answer


def test_a_lexicon_is_created_changed_and_deleted(corpus: Corpus) -> None:
    made = corpus.post("/lexicons", json={"label": "Towns and cities"})
    assert (made["name"], made["label"], made["color"]) == ("towns_and_cities", "Towns and cities", PALETTE[0])
    assert (made["manualEditionAllowed"], made["createdBy"], made["version"]) == (True, "root", 1)
    path = "/lexicons/towns_and_cities"
    changed = corpus.patch(path, json={"label": "Towns", "color": "#112233"}, headers={"If-Match": '"1"'})
    assert (changed["label"], changed["color"], changed["name"]) == ("Towns", "#112233", "towns_and_cities")
    corpus.patch(path, 412, json={"label": "Late"}, headers={"If-Match": '"1"'})
    assert corpus.delete(path) == {"ok": True}
    corpus.get(path, 404)
    assert corpus.get("/lexicons") == []
    assert corpus.post("/lexicons", json={"name": "towns_and_cities"})["label"] == "towns_and_cities"


def test_the_number_of_terms_is_computed_on_request(corpus: Corpus) -> None:
    corpus.post("/lexicons", json={"label": "Towns"})
    add_term(corpus, "towns", "halden")
    assert "terms" not in corpus.get("/lexicons")[0]
    assert corpus.get("/lexicons", params={"computeMetrics": True})[0]["terms"] == 1
    assert corpus.get("/lexicons/towns", params={"computeMetrics": True})["terms"] == 1


def test_names_and_colours_are_checked(corpus: Corpus) -> None:
    """V-026: a lexicon has a name."""
    for wrong in ({}, {"label": " "}, {"label": "Towns", "color": "blue"}, {"label": "x" * 256}):
        corpus.post("/lexicons", 400, json=wrong)
    corpus.post("/lexicons", json={"label": "Towns"})
    corpus.post("/lexicons", 409, json={"name": "towns"})
    assert corpus.post("/lexicons", json={"label": "Towns"})["name"] == "towns_2"


def test_clearing_removes_all_terms(corpus: Corpus) -> None:
    corpus.post("/lexicons", json={"label": "Towns"})
    add_term(corpus, "towns", "halden")
    before = corpus.get("/lexicons/towns")["termsVersion"]
    assert corpus.post("/lexicons/towns/_clear") == {"ok": True}
    after = corpus.get("/lexicons/towns", params={"computeMetrics": True})
    assert (after["terms"], after["termsVersion"] > before) == (0, True)
    assert corpus.post("/lexicons/_search")["total"]["value"] == 0
    corpus.post("/lexicons/nowhere/_clear", 404)


def test_a_cleared_lexicon_is_restored_with_its_terms(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its settings are those that it has by now; its place in the list stays."""
    for label in ("Towns", "Rivers"):
        corpus.post("/lexicons", json={"label": label})
    add_term(corpus, "towns", "halden")
    add_term(corpus, "towns", "kragero", broader=["halden"])
    corpus.post("/lexicons/towns/_clear")
    assert [one["name"] for one in corpus.get("/lexicons")] == ["towns", "rivers"]
    version = corpus.get("/lexicons/towns")["termsVersion"]
    corpus.caller.patch(f"{corpus.path}/lexicons/towns", json={"label": "Cities"})
    restored = corpus.post("/lexicons/towns/_restore")
    assert (restored["label"], restored["termsVersion"] > version) == ("Cities", True)
    assert [one["identifier"] for one in corpus.get("/lexicons/towns/_roots")["terms"]] == ["halden"]
    assert corpus.post("/lexicons/_search")["total"]["value"] == 2
    corpus.post("/lexicons/towns/_restore", 409)
    corpus.post("/lexicons/rivers/_restore", 409)
    corpus.post("/lexicons/towns/_clear")
    corpus.post("/lexicons/towns/_clear")
    add_term(corpus, "towns", "oslo")
    corpus.post("/lexicons/towns/_restore", 409)
    corpus.post("/lexicons/towns/_delete_term", 204, json={"identifier": "oslo"})
    corpus.post("/lexicons/towns/_restore")
    assert corpus.post("/lexicons/_search")["total"]["value"] == 2
    corpus.post("/lexicons/towns/_clear")
    corpus.delete("/lexicons/towns")
    corpus.post("/lexicons/towns/_restore")
    assert corpus.post("/lexicons/towns/_restore")["name"] == "towns"
    assert corpus.post("/lexicons/_search")["total"]["value"] == 2
    monkeypatch.setattr(service, "KEPT_MS", -60_000)
    corpus.post("/lexicons/towns/_clear")
    corpus.post("/lexicons/towns/_restore", 409)


def test_many_terms_are_removed_by_a_job(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of a lexicon that was cleared long ago; terms that were imported since stay."""
    monkeypatch.setattr(service, "DIRECT_MAX", 2)
    corpus.post("/lexicons", json={"label": "Towns"})
    for number in range(7):
        add_term(corpus, "towns", f"t{number}")
    monkeypatch.setattr(service, "KEPT_MS", -60_000)
    corpus.post("/lexicons/towns/_clear")
    file = upload_archive(corpus.caller, b"identifier,label\nt6,Again\nnew,New\n", "towns.csv")
    corpus.post("/lexicons/towns/_load", json={"files": [{"id": file}]})
    corpus.run_jobs()
    (job,) = [job for job in corpus.get("/jobs") if job["description"].startswith("Removing")]
    assert (job["status"], job["result"]["count"]) == ("COMPLETED", 7)
    assert {hit["term"]["identifier"] for hit in corpus.post("/lexicons/_search")["hits"]} == {"t6", "new"}
    with unit_of_work(actor="tests", write=False) as unit:
        assert unit.session.query(LexiconTerm).filter_by(project_id=corpus.project.id).count() == 2


def test_a_deleted_lexicon_is_restored_with_its_terms(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.post("/lexicons", json={"label": "Towns"})
    add_term(corpus, "towns", "halden")
    add_term(corpus, "towns", "kragero", broader=["halden"])
    corpus.delete("/lexicons/towns", 412, headers={"If-Match": '"9"'})
    corpus.delete("/lexicons/towns", headers={"If-Match": '"1"'})
    assert corpus.post("/lexicons/_search")["total"]["value"] == 0
    corpus.post("/lexicons/towns/_get_term", 404, json={"identifier": "halden"})
    restored = corpus.post("/lexicons/towns/_restore")
    assert (restored["name"], restored["version"]) == ("towns", 3)
    assert [one["identifier"] for one in corpus.get("/lexicons/towns/_roots")["terms"]] == ["halden"]
    assert corpus.post("/lexicons/_search")["total"]["value"] == 2
    corpus.post("/lexicons/towns/_restore", 409)
    corpus.post("/lexicons/nowhere/_restore", 404)
    corpus.delete("/lexicons/towns")
    corpus.post("/lexicons", json={"label": "Towns"})
    corpus.post("/lexicons/towns/_restore", 409)
    corpus.delete("/lexicons/towns")
    assert corpus.post("/lexicons/towns/_restore")["name"] == "towns"
    monkeypatch.setattr(service, "KEPT_MS", -60_000)
    corpus.delete("/lexicons/towns")
    corpus.post("/lexicons/towns/_restore", 404)


def test_terms_of_a_lexicon_deleted_long_ago_are_removed(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    for label in ("Towns", "Rivers"):
        corpus.post("/lexicons", json={"label": label})
        add_term(corpus, label.lower(), "halden")
    corpus.delete("/lexicons/towns")
    monkeypatch.setattr(service, "KEPT_MS", -60_000)
    corpus.delete("/lexicons/rivers")
    corpus.run_jobs()
    monkeypatch.undo()
    corpus.post("/lexicons/towns/_restore", 404)
    corpus.post("/lexicons/rivers/_restore", 404)
    with unit_of_work(actor="tests", write=False) as unit:
        own = [unit.session.query(table).filter_by(project_id=corpus.project.id) for table in (Lexicon, LexiconTerm)]
        assert [found.count() for found in own] == [0, 0]


def test_lexicons_of_another_project_are_not_reached(corpus: Corpus, make_project: Any) -> None:
    other = Corpus(corpus.caller, make_project(), corpus.run_jobs)
    other.post("/lexicons", json={"label": "Secret"})
    add_term(other, "secret", "halden")
    corpus.post("/lexicons", json={"label": "Towns"})
    corpus.get("/lexicons/secret", 404)
    corpus.post("/lexicons/secret/_get_term", 404, json={"identifier": "halden"})
    assert corpus.post("/lexicons/_search")["total"]["value"] == 0


def test_who_may_change_lexicons(corpus: Corpus, as_user: Any, client: Any) -> None:
    """P-014: anonymous, stranger, reader, and a caller with the permission."""
    corpus.post("/lexicons", json={"label": "Towns"})
    path = f"{corpus.path}/lexicons"
    writes = [
        ("post", path, {"label": "More"}),
        ("patch", f"{path}/towns", {"label": "More"}),
        ("post", f"{path}/towns", {"preferredForm": "Halden"}),
        ("post", f"{path}/towns/_update_term", {"identifier": "halden"}),
        ("post", f"{path}/towns/_delete_term", {"identifier": "halden"}),
        ("post", f"{path}/towns/_clear", None),
        ("post", f"{path}/towns/_load", {"files": [{"id": "x"}]}),
        ("post", f"{path}/_preview", {"files": [{"id": "x"}]}),
        ("post", f"{path}/towns/_restore_term", {"identifier": "halden"}),
        ("post", f"{path}/towns/_restore", None),
        ("delete", f"{path}/towns", None),
    ]
    stranger = as_user(client, "nora", "Annotator")
    reader = as_user(client, "rita", "Reader", "readProject:*", "writeProject:*")
    for method, address, body in writes:
        more = {} if body is None else {"json": body}
        assert getattr(client, method)(address, **more).status_code == 401
        assert getattr(stranger, method)(address, **more).status_code == 404
        assert getattr(reader, method)(address, **more).status_code == 403, address
    towns = f"{path}/towns"
    reads = [("get", path), ("get", towns), ("get", f"{towns}/_roots"), ("post", f"{towns}/_export")]
    for method, address in reads:
        assert getattr(client, method)(address).status_code == 401
        assert getattr(stranger, method)(address).status_code == 404
        assert getattr(reader, method)(address).status_code == 200, address
    writer = as_user(client, "wim", "importTerms", "readProject:*", "writeProject:*")
    assert writer.post(path, json={"label": "More"}).status_code == 200
