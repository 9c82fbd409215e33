"""Document-level access: documents of other groups are left out of hits, totals, facets and contexts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.settings import get_settings


@pytest.fixture
def guarded_corpus(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any) -> Iterator[Corpus]:
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    as_user(client, "paula", "Reader", groups=("press",))
    as_user(client, "lena", "Reader", groups=("law",))
    corpus.add(document("open", "Paris for all", ("Paris", "place")))
    for group in ("press", "law"):
        corpus.add(document(group, f"Paris for {group}", ("Paris", "place")), groupName=group)
    yield corpus
    get_settings.cache_clear()


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"query": "paris"},
        {"query": "nothing", "invertSearch": True},
        {"selectedFacets": ["origin:law"], "invertSearch": False},
        {"selectedFacets": ["+origin:law"]},
        {"selectedFacets": ["-origin:press"]},
    ],
)
def test_only_accessible_documents_are_found_and_counted(
    guarded_corpus: Corpus, as_user: Any, client: Any, parameters: dict[str, Any]
) -> None:
    reader = as_user(
        client, "paula", "Reader", "readUserAnnot:*", f"writeProject:{guarded_corpus.project.name}", groups=("press",)
    )
    for kind in ("documents", "segments"):
        answer = reader.post(f"{guarded_corpus.path}/{kind}/_search", params=parameters | {"facet": True}).json()
        place = "document" if kind == "documents" else "segment"
        shown = {hit[place].get("documentIdentifier", hit[place]["identifier"]) for hit in answer["hits"]}
        assert "law" not in shown
        assert answer["total"]["value"] == len(answer["hits"]) <= 2
        labels = [one for one in answer["aggregations"] if one["name"] == "label"]
        assert sum(bucket["doc_count"] for one in labels for bucket in one["buckets"]) == len(answer["hits"])


def test_an_import_ignores_inaccessible_documents(guarded_corpus: Corpus, as_user: Any, client: Any) -> None:
    """A document of another group is neither replaced nor reported, not even as `unchanged`."""
    corpus = guarded_corpus
    lines = {}
    for group, other in (("press", "Other words"), ("law", "Paris for law")):
        caller = as_user(
            client, f"pm-{group}", "ProjectManager", f"writeProject:{corpus.project.name}", groups=("press",)
        )
        body = [document(group, other), document(f"new-{group}", "New words")]
        answer = caller.post(f"{corpus.path}/documents/_import_documents", json=body)
        corpus.run_jobs()
        report = caller.get(f"{corpus.path}/job/{answer.json()['id']}/items").json()["items"]
        lines |= {line["documentIdentifier"]: line for line in report}
    assert {name: line["outcome"] for name, line in lines.items()} == {
        "press": "replaced",
        "new-press": "imported",
        "law": "refused",
        "new-law": "imported",
    }
    assert lines["law"]["message"] == "This identifier is in use"
    assert corpus.caller.get(f"{corpus.path}/documents/law").json()["text"] == "Paris for law"


def test_reports_do_not_name_inaccessible_documents(guarded_corpus: Corpus, as_user: Any, client: Any) -> None:
    corpus = guarded_corpus
    reader = as_user(client, "paula", "ProjectManager", f"writeProject:{corpus.project.name}", groups=("press",))
    body = [document("late", "Late words")]
    job = corpus.caller.post(
        f"{corpus.path}/documents/_import_documents", params={"groupName": "law"}, json=body
    ).json()["id"]
    corpus.run_jobs()
    for address in (f"job/{job}/items", f"job/{job}/items/_export"):
        assert corpus.caller.get(f"{corpus.path}/{address}").status_code == 200
        assert reader.get(f"{corpus.path}/{address}").status_code == 403
    mixed = corpus.caller.post(f"{corpus.path}/documents/_import_documents", json=body).json()["id"]
    corpus.run_jobs()
    assert corpus.caller.get(f"{corpus.path}/job/{mixed}/items").json()["total"] == 1
    assert reader.get(f"{corpus.path}/job/{mixed}/items").json()["items"] == []
    assert "late" not in reader.get(f"{corpus.path}/job/{mixed}/items/_export").text


def test_an_inaccessible_document_can_be_neither_read_nor_written(
    guarded_corpus: Corpus, as_user: Any, client: Any
) -> None:
    corpus = guarded_corpus
    reader = as_user(client, "paula", "ProjectManager", f"writeProject:{corpus.project.name}", groups=("press",))
    body = {"documentIdentifier": "law", "labelName": "place", "start": 0, "end": 5}
    assert reader.post(f"{corpus.path}/annotations", json=body).status_code == 404
    assert (
        reader.post(f"{corpus.path}/categories", json={"documentIdentifier": "law", "labelName": "place"}).status_code
        == 404
    )
    query = {"documentIdentifier": "law", "segmentStart": 0}
    assert reader.post(f"{corpus.path}/segments/_context", params=query).status_code == 404
    assert reader.post(f"{corpus.path}/annotations/_count").json()["count"] == 2
    assert reader.get(f"{corpus.path}/corpusMetrics").json()["documentCount"] == 2
