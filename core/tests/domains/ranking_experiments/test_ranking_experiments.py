"""Experiments that measure searches on saved questions with judged passages (R-022, S-045)."""

from __future__ import annotations

import pytest
from support.factories import Corpus
from support.judged_questions import QUESTIONS, create, judge, run


def test_a_run_measures_each_configuration_on_each_question(judged: Corpus) -> None:
    """S-045, C-076: ndcg, rr, ap per configuration and question, with text search as the baseline."""
    name = create(judged, rerankers=["", "feature_reranker"])
    before = judged.get(f"/ranking_experiments/{name}")
    assert (before["uptodate"], before["running"], before["timestamp"]) == (False, False, 0) and "report" not in before
    found = run(judged, name)
    report = found["report"]
    assert (found["uptodate"], found["running"], found["kind"]) == (True, False, "ranking")
    assert report["questions"] == report["judged"] == len(QUESTIONS)
    assert [one["key"] for one in report["configurations"]] == ["text", "text+feature_reranker"]
    assert report["figures"][:3] == ["ndcg", "rr", "ap"] and report["baseline"] == "text"
    text = report["configurations"][0]
    assert text["ndcg"] == text["rr"] == text["ap"] == text["recall5"] == 1.0, "each question has its own words"
    page = judged.get(f"/ranking_experiments/{name}/questions", params={"size": 4})
    assert page["total"] == len(QUESTIONS) and len(page["questions"]) == 4
    assert set(page["questions"][0]["figures"]) == {"text", "text+feature_reranker"}
    assert page["questions"][0]["text"] in QUESTIONS
    assert judged.get("/ranking_experiments")[0]["best"] == "text", "nothing is better than full marks"


def test_a_report_is_outdated_by_judgements_and_parameters(judged: Corpus) -> None:
    name = create(judged)
    assert run(judged, name)["uptodate"] is True
    judge(judged, "q0", "train", 0, 29, grade=2)
    assert judged.get(f"/ranking_experiments/{name}")["uptodate"] is False
    report = run(judged, name)["report"]
    assert report["configurations"][0]["ndcg"] < 1, "one relevant passage of q0 shares no word with it"
    (worst, *_) = judged.get(f"/ranking_experiments/{name}/questions", params={"sort": "worst"})["questions"]
    assert worst["identifier"] == "q0" and worst["figures"]["text"]["ndcg"] < 1
    (best, *_) = judged.get(f"/ranking_experiments/{name}/questions", params={"sort": "best"})["questions"]
    assert best["figures"]["text"]["ndcg"] == 1
    same = judged.patch(f"/ranking_experiments/{name}", json={"label": "Other", "favorite": True})
    assert (same["uptodate"], same["label"], same["favorite"]) == (True, "Other", True)
    body = {"parameters": {"ranking": {"depth": 50}}}
    assert judged.patch(f"/ranking_experiments/{name}", json=body)["uptodate"] is False


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"parameters": {"ranking": {"depth": 5}}}, "parameters.ranking.depth"),
        ({"parameters": {"ranking": {"folds": 1}}}, "parameters.ranking.folds"),
        ({"parameters": {"ranking": {"searchTypes": ["magic"]}}}, "parameters.ranking.searchTypes.0"),
        ({"parameters": {"ranking": {"vectorWeights": [-1]}}}, "parameters.ranking.vectorWeights.0"),
        ({"parameters": {"ranking": {"colour": 1}}}, "parameters.ranking.colour"),
        ({"kind": "answers", "parameters": {"answers": {"answerers": ["x"] * 9}}}, "parameters.answers.answerers"),
        ({"kind": "answers", "parameters": {"ranking": {}}}, ""),
        ({"kind": "other"}, "kind"),
        (
            {
                "parameters": {
                    "ranking": {
                        "searchTypes": ["hybrid"],
                        "vectorWeights": [one / 10 for one in range(8)],
                        "vectorizers": ["a", "b", "c", "d", "e", "f", "g"],
                    }
                }
            },
            "parameters.ranking",
        ),
    ],
)
def test_wrong_parameters_are_refused_by_field(corpus: Corpus, body: dict[str, object], field: str) -> None:
    refused = corpus.post("/ranking_experiments", 400, json=body)
    assert any(one["field"].endswith(field) for one in refused["details"]), refused
    assert corpus.get("/ranking_experiments") == []


def test_what_cannot_run_is_refused_at_the_launch(judged: Corpus) -> None:
    for grid, field in (
        ({"searchTypes": ["hybrid"]}, "searchTypes"),
        ({"searchTypes": ["vector"], "vectorizers": ["none"]}, "vectorizers"),
        ({"rerankers": ["none_such"]}, "rerankers"),
        ({"plans": ["none"]}, "plans"),
    ):
        refused = judged.post(f"/ranking_experiments/{create(judged, **grid)}/_launch", 400)
        assert [one["field"] for one in refused["details"]] == [f"parameters.ranking.{field}"]
    assert not any(one["running"] for one in judged.get("/ranking_experiments"))


def test_nothing_is_measured_without_judgements(corpus: Corpus) -> None:
    refused = corpus.post(f"/ranking_experiments/{create(corpus)}/_launch", 400)
    assert "judged" in refused["message"] and refused["fix"]
    refused = corpus.post(f"/ranking_experiments/{create(corpus, 'answers')}/_launch", 400)
    assert "answer" in refused["message"] and refused["fix"]


def test_names_clones_and_deletion(judged: Corpus) -> None:
    first = create(judged)
    copy = judged.post(f"/ranking_experiments/{first}/_clone")["name"]
    assert (first, copy) == ("ways", "ways_2")
    job = judged.post(f"/ranking_experiments/{first}/_launch")
    assert "already" in judged.post(f"/ranking_experiments/{first}/_launch", 409)["message"]
    assert judged.delete(f"/ranking_experiments/{first}") == {"removedCount": 1}
    judged.run_jobs()
    assert judged.get(f"/job/{job['id']}")["status"] == "CANCELLED"
    assert [one["name"] for one in judged.get("/ranking_experiments")] == [copy]
    judged.get(f"/ranking_experiments/{first}", 404)


def test_deleted_questions_and_documents_do_not_count(judged: Corpus) -> None:
    name = create(judged)
    judged.delete("/documents/river")
    judged.delete("/questions/q3")
    report = run(judged, name)["report"]
    assert report["judged"] == 3 and report["skipped"] == {"unreadable": 2}
    judged.delete("/questions/q0")
    assert judged.get(f"/ranking_experiments/{name}/questions")["total"] == 2


def test_the_report_as_a_file(judged: Corpus) -> None:
    name = create(judged)
    judged.get(f"/ranking_experiments/{name}/_export", 409)
    run(judged, name)
    exported = judged.get(f"/ranking_experiments/{name}/_export")
    assert len(exported["questions"]) == len(QUESTIONS) and exported["report"]["best"] == "text"
    answer = judged.caller.get(f"{judged.path}/ranking_experiments/{name}/_export", params={"format": "csv"})
    lines = answer.text.removeprefix("\ufeff").splitlines()
    assert lines[0].startswith("identifier,text,text ndcg,text rr") and len(lines) == 1 + len(QUESTIONS)
