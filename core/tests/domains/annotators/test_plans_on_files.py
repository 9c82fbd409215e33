"""Annotation without storing: with plans that are sent in the call or stored in a project, from files, into files."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import pytest
from support.factories import Corpus
from support.fake_components import install_fake_components

from annotarium.access.restriction import make_restriction
from annotarium.db.models import Upload
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_api_keys import create_key
from annotarium.jobs.run import run_job
from annotarium.settings import get_settings

TEXT = "Marie met Paul. It rained."
CHAIN = [{"annotator": "capitals"}, {"processor": "count"}]
CSV = {"name": "csv", "parameters": {"text_columns": ["body"], "identifier_column": "nr"}}
SHEET = b"nr;body\nr1;Marie sleeps.\nr2;Paul wakes. Now.\n"
ROWS = {"name": "csv", "parameters": {"rows": "annotations"}}


@pytest.fixture
def corpus(corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> Corpus:
    """Jobs run where they are started; a few components are installed in addition."""
    monkeypatch.setattr("annotarium.jobs.job_creation.push_job", lambda job_id, queue: run_job(job_id))
    install_fake_components(monkeypatch)
    return corpus


def send(corpus: Corpus, path: str, status: int = 200, **arguments: Any) -> Any:
    answer = corpus.caller.post(f"/api{path}", **arguments)
    assert answer.status_code == status, answer.text
    return answer


def form(content: bytes, name: str = "sheet.csv", plan: Any = None) -> dict[str, Any]:
    """A form as the published clients send it: the plan is a JSON part next to the file."""
    files: list[Any] = [("file", (name, content))]
    if plan is not None:
        files.append(("plan", (None, json.dumps(plan), "application/json")))
    return {"files": files}


def covered_texts(document: dict[str, Any]) -> list[str]:
    for one in document["annotations"]:
        assert document["text"][one["start"] : one["end"]] == one["text"]
    return [one["text"] for one in document["annotations"]]


def temporary_state() -> tuple[list[str], list[str], int]:
    """Stored files of uploads, stored result files, and the number of upload rows."""
    settings = get_settings()
    with unit_of_work(actor="", write=False) as unit:
        rows = unit.session.query(Upload).count()
    return _files(settings.uploads_folder), _files(settings.exports_folder), rows


def _files(folder: Path) -> list[str]:
    return [path.name for path in folder.glob("*")] if folder.is_dir() else []


def test_a_plan_in_the_request_annotates_a_text_and_documents(corpus: Corpus) -> None:
    """Outside a project a text has no language and is not segmented; in a project its settings apply."""
    found = send(corpus, "/annotate/_annotate_text", json={"text": TEXT, "pipeline": CHAIN}).json()
    assert covered_texts(found) == ["Marie", "Paul", "It"]
    assert [one["labelName"] for one in found["categories"]] == ["xx 3"]
    assert "sentences" not in found
    assert {one["creationMode"] for one in found["annotations"]} == {"automatic"}
    corpus.post("/labels", json={"label": "Name", "name": "name"})
    in_project = {"params": {"projectContext": corpus.project.name}}
    steps = [{"annotator": "capitals", "applyTo": {"path": "segments"}, "condition": {"text": "rained"}}, CHAIN[1]]
    found = send(corpus, "/annotate/_annotate_text", json={"text": TEXT, "pipeline": steps}, **in_project).json()
    assert covered_texts(found) == ["Marie", "Paul", "It"]
    assert [(one["start"], one["end"]) for one in found["sentences"]] == [(0, 15), (16, 26)]
    assert [one["labelName"] for one in found["categories"]] == ["en 3"]
    assert {one["label"] for one in found["annotations"]} == {"Name"}
    documents = [{"identifier": "a", "text": "Rome"}, {"text": "sea", "metadata": {"kind": "x"}}]
    many = {"documents": documents, "pipeline": [{"languageGuesser": "french"}, *CHAIN]}
    first, second = send(corpus, "/annotate/_annotate_documents", json=many).json()
    assert (first["identifier"], covered_texts(first), covered_texts(second)) == ("a", ["Rome"], [])
    assert second["metadata"] == {"kind": "x", "language": "fr"}
    assert second["categories"][0]["labelName"] == "fr 0", "the steps after it work in the language that was guessed"
    lean = {"params": {"outputFields": "annotations", "inlineText": "false"}}
    (bare, _) = send(corpus, "/annotate/_annotate_documents", json=many, **lean).json()
    assert set(bare) == {"identifier", "text", "annotations"}
    assert "text" not in bare["annotations"][0]
    assert corpus.get("/documents") == []


def test_a_file_is_read_and_annotated(corpus: Corpus) -> None:
    """By the converter of its type, or by that of the plan; archives too; nothing is stored."""
    path, before = "/annotate/_annotate_binary", temporary_state()
    (bare,) = send(corpus, path, **form(b"Marie sleeps.", "a.txt")).json()
    assert (bare["text"], bare["annotations"]) == ("Marie sleeps.", [])
    plan = {"converter": CSV, "pipeline": CHAIN, "segmenter": {"name": "rule_sentence"}}
    found = send(corpus, path, **form(SHEET, "odd.strange", plan)).json()
    assert [(one["identifier"], covered_texts(one)) for one in found] == [("r1", ["Marie"]), ("r2", ["Paul", "Now"])]
    assert [len(one["sentences"]) for one in found] == [1, 2]
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("a.txt", "Rome")
        archive.writestr("b.txt", "Oslo")
    found = send(corpus, path, **form(packed.getvalue(), "a.zip", {"pipeline": CHAIN})).json()
    assert [covered_texts(one) for one in found] == [["Rome"], ["Oslo"]]
    assert temporary_state() == before


def test_a_formatter_writes_the_response(corpus: Corpus) -> None:
    """S-055: the response is the file of the formatter, with its type and name; the file is deleted after it was
    sent."""
    body, before = {"text": TEXT, "pipeline": CHAIN, "formatter": ROWS}, temporary_state()
    answer = send(corpus, "/annotate/_annotate_format_text", json=body)
    assert answer.headers["content-type"].startswith("text/csv")
    assert 'filename="annotated.csv"' in answer.headers["content-disposition"]
    assert answer.text.count("\n") == 5
    assert "Marie" in answer.text
    body = {"documents": [{"identifier": "a", "text": "Rome"}], "pipeline": CHAIN, "formatter": {"name": "json"}}
    (made,) = send(corpus, "/annotate/_annotate_format_documents", json=body).json()
    assert (made["identifier"], made["annotations"][0]["labelName"]) == ("a", "name")
    plan = {"converter": CSV, "pipeline": [CHAIN[0]], "formatter": {"name": "jsonl"}}
    for path in ("/annotate/_annotate_format_binary", "/annotate/_format_binary"):
        lines = send(corpus, path, **form(SHEET, "odd.strange", plan)).text.splitlines()
        assert [json.loads(line)["identifier"] for line in lines] == ["r1", "r2"]
    assert temporary_state() == before


def test_plans_and_annotators_of_a_project_annotate_files(corpus: Corpus) -> None:
    """S-055: a plan names its formatter; otherwise the call may. Files are read like imports of the project."""
    parts, before = {"pipeline": CHAIN, "formatter": ROWS}, temporary_state()
    name = corpus.post("/plans", json={"label": "Chain", "parameters": parts})["name"]
    bare = corpus.post("/plans", json={"label": "Bare", "parameters": {"pipeline": CHAIN}})["name"]
    text = {"content": TEXT, "headers": {"Content-Type": "text/plain"}}
    project = corpus.project.name
    for path in (f"/projects/{project}/plans/{name}", f"/annotate/projects/{project}/annotators/{name}"):
        (found,) = send(corpus, f"{path}/_annotate_binary", **form(TEXT.encode(), "a.txt")).json()
        assert (covered_texts(found), len(found["sentences"])) == (["Marie", "Paul", "It"], 2)
        for made in (
            send(corpus, f"{path}/_annotate_format_text", **text),
            send(corpus, f"{path}/_annotate_format_documents", json=[{"text": TEXT}]),
            send(corpus, f"{path}/_annotate_format_binary", **form(TEXT.encode(), "a.txt")),
        ):
            assert made.headers["content-type"].startswith("text/csv")
            assert made.text.count("\n") == 5
        other = path.replace(name, bare)
        refused = send(corpus, f"{other}/_annotate_format_text", 400, **text).json()
        assert "No formatter is specified" in refused["message"]
        lean = {"formatter": "json", "inlineText": "false"}
        (named,) = send(corpus, f"{other}/_annotate_format_text", params=lean, **text).json()
        assert [one["text"] for one in named["annotations"]] == ["", "", ""]
        send(corpus, f"{other}/_annotate_format_text", 404, params={"formatter": "gone"}, **text)
    reads = {"label": "Sheets", "parameters": {"converter": CSV, "pipeline": []}, "tags": ["active-conversion"]}
    corpus.post("/plans", json=reads)
    path = f"/projects/{project}/plans/{bare}/_annotate_binary"
    found = send(corpus, path, **form(SHEET, "odd.strange")).json()
    assert [covered_texts(one) for one in found] == [["Marie"], ["Paul", "Now"]]
    send(corpus, f"/projects/{project}/plans/gone/_annotate_binary", 404, **form(b"x", "a.txt"))
    send(corpus, f"/annotate/projects/{project}/annotators/gone/_annotate_binary", 404, **form(b"x", "a.txt"))
    refused = send(corpus, f"/annotate/projects/{project}/_annotate_binary", 404, **form(b"x", "a.txt")).json()
    assert "no annotator yet" in refused["message"]
    too_large = form(b"x", "a.txt", {"pipeline": [{"annotator": "x", "disabled": True, "parameters": {"b": 10**30}}]})
    assert "too large" in send(corpus, "/annotate/_annotate_binary", 400, **too_large).json()["message"]
    assert temporary_state() == before


def test_a_plan_that_reads_and_annotates_is_an_annotator(corpus: Corpus) -> None:
    """Conflict 30 of the contract: a plan with a converter can annotate too; it is listed and usable by every
    operation.
    """
    parts = {"converter": CSV, "pipeline": CHAIN, "formatter": {"name": "json"}}
    plan = {"label": "Reads", "parameters": parts, "tags": ["pipelines"]}
    name, project = corpus.post("/plans", json=plan)["name"], corpus.project.name
    (listed,) = corpus.get("/annotators_by_type")["plan"]
    assert (listed["name"], listed["engine"], listed["isDefault"]) == (name, "plan", True)
    rows = corpus.caller.get("/api/projects/annotators_by_type").json()
    (everywhere,) = [one for one in rows if one["projectName"] == project]
    assert [one["name"] for one in everywhere["annotators"]["plan"]] == [name]
    text, found = {"content": TEXT, "headers": {"Content-Type": "text/plain"}}, ["Marie", "Paul", "It"]
    sheet = form(SHEET, "odd.strange")
    for named in (f"/projects/{project}/annotators/{name}", f"/annotate/projects/{project}/annotators/{name}"):
        assert covered_texts(send(corpus, f"{named}/_annotate", **text).json()) == found
        (answer,) = send(corpus, f"{named}/_annotate_documents", json=[{"text": TEXT}]).json()
        assert covered_texts(answer) == found
    for nameless in (f"/projects/{project}", f"/annotate/projects/{project}"):
        assert covered_texts(send(corpus, f"{nameless}/_annotate", **text).json()) == found
    for path in (f"/annotate/projects/{project}", named):
        answer = send(corpus, f"{path}/_annotate_binary", **sheet).json()
        assert [(one["identifier"], covered_texts(one)) for one in answer] == [
            ("r1", ["Marie"]),
            ("r2", ["Paul", "Now"]),
        ]
    made = send(corpus, f"{named}/_annotate_format_binary", **sheet).json()
    assert [one["identifier"] for one in made] == ["r1", "r2"]
    (made,) = send(corpus, f"{named}/_annotate_format_text", **text).json()
    assert made["text"] == TEXT
    (made,) = send(corpus, f"{named}/_annotate_format_documents", json=[{"identifier": "a", "text": TEXT}]).json()
    assert (made["identifier"], len(made["annotations"])) == ("a", 3)


def test_the_favourite_plan_is_used_when_the_call_names_no_annotator(corpus: Corpus) -> None:
    """The favourite plan is used; with several plans and no favourite the call fails with 404."""
    text = {"content": TEXT, "headers": {"Content-Type": "text/plain"}}
    path = f"/annotate/projects/{corpus.project.name}/_annotate"
    send(corpus, path, 404, **text)
    for label, steps in (("Bare", [{"processor": "count"}]), ("Chain", CHAIN)):
        corpus.post("/plans", json={"label": label, "parameters": {"converter": CSV, "pipeline": steps}})
    send(corpus, path, 404, **text)
    corpus.patch("/plans/chain", json={"favorite": True})
    assert covered_texts(send(corpus, path, **text).json()) == ["Marie", "Paul", "It"]


def test_a_trained_annotator_reads_a_file(corpus: Corpus) -> None:
    spans = [{"start": 0, "end": 5, "text": "Marie", "labelName": "person"}]
    corpus.add(*({"identifier": f"d{n}", "text": f"Marie slept {n}.", "annotations": spans} for n in range(12)))
    corpus.post("/experiments", json={"engine": "crf", "label": "Names", "parameters": {"iterations": 20}})
    corpus.post("/experiments/names/_launch")
    sheet = b"nr;text\nr1;Marie slept 3.\n"
    for path in ("", "/annotators/names"):
        (found,) = send(
            corpus, f"/annotate/projects/{corpus.project.name}{path}/_annotate_binary", **form(sheet)
        ).json()
        assert covered_texts(found) == ["Marie"]
        assert found["annotations"][0]["label"] == "person"
    path = f"/annotate/projects/{corpus.project.name}/annotators/names/_annotate_format_binary"
    made = send(corpus, path, params={"formatter": "csv"}, **form(sheet))
    assert made.headers["content-type"].startswith("text/csv")


@pytest.mark.parametrize(
    ("path", "arguments", "status", "says"),
    [
        ("_annotate_text", {"json": {"text": " ", "pipeline": []}}, 400, "no text"),
        ("_annotate_text", {"json": {"text": "a\0b", "pipeline": []}}, 400, "NUL"),
        ("_annotate_text", {"json": {"text": "x", "pipeline": [{"processor": "gone"}]}}, 400, "step 1"),
        ("_annotate_text", {"json": {"text": "x", "pipeline": [{"vectorizer": "lsa"}]}}, 400, "vectorization plan"),
        ("_annotate_text", {"json": {"text": "x", "pipeline": [{"annotator": "capitals", "processor": "count"}]}}, 400,
         "exactly one"),
        ("_annotate_text", {"json": {"text": "x"}}, 400, "pipeline"),
        ("_annotate_text?debug=true", {"json": {"text": "x", "pipeline": []}}, 400, "Debug responses are not"),
        ("_annotate_binary?debug=true", form(b"x", "a.txt"), 400, "Debug responses are not available"),
        ("_annotate_format_text", {"json": {"text": "x", "pipeline": []}}, 400, "formatter"),
        ("_annotate_format_text", {"json": {"text": "x", "pipeline": [], "formatter": {"name": "no"}}}, 400, "no form"),
        ("_annotate_text?projectContext=gone", {"json": {"text": "x", "pipeline": []}}, 404, "no project"),
        ("_annotate_binary", form(b"%PDF-1.4 broken", "a.pdf"), 400, "cannot be annotated"),
        ("_annotate_binary", form(b"x", "a.txt", {"pipeline": 3}), 400, "plan.pipeline"),
        ("_annotate_binary", {"content": b"x"}, 400, "multipart"),
        ("_annotate_format_binary", form(b"x", "a.txt"), 400, "no plan"),
    ],
)  # fmt: skip
def test_files_that_cannot_be_annotated_are_rejected(
    corpus: Corpus, path: str, arguments: dict[str, Any], status: int, says: str
) -> None:
    before = temporary_state()
    refused = send(corpus, f"/annotate/{path}", status, **arguments).json()
    assert says in refused["message"], refused
    assert temporary_state() == before


def test_a_file_with_too_much_text_or_an_invalid_item_is_refused(
    corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = temporary_state()
    monkeypatch.setattr("annotarium.domains.annotators.jobs.MOST_CHARACTERS", 20)
    refused = send(corpus, "/annotate/_annotate_binary", 413, **form(b"Marie sleeps. And sleeps.", "a.txt")).json()
    assert "over 20 characters" in refused["message"]
    items = b'[{"text": "good"}, {"text": 3}]'
    refused = send(corpus, "/annotate/_annotate_binary", 400, **form(items, "a.json")).json()
    assert [one["field"] for one in refused["details"]] == ["a.json#2"]
    two = {"files": [("file", ("a.txt", b"x")), ("file", ("b.txt", b"y"))]}
    assert "one file" in send(corpus, "/annotate/_annotate_binary", 400, **two).json()["message"]
    assert temporary_state() == before


def test_permissions_to_annotate_with_plans(corpus: Corpus, as_user: Any, make_project: Any, client: Any) -> None:
    """Anonymous, a user without permissions for the components, a user without access to the project, a reader."""
    body = {"text": TEXT, "pipeline": CHAIN, "formatter": {"name": "json"}}
    plain = {"text": TEXT, "pipeline": CHAIN}
    documents = {"documents": [{"text": TEXT}], "pipeline": CHAIN}
    name = corpus.post("/plans", json={"label": "Chain", "parameters": {"pipeline": CHAIN}})["name"]
    free = (
        ("_annotate_text", {"json": plain}),
        ("_annotate_documents", {"json": documents}),
        ("_annotate_format_text", {"json": body}),
        ("_annotate_format_documents", {"json": documents | {"formatter": {"name": "json"}}}),
        ("_annotate_binary", form(b"Rome", "a.txt", {"pipeline": CHAIN})),
        ("_annotate_format_binary", form(b"Rome", "a.txt", {"pipeline": CHAIN, "formatter": {"name": "json"}})),
        ("_format_binary", form(b"Rome", "a.txt", {"pipeline": CHAIN, "formatter": {"name": "json"}})),
    )
    rights = ("useAnnotator:*", "useProcessor:count", "useFormatter:json")
    few, all_of = as_user(client, "few", *rights[:1]), as_user(client, "all", *rights)
    for path, arguments in free:
        assert client.post(f"/api/annotate/{path}", **arguments).status_code == 401
        denied = few.post(f"/api/annotate/{path}", **arguments)
        assert (denied.status_code, "processor count" in denied.json()["cause"]) == (403, True)
        assert all_of.post(f"/api/annotate/{path}", **arguments).status_code == 200
        where = {"projectContext": corpus.project.name}
        assert all_of.post(f"/api/annotate/{path}", params=where, **arguments).status_code == 404
    project = make_project(owner="zoe", readers=("paul",))
    other = Corpus(corpus.caller, project, corpus.run_jobs)
    assert other.post("/plans", json={"label": "Chain", "parameters": {"pipeline": CHAIN}})["name"] == name
    text, file = {"content": TEXT}, form(b"Rome", "a.txt")
    paul, stranger = as_user(client, "paul", "useFormatter:json"), as_user(client, "someone", "useFormatter:json")
    for base in (
        f"/api/projects/{project.name}/plans/{name}",
        f"/api/annotate/projects/{project.name}/annotators/{name}",
    ):
        for path, arguments in (
            ("_annotate_binary", file),
            ("_annotate_format_binary", file),
            ("_annotate_format_text", text),
            ("_annotate_format_documents", {"json": [{"text": TEXT}]}),
        ):
            options = {"params": {"formatter": "json"}} if "format" in path else {}
            assert client.post(f"{base}/{path}", **arguments, **options).status_code == 401
            assert stranger.post(f"{base}/{path}", **arguments, **options).status_code == 404
            assert paul.post(f"{base}/{path}", **arguments, **options).status_code == 200
        closed = {"params": {"formatter": "csv"}}
        assert paul.post(f"{base}/_annotate_format_text", **text, **closed).status_code == 403
    assert client.post(f"/api/annotate/projects/{project.name}/_annotate_binary", **file).status_code == 401
    assert stranger.post(f"/api/annotate/projects/{project.name}/_annotate_binary", **file).status_code == 404


def test_an_annotator_of_an_unreadable_project_is_refused(corpus: Corpus, as_user: Any, client: Any) -> None:
    """Outside projects a step names the project of its annotator, which the caller must be able to read."""
    step = {"annotator": "names", "projectName": corpus.project.name}
    someone = as_user(client, "someone", "useAnnotator:*")
    refused = someone.post("/api/annotate/_annotate_text", json={"text": TEXT, "pipeline": [step]})
    assert refused.status_code == 400
    (fault,) = refused.json()["details"]
    assert (fault["field"], fault["message"]) == ("pipeline.0.name", "There is no annotator named names")


@pytest.mark.parametrize(
    "restriction", [{"annotate_only": True}, {"access_mode": "read"}, {"project_filter": "{name}"}], ids=str
)
def test_restricted_tokens_annotate_texts_and_files_and_store_nothing(
    corpus: Corpus, restriction: dict[str, Any], client: Any
) -> None:
    """`annotateOnly` and the other restrictions work for the whole operation: its jobs run under the token's
    restriction.
    """
    given = {k: v.format(name=corpus.project.name) if isinstance(v, str) else v for k, v in restriction.items()}
    key = create_key(corpus.caller.username, "annotates", make_restriction(**given))
    before = temporary_state()

    def ask(path: str, status: int = 200, **arguments: Any) -> Any:
        answer = client.post(f"/api{path}", headers={"X-Kairntech-key": key}, **arguments)
        assert answer.status_code == status, answer.text
        return answer

    context = {"params": {"projectContext": corpus.project.name}}
    found = ask("/annotate/_annotate_text", json={"text": TEXT, "pipeline": CHAIN}, **context).json()
    assert covered_texts(found) == ["Marie", "Paul", "It"]
    plan = {"converter": CSV, "pipeline": CHAIN[:1]}
    first, _ = ask("/annotate/_annotate_binary", **form(SHEET, plan=plan)).json()
    assert covered_texts(first) == ["Marie"]
    written = plan | {"formatter": ROWS}
    assert b"Marie" in ask("/annotate/_annotate_format_binary", **form(SHEET, plan=written)).content
    assert temporary_state() == before
    other = {"params": {"projectContext": "elsewhere"}}
    ask("/annotate/_annotate_text", 404, json={"text": TEXT, "pipeline": CHAIN}, **other)
    if "annotate_only" in restriction:
        headers = {"X-Kairntech-key": key}
        assert client.get(f"/api/projects/{corpus.project.name}/documents", headers=headers).status_code == 403
        assert client.get("/api/projects/annotators_by_type", headers=headers).status_code == 200
