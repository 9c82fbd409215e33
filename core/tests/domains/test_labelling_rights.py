"""Which labelling of others a caller can read: the same in listings, searches, facets, figures, histories and exports.

Labelling of three creation modes (imported, manual, automatic) is read by callers with every choice of the permissions.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest
from support.factories import Corpus, document

from annotarium.settings import get_settings

MODES = ("automatic", "imported", "manual")
WORDS = {"automatic": "Paris", "imported": "Marie", "manual": "Lyon"}
TEXT = "Marie left Paris for Lyon with Paul."
READING = ("seeDocuments", "useSearch", "readFacet:*", "exportDocuments", "seeOverallStats", "exportProject")


def held(modes: tuple[str, ...], *more: str) -> tuple[str, ...]:
    return (*READING, *(f"readModeAnnot:{mode}" for mode in modes), *more)


@pytest.fixture
def labelled(corpus: Corpus) -> Corpus:
    """One document with one annotation of each creation mode, each with its own label, all by the same user."""
    corpus.add(document("d1", TEXT, (WORDS["imported"], "imported")))
    for mode in ("automatic", "manual"):
        corpus.post("/labels", json={"name": mode, "label": mode})
        start = TEXT.index(WORDS[mode])
        corpus.annotate("d1", mode, start, start + len(WORDS[mode]), creationMode=mode)
    return corpus


def reader_of(corpus: Corpus, as_user: Any, *grants: str, name: str = "rita") -> Corpus:
    """The corpus as another user reads it."""
    caller = as_user(corpus.caller.client, name, f"readProject:{corpus.project.name}", *grants)
    return Corpus(caller, corpus.project, corpus.run_jobs)


def labels_of(document: dict[str, Any]) -> set[str]:
    return {one["labelName"] for one in document.get("annotations", [])}


CHOICES = [chosen for size in range(4) for chosen in combinations(MODES, size)] + [("all",)]


def test_permissions_on_creation_modes_apply_to_every_response(labelled: Corpus, as_user: Any) -> None:
    """Users with the permission for a mode can read labelling of that mode in every response, others only their own."""
    for chosen in CHOICES:
        reader = reader_of(labelled, as_user, *held(chosen, "readUserAnnot:*"))
        seen = set(MODES) if chosen == ("all",) else set(chosen)
        listed = reader.get("/documents/d1")
        assert labels_of(listed) == seen, chosen
        hits = reader.post("/documents/_search", params={"outputFields": "annotations"})["hits"]
        assert labels_of(hits[0]["document"]) == seen, chosen
        info = reader.get("/_info", params={"computeMetrics": True})
        assert info["annotations"] == len(seen), chosen
        figures = reader.get("/annotationMetrics", params={"details": True})
        counted = {one["_id"] for one in figures["details"]["labels"]}
        assert counted == seen, chosen
        labels = reader.get("/labels", params={"includeCount": True})
        assert {one["name"] for one in labels if one["count"]} == seen, chosen
        entries = reader.get("/documents/d1/_history")["entries"]
        told = {(one.get("after") or one.get("before") or {}).get("labelName") for one in entries}
        assert told & set(MODES) == seen - {"imported"}, chosen  # an import is one history entry
        for kind in ("documents", "segments"):
            assert set(reader.facet("label", kind)) <= seen, (chosen, kind)
            assert set(reader.facet("creationMode", kind)) <= seen, (chosen, kind)
            for hidden in set(MODES) - seen:
                for asked in ({"query": f"label:{hidden}"}, {"selectedFacets": [f"+label(root):{hidden}"]}):
                    answer = reader.caller.post(f"{reader.path}/{kind}/_search", params=asked)
                    assert answer.status_code == 403 or not answer.json()["total"]["value"], (chosen, asked)


def test_facets_count_everything_for_readers_of_all_modes(labelled: Corpus, as_user: Any) -> None:
    """P-025: facets count others' labelling for users who can read all of it and may see the facet."""
    everything = reader_of(labelled, as_user, *held(("all",), "readUserAnnot:*"))
    assert everything.facet("label") == dict.fromkeys(MODES, 1)
    assert everything.facet("creationMode") == dict.fromkeys(MODES, 1)


