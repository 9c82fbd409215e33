"""Saved searches through the API: saved, run, shared, used as default, deleted."""

from __future__ import annotations

from typing import Any

import pytest
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

QUERY = {"query": "paris", "size": 1, "filtering": {"selectedFacets": ["+metadata.kind:a"]}}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    texts = {"d1": "Paris is big.", "d2": "Paris in spring.", "d3": "Rome."}
    corpus.add(*(document(name, text, metadata={"kind": "b" if name == "d2" else "a"}) for name, text in texts.items()))
    return corpus


@pytest.fixture
def people(filled: Corpus, as_user: Any, client: Any) -> dict[str, Any]:
    read, write = f"readProject:{filled.project.name}", f"writeProject:{filled.project.name}"
    return {
        "reader": as_user(client, "rita", "Reader", read),
        "writer": as_user(client, "wim", "Reader", read, write),
        "manager": as_user(client, "mia", "ProjectManager", read, write),
        "outside": as_user(client, "otto", "Reader"),
        "blind": as_user(client, "bea", read),
    }


def path(corpus: Corpus, name: str = "") -> str:
    return f"{corpus.path}/saved_searches" + (f"/{name}" if name else "")


def save(corpus: Corpus, caller: Any, label: str, status: int = 200, **more: Any) -> dict[str, Any]:
    body = {"label": label, "kind": "segments", "search": QUERY} | more
    answer = caller.post(path(corpus), json=body)
    assert answer.status_code == status, answer.text
    made: dict[str, Any] = answer.json()
    return made


def labels(corpus: Corpus, caller: Any, **query: str) -> list[str]:
    answer = caller.get(path(corpus), params=query)
    assert answer.status_code == 200, answer.text
    return [one["label"] for one in answer.json()]


def found(corpus: Corpus, caller: Any, body: dict[str, Any] | None = None, kind: str = "segments", **query: Any) -> Any:
    return caller.post(f"{corpus.path}/{kind}/_do_search", json=body or {}, params=query)


def hits(answer: Any) -> list[str]:
    assert answer.status_code == 200, answer.text
    return [hit.get("segment", hit.get("document"))["text"] for hit in answer.json()["hits"]]


def test_a_search_is_saved_and_run_by_its_name(filled: Corpus, people: dict[str, Any]) -> None:
    """S-022: values in the request body take precedence over the saved ones."""
    rita = people["reader"]
    made = save(filled, rita, "  In Paris ")
    assert (made["name"], made["label"], made["mine"], made["editable"], made["shared"]) == (
        "in_paris",
        "In Paris",
        True,
        True,
        False,
    )
    assert hits(found(filled, rita, savedSearch="in_paris")) == ["Paris is big."]
    narrowed = {"search": {"filtering": {"selectedFacets": ["+metadata.kind:b"]}}}
    assert hits(found(filled, rita, narrowed, savedSearch="in_paris")) == ["Paris in spring."]
    assert hits(found(filled, rita, {"search": {"query": "rome"}}, savedSearch="in_paris")) == ["Rome."]
    assert (
        found(filled, rita, {"search": {"query": "", "size": 9}}, savedSearch="in_paris").json()["total"]["value"] == 2
    )
    assert found(filled, rita, savedSearch="nothing").status_code == 404
    assert len(hits(found(filled, rita, defaultSavedSearch=True))) == 3, "nobody has a default"
    assert hits(found(filled, rita, kind="documents", savedSearch="in_paris")) == ["Paris is big."]


