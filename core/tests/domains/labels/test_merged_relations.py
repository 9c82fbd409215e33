"""What becomes of relations when labels are merged or deleted, and when that is taken back."""

from __future__ import annotations

from typing import Any

from support.factories import Corpus, document

TEXT = "Anna Smith lives in Paris. Bob lives in Rome."


def prepare(corpus: Corpus) -> dict[str, str]:
    """Anna as person and as human, Bob, Paris: identifiers by name."""
    corpus.add(document("d1", TEXT))
    corpus.add_labels("person", "human", "place")
    places = {"anna": ("person", 0, 10), "ann": ("human", 0, 10), "bob": ("human", 27, 30), "paris": ("place", 20, 25)}
    return {name: corpus.annotate("d1", *place)["identifier"] for name, place in places.items()}


def undo(corpus: Corpus, answer: Any) -> dict[str, Any]:
    """Take back the job of an answer; what the undo said."""
    back = corpus.post(f"/job/{answer['removeJob']['id']}/_undo")
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{back['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended["result"]


def link(corpus: Corpus, name: str, source: str, target: str) -> None:
    corpus.post("/relations", json={"documentIdentifier": "d1", "name": name, "source": source, "target": target})


def relations(corpus: Corpus, ids: dict[str, str]) -> list[tuple[str, str, str]]:
    words = {identifier: name for name, identifier in ids.items()}
    found = corpus.get("/documents/d1").get("relations", [])
    return sorted((words[one["source"]], one["name"], words[one["target"]]) for one in found)


def test_relations_of_what_is_merged_lead_to_what_stays(corpus: Corpus) -> None:
    """Merged into itself, or into one that is there already: it goes. Undoing the job brings all of it back."""
    ids = prepare(corpus)
    link(corpus, "lives in", ids["ann"], ids["paris"])
    link(corpus, "knows", ids["anna"], ids["bob"])
    link(corpus, "knows", ids["ann"], ids["bob"])
    link(corpus, "is", ids["ann"], ids["anna"])
    before = relations(corpus, ids)
    answer = corpus.post("/labels/_merge", json={"names": ["person", "human"]})
    assert relations(corpus, ids) == [("anna", "knows", "bob"), ("anna", "lives in", "paris")]
    result = undo(corpus, answer)
    assert result["kept"] == 0
    assert relations(corpus, ids) == before


def test_relations_go_with_a_label_and_come_back_with_it(corpus: Corpus) -> None:
    """They are counted before: each once, and only those that stand."""
    ids = prepare(corpus)
    link(corpus, "knows", ids["anna"], ids["bob"])
    link(corpus, "knows", ids["bob"], ids["ann"])
    gone = corpus.get("/documents/d1")["relations"][-1]["identifier"]
    link(corpus, "lives in", ids["anna"], ids["paris"])
    counted = [["human"], ["person"], ["place"], ["human", "person"]]
    told = [corpus.post("/labels/_consequences", json={"names": names})["relations"] for names in counted]
    assert told == [2, 2, 1, 3]
    corpus.delete(f"/relations/{gone}")
    told = [corpus.post("/labels/_consequences", json={"names": names})["relations"] for names in counted]
    assert told == [1, 2, 1, 2]
    answer = corpus.caller.delete(f"{corpus.path}/labels/human").json()
    assert relations(corpus, ids) == [("anna", "lives in", "paris")]
    undo(corpus, answer)
    assert relations(corpus, ids) == [("anna", "knows", "bob"), ("anna", "lives in", "paris")]


def test_relations_go_with_what_is_cleared_in_bulk(corpus: Corpus) -> None:
    ids = prepare(corpus)
    link(corpus, "knows", ids["anna"], ids["bob"])
    link(corpus, "lives in", ids["anna"], ids["paris"])
    job: Any = corpus.post("/documents/_search_and_delete_labelling", params={"labels": ["place"]})
    corpus.run_jobs()
    assert relations(corpus, ids) == [("anna", "knows", "bob")]
    back = corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    assert corpus.get(f"/job/{back['id']}")["status"] == "COMPLETED"
    assert len(relations(corpus, ids)) == 2
    assert corpus.post("/annotations/_clear", params={"createdBy": ["root"]})["count"] == 4
    assert relations(corpus, ids) == []


def test_what_somebody_changed_since_the_merge_stays(corpus: Corpus) -> None:
    ids = prepare(corpus)
    link(corpus, "lives in", ids["ann"], ids["paris"])
    answer = corpus.post("/labels/_merge", json={"names": ["person", "human"]})
    moved = corpus.get("/documents/d1")["relations"][0]
    corpus.patch(f"/relations/{moved['identifier']}", json={"name": "visits"})
    assert undo(corpus, answer)["kept"] == 1
    assert relations(corpus, ids) == [("anna", "visits", "paris")]


def test_relations_go_and_come_back_with_their_document(corpus: Corpus) -> None:
    ids = prepare(corpus)
    link(corpus, "knows", ids["anna"], ids["bob"])
    job: Any = corpus.post("/documents/_search_and_delete")
    corpus.run_jobs()
    assert corpus.get("/relation_names")[0]["count"] == 0
    corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    assert relations(corpus, ids) == [("anna", "knows", "bob")]
    assert corpus.get("/relation_names")[0]["count"] == 1


def test_copies_of_an_annotation_have_no_relations(corpus: Corpus) -> None:
    ids = prepare(corpus)
    lives = corpus.annotate("d1", "place", 11, 16)["identifier"]
    corpus.post("/relations", json={"documentIdentifier": "d1", "name": "of", "source": ids["anna"], "target": lives})
    made = corpus.post(f"/annotations/{lives}/_propagate", json={})
    assert made["created"] == 1
    assert len(corpus.get("/documents/d1")["relations"]) == 1
