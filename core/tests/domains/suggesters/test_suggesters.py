"""Suggesters and suggestions on real data: start, suggestions, responses, skips, sorting, retraining, permissions."""

from __future__ import annotations

import time
from typing import Any

import pytest
from support.factories import Corpus, document
from support.real_corpora import entity_documents, question_documents

from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work

FAST = {"learner_parameters": {"iterations": 8}, "minimum_score": 0.1}


def jobs_of(corpus: Corpus) -> int:
    with unit_of_work(actor="tests", write=False) as unit:
        found = unit.session.query(Job).filter_by(project_id=corpus.project.id, type="TRAIN_AND_SUGGEST")
        return found.count()


def start(corpus: Corpus, engine: str = "margin", **more: Any) -> str:
    """Start and train a suggester; returns its name."""
    body = {"engine": engine, "parameters": FAST if engine == "margin" else {}} | more
    name: str = corpus.post("/suggesters", json=body)["name"]
    assert corpus.post(f"/suggesters/{name}/_start") == {"ok": True}
    corpus.run_jobs()
    return name


def half_annotated(corpus: Corpus, count: int = 120) -> None:
    documents = entity_documents(count)
    for one in documents[count // 2 :]:
        del one["annotations"], one["reviewed"]
    corpus.add(*documents)


def page(corpus: Corpus, **parameters: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = corpus.get("/suggestions", params=parameters)["suggestions"]
    return found


def test_starting_trains_and_suggests_on_unreviewed_segments(corpus: Corpus) -> None:
    """T-029, C-024, C-025, C-026, S-036, S-038, conflicts 12."""
    half_annotated(corpus)
    name = corpus.post("/suggesters", json={"engine": "margin", "parameters": FAST})["name"]
    assert corpus.get("/suggestions", params={"from": 0, "size": 1})["suggestions"] == []
    corpus.post(f"/suggesters/{name}/_start")
    started = corpus.get(f"/suggesters/{name}")
    assert (started["running"], started["training"], started["models"]) == (True, True, 0)
    asked = corpus.get(f"/job/{started['jobId']}")["parameters"]
    assert (asked["engine"], asked["train"]["learner"]) == ("margin", "crf")
    assert asked["suggest"] == {"minimum_score": started["parameters"]["minimum_score"]}
    before = time.time()
    corpus.run_jobs()
    trained = corpus.get(f"/suggesters/{name}")
    assert (trained["running"], trained["training"], trained["models"], trained["uptodate"]) == (True, False, 1, True)
    first = corpus.get("/suggestions", params={"facet": True})
    shown = first["suggestions"]
    assert 0 < len(shown) == min(25, first["total"]["value"])
    annotated = {one["identifier"] for one in entity_documents(60)}
    for one in shown:
        assert len(one["_id"]) == 24
        assert one["_id"] == one["identifier"]
        assert abs(int(one["_id"][:8], 16) - before) < 60
        assert one["documentIdentifier"] not in annotated
        assert {"before", "after", "documentTitle", "start", "end", "labelName"} <= set(one)
        text = corpus.get(f"/documents/{one['documentIdentifier']}")["text"]
        assert text[one["start"] : one["end"]] == one["text"]
        for proposal in one["annotations"]:
            assert text[proposal["start"] : proposal["end"]] == proposal["text"]
            assert (proposal["suggestion"], proposal["creationMode"]) == (True, "automatic")
    facets = {one["name"]: {b["key"]: b["doc_count"] for b in one["buckets"]} for one in first["aggregations"]}
    assert facets["suggester"] == {name: first["total"]["value"]}
    label = next(iter(facets["label"]))
    only = corpus.get("/suggestions", params={"filter": f"+label:{label}", "size": 500})
    assert only["total"]["value"] == facets["label"][label] == len(only["suggestions"])
    assert corpus.post(f"/suggesters/{name}/_stop", 204) is None
    assert corpus.get(f"/suggesters/{name}")["running"] is False


def test_suggestions_are_sorted_and_paged(corpus: Corpus) -> None:
    """C-063."""
    half_annotated(corpus)
    start(corpus)
    everything = {sort: page(corpus, sort=sort, size=500) for sort in ("sampling", "best", "worst", "newest", "random")}
    for key, field, sign in (("sampling", "priority", -1), ("best", "confidence", -1), ("worst", "confidence", 1)):
        values = [sign * one[field] for one in everything[key]]
        assert values == sorted(values), key
    ids = {sort: [one["_id"] for one in found] for sort, found in everything.items()}
    assert len({frozenset(found) for found in ids.values()}) == 1
    assert page(corpus, size=500) == everything["sampling"], "the default"
    assert page(corpus, size=500, sort="random") == everything["random"], "the same order from page to page"
    assert [one["_id"] for one in page(corpus, size=3, **{"from": 2})] == ids["sampling"][2:5]
    assert "sampling" in corpus.get("/suggestions", 400, params={"sort": "odd"})["fix"]
    corpus.get("/suggestions", 400, params={"filter": "+colour:red"})


def test_answered_suggestions_disappear_and_ten_answers_retrain(corpus: Corpus) -> None:
    """T-021: accepted as OK, rejected as KO, skipped; skipping again returns 404."""
    half_annotated(corpus)
    name = start(corpus)
    assert jobs_of(corpus) == 1
    shown = page(corpus, size=500)
    answers, judged = 0, set()
    for number, one in enumerate(shown):
        for proposal in one["annotations"]:
            if answers == 9:
                break
            status = "OK" if number % 2 else "KO"
            span = {key: proposal[key] for key in ("labelName", "start", "end")} | {"status": status}
            corpus.post("/annotations", json=span | {"documentIdentifier": one["documentIdentifier"]})
            answers += 1
            judged.add(one["documentIdentifier"])
            left = {
                (p["documentIdentifier"], a["start"], a["labelName"])
                for p in page(corpus, size=500)
                for a in p["annotations"]
            }
            assert (one["documentIdentifier"], proposal["start"], proposal["labelName"]) not in left
    assert answers == 9
    state = corpus.get(f"/suggesters/{name}")
    assert (state["answers"], state["uptodate"], state["training"]) == (9, False, False)
    victim = page(corpus, size=1)[0]["_id"]
    assert corpus.delete(f"/suggestions/{victim}") == {"ok": True}
    assert victim not in [one["_id"] for one in page(corpus, size=500)]
    corpus.delete(f"/suggestions/{victim}", 404)
    for wrong in ("abc", "0" * 24, "z" * 24):
        corpus.delete(f"/suggestions/{wrong}", 404)
    assert jobs_of(corpus) == 1
    found = page(corpus, size=1)[0]
    last = found["annotations"][0]
    corpus.annotate(found["documentIdentifier"], last["labelName"], last["start"], last["end"])
    assert jobs_of(corpus) == 2
    corpus.run_jobs()
    state = corpus.get(f"/suggesters/{name}")
    assert (state["answers"], state["uptodate"]) == (0, True)
    assert not judged & {one["documentIdentifier"] for one in page(corpus, size=500)}
    cleared = corpus.post("/suggestions/_clear")
    assert (cleared["operation"], cleared["unit"], cleared["count"] > 0) == ("delete", "suggestion", True)
    assert page(corpus) == []


def test_skipping_is_undone_like_other_operations(corpus: Corpus, as_user: Any, client: Any) -> None:
    """A skip is an operation of its user: undo restores the suggestion as it was, redo skips it again."""
    half_annotated(corpus)
    name = start(corpus)
    first, second = page(corpus, size=2)
    path = f"/documents/{first['documentIdentifier']}/_history"
    corpus.delete(f"/suggestions/{first['_id']}")
    state = corpus.get("/_history/_state")["undo"]
    assert (state["documentIdentifier"], state["count"]) == (first["documentIdentifier"], 1)
    entry = state["entry"]
    assert (entry["entity"], entry["action"], entry["entityIdentifier"]) == ("suggestion", "skipped", first["_id"])
    assert entry["before"]["text"] == first["text"]
    assert entry["before"]["labelName"] in {one["labelName"] for one in first["annotations"]}
    undone = corpus.post(f"{path}/_undo")
    assert (undone["changed"], undone["suggestions"]) == (1, [first["_id"]])
    assert [one for one in page(corpus, size=500) if one["_id"] == first["_id"]] == [first]
    redone = corpus.post(f"{path}/_redo")
    assert redone["suggestions"] == [first["_id"]]
    assert first["_id"] not in [one["_id"] for one in page(corpus, size=500)]
    # In order with the other operations, on whatever document they were.
    proposal = second["annotations"][0]
    corpus.annotate(second["documentIdentifier"], proposal["labelName"], proposal["start"], proposal["end"])
    assert corpus.get("/_history/_state")["undo"]["entry"]["entity"] == "annotation"
    corpus.post(f"/documents/{second['documentIdentifier']}/_history/_undo")
    assert corpus.get("/_history/_state")["undo"]["entry"]["entityIdentifier"] == first["_id"]
    # Users who may not see the work of others do not see what others skipped.
    right = f"readProject:{corpus.project.name}"
    url = f"{corpus.path}{path}"
    assert as_user(client, "reader", right).get(url).json()["entries"] == []
    everything = ("readUserAnnot:*", "readModeAnnot:all")
    seen = as_user(client, "manager", right, *everything).get(url).json()["entries"]
    assert [one["entity"] for one in seen] == ["suggestion"] * 3
    # A suggestion at the same position, proposed again meanwhile, takes its place.
    corpus.post(f"/suggesters/{name}/_stop", 204)
    corpus.post("/suggestions/_clear")
    corpus.post(f"/suggesters/{name}/_start")
    corpus.run_jobs()

    def proposed() -> int:
        place = (first["documentIdentifier"], first["start"])
        return [(one["documentIdentifier"], one["start"]) for one in page(corpus, size=500)].count(place)

    there = proposed()
    again = corpus.post(f"{path}/_undo")
    assert (again["changed"], again["kept"]) == ((0, 1) if there else (1, 0))
    assert proposed() == 1
    assert "undo" not in corpus.get("/_history/_state")


def test_categories_are_suggested_on_whole_documents(topics: Corpus) -> None:
    """C-024: a page of one. T-022: rejecting all of them validates the document."""
    documents = question_documents(120)
    for one in documents[60:]:
        one["categories"] = []
    topics.add(*documents, segmentationPolicy="no_segmentation")
    start(topics, "margin_categories")
    (one,) = page(topics, size=1)
    assert one["text"] == topics.get(f"/documents/{one['documentIdentifier']}")["text"]
    assert (one["before"]["size"], one["annotations"]) == (0, [])
    assert len({proposal["identifier"] for proposal in one["categories"]}) == len(one["categories"]) > 0
    body = {"documentIdentifier": one["documentIdentifier"], "status": "KO"}
    for proposal in one["categories"]:
        topics.post("/categories", json=body | {"labelName": proposal["labelName"]})
    left = page(topics, size=500)
    assert one["_id"] not in [other["_id"] for other in left]
    # Categories exclude each other: confirming one also answers the other suggestions of the document; undo reopens
    # them.
    proposed = left[0]
    names = {proposal["labelName"] for proposal in proposed["categories"]}
    other = next(label["name"] for label in topics.get("/labels") if label["name"] not in names)
    identifier = proposed["documentIdentifier"]
    topics.post("/categories", json={"documentIdentifier": identifier, "labelName": other, "status": "OK"})
    assert proposed["_id"] not in [one["_id"] for one in page(topics, size=500)]
    topics.post(f"/documents/{identifier}/_history/_undo")
    back = next(one for one in page(topics, size=500) if one["_id"] == proposed["_id"])
    assert back["categories"] == proposed["categories"]


def test_engines_are_listed_by_nature(corpus: Corpus, topics: Corpus) -> None:
    """Conflict 35 of the contract."""
    cases = ((corpus, "margin", "crf"), (topics, "margin_categories", "sklearn_text_classifier"))
    for project, suggester, learner in cases:
        nature = project.project.nature
        engines = project.get("/engines", params={"type": "suggester", "nature": nature})
        assert suggester in engines
        assert engines == project.get("/engines", params={"type": "suggester"})
        assert learner in project.get("/engines", params={"type": "learner"})
    assert "margin_categories" not in corpus.get("/engines", params={"type": "suggester"})
    assert "margin" not in topics.get("/engines", params={"type": "suggester"})


def test_invalid_suggesters_are_refused_and_suggesters_deleted(corpus: Corpus) -> None:
    corpus.post("/suggesters", 404, json={"engine": "nothing"})
    refused = corpus.post("/suggesters", 400, json={"engine": "margin", "parameters": {"minimum_score": 2}})
    assert refused["details"][0]["field"].endswith("minimum_score")
    half_annotated(corpus, 60)
    name = start(corpus, label="Mine")
    assert corpus.post("/suggesters/_label_hint", json={"label": "Mine"}) == {"labelHint": "Mine 2"}
    changed = corpus.patch(f"/suggesters/{name}", json={"parameters": FAST | {"minimum_score": 0.5}})
    assert (changed["uptodate"], changed["label"]) == (False, "Mine")
    assert page(corpus)
    assert corpus.delete("/suggesters", params={"names": name}) == {"removedCount": 1}
    assert (page(corpus), corpus.get("/suggesters")) == ([], [])
    corpus.post(f"/suggesters/{name}/_start", 404)


def test_permissions_to_change_suggesters(corpus: Corpus, as_user: Any, client: Any) -> None:
    name, path = corpus.project.name, f"{corpus.path}/suggesters"
    annotator = as_user(client, "alan", "Annotator", f"writeProject:{name}")
    assert annotator.post(path, json={"engine": "margin"}).status_code == 403
    assert annotator.get(path).status_code == 200
    manager = as_user(client, "max", "ProjectManager", f"writeProject:{name}")
    assert "margin" in manager.post(path, json={"engine": "margin"}).json()["cause"]
    reader = as_user(client, "rita", "Reader", f"readProject:{name}")
    assert reader.post(f"{corpus.path}/suggestions/_clear").status_code == 403
    assert reader.get(f"{corpus.path}/suggestions").status_code == 200


@pytest.mark.parametrize("labelled", [0, 1])
def test_too_little_training_data_is_reported(corpus: Corpus, labelled: int) -> None:
    spans = [("Anna", "person")] * labelled
    corpus.add(document("d1", "Anna came. Bob left."), document("d2", "Anna left.", *spans))
    name = start(corpus)
    assert corpus.get(f"/suggesters/{name}")["models"] == 0
    assert page(corpus) == []
