"""Deleting, merging and splitting labels and sets: told before, exact, and taken back without losing anything."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from support.factories import Corpus, document
from support.hypothesis_example_count import hypothesis_example_count

from annotarium.db.models import Document, Experiment, Suggestion
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.labels import bulk_operations
from annotarium.domains.labels.label_uses import mentions

TEXT = "Anna Smith lives in Paris. Bob lives in Rome."
CHECKS = settings(
    max_examples=hypothesis_example_count(25),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def names(corpus: Corpus) -> list[str]:
    return sorted(label["name"] for label in corpus.get("/labels"))


def spans(corpus: Corpus, identifier: str = "d1") -> list[tuple[str, str]]:
    found = corpus.get(f"/documents/{identifier}")["annotations"]
    return sorted((one["text"], one["labelName"]) for one in found)


def undo(corpus: Corpus, answer: Any) -> dict[str, Any]:
    """Take back the job of an answer; what the undo said."""
    job = answer.get("removeJob") or answer["job"]
    corpus.run_jobs()
    assert corpus.get(f"/job/{job['id']}")["status"] == "COMPLETED"
    back = corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    ended: dict[str, Any] = corpus.get(f"/job/{back['id']}")
    assert ended["status"] == "COMPLETED", ended
    return ended["result"]


def state(corpus: Corpus) -> str:
    """Labels, sets and what carries them, without versions and dates of changes."""
    documents = corpus.get("/documents")
    sets = corpus.get("/label_sets", params={"includeLabelsCount": True})
    for one in documents:
        one["annotations"].sort(key=lambda span: str(span["identifier"]))
        one["categories"].sort(key=lambda category: str(category["identifier"]))
    for one in sets:
        one["labels"].sort(key=lambda label: str(label["name"]))
    for part in (*sets, *documents):
        for row in (part, *part.get("annotations", ()), *part.get("categories", ()), *part.get("labels", ())):
            for name in ("version", "modifiedDate", "modifiedAt", "modifiedBy"):
                row.pop(name, None)
    facets = [corpus.facet(name) for name in ("label", "classificationLabel")]
    return json.dumps([sorted(documents, key=str), sets, facets], sort_keys=True)


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(document("d1", TEXT, ("Anna Smith", "person"), ("Bob", "human"), ("Paris", "place"), ("Rome", "place")))
    corpus.add(document("d2", TEXT, ("Anna Smith", "human"), ("Rome", "place")))
    corpus.post("/label_sets", json={"label": "Media"})
    corpus.post("/labels", json={"label": "Film", "labelSetName": "media"})
    return corpus


def test_consequences_are_counted_before(filled: Corpus) -> None:
    """S-033: counts; what goes with the labels, whose work it is, in how many documents."""
    told = filled.post("/labels/_consequences", json={"names": ["human", "place"]})
    assert (told["labels"], told["annotations"], told["categories"], told["documents"]) == (2, 5, 0, 2)
    assert told["creators"] == [{"createdBy": "root", "count": 5}]
    assert told["usedBy"] == []
    filled.post("/labels/_consequences", 404, json={"names": ["nobody"]})


def test_consequences_list_models_that_learned_a_label(filled: Corpus) -> None:
    """Experiments, and suggestions that wait; a label whose name is part of another's does not count for it."""
    filled.post("/labels", json={"label": "Café owner"})
    filled.post("/labels", json={"label": "Place name"})
    filled.post("/experiments", json={"engine": "crf", "label": "Names"})
    with unit_of_work(actor="root", write=True) as unit:
        row = unit.session.scalars(select(Experiment)).one()
        document_id = unit.session.scalars(select(Document.id).limit(1)).one()
        row.classes = ["café_owner", "place"]
        for names_ in (["café_owner"], ["place_name"]):
            proposals = [{"labelName": name, "start": 0, "end": 4, "score": 0.5} for name in names_]
            unit.session.add(
                Suggestion(project_id=filled.project.id, document_id=document_id, start=0, end=9, annotations=proposals)
            )
    told = {
        name: filled.post("/labels/_consequences", json={"names": [name]})["usedBy"]
        for name in ("café_owner", "place", "place_name", "human")
    }
    experiment = {"kind": "experiment", "name": "names", "label": "Names", "count": 1}
    suggestions = {"kind": "suggestions", "name": "suggestions", "label": "", "count": 1}
    assert told == {
        "café_owner": [experiment, suggestions],
        "place": [experiment],
        "place_name": [suggestions],
        "human": [],
    }


