"""Administrators of a group call everything about suggestions, experiments, comments, plans and templates in any order:
nothing of another group's project is read or changed, neither by its address nor by identifiers of its rows.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest
from support.factories import Corpus, document
from support.hostile_test_sizes import hostile_test_size

from annotarium.db.identifiers import new_id
from annotarium.db.models import Document
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.suggesters.repository import replace_suggestions

SECRET, OWN = "Halden", "Osterby"
ADMINISTRATOR = ("GroupUserAdmin", "GroupProjectAdmin", "GroupMember", "Annotator", "Reader")


def fill(corpus: Corpus, word: str) -> dict[str, str]:
    """Documents, a label, a suggestion, a suggester, an experiment, a comment and a plan; returns their identifiers."""
    corpus.add(document("d1", f"Ines lives in {word}."), document("d2", f"{word} is far."))
    corpus.add_labels("place")
    label_set = corpus.post("/label_sets", json={"label": f"{word} set"})["name"]
    label = corpus.post("/labels", json={"label": f"{word} label", "labelSetName": label_set})["name"]
    with unit_of_work(actor="tests", write=True) as unit:
        place = {"project_id": corpus.project.id, "identifier": "d1"}
        spans = [{"labelName": "place", "start": 14, "end": 14 + len(word), "text": word, "score": 0.5}]
        row = {"id": new_id(), "project_id": corpus.project.id, "start": 0, "end": 15 + len(word), "suggester": "s"}
        row |= {"document_id": unit.session.query(Document.id).filter_by(**place).scalar(), "created_at": 1}
        row |= {"annotations": spans, "categories": [], "confidence": 0.5, "priority": 0.5}
        replace_suggestions(unit.session, corpus.project.id, "s", [row])
    suggester = corpus.post("/suggesters", json={"label": f"{word} s", "engine": "margin", "parameters": {}})
    thread = corpus.post("/comments", json={"documentIdentifier": "d1", "text": f"About {word}"})
    return {
        "label": label,
        "set": label_set,
        "suggestion": corpus.get("/suggestions")["suggestions"][0]["_id"],
        "suggester": suggester["name"],
        "experiment": corpus.post("/experiments", json={"label": f"{word} e", "engine": "crf"})["name"],
        "thread": thread["identifier"],
        "comment": thread["comments"][0]["identifier"],
    }


def state(corpus: Corpus) -> dict[str, Any]:
    """What a project shows of the rows that are attacked."""
    paths = ("/suggestions?facet=true", "/suggesters", "/suggesters/_decisions", "/experiments", "/plans", "/labels")
    return {path: corpus.get(path) for path in (*paths, "/comments?documentIdentifier=d1", "/documents/d1")}


def calls(ids: dict[str, str]) -> list[tuple[str, str, Any]]:
    """Method, path in a project and body of the calls, for the rows of these identifiers."""
    suggester, experiment = f"/suggesters/{ids['suggester']}", f"/experiments/{ids['experiment']}"
    comment, thread = f"/comments/{ids['comment']}", f"/comment_threads/{ids['thread']}"
    plan = {"label": "p", "parameters": {"pipeline": []}}
    return [
        ("get", "/suggestions?facet=true&filter=%2Blabel:place", None),
        ("delete", f"/suggestions/{ids['suggestion']}", None),
        ("post", "/suggestions/_clear", None),
        ("get", suggester, None),
        ("patch", suggester, {"label": "taken"}),
        ("post", f"{suggester}/_start", None),
        ("post", f"{suggester}/_stop", None),
        ("delete", suggester, None),
        ("get", "/suggesters/_decisions", None),
        ("delete", "/suggesters", None),
        ("get", experiment, None),
        ("patch", experiment, {"label": "taken"}),
        ("post", f"{experiment}/_cancel", None),
        ("delete", experiment, None),
        ("get", "/experiments/_measurement", None),
        ("delete", "/models", None),
        ("get", "/comments?documentIdentifier=d1", None),
        ("get", "/comments/_people", None),
        ("post", "/comments", {"documentIdentifier": "d1", "text": "mine", "thread": ids["thread"]}),
        ("patch", comment, {"text": "mine"}),
        ("delete", comment, None),
        ("post", f"{comment}/_restore", None),
        ("get", thread, None),
        ("post", f"{thread}/_resolve", {}),
        ("post", "/plans", plan),
        ("post", "/plans/_try", {"plan": plan, "documentIdentifier": "d1"}),
        ("post", "/_use_as_template", {"label": "copy", "lang": "en", "nature": "sequence_labelling"}),
        ("post", "/_use_as_template?groupName=quarry", {"label": "copy", "lang": "en"}),
        ("post", "/labels/_merge", {"names": ["place", ids["label"]]}),
        ("post", "/labels/_merge", {"names": [ids["label"], "place"]}),
        ("post", "/labels/_consequences", {"names": [ids["label"], "place"]}),
        ("post", "/labels/_move", {"names": ["place", ids["label"]], "labelSetName": ids["set"]}),
        ("post", "/label_sets/_merge", {"names": [ids["set"], "sequence_labelling"]}),
    ]


def largest_bodies(names: list[str]) -> list[tuple[str, str, Any]]:
    """Calls with more than anybody needs, some of it names of the other group's rows."""
    step = {"annotator": "regexp", "parameters": {"text": "x" * 50_000}}
    return [
        ("post", "/labels/_merge", {"names": [*names, *(f"label{number}" for number in range(10_000))]}),
        ("post", "/labels/_consequences", {"names": [*names, *("x" * 250 for _ in range(3_900))]}),
        ("post", "/label_sets/_merge", {"names": [*names, *(f"set{number}" for number in range(10_000))]}),
        (
            "post",
            "/plans/_try",
            {"plan": {"label": "p", "parameters": {"pipeline": [step] * 10}}, "text": "y" * 400_000},
        ),
        ("post", "/_use_as_template", {"label": "l" * 10_000, "description": "d" * 900_000, "lang": "en"}),
    ]


