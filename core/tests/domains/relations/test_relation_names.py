"""Names of relations: made before they are used, deleted with what is called by them, and taken back."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.domains.relations import name_deletion
from annotarium.search.index_verification import verify

TEXT = "Anna Smith lives in Paris, Bob in Rome."


@pytest.fixture
def linked(corpus: Corpus) -> Corpus:
    """Two documents, each with two relations called `lives in`; one `knows`."""
    corpus.add(
        *(
            document(name, TEXT, ("Anna Smith", "person"), ("Paris", "place"), ("Bob", "person"))
            for name in ("d1", "d2")
        )
    )
    for name in ("d1", "d2"):
        anna, paris, bob = (one["identifier"] for one in corpus.get(f"/documents/{name}")["annotations"])
        for relation, source, target in (("lives in", anna, paris), ("lives in", bob, paris), ("knows", anna, bob)):
            body = {"documentIdentifier": name, "name": relation, "source": source, "target": target}
            corpus.post("/relations", json=body)
    return corpus


def live_relations(corpus: Corpus) -> list[list[str]]:
    documents = (corpus.get(f"/documents/{name}") for name in ("d1", "d2"))
    return [[one["name"] for one in found.get("relations", [])] for found in documents]


def names(corpus: Corpus) -> dict[str, int]:
    return {one["name"]: one["count"] for one in corpus.get("/relation_names")}


def facet(corpus: Corpus) -> dict[str, int]:
    """The facet of documents, beside counting by hand and what including and excluding its values finds."""
    found = corpus.post("/documents/_search", params={"facet": True, "outputFields": "relations"})
    by_hand = Counter(
        name for hit in found["hits"] for name in {one["name"] for one in hit["document"].get("relations", ())}
    )
    told = {one["name"]: one["buckets"] for one in found["aggregations"]}.get("relation", [])
    counts = {bucket["key"]: bucket["doc_count"] for bucket in told}
    assert counts == by_hand
    for name, count in counts.items():
        for sign, expected in (("+", count), ("-", found["total"]["value"] - count)):
            chosen = corpus.post("/documents/_search", params={"selectedFacets": f"{sign}relation:{name}"})
            assert chosen["total"]["value"] == expected
    return counts


def test_documents_are_found_by_the_relations_on_them(linked: Corpus, as_user: Any, client: Any) -> None:
    """Through every way in which a relation comes, goes and is called otherwise; counts by hand in `facet`."""
    assert facet(linked) == {"lives in": 2, "knows": 2}
    document = linked.get("/documents/d1")
    knows = next(one for one in document["relations"] if one["name"] == "knows")
    linked.delete(f"/relations/{knows['identifier']}")
    assert facet(linked) == {"lives in": 2, "knows": 1}
    linked.post(f"/relations/{knows['identifier']}/_restore")
    linked.patch(f"/relations/{knows['identifier']}", json={"name": "is"})
    assert facet(linked) == {"lives in": 2, "knows": 1, "is": 1}
    assert linked.caller.put(f"{linked.path}/relation_names/lives in", json={"newName": "stays in"}).status_code == 200
    assert facet(linked) == {"stays in": 2, "knows": 1, "is": 1}
    paris = document["annotations"][1]["identifier"]
    linked.delete(f"/annotations/{paris}")
    assert facet(linked) == {"stays in": 1, "knows": 1, "is": 1}
    linked.post(f"/annotations/{paris}/_restore")
    assert facet(linked) == {"stays in": 2, "knows": 1, "is": 1}
    segments = linked.post("/segments/_search", params={"facet": True})
    assert "relation" not in {one["name"] for one in segments["aggregations"]}
    assert not verify(linked.project.name)[linked.project.name]["differing"]
    rosa = as_user(client, "rosa", "Reader", f"writeProject:{linked.project.name}")
    seen = rosa.post(f"{linked.path}/documents/_search", params={"facet": True}).json()
    assert seen["total"]["value"] == 2
    assert "relation" not in {one["name"] for one in seen["aggregations"]}
    asked = {"selectedFacets": "+relation:is"}
    assert rosa.post(f"{linked.path}/documents/_search", params=asked).status_code == 403
    hidden = rosa.post(f"{linked.path}/documents/_search", params={"query": "relation:is"}).json()
    assert hidden["total"]["value"] == 0


def test_a_name_is_made_before_anything_is_called_by_it(corpus: Corpus) -> None:
    """C-031: without a colour it gets the least used one."""
    first = corpus.post("/relation_names", json={"name": " knows "})
    assert (first["name"], first["count"]) == ("knows", 0)
    second = corpus.post("/relation_names", json={"name": "is/was at", "color": "#a1b2c3"})
    assert second == {"name": "is/was at", "color": "#A1B2C3", "count": 0}
    assert names(corpus) == {"knows": 0, "is/was at": 0}
    taken = corpus.post("/relation_names", 409, json={"name": "knows"})
    assert taken["details"][0]["field"] == "name"
    for wrong in ({"name": ""}, {"name": "x", "color": "red"}, {"name": "a\u0000b"}, {}):
        corpus.post("/relation_names", 400, json=wrong)
    corpus.delete("/relation_names/knows")
    again = corpus.post("/relation_names", json={"name": "knows", "color": "#000001"})
    assert (again["color"], list(names(corpus))) == ("#000001", ["knows", "is/was at"])


def test_consequences_of_deleting_a_relation_name(linked: Corpus, as_user: Any, client: Any) -> None:
    """Who may not read the work of others is warned that there is some, and no more."""
    told = linked.get("/relation_names/_consequences", params={"name": "lives in"})
    everything = {"relations": 4, "documents": 2, "creators": [{"createdBy": "root", "count": 4}], "hidden": False}
    assert told == everything
    nina = as_user(client, "nina", "Annotator", f"writeProject:{linked.project.name}")
    told = nina.get(f"{linked.path}/relation_names/_consequences?name=lives in").json()
    assert told == {"relations": 0, "documents": 0, "creators": [], "hidden": True}
    refused = nina.delete(f"{linked.path}/relation_names/lives in")
    assert (refused.status_code, refused.json()["details"]) == (409, [{"count": 0}])
    linked.get("/relation_names/_consequences", 404, params={"name": "nothing"})


@pytest.mark.parametrize("direct", [True, False], ids=["at once", "as a job"])
def test_a_name_goes_with_its_relations_and_comes_back_with_them(
    linked: Corpus, monkeypatch: pytest.MonkeyPatch, direct: bool
) -> None:
    """In steps smaller than all of them; undoing brings back name, colour and relations, not what was gone."""
    monkeypatch.setattr(name_deletion, "STEP", 1)
    monkeypatch.setattr(name_deletion, "DIRECT_MAX", 100 if direct else 0)
    gone = linked.get("/documents/d1")["relations"][0]
    linked.delete(f"/relations/{gone['identifier']}")
    before, colors = live_relations(linked), linked.get("/relation_names")
    answer = linked.delete("/relation_names/lives in", params={"withRelations": True})
    assert answer["removedCount"] == 3
    linked.run_jobs()
    job = linked.get(f"/job/{answer['removeJob']['id']}")
    assert (job["status"], job["undoable"], job["result"]) == ("COMPLETED", True, {"documents": 2, "changes": 3})
    assert live_relations(linked) == [["knows"], ["knows"]]
    assert names(linked) == facet(linked) == {"knows": 2}
    undo = linked.post(f"/job/{job['id']}/_undo")
    linked.run_jobs()
    result: dict[str, Any] = linked.get(f"/job/{undo['id']}")["result"]
    assert (result["kept"], live_relations(linked), linked.get("/relation_names")) == (0, before, colors)
    assert facet(linked) == {"lives in": 2, "knows": 2}


def test_a_name_made_again_meanwhile_takes_what_comes_back(linked: Corpus) -> None:
    answer = linked.delete("/relation_names/knows", params={"withRelations": True})
    linked.post("/relation_names", json={"name": "knows"})
    undo = linked.post(f"/job/{answer['removeJob']['id']}/_undo")
    linked.run_jobs()
    assert linked.get(f"/job/{undo['id']}")["result"]["kept"] == 1
    assert names(linked) == {"lives in": 4, "knows": 2}