def test_parameters_that_name_labels() -> None:
    """Only what stands below a parameter about labels counts: `crf` is an engine here, no label."""
    parameters = {"engine": "crf", "labels": ["person"], "step": [{"labelMapping": {"PER": "human"}}]}
    assert mentions(parameters, {"person"})
    assert mentions(parameters, {"human"})
    assert mentions(parameters, {"PER"})
    assert not mentions(parameters, {"crf", "engine"})


def test_a_deleted_label_comes_back_with_what_carried_it(filled: Corpus) -> None:
    before = state(filled)
    answer = filled.delete("/labels/human")
    assert (names(filled), spans(filled, "d2")) == (["film", "person", "place"], [("Rome", "place")])
    assert answer["removeJob"]["result"] == {"documents": 2, "changes": 2}
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before


def test_a_merge_is_taken_back_row_by_row(filled: Corpus) -> None:
    """Later work stays: what somebody judged since the merge keeps its label and is reported."""
    answer = filled.post("/labels/_merge", json={"names": ["person", "human"]})
    assert spans(filled, "d2") == [("Anna Smith", "person"), ("Rome", "place")]
    later = filled.get("/documents/d2")["annotations"][0]["identifier"]
    filled.patch(f"/annotations/{later}", json={"status": "KO"})
    told = undo(filled, answer)
    assert told["kept"] == 1
    assert names(filled) == ["film", "human", "person", "place"]
    assert ("Bob", "human") in spans(filled)
    assert ("Anna Smith", "person") in spans(filled, "d2")


def test_split_moves_only_matching_rows(filled: Corpus) -> None:
    before = state(filled)
    body = {"target": "film", "text": "rOm"}
    assert filled.post("/labels/place/_move", json=body | {"dryRun": True})["count"] == 2
    assert state(filled) == before
    moved = filled.post("/labels/place/_move", json=body)
    assert (moved["count"], moved["operation"]) == (2, "move")
    assert spans(filled) == [("Anna Smith", "person"), ("Bob", "human"), ("Paris", "place"), ("Rome", "film")]
    assert filled.facet("label") == {"film": 2, "human": 2, "person": 1, "place": 1}
    assert undo(filled, moved)["kept"] == 0
    assert state(filled) == before
    nobody = {"target": "film", "createdBy": ["nobody"]}
    assert filled.post("/labels/place/_move", 409, json=nobody)["message"]
    filled.post("/labels/place/_move", 400, json={"target": "place"})
    filled.post("/labels/place/_move", 404, json={"target": "nowhere"})


def test_label_sets_merge_and_come_apart_again(filled: Corpus) -> None:
    before = state(filled)
    filled.post("/label_sets/_merge", 400, json={"names": ["default"]})
    answer = filled.post("/label_sets/_merge", json={"names": ["default", "media"]})
    assert answer["removedCount"] == 1
    assert [one["name"] for one in filled.get("/label_sets")] == ["default"]
    assert filled.get("/labels/film")["labelSetName"] == "default"
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before


def test_labels_move_between_sets_together(filled: Corpus) -> None:
    before = state(filled)
    answer = filled.post("/labels/_move", json={"names": ["person", "human"], "labelSetName": "media"})
    moved = {one["name"] for one in filled.get("/labels", params={"labelSetName": "media"})}
    assert moved == {"person", "human", "film"}
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before
    filled.post("/labels/_move", 404, json={"names": ["person"], "labelSetName": "nowhere"})


def test_a_deleted_set_comes_back_with_its_labels(filled: Corpus) -> None:
    filled.annotate("d1", "film", 0, 4)
    before = state(filled)
    answer = filled.delete("/label_sets/media")
    filled.get("/label_sets/media", 404)
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before


def test_a_name_taken_meanwhile_is_not_taken_away(filled: Corpus) -> None:
    answer = filled.delete("/label_sets/media")
    filled.post("/label_sets", json={"label": "Media", "tags": ["new"]})
    assert undo(filled, answer)["kept"] == 1
    assert filled.get("/label_sets/media")["tags"] == ["new"]
    assert filled.get("/labels/film")["labelSetName"] == "default"


