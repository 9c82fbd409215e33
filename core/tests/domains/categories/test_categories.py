"""Categories: documents and sentences, exclusive sets, suggestions, versions, rights."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.db.models import Category
from annotarium.db.unit_of_work import unit_of_work

TEXT = "The goal came late. The minister spoke."


def prepare(corpus: Corpus, *names: str) -> None:
    corpus.add(document("d1", TEXT, sentences=[{"start": 0, "end": 19}, {"start": 20, "end": 39}]))
    for name in names or ("sport", "politics"):
        corpus.post("/labels", json={"label": name})


def categorise(corpus: Corpus, label: str, status: int = 200, **more: Any) -> Any:
    return corpus.post("/categories", status, json={"documentIdentifier": "d1", "labelName": label} | more)


def suggest(corpus: Corpus, identifier: str) -> None:
    """Turn a category into what an annotator would have left: automatic, without a status."""
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.get_one(Category, int(identifier))
        row.status, row.creation_mode, row.created_by = None, "automatic", "model"
        unit.touch(corpus.project.id, "facets", document_id=row.document_id)


def carried(corpus: Corpus) -> list[tuple[str, str | None]]:
    return sorted((one["labelName"], one.get("status")) for one in corpus.get("/documents/d1")["categories"])


def test_a_new_category_replaces_the_confirmed_one_of_an_exclusive_set(topics: Corpus) -> None:
    """T-017, S-035."""
    prepare(topics)
    first = categorise(topics, "sport")
    second = categorise(topics, "politics")
    assert second["replaced"] == [first["identifier"]]
    assert carried(topics) == [("politics", "OK")]
    assert topics.facet("classificationLabel") == {"politics": 1}
    rejected = topics.post("/categories", json={"documentIdentifier": "d1", "labelName": "sport", "status": "KO"})
    assert rejected["replaced"] == []
    assert carried(topics) == [("politics", "OK"), ("sport", "KO")]


def test_a_suggested_category_stays_and_can_be_promoted(topics: Corpus) -> None:
    """T-017: suggested ones are not replaced. T-018: promoted, and a suggestion again."""
    prepare(topics)
    guess = categorise(topics, "sport")["identifier"]
    suggest(topics, guess)
    assert categorise(topics, "politics")["replaced"] == []
    assert carried(topics) == [("politics", "OK"), ("sport", None)]
    promoted = topics.patch(f"/categories/{guess}", json={"status": "OK"})
    assert (promoted["ok"], promoted["status"], promoted["createdBy"]) == (True, "OK", "model")
    assert "status" not in topics.patch(f"/categories/{guess}", json={"status": None})
    assert categorise(topics, "sport")["replaced"] != [], "confirming takes the place of the suggestion"
    assert carried(topics) == [("sport", "OK")]


def test_an_inclusive_set_keeps_several(corpus: Corpus) -> None:
    prepare(corpus)
    categorise(corpus, "sport")
    categorise(corpus, "politics")
    assert carried(corpus) == [("politics", "OK"), ("sport", "OK")]
    assert categorise(corpus, "sport")["version"] == 1, "the same again is the one there is"
    assert corpus.facet("classificationLabel", "segments") == {"politics": 2, "sport": 2}


def test_an_exclusive_set_in_another_project_and_two_sets_do_not_meet(corpus: Corpus) -> None:
    prepare(corpus)
    corpus.post("/label_sets", json={"label": "Tone", "exclusiveClasses": True})
    for name in ("glad", "sad"):
        corpus.post("/labels", json={"label": name, "labelSetName": "tone"})
    for name in ("sport", "politics", "glad", "sad"):
        categorise(corpus, name)
    assert carried(corpus) == [("politics", "OK"), ("sad", "OK"), ("sport", "OK")]


def test_sentences_have_their_own_categories(topics: Corpus) -> None:
    prepare(topics)
    made = categorise(topics, "sport", start=0, end=19)
    assert (made["start"], made["end"]) == (0, 19)
    categorise(topics, "politics", start=20, end=39)
    sentences = topics.get("/documents/d1")["sentences"]
    assert [[one["labelName"] for one in sentence["categories"]] for sentence in sentences] == [["sport"], ["politics"]]
    assert topics.facet("classificationLabel", "segments") == {"politics": 1, "sport": 1}
    categorise(topics, "politics", start=0, end=19)
    assert topics.facet("classificationLabel", "segments") == {"politics": 2}


@pytest.mark.parametrize("place", [{"start": 0}, {"end": 5}, {"start": 5, "end": 5}, {"start": 0, "end": 400}])
def test_wrong_places_are_refused(topics: Corpus, place: dict[str, int]) -> None:
    prepare(topics)
    assert categorise(topics, "sport", 400, **place)["message"]
    assert carried(topics) == []


def test_unknown_label_document_and_category(topics: Corpus) -> None:
    prepare(topics)
    assert "label" in categorise(topics, "nobody", 404)["message"]
    topics.post("/categories", 404, json={"documentIdentifier": "gone", "labelName": "sport"})
    for identifier in ("12", "abc", "-1"):
        topics.patch(f"/categories/{identifier}", 404, json={"status": "KO"})
        topics.delete(f"/categories/{identifier}", 404)


def test_stale_change_is_refused_and_delete_answers_the_id(topics: Corpus) -> None:
    """Conflicts 41."""
    prepare(topics)
    made = categorise(topics, "sport")
    path = f"/categories/{made['identifier']}"
    topics.patch(path, json={"status": "KO"}, headers={"If-Match": "1"})
    refused = topics.patch(path, 412, json={"status": "OK"}, headers={"If-Match": "1"})
    assert refused["details"][0]["current"]["status"] == "KO"
    assert topics.facet("classificationLabel") == {}
    assert topics.facet("status") == {"KO": 1}
    assert topics.delete(path) == {"identifier": made["identifier"]}
    topics.delete(path, 404)


def test_categories_of_a_deleted_document_are_out_of_reach(topics: Corpus) -> None:
    prepare(topics)
    made = categorise(topics, "sport")
    topics.delete("/documents/d1")
    topics.patch(f"/categories/{made['identifier']}", 404, json={"status": "KO"})
    assert topics.post("/categories/_count")["count"] == 0


def test_counting_and_clearing(topics: Corpus, as_user: Any, client: Any) -> None:
    """B-006."""
    prepare(topics)
    categorise(topics, "sport", start=0, end=19)
    categorise(topics, "politics", start=20, end=39)
    assert topics.post("/categories/_count_creators") == [{"createdBy": "root", "count": 2}]
    assert topics.post("/categories/_count", params={"labels": ["sport"]})["count"] == 1
    annotator = as_user(client, "alan", "Annotator", f"writeProject:{topics.project.name}")
    assert annotator.post(f"{topics.path}/categories/_clear").status_code == 403
    assert annotator.post(f"{topics.path}/categories/_count").json()["count"] == 0, "others' manual work is not counted"
    cleared = topics.post("/categories/_clear", params={"labels": ["sport"], "createdBy": ["root"]})
    assert cleared == {"count": 1, "operation": "delete", "unit": "category"}
    assert topics.facet("classificationLabel", "segments") == {"politics": 1}


def test_what_is_only_suggested_replaces_nothing(topics: Corpus) -> None:
    """T-017: whatever a program sends, what somebody decided stays."""
    prepare(topics)
    categorise(topics, "politics")
    guess = {"documentIdentifier": "d1", "creationMode": "automatic", "status": None, "score": 0.7}
    assert topics.post("/categories", json=guess | {"labelName": "sport"})["replaced"] == []
    again = topics.post("/categories", json=guess | {"labelName": "politics"})
    assert (again["status"], again["creationMode"]) == ("OK", "manual")
    assert carried(topics) == [("politics", "OK"), ("sport", None)]


def test_a_confirmed_suggestion_replaces_the_others_of_its_exclusive_set(topics: Corpus) -> None:
    """T-017, S-035, and one undo takes all of it back."""
    prepare(topics)
    guess = categorise(topics, "sport")["identifier"]
    suggest(topics, guess)
    first = categorise(topics, "politics")["identifier"]
    assert topics.patch(f"/categories/{guess}", json={"status": "OK"})["replaced"] == [first]
    assert carried(topics) == [("sport", "OK")]
    topics.post("/documents/d1/_history/_undo")
    assert carried(topics) == [("politics", "OK"), ("sport", None)]
    topics.post("/documents/d1/_history/_redo")
    assert carried(topics) == [("sport", "OK")]


@pytest.mark.parametrize("identifier", ["\u00b2", "9" * 30, "9" * 19, "-1", "\u0663"])
def test_what_cannot_be_an_identifier_is_not_found(topics: Corpus, identifier: str) -> None:
    prepare(topics)
    for kind in ("annotations", "categories", "relations"):
        topics.patch(f"/{kind}/{identifier}", 404, json={})
        topics.delete(f"/{kind}/{identifier}", 404)
    topics.get("/documents/d1/_history", 400, params={"before": identifier})
    topics.post(f"/documents/d1/_history/{identifier}/_restore", 400)
    topics.post("/documents/_similar", 404, params={"segid": identifier})
    topics.delete("/suggestions/" + "f" * 24, 404)
