"""Labels and label sets: creation, colours, renaming, merging, deletion and revival, permissions."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.content.palette import PALETTE
from annotarium.db.models import Label
from annotarium.db.unit_of_work import unit_of_work

TEXT = "Anna Smith lives in Paris. Bob lives in Rome."


def names(corpus: Corpus) -> list[str]:
    return [label["name"] for label in corpus.get("/labels")]


def test_a_label_gets_a_name_and_the_least_used_colour(corpus: Corpus) -> None:
    """C-031: 38 colours, the least-used one is proposed. S-034."""
    made = [corpus.post("/labels", json={"label": f"Label {number}"}) for number in range(40)]
    assert len(PALETTE) == 38
    assert [label["color"] for label in made[:38]] == list(PALETTE)
    assert [label["color"] for label in made[38:]] == list(PALETTE[:2])
    assert (made[0]["name"], made[0]["label"], made[0]["labelSetName"]) == ("label_0", "Label 0", "default")
    corpus.delete(f"/labels/{made[0]['name']}")
    corpus.delete(f"/labels/{made[38]['name']}")
    assert corpus.post("/labels", json={"label": "Next"})["color"] == PALETTE[0]


@pytest.mark.parametrize("body", [{}, {"label": "   "}, {"label": "x", "color": "red"}, {"label": "x" * 300}])
def test_wrong_labels_are_refused(corpus: Corpus, body: dict[str, Any]) -> None:
    """V-008: the text is required and not blank."""
    refused = corpus.post("/labels", 400, json=body)
    assert refused["message"]
    assert names(corpus) == []


def test_unknown_set_and_double_name(corpus: Corpus) -> None:
    corpus.post("/labels", 404, json={"label": "x", "labelSetName": "nowhere"})
    corpus.post("/labels", json={"label": "Person"})
    assert corpus.post("/labels", 409, json={"label": "person"})["fix"]
    # Words that differ by their signs only are other labels.
    assert [corpus.post("/labels", json={"label": words})["name"] for words in ("C", "C++", "C#")] == [
        "c",
        "c_2",
        "c_3",
    ]
    assert [corpus.post("/labels", json={"label": sign})["label"] for sign in "👍👎+-"] == [*"👍👎+-"]
    corpus.post("/labels", 409, json={"label": "c++"})
    corpus.get("/labels/nobody", 404)
    corpus.patch("/labels/nobody", 404, json={"label": "x"})


@pytest.mark.parametrize("body", [{"name": "IMP"}, {"label": "IMP"}, {"name": "imp", "label": "IMP"}])
def test_a_label_made_here_and_one_met_by_an_import_are_one(corpus: Corpus, body: dict[str, Any]) -> None:
    """Whichever comes first, and in either column of the import: labelName or label."""
    corpus.post("/labels", json=body)
    corpus.add(document("d1", TEXT, ("Anna Smith", "IMP"), ("Bob", "imp")))
    marks = [
        {"start": 0, "end": 4, "text": "Anna", "label": "IMP"},
        {"start": 5, "end": 10, "text": "Smith", "label": "Imp"},
    ]
    corpus.add({"identifier": "d2", "text": TEXT, "annotations": marks})
    assert names(corpus) == ["imp"]
    assert {one["labelName"] for one in corpus.get("/documents/d2")["annotations"]} == {"imp"}


@pytest.mark.parametrize("body", [{"name": "IMP"}, {"name": "imp"}, {"label": "IMP"}, {"label": "imp"}])
def test_a_label_that_an_import_made_is_not_made_again(corpus: Corpus, body: dict[str, Any]) -> None:
    corpus.add(document("d1", TEXT, ("Anna Smith", "IMP")))
    assert corpus.post("/labels", 409, json=body)["fix"]
    assert names(corpus) == ["IMP"]


def test_labels_of_one_name_that_are_there_stay_and_no_third_is_made(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT, ("Anna Smith", "IMP")))
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.scalars(select(Label).where(Label.project_id == corpus.project.id)).one()
        facts = {"project_id": row.project_id, "label_set_id": row.label_set_id, "color": row.color}
        unit.session.add(Label(name="imp", label="IMP", created_by="root", **facts))
    corpus.add(document("d2", TEXT, ("Anna Smith", "IMP"), ("Bob", "imp"), ("Paris", "Imp")))
    assert sorted(names(corpus)) == ["IMP", "imp"]
    assert sorted(one["labelName"] for one in corpus.get("/documents/d2")["annotations"]) == ["IMP", "IMP", "imp"]


def test_signs_make_another_label_in_every_order(corpus: Corpus) -> None:
    """C++ came first and has the name `c`: C is another label all the same."""
    for number, words in enumerate(("C++", "C", "C#", "👎", "👍")):
        corpus.add({"identifier": f"d{number}", "text": TEXT, "categories": [{"labelName": words}]})
    corpus.post("/labels", json={"label": "c*"})
    assert [label["label"] for label in corpus.get("/labels")] == ["C++", "C", "C#", "👎", "👍", "c*"]
    corpus.add({"identifier": "again", "text": TEXT, "categories": [{"label": "C"}, {"label": "c++"}]})
    assert len(names(corpus)) == 6


def test_renaming_keeps_the_name_and_what_refers_to_it(corpus: Corpus) -> None:
    """The singular and the plural path answer alike (conflicts 39)."""
    corpus.add(document("d1", TEXT, ("Anna Smith", "person")))
    changed = corpus.patch("/labels/person", json={"label": "People", "color": "#112233", "guideline": "Names only"})
    assert (changed["name"], changed["label"], changed["color"]) == ("person", "People", "#112233")
    assert corpus.facet("label") == {"person": 1}
    assert corpus.get("/documents/d1")["annotations"][0]["labelName"] == "person"
    for path in ("/label/person", "/labels/person"):
        assert corpus.get(path, params={"includeCount": True})["count"] == 1
    assert corpus._call("put", "/labels/person", 200, {"json": {"label": "Persons"}})["guideline"] == "Names only"


def test_counts_are_included_on_request(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT, ("Anna Smith", "person"), ("Bob", "person"), ("Paris", "place")))
    assert all("count" not in label for label in corpus.get("/labels"))
    counted = {label["name"]: label["count"] for label in corpus.get("/labels", params={"includeCount": True})}
    assert counted == {"person": 2, "place": 1}


def test_counts_are_of_what_the_caller_may_read(corpus: Corpus, client: Any, as_user: Any) -> None:
    """readUserAnnot: what others made by hand does not count for who may not read it."""
    corpus.add(document("d1", TEXT, ("Anna Smith", "person"), ("Paris", "place")))
    grants = ("Annotator", f"writeProject:{corpus.project.name}")
    marie = Corpus(as_user(client, "marie", *grants), corpus.project, corpus.run_jobs)
    marie.annotate("d1", "person", 26, 29)
    counted = {label["name"]: label["count"] for label in marie.get("/labels", params={"includeCount": True})}
    assert counted == {"person": 1, "place": 0}
    assert corpus.get("/labels/person", params={"includeCount": True})["count"] == 2


def test_merging_moves_everything_and_keeps_one_duplicate(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT, ("Anna Smith", "person"), ("Anna Smith", "human"), ("Bob", "human")))
    corpus.post("/labels/_merge", 400, json={"names": ["person"]})
    corpus.post("/labels/_merge", 404, json={"names": ["person", "nobody"]})
    assert corpus.post("/labels/_merge", json={"names": ["person", "human"]})["removedCount"] == 1
    found = [(one["text"], one["labelName"]) for one in corpus.get("/documents/d1")["annotations"]]
    assert found == [("Anna Smith", "person"), ("Bob", "person")]
    assert corpus.facet("label") == {"person": 1}
    assert names(corpus) == ["person"]


def test_deleting_takes_the_annotations_and_the_name_can_come_back(corpus: Corpus) -> None:
    corpus.add(document("d1", TEXT, ("Anna Smith", "person"), ("Paris", "place")))
    gone = corpus.get("/documents/d1")["annotations"][0]["identifier"]
    assert corpus.delete("/labels/person")["removedCount"] == 1
    assert corpus.facet("label") == {"place": 1}
    assert corpus.facet("label", "segments") == {"place": 1}
    corpus.get("/labels/person", 404)
    assert "label" in corpus.post(f"/annotations/{gone}/_restore", 409)["message"]
    again = corpus.post("/labels", json={"label": "Person"})
    assert (again["name"], again["version"]) == ("person", 3), "each change counts, the deletion too"
    assert corpus.facet("label") == {"place": 1}, "reviving a label does not bring old annotations back by itself"
    corpus.post(f"/annotations/{gone}/_restore")
    assert corpus.facet("label") == {"person": 1, "place": 1}


def test_several_labels_are_deleted_at_once_or_not_at_all(corpus: Corpus) -> None:
    corpus.add_labels("a", "b", "c")
    refused = corpus.caller.request("DELETE", f"{corpus.path}/labels", json={"names": ["a", "nobody"]})
    assert (refused.status_code, names(corpus)) == (404, ["a", "b", "c"])
    answer = corpus.caller.request("DELETE", f"{corpus.path}/labels", json={"names": ["a", "b"]})
    assert (answer.json()["removedCount"], names(corpus)) == (2, ["c"])


def test_label_sets_live_and_go_with_their_labels(corpus: Corpus) -> None:
    """S-033; V-010: each set keeps its own exclusive classes."""
    corpus.add(document("d1", TEXT, ("Paris", "place")))
    made = corpus.post("/label_sets", json={"label": "Media", "exclusiveClasses": True, "tags": ["news"]})
    assert (made["name"], made["exclusiveClasses"], made["nature"]) == ("media", True, "sequence_labelling")
    corpus.post("/label_sets", 409, json={"label": "media"})
    corpus.post("/label_sets", 400, json={"label": " "})
    corpus.post("/labels", json={"label": "Film", "labelSetName": "media"})
    corpus.annotate("d1", "film", 0, 4)
    assert [one["name"] for one in corpus.get("/labels", params={"labelSetName": "media"})] == ["film"]
    sets = {one["name"]: one for one in corpus.get("/label_sets", params={"includeLabelsCount": True})}
    assert sets["media"]["labels"][0]["count"] == 1
    assert sets["default"]["exclusiveClasses"] is False
    assert "labels" not in corpus.get("/label_sets/media", params={"includeLabels": False})
    assert corpus.patch("/label_sets/media", json={"exclusiveClasses": False})["exclusiveClasses"] is False
    corpus.patch("/labels/place", json={"labelSetName": "media"})
    assert corpus.delete("/label_sets/media")["removedCount"] == 2
    corpus.get("/label_sets/media", 404)
    assert corpus.facet("label") == {}
    assert corpus.post("/labels", json={"label": "Film"})["labelSetName"] == "default"


def test_who_may_write_labels(corpus: Corpus, as_user: Any, client: Any) -> None:
    """V-003: exclusive classes need changeProjectConfig, labels writeLabel."""
    name = corpus.project.name
    reader = as_user(client, "rita", "Reader", f"writeProject:{name}")
    assert reader.post(f"{corpus.path}/labels", json={"label": "x"}).status_code == 403
    assert reader.get(f"{corpus.path}/labels").status_code == 200
    annotator = as_user(client, "alan", "Annotator", f"writeProject:{name}")
    assert annotator.post(f"{corpus.path}/labels", json={"label": "x"}).status_code == 200
    assert annotator.post(f"{corpus.path}/label_sets", json={"label": "s"}).status_code == 200
    for method, path in (("PATCH", "label_sets/s"), ("POST", "label_sets")):
        body = {"label": "Other", "exclusiveClasses": True}
        refused = annotator.request(method, f"{corpus.path}/{path}", json=body)
        assert "changeProjectConfig" in refused.json()["cause"]
    onlooker = as_user(client, "olga", "Annotator", f"readProject:{name}")
    assert onlooker.post(f"{corpus.path}/labels", json={"label": "y"}).status_code == 403
    stranger = as_user(client, "sven", "Annotator")
    assert stranger.get(f"{corpus.path}/labels").status_code == 404