def test_an_exclusive_set_never_gets_two_labels_on_a_document(corpus: Corpus) -> None:
    """S-035, V-010: one label of an exclusive set holds at a time; the merge that would break it is refused."""
    corpus.add(document("d1", TEXT))
    corpus.post("/label_sets", json={"label": "Tone", "exclusiveClasses": True, "nature": "classification"})
    for label, label_set in (("good", "tone"), ("bad", "tone"), ("nice", "default")):
        corpus.post("/labels", json={"label": label, "labelSetName": label_set})
    for label in ("good", "nice"):
        corpus.post("/categories", json={"documentIdentifier": "d1", "labelName": label})
    refused = corpus.post("/labels/_merge", 409, json={"names": ["bad", "nice"]})
    assert refused["message"].startswith("1 document would")
    corpus.patch("/labels/nice", 409, json={"labelSetName": "tone"})
    corpus.post("/labels/_move", 409, json={"names": ["nice"], "labelSetName": "tone"})
    corpus.post("/label_sets/_merge", 409, json={"names": ["tone", "default"]})
    corpus.post("/labels/_merge", json={"names": ["good", "nice"]})
    assert [one["labelName"] for one in corpus.get("/documents/d1")["categories"]] == ["good"]


def test_large_operation_runs_as_a_job(filled: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk_operations, "DIRECT_MAX", 1)
    monkeypatch.setattr(bulk_operations, "STEP", 1)
    before = state(filled)
    answer = filled.post("/labels/_merge", json={"names": ["person", "human"]})
    assert answer["removeJob"]["status"] == "STARTED"
    assert "human" in names(filled)
    filled.run_jobs()
    assert "human" not in names(filled)
    ended = filled.get(f"/job/{answer['removeJob']['id']}")
    assert ended["result"] == {"documents": 2, "changes": 2}
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before


def test_an_older_version_is_not_written_over(filled: Corpus) -> None:
    """The studio sends If-Match; who sends none changes what stands."""
    version = filled.get("/labels/person")["version"]
    headers = {"If-Match": str(version)}
    filled.patch("/labels/person", json={"color": "#112233"}, headers=headers)
    refused = filled.patch("/labels/person", 412, json={"label": "Late"}, headers=headers)
    assert refused["details"][0]["current"]["color"] == "#112233"
    filled.patch("/labels/person", json={"label": "Late"})
    headers = {"If-Match": str(filled.get("/label_sets/media")["version"])}
    filled.patch("/label_sets/media", json={"guideline": "Only films"}, headers=headers)
    filled.patch("/label_sets/media", 412, json={"guideline": "x"}, headers=headers)


def test_anybody_without_the_right_is_refused(filled: Corpus, as_user: Any, client: Any) -> None:
    path, name = filled.path, filled.project.name
    bodies: dict[str, Any] = {
        "labels/_merge": {"names": ["person", "human"]},
        "labels/_move": {"names": ["person"], "labelSetName": "media"},
        "labels/place/_move": {"target": "film"},
        "label_sets/_merge": {"names": ["default", "media"]},
    }
    reader = as_user(client, "rita", "Reader", f"writeProject:{name}")
    for route, body in bodies.items():
        assert reader.post(f"{path}/{route}", json=body).status_code == 403
    assert reader.post(f"{path}/labels/_consequences", json={"names": ["person"]}).status_code == 200
    stranger = as_user(client, "sven", "Annotator")
    for route, body in (bodies | {"labels/_consequences": {"names": ["person"]}}).items():
        assert stranger.post(f"{path}/{route}", json=body).status_code == 404
    assert stranger.post(f"{path}/job/unknown/_undo").status_code == 404
    annotator = as_user(client, "alan", "Annotator", f"writeProject:{name}")
    assert annotator.post(f"{path}/labels/_merge", json=bodies["labels/_merge"]).status_code == 200


LABELS = ("a", "b", "c", "d")
act = st.one_of(
    st.tuples(st.just("merge"), st.permutations(LABELS).map(lambda all_: all_[:2])),
    st.tuples(st.just("delete"), st.sampled_from(LABELS).map(lambda one: [one])),
    st.tuples(st.just("split"), st.permutations(LABELS).map(lambda all_: all_[:2])),
    st.tuples(st.just("move"), st.lists(st.sampled_from(LABELS), min_size=1, max_size=3, unique=True)),
    st.tuples(st.just("merge_sets"), st.permutations(("default", "media")).map(list)),
    st.tuples(st.just("delete_set"), st.sampled_from([["media"], ["default"]])),
)