@pytest.fixture
def tenants(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]]) -> tuple[Corpus, Corpus]:
    """Projects of two groups that know nothing of each other: that of the attacker and that of the victim."""
    mine, theirs = (make_project(lang="en", group=group) for group in ("harbour", "quarry"))
    return Corpus(as_admin, mine, run_jobs), Corpus(as_admin, theirs, run_jobs)


def test_group_administrators_reach_nothing_of_another_group(
    tenants: tuple[Corpus, Corpus], as_user: Any, client: Any
) -> None:
    """S-042, C-074: whatever the order, also with identifiers of the other group's rows inside the own project."""
    mine, theirs = tenants
    own, foreign = fill(mine, OWN), fill(theirs, SECRET)
    attackers = [
        as_user(client, "helga", *ADMINISTRATOR, f"writeProject:{mine.project.name}", groups=("harbour",)),
        as_user(client, "tomas", *ADMINISTRATOR, groups=("marsh",)),
    ]
    theirs.run_jobs()
    before = state(theirs)
    assert before["/suggestions?facet=true"]["total"]["value"] and SECRET in str(before)
    rng, answered = random.Random(11), 0
    for _ in range(hostile_test_size(2, 20)):
        attempts = [(theirs.path, one) for one in calls(foreign)] + [(mine.path, one) for one in calls(foreign)]
        attempts += [(mine.path, one) for one in calls(own)]
        rng.shuffle(attempts)
        for path, (method, rest, body) in attempts:
            for attacker in attackers:
                answer = getattr(attacker, method)(f"{path}{rest}", **({} if body is None else {"json": body}))
                told = (attacker.username, method, path, rest, answer.status_code, answer.text[:200])
                assert answer.status_code < 500, told
                assert SECRET not in answer.text, told
                if path == theirs.path or attacker is attackers[1]:
                    assert answer.status_code == 404, told
                answered += answer.status_code < 300
        mine.run_jobs()
    assert state(theirs) == before
    assert answered > 10, "the administrator could do nothing in the own project: the test attacks nothing"


def test_the_largest_bodies_of_a_group_administrator(tenants: tuple[Corpus, Corpus], as_user: Any, client: Any) -> None:
    """Each is refused or answered, nothing of another group is changed or shown, and others are served afterwards."""
    mine, theirs = tenants
    fill(mine, OWN)
    foreign = fill(theirs, SECRET)
    attacker = as_user(
        client, "helga", *ADMINISTRATOR, "createProject", f"writeProject:{mine.project.name}", groups=("harbour",)
    )
    before = state(theirs)
    for corpus in (mine, theirs):
        for method, rest, body in largest_bodies([foreign["label"], foreign["set"], "place"]):
            begin = time.process_time()
            answer = getattr(attacker, method)(f"{corpus.path}{rest}", json=body)
            assert answer.status_code < 500, (rest, answer.text[:200])
            assert corpus is mine or answer.status_code in (404, 413), (rest, answer.text[:200])
            assert "Ines lives in Halden" not in answer.text
            assert time.process_time() - begin < 10, rest
    assert state(theirs) == before


def test_a_sample_project_is_not_seen_by_another_group(
    tenants: tuple[Corpus, Corpus], as_user: Any, client: Any
) -> None:
    """Only those who may create projects make one; another group's administrator does not reach it or its job."""
    mine, _ = tenants
    creators = (*ADMINISTRATOR, "createProject")
    helga = as_user(client, "helga", *creators, f"writeProject:{mine.project.name}", groups=("harbour",))
    tomas = as_user(client, "tomas", *creators, groups=("marsh",))
    made = helga.post("/api/projects/_sample").json()
    name = made["projectName"]
    rest = ["/_info", "/labels", "/documents/_search", "/_use_as_template", "/jobs"]
    for path in rest:
        call = tomas.get if path in ("/_info", "/labels", "/jobs") else tomas.post
        answer = call(f"/api/projects/{name}{path}", **({"json": {"label": "x"}} if "template" in path else {}))
        assert answer.status_code in (404, 405), (path, answer.text[:200])
    reader = as_user(client, "rita", "Reader", f"readProject:{mine.project.name}")
    assert reader.post("/api/projects/_sample").status_code == 403


def test_a_long_synchronisation_lets_others_read(tenants: tuple[Corpus, Corpus], as_user: Any, client: Any) -> None:
    """While a suggester of one project stores its suggestions, pages of all projects are answered, as they were."""
    mine, theirs = tenants
    fill(mine, OWN)
    fill(theirs, SECRET)
    mine.run_jobs()
    reader = as_user(client, "rita", "Reader", f"readProject:{theirs.project.name}")
    path = f"{theirs.path}/suggestions"
    before = [reader.get(path).json(), mine.get("/suggestions")]
    with unit_of_work(actor="tests", write=True) as unit:
        replace_suggestions(unit.session, mine.project.id, "s", [])
        # The transaction is open: a request that needed its locks would wait until it fails.
        answers = [reader.get(path), mine.caller.get(f"{mine.path}/suggestions")]
        assert [one.json() for one in answers] == before
    assert reader.get(path).json() == before[0]
    assert mine.get("/suggestions")["total"]["value"] == before[1]["total"]["value"] - 1
