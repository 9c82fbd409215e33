"""Import of questions: lists in JSON, SQuAD and BEIR, with their documents and judgements (C-045, D-017, E-030)."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import pytest
from support.factories import Corpus, document
from support.saved_questions import import_files, judge, judged, listed, save, upload

CONTEXTS = ["Ines Calderon was born in Valdivia.", "She made nine films 🎬 in Chile."]


def report(corpus: Corpus, job: dict[str, Any]) -> list[tuple[str, str, str]]:
    items = corpus.get(f"/job/{job['id']}/items")["items"]
    return [(one["item"], one["outcome"], one.get("message") or "") for one in items]


def squad(*paragraphs: tuple[str, list[dict[str, Any]]], **more: Any) -> dict[str, Any]:
    made = [{"context": context, "qas": asked} for context, asked in paragraphs]
    return {"version": "1.1", "data": [{"title": "Ines", "paragraphs": made}]} | more


def asked(identifier: str, question: str, *answers: tuple[str, int], **more: Any) -> dict[str, Any]:
    return {
        "id": identifier,
        "question": question,
        "answers": [{"text": text, "answer_start": start} for text, start in answers],
    } | more


def test_squad(corpus: Corpus) -> None:
    """Articles become documents, paragraphs their segments; a passage is judged that holds the answer."""
    file = squad(
        (CONTEXTS[0], [asked("q1", "Where was Ines born?", ("Valdivia", 26), ("in Valdivia", 23), ("Valdivia", 26))]),
        (
            CONTEXTS[1],
            [
                asked("q2", "How many films did she make?", ("nine", 9)),
                asked("q3", "When did she die?", is_impossible=True),
                asked("q4", "Where did she make them?", ("Chile", 24)),
            ],
        ),
    )
    job = import_files(corpus, ("train-v2.0.json", file))
    assert (job["status"], job["result"]["judgements"]) == ("COMPLETED", 3)
    stored = corpus.get("/documents/Ines")
    assert stored["text"] == "\n\n".join(CONTEXTS)
    assert [stored["text"][one["start"] : one["end"]] for one in stored["sentences"]] == CONTEXTS
    assert judged(corpus, "q1") == [("Ines", 0, 35, 1)]
    assert judged(corpus, "q2") == judged(corpus, "q4") == [("Ines", 37, 37 + len(CONTEXTS[1]), 1)]
    assert corpus.get("/questions/q1")["answers"] == ["Valdivia", "in Valdivia"]
    third = corpus.get("/questions/q3")
    assert (third["answers"], third["unanswerable"], third["judged"]) == ([], True, 0)
    assert corpus.get("/documents/q3")["metadata"] == {"question": True, "unanswerable": True}
    again = import_files(corpus, ("train-v2.0.json", file))
    assert again["result"] == {"unchanged": 5, "judgements": 3, "judgementsRefused": 0}


def test_translations_of_a_file_in_one_import(corpus: Corpus) -> None:
    """Files with the same names, as those of XQuAD: documents and questions of the second are named after it."""
    english = squad((CONTEXTS[0], [asked("q1", "Where was Ines born?", ("Valdivia", 26))]))
    french = squad(("Ines est née à Valdivia.", [asked("q1", "Où est née Ines ?", ("Valdivia", 15))]))
    import_files(corpus, ("en.json", english), ("fr.json", french))
    assert listed(corpus) == ["Where was Ines born?", "Où est née Ines ?"]
    assert judged(corpus, "fr/q1") == [("fr/Ines", 0, 24, 1)]


def test_a_wrong_answer_is_reported(corpus: Corpus) -> None:
    """An offset that counts something else is corrected; an answer that does not stand in the paragraph is no proof."""
    file = squad((CONTEXTS[1], [asked("q1", "Where?", ("Chile", 29)), asked("q2", "What?", ("Peru", 3))]))
    job = import_files(corpus, ("a.json", file))
    assert (len(judged(corpus, "q1")), judged(corpus, "q2")) == (1, [])
    assert [line[1] for line in report(corpus, job)].count("refused") == 1


def test_beir(corpus: Corpus) -> None:
    corpus_lines = [
        {"_id": "d1", "title": "Ines", "text": CONTEXTS[0], "metadata": {"year": 1951}},
        {"_id": "d2", "title": "Films", "text": CONTEXTS[1]},
        {"_id": 3, "title": "Only a title", "text": ""},
    ]
    queries = [{"_id": "q1", "text": "Where was Ines born?", "metadata": {"answers": ["Valdivia"]}}]
    rows = "query-id\tcorpus-id\tscore\nq1\td1\t2\nq1\td2\t0\nq1\tnone\t1\nnone\td1\t1\n"
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        archive.writestr("small/qrels/test.tsv", rows)
        archive.writestr("small/corpus.jsonl", "\n".join(map(json.dumps, corpus_lines)))
        archive.writestr("small/queries.jsonl", "\n".join(map(json.dumps, queries)))
    job = import_files(corpus, ("small.zip", target.getvalue()))
    assert job["status"] == "COMPLETED"
    assert (job["result"]["judgements"], job["result"]["judgementsRefused"]) == (2, 2)
    assert judged(corpus, "q1") == [("d1", 0, 35, 2), ("d2", 0, len(CONTEXTS[1]), 0)]
    assert corpus.get("/questions/q1")["answers"] == ["Valdivia"]
    assert corpus.get("/documents/d1")["metadata"] == {"year": 1951}
    assert corpus.get("/documents/3")["text"] == "Only a title"
    assert len([line for line in report(corpus, job) if "There is no" in line[2]]) == 2


def test_judgements_alone(filled: Corpus) -> None:
    """A table of judgements for what is there, in the form of TREC."""
    save(filled, "Where was Ines born?", identifier="q1")
    job = import_files(filled, ("qrels.tsv", b"q1 0 d1 1\nq1 0 d2 0\n"))
    assert (job["status"], judged(filled, "q1")) == ("COMPLETED", [("d1", 0, 56, 1), ("d2", 0, 13, 0)])
    import_files(filled, ("qrels.tsv", b"q1\t0\td1\t3\n"))
    assert judged(filled, "q1")[0] == ("d1", 0, 56, 3)


def test_lists_of_questions(filled: Corpus) -> None:
    """D-017: JSON in several writings; identifiers come from the text, so that the same question is not there twice."""
    given = [
        "Who lives in Halden?",
        {"question": "Where was Ines born?", "answers": ["Valdivia"], "identifier": "q1"},
        {"text": "How many films?", "altTexts": [{"name": "answer", "text": "nine"}], "metadata": {"topic": "films"}},
    ]
    given[1]["judgements"] = [{"documentIdentifier": "d1", "start": 0, "end": 36, "grade": 2}]  # type: ignore[index]
    job = import_files(filled, ("one.json", given), ("two.json", {"questions": given[:1]}))
    assert listed(filled) == ["Who lives in Halden?", "Where was Ines born?", "How many films?"]
    assert judged(filled, "q1") == [("d1", 0, 36, 2)]
    assert [line[1] for line in report(filled, job)].count("refused") == 1  # the same question in the second file
    found = filled.get("/questions", params={"find": "films"})["questions"][0]
    assert found["answers"] == ["nine"]
    assert filled.get(f"/documents/{found['identifier']}")["metadata"] == {"question": True, "topic": "films"}


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"{"),
        ("a.json", b"[" * 100_000),
        ("a.json", b'"text"'),
        ("a.json", b'[{"text": "\\ud800"}]'),
        ("a.json", [7, None, {}, {"text": ""}, {"text": "a", "answers": 5}, {"text": "x" * 2_001}]),
        ("a.json", {"data": [7, {"paragraphs": 5}, {"paragraphs": [7, {"context": 5, "qas": [7, {"question": 5}]}]}]}),
        ("a.jsonl", b"\xff\xfe\n{}\n[]\n"),
        ("corpus.jsonl", b'{"_id": ""}\n{"_id": "a"}\n'),
        ("a.tsv", b"query-id\tcorpus-id\tscore\na\tb\tNaN\na\n" + b'"' * 200_000),
        ("a.txt", b"What?"),
        ("a.pdf", b"%PDF-1.4"),
        ("a.zip", b"PK\x03\x04 broken"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_strange_files_are_refused(corpus: Corpus, name: str, content: Any) -> None:
    """E-030: the job fails with a reason in its report, and nothing is stored."""
    job = import_files(corpus, (name, content))
    assert job["status"] == "FAILED"
    assert all(outcome == "refused" and words for _, outcome, words in report(corpus, job))
    assert corpus.count_found() == 0


def test_limits(corpus: Corpus, as_user: Any, client: Any) -> None:
    """C-045: at most 100 files; V-004: not in a read-only project, or without the permission."""
    (one,) = upload(corpus, ("a.json", ["What?"]))
    corpus.post("/questions/_import", 400, json=[{"id": one}] * 101)
    corpus.post("/questions/_import", 400, json=[])
    corpus.post("/questions/_import", 404, json=[{"id": "none"}])
    path = f"{corpus.path}/questions/_import"
    assert client.post(path, json=[{"id": one}]).status_code == 401
    reader = as_user(client, "reader", "importDocuments", f"readProject:{corpus.project.name}")
    assert reader.post(path, json=[{"id": one}]).status_code == 403
    writer = as_user(client, "writer", f"writeProject:{corpus.project.name}", f"readProject:{corpus.project.name}")
    assert writer.post(path, json=[{"id": one}]).status_code == 403
    assert as_user(client, "stranger", "importDocuments").post(path, json=[{"id": one}]).status_code == 404


def test_replaced_documents_keep_the_judgements_of_what_is_left(corpus: Corpus) -> None:
    """Passages at the same place or elsewhere keep their judgements; the report counts those that are gone."""
    corpus.add(document("d1", "One here. Two there. Three."))
    save(corpus, "Which?", identifier="q1")
    for start, end, grade in ((0, 9, 1), (10, 20, 2), (21, 27, 3)):
        judge(corpus, "q1", start, end, grade)
    job = corpus.add(document("d1", "One here. New words. Two there."))
    assert judged(corpus, "q1") == [("d1", 21, 31, 2), ("d1", 0, 9, 1)]
    assert any("1 judged passage is not in the new text" in line[2] for line in report(corpus, job))
    corpus.post(f"/job/{job['id']}/_undo")
    corpus.run_jobs()
    assert judged(corpus, "q1") == [("d1", 21, 27, 3), ("d1", 10, 20, 2), ("d1", 0, 9, 1)]