def perform(corpus: Corpus, kind: str, given_: list[str]) -> Any:
    """The answer of the act, None when a former act took away what it is about."""
    path = corpus.path
    call = {
        "merge": lambda: corpus.caller.post(f"{path}/labels/_merge", json={"names": given_}),
        "delete": lambda: corpus.caller.delete(f"{path}/labels/{given_[0]}"),
        "split": lambda: corpus.caller.post(f"{path}/labels/{given_[0]}/_move", json={"target": given_[-1]}),
        "move": lambda: corpus.caller.post(f"{path}/labels/_move", json={"names": given_, "labelSetName": "media"}),
        "merge_sets": lambda: corpus.caller.post(f"{path}/label_sets/_merge", json={"names": given_}),
        "delete_set": lambda: corpus.caller.delete(f"{path}/label_sets/{given_[0]}"),
    }[kind]
    answer = call()
    assert answer.status_code in {200, 404, 409}, answer.text
    return answer.json() if answer.status_code == 200 else None


def test_undoing_all_operations_restores_the_initial_state(corpus: Corpus) -> None:
    """Spans keep their places under every act, and undoing restores labels, sets, spans, categories and facets."""
    word = [("Anna Smith", "a"), ("Bob", "b"), ("Paris", "c"), ("Rome", "d"), ("Anna Smith", "b")]
    for number in range(3):
        corpus.add(document(f"d{number}", TEXT, *word[number:], categories=[{"labelName": "a"}, {"labelName": "d"}]))
    corpus.post("/label_sets", json={"label": "Media"})
    before = state(corpus)
    places = {(TEXT.index(text), text) for text, _ in word}

    @CHECKS
    @given(st.lists(act, min_size=1, max_size=4))
    def check(done: list[Any]) -> None:
        answers = [perform(corpus, kind, given_) for kind, given_ in done]
        for one in corpus.get("/documents"):
            assert {(span["start"], span["text"]) for span in one["annotations"]} <= places
        for answer in reversed([one for one in answers if one is not None]):
            assert undo(corpus, answer)["kept"] == 0
        assert state(corpus) == before

    check()


def test_merge_prefers_confirmed_over_rejected_at_one_position(filled: Corpus) -> None:
    """Merging labels leaves nobody with two words about one place."""
    filled.add_labels("alias", "nick")
    for place, kept, other in (((0, 4), "OK", "KO"), ((5, 10), "KO", "OK")):
        body = {"documentIdentifier": "d1", "start": place[0], "end": place[1]}
        filled.post("/annotations", json=body | {"labelName": "alias", "status": kept})
        filled.post("/annotations", json=body | {"labelName": "nick", "status": other})
    before = state(filled)
    answer = filled.post("/labels/_merge", json={"names": ["alias", "nick"]})
    found = [one for one in filled.get("/documents/d1")["annotations"] if one["labelName"] == "alias"]
    assert [(one["start"], one["status"]) for one in found] == [(0, "OK"), (5, "OK")]
    assert undo(filled, answer)["kept"] == 0
    assert state(filled) == before


def test_label_operation_is_undone_on_documents_deleted_since(filled: Corpus) -> None:
    """Nothing is lost, in whatever order things are taken back."""
    filled.post("/labels", json={"label": "nick"})
    filled.annotate("d1", "nick", 0, 4)
    before = state(filled)
    removed = filled.delete("/labels/nick")
    deleted = filled.post("/documents/_search_and_delete")
    assert undo(filled, removed) | {"job": ""} == {"undone": 2, "kept": 0, "job": ""}
    assert undo(filled, {"job": deleted})["kept"] == 0
    assert state(filled) == before


def test_consequences_count_only_readable_labelling(filled: Corpus, as_user: Any, client: Any) -> None:
    """Who may not read the work of others is warned that there is some, and no more."""
    filled.post("/labels", json={"label": "nick"})
    filled.annotate("d1", "nick", 0, 4)
    mine = Corpus(
        as_user(client, "nina", "Annotator", f"writeProject:{filled.project.name}"), filled.project, filled.run_jobs
    )
    told = mine.post("/labels/_consequences", json={"names": ["nick"]})
    assert (told["annotations"], told["documents"], told["creators"], told["hidden"]) == (0, 0, [], True)
    told = filled.post("/labels/_consequences", json={"names": ["nick"]})
    assert (told["annotations"], told["creators"], told["hidden"]) == (1, [{"createdBy": "root", "count": 1}], False)