def test_own_labelling_is_readable_without_any_permission(labelled: Corpus, as_user: Any) -> None:
    """P-023: users can read what they labelled, in lists, facets and counts."""
    grants = (*READING, f"writeProject:{labelled.project.name}")
    writer = reader_of(labelled, as_user, *grants, name="wanda")
    writer.annotate("d1", "manual", 0, 5)
    assert labels_of(writer.get("/documents/d1")) == {"manual"}
    assert writer.facet("label(wanda)") == {"manual": 1}
    assert writer.get("/_info", params={"computeMetrics": True})["annotations"] == 1


def test_exports_of_the_corpus_administrator_contain_the_labelling(labelled: Corpus, as_user: Any) -> None:
    """P-065: this role manages and exports the documents of all projects, including their labelling."""
    client = labelled.caller.client
    keeper = Corpus(as_user(client, "keeper", "PlatformCorpusAdmin"), labelled.project, labelled.run_jobs)
    exported = keeper.get("/documents")
    assert labels_of(exported[0]) == set(MODES)
    archive = keeper.caller.get(f"{keeper.path}/_export")
    assert archive.status_code == 200
    assert archive.content.startswith(b"PK")


@pytest.fixture
def guarded_corpus(corpus: Corpus, monkeypatch: pytest.MonkeyPatch, as_user: Any, client: Any) -> Iterator[Corpus]:
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    for group in ("press", "law"):
        as_user(client, f"of-{group}", "Reader", groups=(group,))
        corpus.add(document(group, f"Paris for {group}", ("Paris", "place")), groupName=group)
    corpus.add(document("open", "Paris for all", ("Paris", "place")))
    yield corpus
    get_settings.cache_clear()


def test_counts_of_a_project_leave_out_hidden_documents(guarded_corpus: Corpus, as_user: Any, client: Any) -> None:
    """Documents hidden by document-level access are in no count, neither of one project nor of the list of projects."""
    name = guarded_corpus.project.name
    caller = as_user(client, "petra", "Reader", "readUserAnnot:*", f"readProject:{name}", groups=("press",))
    info = caller.get(f"/api/projects/{name}/_info", params={"computeMetrics": True}).json()
    listed = caller.get("/api/projects", params={"computeMetrics": True}).json()
    for bean in (info, next(one for one in listed if one["name"] == name)):
        assert {key: bean[key] for key in ("documents", "segments", "annotations")} == {
            "documents": 2,
            "segments": 2,
            "annotations": 2,
        }
    full = guarded_corpus.get("/_info", params={"computeMetrics": True})
    assert (full["documents"], full["annotations"]) == (3, 3)


@pytest.mark.parametrize("grants", [("Reader",), ("Reader", "readUserAnnot:*"), ("Reader", "GroupMember")])
def test_the_role_reader_hides_the_dataset(labelled: Corpus, as_user: Any, grants: tuple[str, ...]) -> None:
    """P-055: whatever else a reader may read; a role that includes Reader shows the facet again."""
    reader = reader_of(labelled, as_user, *grants)
    assert reader.facet("inDataset") == {}
    assert reader.facet("inDataset", "segments") == {}
    narrow = {"label": "k", "permissions": ["useSearch", "readFacet:*", f"readProject:{reader.project.name}"]}
    key = reader.caller.post(f"/api/users/{reader.caller.username}/keys", json=narrow).json()["key"]
    path = f"{reader.path}/documents/_search"
    found = labelled.caller.client.post(path, params={"facet": True}, headers={"X-Kairntech-key": key}).json()
    assert "inDataset" not in {one["name"] for one in found["aggregations"]}
    more = reader_of(labelled, as_user, *grants, "ProjectManager", name="manuela")
    assert set(more.facet("inDataset")) == {"true"}
