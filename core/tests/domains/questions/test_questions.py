"""Saved questions (S-028): listed, saved, changed, deleted; they are documents, as the published calls expect them."""

from __future__ import annotations

from support.factories import Corpus
from support.saved_questions import TEXT, judge, listed, save


def test_a_question_is_a_document(filled: Corpus) -> None:
    """S-028: its text is the question, its metadata `question` is true, its known answers are alternative texts."""
    made = save(filled, " Where was Ines born? ", "Valdivia", "in Valdivia", "Valdivia")
    assert (made["text"], made["answers"]) == ("Where was Ines born?", ["Valdivia", "in Valdivia"])
    stored = filled.get(f"/documents/{made['identifier']}")
    assert stored["metadata"] == {"question": True}
    assert stored["altTexts"] == [{"name": "answer", "text": "Valdivia"}, {"name": "answer 2", "text": "in Valdivia"}]
    assert [(one["start"], one["end"]) for one in stored["sentences"]] == [(0, 20)]
    assert filled.count_found(queryFilter="+metadata.question:true") == 1
    assert filled.count_found(queryFilter="-metadata.question:true") == 2


def test_pages_and_the_filter_box(filled: Corpus) -> None:
    """S-028, C-023: pages of at most 1000 in the order of saving; the filter finds words, the last one incomplete."""
    for text in ("Where was Ines born?", "How many films did Ines make?", "Who lives in Halden?"):
        save(filled, text)
    assert listed(filled) == ["Where was Ines born?", "How many films did Ines make?", "Who lives in Halden?"]
    assert listed(filled, **{"from": 1, "size": 1}) == ["How many films did Ines make?"]
    assert listed(filled, find="ines fil") == ["How many films did Ines make?"]
    assert listed(filled, find="ines") == ["Where was Ines born?", "How many films did Ines make?"]
    assert listed(filled, find="?") == []
    assert filled.get("/questions", params={"size": 0}) == {"questions": [], "total": 3}
    filled.get("/questions", 400, params={"size": 1001})


def test_text_and_answers_are_changed(filled: Corpus) -> None:
    """Another text replaces the document; identifier, metadata and judgements stay."""
    made = save(filled, "Where was Ines born?", "Halden", identifier="q/1")
    judge(filled, "q/1", 0, 36)
    assert filled.patch("/questions/q/1", json={"answers": ["Valdivia", "Chile"]})["answers"] == ["Valdivia", "Chile"]
    filled.post("/documents/_tag", 204, params={"identifier": "d1"}, json={"name": "year", "value": 1951})
    changed = filled.patch("/questions/q/1", json={"text": "Where was Ines Calderon born?"})
    assert (changed["text"], changed["answers"]) == ("Where was Ines Calderon born?", ["Valdivia", "Chile"])
    assert (changed["identifier"], changed["judged"]) == ("q/1", 1)
    assert listed(filled) == ["Where was Ines Calderon born?"]
    filled.patch("/questions/q/1", 412, json={"text": "Late"}, headers={"If-Match": f'"{made["version"] + 7}"'})
    assert filled.patch("/questions/q/1", json={"answers": []})["answers"] == []
    filled.patch("/questions/d1", 404, json={"text": "No question"})


def test_invalid_questions_are_refused(filled: Corpus) -> None:
    save(filled, "  ", status=400)
    save(filled, "x" * 2_001, status=400)
    save(filled, "a\x00b", status=400)
    save(filled, "What?", *(str(number) for number in range(101)), status=400)
    refused = filled.post("/questions", 409, json={"text": "What?", "identifier": "d1"})
    assert refused["details"][0]["field"] == "identifier"
    filled.post("/questions", 400, json={"text": "What?", "surprise": 1})


def test_judgements(filled: Corpus) -> None:
    """S-028: a passage has one judgement, shared by the project."""
    name = save(filled, "Where was Ines born?")["identifier"]
    first = judge(filled, name, 0, 36, 1)
    assert (first["text"], first["grade"], first["documentTitle"]) == (TEXT[:36], 1, "D1")
    assert judge(filled, name, 0, 36, 3)["grade"] == 3
    judge(filled, name, 37, 56, 0)
    path = f"/questions/{name}/judgements"
    assert [(one["start"], one["end"], one["grade"]) for one in filled.get(path)] == [(0, 36, 3), (37, 56, 0)]
    assert [(one["judged"], one["relevant"]) for one in filled.get("/questions")["questions"]] == [(2, 1)]
    filled.post(f"{path}/_delete", json={"documentIdentifier": "d1", "start": 37, "end": 56})
    filled.post(f"{path}/_delete", 404, json={"documentIdentifier": "d1", "start": 37, "end": 56})
    assert len(filled.get(path)) == 1


