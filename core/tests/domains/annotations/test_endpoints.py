"""Annotations: exact offsets, nothing lost, rights, versions, idempotency."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document

HARD = "Ana 👩‍👩‍👧 María\r\nمرحبا Paris e\u0301te\u0301 𝔘nicode\tend"


def prepare(corpus: Corpus, text: str = "Anna Smith lives in Paris.") -> None:
    corpus.add(document("d1", text))
    corpus.add_labels("person", "place")


def test_create_answers_with_the_slice_of_the_document(corpus: Corpus) -> None:
    """T-015: manual, OK."""
    prepare(corpus, HARD)
    for part in ("👩‍👩‍👧", "María\r\nمرحبا", "e\u0301te\u0301", "𝔘nicode\tend"):
        start = HARD.index(part)
        made = corpus.annotate("d1", "person", start, start + len(part), text=part)
        assert (made["text"], made["status"], made["creationMode"]) == (part, "OK", "manual")
    stored = corpus.get("/documents/d1")
    assert stored["text"] == HARD
    assert all(HARD[a["start"] : a["end"]] == a["text"] for a in stored["annotations"])
    assert len(stored["annotations"]) == 4


@pytest.mark.parametrize(
    ("start", "end", "text"), [(0, 0, None), (5, 3, None), (20, 400, None), (0, 4, "Bnna"), (-1, 2, None)]
)
def test_wrong_spans_are_refused_with_a_message(corpus: Corpus, start: int, end: int, text: str | None) -> None:
    prepare(corpus)
    refused = corpus.annotate("d1", "person", start, end, 400, **({"text": text} if text else {}))
    assert refused["fix"]
    assert refused["message"]
    assert corpus.get("/documents/d1")["annotations"] == []


def test_unknown_label_and_document(corpus: Corpus) -> None:
    prepare(corpus)
    assert "label" in corpus.annotate("d1", "nobody", 0, 4, 404)["message"]
    assert "document" in corpus.annotate("missing", "person", 0, 4, 404)["message"]


def test_same_key_gives_the_same_annotation(corpus: Corpus) -> None:
    prepare(corpus)
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 10}
    headers = {"Idempotency-Key": "one"}
    first = corpus.post("/annotations", json=body, headers=headers)
    again = corpus.post("/annotations", json=body, headers=headers)
    assert first["identifier"] == again["identifier"]
    # Something else under the same key is refused, not answered with what was made before.
    corpus.post("/annotations", 400, json=body | {"end": 4}, headers=headers)
    assert len(corpus.get("/documents/d1")["annotations"]) == 1


def test_double_click_without_key_makes_one(corpus: Corpus) -> None:
    prepare(corpus)
    assert corpus.annotate("d1", "person", 0, 10)["identifier"] == corpus.annotate("d1", "person", 0, 10)["identifier"]


def test_reject_is_one_atomic_change_that_keeps_identity(corpus: Corpus) -> None:
    """T-016: PATCH status KO."""
    prepare(corpus)
    made = corpus.annotate("d1", "person", 0, 10)
    changed = corpus.patch(f"/annotations/{made['identifier']}", json={"status": "KO"}, headers={"If-Match": '"1"'})
    assert (changed["identifier"], changed["status"], changed["version"]) == (made["identifier"], "KO", 2)
    assert corpus.facet("label") == {}
    assert corpus.facet("status") == {"KO": 1}


def test_stale_version_is_refused_with_the_current_state(corpus: Corpus) -> None:
    prepare(corpus)
    made = corpus.annotate("d1", "person", 0, 10)
    path = f"/annotations/{made['identifier']}"
    corpus.patch(path, json={"labelName": "place"}, headers={"If-Match": "1"})
    refused = corpus.patch(path, 412, json={"status": "KO"}, headers={"If-Match": "1"})
    assert refused["details"][0]["current"]["labelName"] == "place"
    assert refused["details"][0]["current"]["version"] == 2
    assert refused["details"][0]["current"]["modifiedBy"] == corpus.get("/documents/d1/_history")["entries"][0]["by"]
    # A client that sends no version is let through.
    assert corpus.patch(path, json={"status": "KO"})["status"] == "KO"


def test_resize_keeps_identity_and_moves_the_text(corpus: Corpus) -> None:
    prepare(corpus)
    made = corpus.annotate("d1", "person", 0, 4)
    changed = corpus.patch(f"/annotations/{made['identifier']}", json={"end": 10})
    assert (changed["text"], changed["identifier"]) == ("Anna Smith", made["identifier"])
    corpus.patch(f"/annotations/{made['identifier']}", 400, json={"end": 1000})


def test_delete_and_restore(corpus: Corpus) -> None:
    prepare(corpus)
    made = corpus.annotate("d1", "person", 0, 10)
    path = f"/annotations/{made['identifier']}"
    assert corpus.delete(path) == {"ok": True}
    assert corpus.get("/documents/d1")["annotations"] == []
    corpus.delete(path, 404)
    assert corpus.post(f"{path}/_restore")["text"] == "Anna Smith"
    assert corpus.facet("label") == {"person": 1}


def test_change_is_visible_to_the_next_search(corpus: Corpus) -> None:
    prepare(corpus)
    assert corpus.facet("inDataset") == {"false": 1}
    corpus.annotate("d1", "place", 20, 25)
    assert corpus.facet("inDataset") == {"true": 1}
    assert corpus.facet("label", "segments") == {"place": 1}


def test_count_and_clear_by_creator_and_label(corpus: Corpus, as_user: Any, client: Any) -> None:
    """B-006: the signed-in user is the creator; clearing filters by creator."""
    prepare(corpus)
    other = as_user(client, "marie", "Annotator", "readUserAnnot:*", f"writeProject:{corpus.project.name}")
    corpus.annotate("d1", "person", 0, 10)
    corpus.annotate("d1", "place", 20, 25)
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 4}
    assert other.post(f"{corpus.path}/annotations", json=body).json()["createdBy"] == "marie"
    creators = corpus.post("/annotations/_count_creators")
    assert creators == [{"createdBy": "root", "count": 2}, {"createdBy": "marie", "count": 1}]
    counted = corpus.post("/annotations/_count", params={"createdBy": ["root"], "labels": ["person"]})
    assert counted == {"count": 1, "operation": "count", "unit": "annotation"}
    assert corpus.post("/annotations/_clear", params={"createdBy": ["root"]})["count"] == 2
    assert [a["createdBy"] for a in corpus.get("/documents/d1")["annotations"]] == ["marie"]


def test_reader_with_write_share_annotates_and_sees_only_own_manual_work(
    corpus: Corpus, as_user: Any, client: Any
) -> None:
    prepare(corpus)
    corpus.annotate("d1", "place", 20, 25)
    reader = as_user(client, "rosa", "Reader", f"writeProject:{corpus.project.name}")
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 10}
    assert reader.post(f"{corpus.path}/annotations", json=body).status_code == 200
    seen = reader.get(f"{corpus.path}/documents/d1").json()["annotations"]
    assert [a["createdBy"] for a in seen] == ["rosa"]
    found = reader.post(f"{corpus.path}/documents/_search", params={"facet": True}).json()
    names = {aggregation["name"] for aggregation in found["aggregations"]}
    assert "label(rosa)" in names
    assert not names & {"label", "label(root)", "createdBy", "inDataset"}


def test_read_only_project_refuses_changes(corpus: Corpus, as_user: Any, client: Any) -> None:
    """T-006, E-022."""
    prepare(corpus)
    reader = as_user(client, "rene", "Reader", f"readProject:{corpus.project.name}")
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 10}
    refused = reader.post(f"{corpus.path}/annotations", json=body)
    assert (refused.status_code, refused.json()["message"]) == (403, "The project is read-only")


def test_what_somebody_says_last_about_a_span_holds(corpus: Corpus) -> None:
    """T-016: rejecting by creating a KO, then accepting: one annotation, with history."""
    prepare(corpus)
    first = corpus.annotate("d1", "person", 0, 4)
    body = {"documentIdentifier": "d1", "labelName": "person", "start": 0, "end": 4}
    again = corpus.post("/annotations", json=body | {"status": "KO"})
    assert (again["identifier"], again["status"], again["version"]) == (first["identifier"], "KO", 2)
    assert len(corpus.get("/documents/d1")["annotations"]) == 1
    assert corpus.facet("status") == {"KO": 1}


def test_annotations_of_a_deleted_document_are_out_of_reach(corpus: Corpus) -> None:
    prepare(corpus)
    made = corpus.annotate("d1", "person", 0, 4)
    corpus.delete("/documents/d1")
    path = f"/annotations/{made['identifier']}"
    corpus.patch(path, 404, json={"status": "KO"})
    corpus.post(f"{path}/_restore", 404)
    corpus.annotate("d1", "person", 0, 4, 404)
    assert corpus.post("/annotations/_count")["count"] == 0


def test_the_split_is_a_facet_at_once(corpus: Corpus) -> None:
    """T-032: it can be searched without indexing again."""
    corpus.add(*(document(f"d{number}", "text") for number in range(10)))
    for share, parts in ((0.5, {"test": 5, "train": 5}), (0.2, {"test": 2, "train": 8})):
        corpus.post("/_split_corpus", 204, params={"testSize": share})
        assert corpus.facet("split") == parts
