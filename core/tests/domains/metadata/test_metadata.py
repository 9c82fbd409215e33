"""Metadata, origins, alternative texts and index of a project's documents through the API."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.db.models import Document, Group, History
from annotarium.db.unit_of_work import unit_of_work
from annotarium.settings import get_settings


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    metadata: list[dict[str, Any]] = [
        {"source": "press", "year": 1990, "draft": True, "key": f"k{number}", "tags": ["a", "b"]} for number in range(4)
    ]
    metadata[3] |= {"source": "radio", "tags": "a"}
    corpus.add(
        *(
            document(
                f"d{number}", f"Text {number}.", metadata=values, altTexts=[{"name": "short", "text": str(number)}]
            )
            for number, values in enumerate(metadata)
        )
    )
    return corpus


def test_metadata_are_listed_with_their_values(filled: Corpus) -> None:
    (definition,) = filled.get("/metadata")
    entries = {entry["metadataName"]: entry for entry in definition["metadata"]}
    assert list(entries) == ["draft", "key", "source", "tags", "year"]
    assert entries["source"]["distinctMetadataValues"] == ["press", "radio"]
    assert (entries["source"]["kind"], entries["year"]["kind"], entries["draft"]["kind"]) == (
        "text",
        "number",
        "boolean",
    )
    assert [name for name, entry in entries.items() if entry["isMultiple"]] == ["tags"]
    assert (entries["key"]["count"], entries["key"]["distinctCount"], entries["key"]["isEditable"]) == (4, 4, True)


def test_facets_are_selected_among_filterable_metadata(filled: Corpus) -> None:
    filled.post("/_generateFacets", 204, params={"mode": "PRESERVE"})
    assert filled.get("/config")["metafacets"] == ["source", "tags"]
    filled.patch("/config", 204, json={"metafacets": ["year"]})
    filled.post("/_generateFacets", 204, params={"mode": "PRESERVE"})
    assert filled.get("/config")["metafacets"] == ["year"]
    filled.post("/_generateFacets", 204, params={"mode": "APPEND"})
    assert filled.get("/config")["metafacets"] == ["year", "source", "tags"]
    filled.post("/_generateFacets", 204, params={"mode": "OVERWRITE"})
    assert filled.get("/config")["metafacets"] == ["source", "tags"]
    filled.post("/_generateFacets", 400, params={"mode": "GUESS"})


def test_searches_show_the_selected_facets_in_their_order(filled: Corpus) -> None:
    def shown() -> list[str]:
        found = filled.post("/documents/_search", params={"facet": True, "size": 0})["aggregations"]
        return [one["name"] for one in found if one["name"].startswith("metadata.")]

    assert sorted(shown()) == [f"metadata.{name}" for name in ("draft", "key", "source", "tags", "year")]
    filled.patch("/config", 204, json={"metafacets": ["year", "source", "absent"]})
    assert shown() == ["metadata.year", "metadata.source"]
    found = filled.post("/documents/_search", params={"selectedFacets": "metadata.tags:b"})
    assert found["total"]["value"] == 3, "what is not shown can still be selected"


def test_a_project_sets_titles_and_types_of_its_facets(filled: Corpus) -> None:
    chosen = [
        {"name": "year", "title": " Jahr "},
        "source",
        {"name": "key", "type": "text"},
        {"name": "tags", "type": None},
    ]
    filled.patch("/config", 204, json={"metafacets": chosen})
    kept = [{"name": "year", "title": "Jahr"}, "source", {"name": "key", "type": "text"}, "tags"]
    assert filled.get("/config")["metafacets"] == kept
    filled.post("/_generateFacets", 204, params={"mode": "APPEND"})
    assert filled.get("/config")["metafacets"] == kept
    found = filled.post("/documents/_search", params={"facet": True, "size": 0})["aggregations"]
    shown = {one["name"]: one for one in found if one["name"].startswith("metadata.")}
    assert list(shown) == ["metadata.year", "metadata.source", "metadata.key", "metadata.tags"]
    assert shown["metadata.year"]["title"] == "Jahr"
    assert "title" not in shown["metadata.source"]
    for kind in ("number", "text", "date"):
        filled.patch("/config", 204, json={"metafacets": [{"name": "source", "type": kind}]})
        in_json = filled.post("/segments/_do_search", json={"output": {"facets": True}})["aggregations"]
        (facet,) = [one for one in in_json if one["name"] == "metadata.source"]
        assert facet.get("valueKind") == (None if kind == "text" else kind)
    wrong: list[Any] = [[7], [{"title": "x"}], [{"name": "a", "type": "colour"}], ["a", {"name": "a"}]]
    for given in [*wrong, [{"name": "a", "b": 1}]]:
        refused = filled.patch("/config", 400, json={"metafacets": given})
        assert refused["details"][0]["field"] == "metafacets", given


def test_origins_are_those_of_accessible_documents(
    filled: Corpus, as_user: Any, client: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    insider = as_user(client, "ines", "Reader", f"readProject:{filled.project.name}", groups=("press",))
    outsider = as_user(client, "omar", "Reader", f"readProject:{filled.project.name}", groups=("radio",))
    with unit_of_work(actor="tests", write=True) as unit:
        group = unit.session.scalars(select(Group).where(Group.name == "press")).one()
        group.identifier, group.mapping_discriminator = "idp-press", "identifier"
        query = select(Document).where(Document.project_id == filled.project.id, Document.identifier == "d3")
        unit.session.scalars(query).one().origin_group_id = group.id
    told = {"name": "press", "label": "Press", "identifier": "idp-press", "mappingDiscriminator": "identifier"}
    assert filled.get("/origins") == [told]
    monkeypatch.setattr(get_settings(), "document_level_access", True)
    path = f"{filled.path}/origins"
    assert [one["name"] for one in insider.get(path).json()] == ["press"]
    assert outsider.get(path).json() == []
    (definition,) = outsider.get(f"{filled.path}/metadata").json()
    assert "radio" not in str(definition)
    assert outsider.get(f"{filled.path}/alt_texts").json() == [{"name": "short", "count": 3}]


def test_alternative_texts_are_counted_and_deleted_and_stay_in_history(filled: Corpus) -> None:
    """D-014, conflict 14: entries may carry their count."""
    assert filled.get("/alt_texts") == [{"name": "short", "count": 4}]
    assert filled.post("/alt_texts/_delete", json=[]) == {"removed": 0}
    answer = filled.post("/alt_texts/_delete", json=[{"name": "short", "count": 4}], params={"withDetails": True})
    assert answer == {"removed": 4, "details": [{"name": "short", "count": 4}]}
    assert (filled.get("/alt_texts"), filled.get("/documents/d1")["altTexts"]) == ([], [])
    with unit_of_work(actor="", write=False) as unit:
        query = select(History).where(History.project_id == filled.project.id, History.entity == "alt_text")
        kept = unit.session.scalars(query).all()
    assert sorted(row.before["text"] for row in kept if row.before) == ["0", "1", "2", "3"]
    assert {(row.action, row.actor) for row in kept} == {("deleted", "root")}


def test_all_alternative_texts_are_deleted_together(filled: Corpus) -> None:
    assert filled.post("/alt_texts/_delete", json=[], params={"all": True}) == {"removed": 4}


def test_a_sample_has_as_many_documents_as_requested(filled: Corpus, as_user: Any, client: Any) -> None:
    """Distinct documents, as many as there are, 1,000 at most."""
    everything = {one["identifier"] for one in filled.post("/documents/_sample")}
    assert len(everything) == len(filled.get("/documents"))
    two = filled.post("/documents/_sample", params={"sampleSize": 2})
    assert len({one["identifier"] for one in two}) == 2 and {one["identifier"] for one in two} < everything
    assert filled.post("/documents/_sample", params={"sampleSize": 0}) == []
    assert len(filled.post("/documents/_sample", params={"sampleSize": 1_000})) == len(everything)
    for wrong in (1_001, -1, "many"):
        filled.post("/documents/_sample", 400, params={"sampleSize": wrong})
    path = f"{filled.path}/documents/_sample"
    reader = as_user(client, "rita", f"readProject:{filled.project.name}")
    stranger = as_user(client, "stan", "ProjectManager")
    assert [who.post(path).status_code for who in (client, stranger, reader)] == [401, 404, 403]


def test_index_of_one_document(filled: Corpus) -> None:
    assert filled.post("/documents/d1/_index", params={"indexes": "document"}) == {"ok": True}
    filled.post("/documents/absent/_index", 404)
    filled.post("/documents/d1/_index", 400, params={"indexes": "everything"})
    filled.post("/_flush", 204)


def test_permissions_on_metadata(filled: Corpus, as_user: Any, client: Any) -> None:
    reader = as_user(client, "rita", "Reader", f"readProject:{filled.project.name}")
    writer = as_user(client, "will", "Annotator", f"writeProject:{filled.project.name}")
    stranger = as_user(client, "stan", "ProjectManager")
    for name in ("metadata", "origins", "alt_texts"):
        answers = [who.get(f"{filled.path}/{name}").status_code for who in (client, stranger, reader)]
        assert answers == [401, 404, 200], name
    assert reader.get(f"{filled.path}/metadata").json()[0]["metadata"][0]["isEditable"] is False
    posts: dict[str, dict[str, Any]] = {
        "alt_texts/_delete": {"json": [{"name": "short"}]},
        "_generateFacets": {"params": {"mode": "APPEND"}},
    }
    for name, arguments in posts.items():
        callers = (client, stranger, reader, writer)
        answers = [who.post(f"{filled.path}/{name}", **arguments).status_code for who in callers]
        assert answers == [401, 404, 403, 403], name
    assert filled.get("/alt_texts") == [{"name": "short", "count": 4}]
