"""The index equals the database: after random labelling, the facet counts of documents and segments equal those of
SQL."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select
from support.factories import Corpus, document

from annotarium.db.models import Annotation, Category, Document, Label, Outbox, Segment
from annotarium.db.unit_of_work import unit_of_work
from annotarium.search.engine_factory import get_search_engine
from annotarium.search.index_and_search_types import IndexDoc, IndexPatch, Kind
from annotarium.search.index_verification import verify
from annotarium.search.indexer import get_outbox_relay, index_key, rebuild

TEXTS = ("Ann saw Bob. Bob left. Nobody came.", "One. Two three. Four five six.", "Only one sentence here")
LABELS = ("person", "place", "thing")
PLAIN = ("label", "classificationLabel", "createdBy", "status", "creationMode", "inDataset")


@pytest.fixture
def corpus(as_admin: Any, make_project: Any, run_jobs: Callable[[], list[str]], client: Any) -> Corpus:
    corpus = Corpus(as_admin, make_project(lang="en"), run_jobs)
    corpus.add(*(document(f"d{number}", text) for number, text in enumerate(TEXTS)))
    corpus.add_labels(*LABELS)
    return corpus


def counted(corpus: Corpus, kind: str) -> dict[str, dict[str, int]]:
    answer = corpus.post(f"/{kind}/_search", params={"facet": True, "size": 0})
    return {
        one["name"]: {bucket["key"]: bucket["doc_count"] for bucket in one["buckets"]}
        for one in answer["aggregations"]
        if one["name"] in PLAIN or "(" in one["name"]
    }


def expected_facet_counts(corpus: Corpus, kind: str) -> dict[str, dict[str, int]]:
    """The same counts, computed directly from the tables."""
    with unit_of_work(actor="tests", write=False) as unit:
        session = unit.session
        names = {label.id: label.name for label in session.scalars(select(Label))}
        documents = list(
            session.scalars(
                select(Document.id).where(Document.project_id == corpus.project.id, Document.deleted_at.is_(None))
            )
        )
        pieces = [(one, 0, 10**9) for one in documents]
        if kind == "segments":
            rows = session.execute(select(Segment.document_id, Segment.start, Segment.end))
            pieces = [(row[0], row[1], row[2]) for row in rows if row[0] in documents]
        tables: tuple[type[Annotation] | type[Category], ...] = (Annotation, Category)
        rows_of = {table: list(session.scalars(select(table).where(table.deleted_at.is_(None)))) for table in tables}
    counts: dict[str, Counter[str]] = {}
    for document_id, start, end in pieces:
        values: set[tuple[str, str]] = set()
        confirmed = False
        for table, facet in ((Annotation, "label"), (Category, "classificationLabel")):
            for row in rows_of[table]:
                here = row.start is None or (row.start < end and (row.end or 0) > start)
                if row.document_id != document_id or not here:
                    continue
                values |= {("createdBy", row.created_by), ("status", row.status or "undefined")}
                values.add(("creationMode", row.creation_mode))
                if row.status != "KO":
                    name = names[row.label_id]
                    values |= {(facet, name), (f"{facet}({row.created_by})", name)}
                    confirmed |= row.status == "OK" or row.creation_mode != "automatic"
        values.add(("inDataset", "true" if confirmed else "false"))
        for facet, value in values:
            counts.setdefault(facet, Counter())[value] += 1
    return {name: dict(values) for name, values in counts.items()}


def agree(corpus: Corpus) -> None:
    for kind in ("documents", "segments"):
        assert counted(corpus, kind) == expected_facet_counts(corpus, kind), kind


def some_span(draw: random.Random) -> tuple[int, int, int]:
    number = draw.randrange(len(TEXTS))
    start = draw.randrange(len(TEXTS[number]) - 1)
    return number, start, draw.randrange(start + 1, min(len(TEXTS[number]), start + 15) + 1)


def one_step(corpus: Corpus, draw: random.Random, made: list[str], gone: list[str], kinds: list[str]) -> None:
    """Make a random change through the API."""
    kind = draw.choice(kinds)
    label = draw.choice([one["name"] for one in corpus.get("/labels")] or ["person"])
    number, start, end = some_span(draw)
    if kind == "annotate":
        body = {"documentIdentifier": f"d{number}", "labelName": label, "start": start, "end": end}
        more = draw.choice([{}, {"status": "KO"}, {"status": None, "creationMode": "automatic"}])
        answer = corpus.caller.post(f"{corpus.path}/annotations", json=body | more)
        made += [answer.json()["identifier"]] if answer.status_code == 200 else []
    elif kind == "categorise":
        place = draw.choice([{}, {"start": start, "end": end}])
        body = {"documentIdentifier": f"d{number}", "labelName": label, "status": draw.choice(["OK", "KO"])}
        corpus.caller.post(f"{corpus.path}/categories", json=body | place)
    elif kind == "change" and made:
        change = draw.choice([{"status": "KO"}, {"status": "OK"}, {"status": None}, {"labelName": label}, {"start": 0}])
        corpus.caller.patch(f"{corpus.path}/annotations/{draw.choice(made)}", json=change)
    elif kind == "delete" and made:
        gone.append(made.pop(draw.randrange(len(made))))
        corpus.caller.delete(f"{corpus.path}/annotations/{gone[-1]}")
    elif kind == "restore" and gone:
        corpus.caller.post(f"{corpus.path}/annotations/{gone.pop()}/_restore")
    elif kind == "drop_label":
        corpus.caller.delete(f"{corpus.path}/labels/{label}")
        corpus.caller.post(f"{corpus.path}/labels", json={"label": draw.choice(LABELS)})
    elif kind == "merge":
        names = draw.sample(LABELS, 2)
        corpus.caller.post(f"{corpus.path}/labels/_merge", json={"names": names})
    elif kind == "clear":
        corpus.caller.post(f"{corpus.path}/annotations/_clear", params={"labels": [label]})
    elif kind == "document":
        corpus.add(document(f"d{number}", TEXTS[number] + " " * draw.randrange(3)))


@pytest.mark.parametrize("seed", range(2))
def test_facets_follow_every_change(corpus: Corpus, seed: int) -> None:
    draw = random.Random(seed)
    kinds = ["annotate"] * 8 + ["categorise"] * 3 + ["change"] * 4 + ["delete"] * 3 + ["restore"] * 2
    kinds += ["drop_label", "merge", "clear", "document"]
    made: list[str] = []
    gone: list[str] = []
    for step in range(48):
        one_step(corpus, draw, made, gone, kinds)
        if step % 6 == 5:
            agree(corpus)
    agree(corpus)
    before = {kind: counted(corpus, kind) for kind in ("documents", "segments")}
    name = corpus.project.name
    found = verify(name)[name]
    assert found["documents"] == found["indexed"] == len(TEXTS)
    assert found["segments"] == found["indexed_segments"] > 0
    assert found["differing"] == found["wrong"] == 0
    assert rebuild(name) == {name: len(TEXTS)}
    assert {kind: counted(corpus, kind) for kind in before} == before


def test_verify_finds_missing_items_and_rebuild_adds_them(corpus: Corpus) -> None:
    corpus.annotate("d0", "person", 0, 3)
    name = corpus.project.name
    key = index_key(corpus.project, "documents")
    first = corpus.post("/documents/_search", params={"size": 1})["hits"][0]["_id"]
    get_search_engine().bulk(key, deletes=[first])
    assert verify(name)[name]["indexed"] == len(TEXTS) - 1
    assert verify(name)[name]["differing"] > 0
    rebuild(name)
    assert verify(name)[name] | {"waiting": 0} == {
        "documents": 3, "indexed": 3, "segments": 7, "indexed_segments": 7, "differing": 0, "waiting": 0,
        "without_vectors": 0, "wrong": 0, "terms": 0, "indexed_terms": 0, "wrong_terms": 0,
    }  # fmt: skip
    agree(corpus)


def test_verify_finds_metadata_that_differs_from_the_database(corpus: Corpus) -> None:
    """Long values, lists with duplicates, and values that are not texts are compared in their indexed form."""
    name, key = corpus.project.name, index_key(corpus.project, "documents")
    odd = {"many": ["a", "a", ""], "number": 1.5, "flag": True, "long": "x" * 400, "source": "news"}
    corpus.add(document("d9", "Text.", metadata=odd))
    assert verify(name)[name]["differing"] == 0
    hit = corpus.post("/documents/_search", params={"query": "metadata.source:news"})["hits"][0]["_id"]
    get_search_engine().patch(key, [IndexPatch(hit, {"metadata.source": ["blog"]})])
    assert verify(name)[name]["differing"] == 2


@pytest.mark.parametrize("kind", ["documents", "segments"])
def test_verify_repairs_words_titles_and_dates_that_differ_from_the_database(corpus: Corpus, kind: Kind) -> None:
    name, key = corpus.project.name, index_key(corpus.project, kind)
    corpus.annotate("d0", "person", 0, 3)

    def found() -> list[Any]:
        """Scores are set to 0: OpenSearch counts replaced items until it merges."""
        return [hit | {"score": 0} for hit in corpus.post(f"/{kind}/_search", params={"query": "bob"})["hits"]]

    hits = found()
    facets = {"documentIdentifier": ["d0"], "document": [hits[0]["_id"].partition("-")[0]]}
    spoiled = IndexDoc(hits[0]["_id"], title="d0", text="Nobody said this.", facets=facets)
    get_search_engine().bulk(key, [spoiled])
    other = corpus.post(f"/{kind}/_search", params={"query": "two"})["hits"][0]["_id"]
    get_search_engine().patch(key, [IndexPatch(other, dates={"createdDate": 5.0})])
    assert verify(name)[name]["wrong"] == 2
    assert verify(name, repair=True)[name]["wrong"] == verify(name)[name]["wrong"] == 0
    assert found() == hits
    agree(corpus)


def test_verify_repairs_an_index_with_items_that_are_not_in_the_database(corpus: Corpus) -> None:
    name, key = corpus.project.name, index_key(corpus.project, "documents")
    get_search_engine().bulk(key, [IndexDoc("987654321", text="A document nobody imported.")])
    assert verify(name)[name]["indexed"] == len(TEXTS) + 1
    mended = verify(name, repair=True)[name]
    assert (mended["indexed"], mended["wrong"], mended["differing"]) == (len(TEXTS), 0, 0)


def test_outbox_rows_of_a_killed_process_are_applied_by_another(corpus: Corpus) -> None:
    """Rows that were committed but not applied wait in the outbox."""
    with unit_of_work(actor="tests", write=True) as unit:
        row = unit.session.scalars(select(Document).where(Document.project_id == corpus.project.id)).first()
        label = unit.session.scalars(select(Label).where(Label.project_id == corpus.project.id)).first()
        assert row is not None
        assert label is not None
        common = {"created_by": "x", "modified_by": "x", "creation_mode": "manual", "status": "OK"}
        unit.session.add(
            Annotation(
                project_id=corpus.project.id,
                document_id=row.id,
                label_id=label.id,
                start=0,
                end=3,
                text="Ann",
                **common,
            )
        )
        unit.session.add(Outbox(project_id=corpus.project.id, document_id=row.id, operation="facets", start=0, end=3))
    assert get_outbox_relay().apply_orphaned(older_than_ms=-5_000) >= 1
    assert corpus.facet("label") == {"person": 1}
    get_outbox_relay().delete_applied()
    assert get_outbox_relay().apply_orphaned(older_than_ms=-5_000) == 0


def test_replacing_or_deleting_a_document_removes_its_segments(corpus: Corpus) -> None:
    corpus.add(document("d0", "Short now."))
    total = corpus.post("/segments/_search", params={"size": 0})["total"]["value"]
    assert total == 1 + 3 + 1
    corpus.delete("/documents/d0")
    assert corpus.post("/segments/_search", params={"size": 0})["total"]["value"] == 3 + 1
    assert corpus.post("/documents/_search", params={"query": "short"})["hits"] == []
    agree(corpus)
