"""Hostile names: each is refused with a message, or the object is reachable by its address.

Documents, labels, label sets, relation names, saved searches, users, groups and roles; by requests and by imports.
"""

from __future__ import annotations

import json
from typing import Any
from urllib.parse import quote

import pytest
from sqlalchemy import update
from support.factories import Corpus, document
from support.hostile_test_sizes import hostile_test_size

from annotarium.content.validation import InvalidContent
from annotarium.db.models import Document as DocumentRow
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.projects.archive.value_rules import check_column_value

NAMES = [
    "line\nbreak", "ends\n", "\nbegins", "carriage\rreturn", "tab\tstop", "bell\x07", "del\x7f", "next\x85line",
    "separator\u2028here", "a/b", "/a", "a/", "a//b", "a/_index", "a/_history", "_search", "a/../b", "../a", "..", ".",
    "a?b", "a#b", "a;b", "a\\b", "a b", " a ", "a+b", "a&b=c", "ü/ß", "漢字", "\u202eabc", "e\u0301",
    "a:b", "a,b", "\ufeffa", "x" * 255, "<b>", "'\"", "😀",
]  # fmt: skip
CONTROL = [name for name in NAMES if any(ord(sign) < 32 or 127 <= ord(sign) < 160 or sign == "\u2028" for sign in name)]
CREATED = (200, 201)


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Any, client: Any) -> Corpus:
    """An empty project."""
    return Corpus(as_admin, make_project(lang="en"), run_jobs)


def address(name: str) -> str:
    return quote(name, safe="")


def test_hostile_document_identifiers(corpus: Corpus) -> None:
    """F14: a document with a line break in its identifier could be imported, but not opened or deleted."""
    job = corpus.add(*[document(name, f"Text of number {number}.") for number, name in enumerate(NAMES)])
    lines = {line["item"]: line for line in corpus.get(f"/job/{job['id']}/items", params={"size": 1000})["items"]}
    stored = {one["identifier"]: one["text"] for one in corpus.get("/documents")}
    assert not set(stored) & {*CONTROL, ".", "..", "a/_index", "a/_history"}
    refused = [line for line in lines.values() if line["outcome"] == "refused"]
    assert len(refused) + len(stored) == len(NAMES)
    assert all("control character" in line["message"] or "address" in line["message"] for line in refused)
    for name, text in stored.items():
        assert corpus.get(f"/documents/{address(name)}")["text"] == text
        assert corpus.get(f"/documents/{address(name)}/_history") is not None
        corpus.delete(f"/documents/{address(name)}")
        corpus.get(f"/documents/{address(name)}", 404)
    assert corpus.get("/documents") == []


def test_hostile_names_of_imported_labels_and_relations(corpus: Corpus) -> None:
    """A label gets the name that the import gives, and can be read, changed and deleted by it."""
    documents = []
    for number, name in enumerate(NAMES):
        span = {"start": 0, "end": 4, "labelName": name, "identifier": "a"}
        other = {"start": 5, "end": 7, "labelName": "plain", "identifier": "b"}
        link = {"source": "a", "target": "b", "name": name}
        documents.append(document(f"d{number}", "Text of a label.", annotations=[span, other], relations=[link]))
    corpus.add(*documents)
    labels = {one["name"] for one in corpus.get("/labels")}
    assert len(labels) > 20
    assert not labels & set(CONTROL)
    for name in labels - {"plain"}:
        assert corpus.get(f"/labels/{address(name)}")["name"] == name
        assert corpus.patch(f"/labels/{address(name)}", json={"guideline": "said"})
        corpus.delete(f"/labels/{address(name)}")
        corpus.run_jobs()
        corpus.get(f"/labels/{address(name)}", 404)
    names = {one["name"] for one in corpus.get("/relation_names")}
    assert not names & set(CONTROL)
    for name in names:
        corpus._call("put", f"/relation_names/{address(name)}", 200, {"json": {"name": name, "color": "#112233"}})


MADE: dict[str, tuple[str, dict[str, Any], str]] = {
    "labels": ("/labels", {"label": "{name}", "name": "{name}"}, "name"),
    "label sets": ("/label_sets", {"label": "{name}", "name": "{name}"}, "name"),
    "relation names": ("/relation_names", {"name": "{name}"}, "name"),
    "saved searches": ("/saved_searches", {"label": "{name}", "search": {}}, "name"),
}
READ_BY = {
    "relation names": ("put", {"json": {"color": "#445566"}}),
    "saved searches": ("patch", {"json": {"shared": True}}),
}


@pytest.mark.parametrize("kind", MADE)
def test_hostile_names_in_requests(corpus: Corpus, kind: str) -> None:
    path, body, key = MADE[kind]
    made = 0
    for name in NAMES:
        wanted = json.loads(json.dumps(body).replace('"{name}"', json.dumps(name)))
        answer = corpus.caller.post(f"{corpus.path}{path}", json=wanted)
        if answer.status_code not in CREATED:
            assert 400 <= answer.status_code < 500, answer.text
            assert answer.json()["message"], answer.text
            continue
        made += 1
        given = answer.json().get(key) or name.strip()
        method, more = READ_BY.get(kind, ("get", {}))
        corpus._call(method, f"{path}/{address(given)}", 200, more)
    assert made > 10


def test_names_stored_before_the_check_stay_reachable(corpus: Corpus) -> None:
    """Documents imported before names were checked can be opened and deleted; the same holds for archives."""
    corpus.add(document("plain", "Some text."))
    name = "line\nbreak/of two"
    with unit_of_work(actor="x", write=True) as unit:
        unit.session.execute(
            update(DocumentRow).where(DocumentRow.project_id == corpus.project.id).values(identifier=name)
        )
    assert corpus.get(f"/documents/{address(name)}")["text"] == "Some text."
    assert corpus.get(f"/documents/{address(name)}/_history") is not None
    corpus.delete(f"/documents/{address(name)}")
    check_column_value("labels", "name", name)
    for table in ("plans", "experiments", "suggesters", "gazetteers", "saved_searches"):
        check_column_value(table, "name", "plain")
        with pytest.raises(InvalidContent):
            check_column_value(table, "name", "a/b")


def test_hostile_names_of_users_groups_and_roles(corpus: Corpus) -> None:
    """Users, groups and roles."""
    made = 0
    caller = corpus.caller
    bodies: dict[str, Any] = {
        "users": lambda name: {"username": name, "password": "a good long password"},
        "groups": lambda name: {"name": name, "label": name},
        "roles": lambda name: {"rolename": name, "label": name, "permissions": []},
    }
    keys = {"users": "username", "groups": "name", "roles": "rolename"}
    for path, body in bodies.items():
        for name in NAMES[: hostile_test_size(20, 99)]:
            answer = caller.post(f"/api/{path}", json=body(name))
            if answer.status_code in CREATED:
                made += 1
                given = answer.json().get(keys[path]) or name
                assert caller.get(f"/api/{path}/{address(given)}").status_code == 200, given
            else:
                assert 400 <= answer.status_code < 500, answer.text
    assert made >= 0