def test_invalid_judgements_are_refused(filled: Corpus) -> None:
    name = save(filled, "Where was Ines born?")["identifier"]
    for start, end, grade in ((0, 57, 1), (5, 5, 1), (9, 5, 1), (-1, 5, 1), (0, 5, 4), (0, 5, -1)):
        judge(filled, name, start, end, grade, status=400)
    judge(filled, name, 0, 5, status=404, documentIdentifier="none")
    judge(filled, name, 0, 5, status=400, documentIdentifier=name)
    judge(filled, "d1", 0, 5, status=404)
    assert filled.get(f"/questions/{name}/judgements") == []


def test_deleted_questions_and_documents_come_back_with_their_judgements(filled: Corpus) -> None:
    name = save(filled, "Where was Ines born?", "Valdivia")["identifier"]
    judge(filled, name, 0, 36)
    filled.delete(f"/questions/{name}")
    assert listed(filled) == []
    filled.get(f"/questions/{name}", 404)
    assert filled.post(f"/questions/{name}/_restore")["judged"] == 1
    filled.post(f"/questions/{name}/_restore", 404)
    job = filled.post("/documents/_search_and_delete", params={"queryFilter": "+identifier:d1"})
    filled.run_jobs()
    assert filled.get(f"/questions/{name}/judgements") == []
    filled.post(f"/job/{job['id']}/_undo")
    filled.run_jobs()
    assert len(filled.get(f"/questions/{name}/judgements")) == 1


def test_all_questions_are_deleted_by_a_job_that_is_undone(filled: Corpus) -> None:
    """V-004, E-036: documents stay."""
    for number in range(3):
        save(filled, f"Question {number}?", "yes")
    answer = filled.post("/questions/_delete_all")
    filled.run_jobs()
    assert (answer["deleted"], listed(filled), filled.count_found()) == (3, [], 2)
    assert filled.post("/questions/_delete_all") == {"deleted": 0}
    filled.post(f"/job/{answer['job']['id']}/_undo")
    filled.run_jobs()
    assert len(listed(filled)) == 3


def test_a_question_from_an_answer(filled: Corpus) -> None:
    """Feedback becomes a saved question; asked again, it gets what it does not have yet."""
    passage = {"documentIdentifier": "d1", "start": 0, "end": 36, "grade": 2}
    body = {"question": "Where was Ines born?", "answers": ["Valdivia"], "passages": [passage]}
    first = filled.post("/questions/_from_answer", json=body)
    assert (first["answers"], first["judged"], first["relevant"]) == (["Valdivia"], 1, 1)
    body |= {"answers": ["Valdivia", "Chile"], "passages": [passage | {"grade": 0}, passage | {"start": 37, "end": 56}]}
    again = filled.post("/questions/_from_answer", json=body)
    assert again["identifier"] == first["identifier"]
    assert (again["answers"], again["judged"], again["relevant"]) == (["Valdivia", "Chile"], 2, 1)
    wrong = body | {"question": "Another?", "passages": [passage | {"end": 99}]}
    assert filled.post("/questions/_from_answer", 400, json=wrong)["details"][0]["field"] == "passages.0.end"
    assert listed(filled) == ["Where was Ines born?"]


def test_published_calls_agree(filled: Corpus) -> None:
    """C-023: the calls of the published clients work on the same questions."""
    given = {"identifier": "q1", "text": "Where was Ines born?", "metadata": {"question": True}}
    given["altTexts"] = [{"name": "answer", "text": "Valdivia"}]
    filled.add(given, segmentationPolicy="documents_as_segments")
    own = save(filled, "Who lives in Halden?")["identifier"]
    found = filled.post(
        "/documents/_search",
        params={"size": 1000, "queryFilter": "+metadata.question:true", "outputFields": "text,altTexts,identifier"},
    )
    assert {one["document"]["identifier"] for one in found["hits"]} == {"q1", own}
    assert filled.get("/questions/q1")["answers"] == ["Valdivia"]
    filled.delete(f"/documents/{own}")
    assert listed(filled) == ["Where was Ines born?"]
    filled.post("/documents/_search_and_delete", params={"queryFilter": "+metadata.question:true"})
    filled.run_jobs()
    assert (listed(filled), filled.count_found()) == ([], 2)
