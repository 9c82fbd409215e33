"""Exported questions, documents and judgements are the same when they are imported again, in every format (D-017)."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support.factories import Corpus
from support.hypothesis_example_count import hypothesis_example_count
from support.real_corpora import DATA
from support.saved_questions import import_files, judged

FORMATS = {"json": "questions.json", "squad": "squad.json", "beir": "beir.zip"}
Content = dict[str, Any]
Made = tuple[list[Any], list[Any]]


@pytest.fixture
def empty(make_project: Any) -> Any:
    """A function that makes an empty project."""
    return lambda corpus: Corpus(corpus.caller, make_project(lang="en"), corpus.run_jobs)


def content(corpus: Corpus) -> Content:
    """Documents, questions with answers, and judgements, by identifier."""
    fields = {"outputFields": "identifier,title,text,metadata,altTexts"}
    documents = {one.pop("identifier"): one for one in corpus.get("/documents", params=fields)}
    questions = [name for name, one in documents.items() if one["metadata"].get("question")]
    for name in questions:
        documents[name] |= {"title": "", "judged": sorted(judged(corpus, name))}
    return documents


def exported(corpus: Corpus, format: str) -> bytes:
    answer = corpus.caller.get(f"{corpus.path}/questions/_export", params={"format": format})
    assert answer.status_code == 200, answer.text
    assert f'filename="{corpus.project.name}-{FORMATS[format]}"' in answer.headers["content-disposition"]
    return bytes(answer.content)


def read_again(corpus: Corpus, other: Corpus, format: str) -> Content:
    if format == "json":  # contains no documents
        other.add(*[one for one in corpus.get("/documents") if not one["metadata"].get("question")])
    job = import_files(other, (FORMATS[format], exported(corpus, format)))
    assert job["status"] in ("COMPLETED", "FAILED"), job
    return content(other)


LETTERS = st.sampled_from(["a", "B", " ", "\t", "\n", "\n\n", '"', ",", "é", "e\u0301", "م", "👩‍💻", "字", "."])
TEXTS = st.lists(LETTERS, min_size=1, max_size=20).map("".join).filter(lambda text: text.strip() != "")
NAMES = st.sampled_from(["a", "b/c", 'd "e"', "字"])
VALUES = st.one_of(st.text("aé\n", max_size=5), st.integers(-5, 5), st.booleans(), st.lists(st.text("xy"), max_size=2))


@st.composite
def projects(draw: st.DrawFn) -> Made:
    documents = [
        {
            "identifier": f"d {name}",
            "title": draw(TEXTS),
            "text": draw(TEXTS),
            "metadata": draw(st.dictionaries(st.sampled_from(["k", "ключ"]), VALUES, max_size=2)),
        }
        for name in sorted(draw(st.sets(NAMES, min_size=1)))
    ]
    questions = []
    for name in sorted(draw(st.sets(NAMES, min_size=1))):
        judgements = {}
        for one in draw(st.lists(st.sampled_from(documents), max_size=3)):
            start = draw(st.integers(0, len(one["text"]) - 1))
            end = draw(st.integers(start + 1, len(one["text"])))
            grade = draw(st.integers(0, 3))
            passage = {"documentIdentifier": one["identifier"], "start": start, "end": end}
            judgements[one["identifier"], start, end] = passage | {"grade": grade}
        question = {"identifier": f"q {name}", "text": draw(TEXTS), "judgements": list(judgements.values())}
        answers = draw(st.lists(TEXTS, max_size=3, unique=True))
        metadata = {} if answers else {"unanswerable": True} if draw(st.booleans()) else {"topic": "x"}
        questions.append(question | {"answers": answers, "metadata": metadata})
    return documents, questions


@settings(
    max_examples=hypothesis_example_count(3),
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(made=projects(), format=st.sampled_from(sorted(FORMATS)))
def test_any_project_is_the_same_again(
    corpus: Corpus, empty: Any, made: tuple[list[Any], list[Any]], format: str
) -> None:
    documents, questions = made
    first = empty(corpus)
    first.add(*documents)
    job = import_files(first, ("a.json", questions))
    assert (job["status"], set(job["result"]) & {"refused"}) == ("COMPLETED", set())
    before = content(first)
    assert [one["answers"] for one in questions] == [
        [text["text"] for text in before[one["identifier"]]["altTexts"]] for one in questions
    ]
    assert read_again(first, empty(corpus), format) == before


def test_an_empty_project_is_exported(corpus: Corpus) -> None:
    assert exported(corpus, "json") == b"[]"
    assert json.loads(exported(corpus, "squad")) == {"version": "v2.0", "data": []}
    assert exported(corpus, "beir")[:2] == b"PK"


def test_other_readers_of_squad_find_the_answers(corpus: Corpus) -> None:
    """The answers of an exported file are at their offsets."""
    text = "No.\n\nInes was born in Valdivia, and lives in Valdivia."
    corpus.add({"identifier": "d1", "title": "Ines", "text": text})
    passage = {"documentIdentifier": "d1", "start": 31, "end": len(text), "grade": 2}
    body = {"question": "Where does Ines live?", "answers": ["Valdivia", "there"], "passages": [passage]}
    corpus.post("/questions/_from_answer", json=body)
    article = json.loads(exported(corpus, "squad"))["data"][0]
    (asked,) = article["paragraphs"][1]["qas"]
    assert article["title"] == "Ines"
    assert asked["answers"] == [{"text": "Valdivia", "answer_start": 40}, {"text": "there", "answer_start": -1}]


@pytest.mark.parametrize("language", ["zh", "ar"])  # offsets in bytes or of words would be wrong there
def test_xquad_is_imported_whole(corpus: Corpus, empty: Any, real_data: Any, language: str) -> None:
    """Every question has its answers and the paragraph that holds them; exported as SQuAD, it is the same again."""
    file = (DATA / "xquad" / f"xquad.{language}.json").read_bytes()
    job = import_files(corpus, ("xquad.json", file))
    assert (job["status"], job["result"]) == (
        "COMPLETED",
        {"imported": 48 + 1190, "judgements": 1190, "judgementsRefused": 0},
    )
    again = json.loads(exported(corpus, "squad"))["data"]
    given = json.loads(file)["data"]
    shown = [[(one["context"], _asked(one)) for one in article["paragraphs"]] for article in again]
    assert shown == [[(one["context"], _asked(one)) for one in article["paragraphs"]] for article in given]


def _asked(paragraph: dict[str, Any]) -> list[Any]:
    found = [(one["id"], one["question"], {answer["text"] for answer in one["answers"]}) for one in paragraph["qas"]]
    context = paragraph["context"]
    places = [(one["answer_start"], one["text"]) for asked in paragraph["qas"] for one in asked["answers"]]
    assert all(context.startswith(text, start) for start, text in places)
    return sorted(found, key=lambda one: one[0])


def test_cranfield_as_beir(corpus: Corpus, empty: Any, real_data: Any) -> None:
    """Abstracts, questions and judgements of Cranfield as a BEIR archive; exported as one, they are the same again."""
    job = import_files(corpus, ("cranfield.zip", _cranfield(DATA / "cranfield")))
    assert job["status"] == "COMPLETED"
    before = content(corpus)
    assert sum(len(one.get("judged", ())) for one in before.values()) == job["result"]["judgements"] > 1_700
    assert read_again(corpus, empty(corpus), "beir") == before


def _cranfield(folder: Path) -> bytes:
    def records(name: str) -> list[list[str]]:
        parts = (folder / name).read_text(encoding="utf-8", errors="replace").split("\n.I ")
        return [re.split(r"\n\.[TABW]\n", f"\n{part}") for part in parts]

    documents = [(str(place), one[1], one[-1]) for place, one in enumerate(records("cran.all.1400"), start=1)]
    documents = [one for one in documents if one[2].strip()]
    known = {one[0] for one in documents}
    queries = [(f"q{place}", one[-1]) for place, one in enumerate(records("cran.qry"), start=1)]
    rows = (line.split() for line in (folder / "cranqrel").read_text().splitlines())
    qrels = {(f"q{row[0]}", row[1]): row[2] for row in rows if row and row[1] in known}
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as archive:
        lines = [json.dumps({"_id": number, "title": title, "text": text}) for number, title, text in documents]
        archive.writestr("corpus.jsonl", "\n".join(lines))
        archive.writestr("queries.jsonl", "\n".join(json.dumps({"_id": one, "text": text}) for one, text in queries))
        archive.writestr("qrels/test.tsv", "\n".join("\t".join((*key, grade)) for key, grade in qrels.items()))
    return target.getvalue()