def test_the_default_is_the_users_own_or_else_the_shared_one(filled: Corpus, people: dict[str, Any]) -> None:
    """S-022: `defaultSavedSearch`."""
    rita, wim, mia = people["reader"], people["writer"], people["manager"]
    save(filled, mia, "Rome", search={"query": "rome"}, shared=True, isDefault=True)
    assert hits(found(filled, rita, defaultSavedSearch=True)) == ["Rome."]
    save(filled, rita, "Mine", search={"query": "spring"}, isDefault=True)
    assert hits(found(filled, rita, defaultSavedSearch=True)) == ["Paris in spring."]
    assert hits(found(filled, wim, defaultSavedSearch=True)) == ["Rome."]
    save(filled, rita, "Newer", search={"query": "big"}, isDefault=True)
    assert hits(found(filled, rita, defaultSavedSearch=True)) == ["Paris is big."]
    assert sum(one["isDefault"] and one["mine"] for one in rita.get(path(filled)).json()) == 1
    save(filled, mia, "Second", search={"query": "big"}, shared=True, isDefault=True)
    assert hits(found(filled, wim, defaultSavedSearch=True)) == ["Paris is big."]
    assert len(hits(found(filled, wim, kind="documents", defaultSavedSearch=True))) == 3, "another kind"


def test_permissions_to_share_and_change_saved_searches(filled: Corpus, people: dict[str, Any]) -> None:
    rita, wim, mia = people["reader"], people["writer"], people["manager"]
    save(filled, rita, "Own")
    assert labels(filled, wim) == []
    assert found(filled, wim, savedSearch="own").status_code == 404, "what is not shared does not exist for others"
    save(filled, rita, "Given", 403, shared=True)
    save(filled, wim, "Given", shared=True)
    save(filled, wim, "Begin", 403, shared=True, isDefault=True)
    assert labels(filled, rita) == ["Given", "Own"]
    assert labels(filled, rita, kind="documents") == []
    assert rita.patch(path(filled, "given"), json={"label": "Taken"}).status_code == 403
    assert rita.delete(path(filled, "given")).status_code == 403
    changed = mia.patch(path(filled, "given"), json={"label": "Kept", "isDefault": True})
    assert (changed.status_code, changed.json()["label"], changed.json()["mine"]) == (200, "Kept", False)
    assert wim.patch(path(filled, "given"), json={"shared": False}).status_code == 200
    assert labels(filled, mia) == []
    assert wim.delete(path(filled, "given")).status_code == 204
    assert wim.delete(path(filled, "given")).status_code == 404


def test_invalid_saved_searches_are_refused(filled: Corpus, people: dict[str, Any], client: Any) -> None:
    """Anonymous, without permission, and searches that could never be run."""
    rita = people["reader"]
    assert client.get(path(filled)).status_code == 401
    assert client.post(path(filled), json={"label": "x", "search": {}}).status_code == 401
    assert people["outside"].get(path(filled)).status_code == 404
    assert people["blind"].get(path(filled)).status_code == 403
    save(filled, rita, "Own")
    again = save(filled, rita, "Own", 409)
    assert again["fix"]
    save(filled, rita, " ", 400)
    save(filled, rita, "Wrong", 400, search={"query": '"a', "advanced": True})
    save(filled, rita, "Wrong", 400, search={"filtering": {"filters": [{"value": "(a"}]}})
    save(filled, rita, "Own", kind="documents")
    assert rita.patch(path(filled, "own"), json={"search": {"queryFilter": 1}}).status_code in (200, 400)
    assert rita.patch(path(filled, "own"), json={"owner": "x"}).status_code == 400


def test_saved_searches_are_archived(filled: Corpus, people: dict[str, Any]) -> None:
    save(filled, people["reader"], "Hers")
    save(filled, filled.caller, "Ours", shared=True, isDefault=True)
    name, job = import_project(filled, export_project(filled))
    assert job["status"] == "COMPLETED"
    kept = filled.caller.get(f"/api/projects/{name}/saved_searches").json()
    assert [(one["label"], one["shared"], one["isDefault"], one["mine"]) for one in kept] == [
        ("Ours", True, True, True)
    ]
    run = filled.caller.post(f"/api/projects/{name}/segments/_do_search", json={}, params={"savedSearch": "ours"})
    assert hits(run) == ["Paris is big."]
