"""The stored state of suggestions equals what the labelling says, whatever changed it; pages, counts and rights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from support.executed_statements import recorded_statements
from support.factories import Corpus, document
from support.project_archives import export_project, import_project

from annotarium.db.database import get_database
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Annotation, Category, Document, Group, Label, LabelSet, Project, Suggestion
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.suggesters.repository import replace_suggestions
from annotarium.domains.trainables.examples import training_examples
from annotarium.settings import get_settings

LABELS = ("person", "place", "film")
SORTS = ("sampling", "best", "worst", "newest", "random")
WORDS = ("Anna", "Paris", "Alien")
TEXT = " ".join(f"{word} in {number}." for number, word in enumerate(WORDS * 2))
DOCUMENTS, SUGGESTIONS = 12, 24


def suggest(corpus: Corpus, proposals: Callable[[int], dict[str, Any]], count: int, suggester: str = "s") -> None:
    """Store suggestions, `count` of them on as many segments, as a suggester does."""
    with unit_of_work(actor="tests", write=True) as unit:
        ids = dict(
            unit.session.query(Document.identifier, Document.id).filter_by(
                project_id=corpus.project.id, deleted_at=None
            )
        )
        rows = [
            {
                "id": new_id(),
                "project_id": corpus.project.id,
                "document_id": ids[f"d{number % DOCUMENTS}"],
                "annotations": [],
                "categories": [],
                "confidence": (number * 7 % 10) / 10,
                "priority": (number * 3 % 5) / 5,
                "suggester": suggester,
                "created_at": now_ms() + number // 4,
            }
            | proposals(number)
            for number in range(count)
        ]
        replace_suggestions(unit.session, corpus.project.id, suggester, rows)


def span_proposals(number: int) -> dict[str, Any]:
    """Two spans in the first or the second half of the text of a document."""
    half = TEXT.index(WORDS[0], 1) * (number // DOCUMENTS % 2)
    first, second = WORDS[number % 3], WORDS[(number + 1) % 3]
    spans = []
    for place, word in enumerate((first, second)):
        start = TEXT.index(word, half)
        label = LABELS[(number + place) % 3]
        spans.append({"labelName": label, "start": start, "end": start + len(word), "text": word, "score": 0.5})
    return {"start": half, "end": min(len(TEXT), half + TEXT.index(WORDS[0], 1)), "annotations": spans}


@pytest.fixture
def filled(corpus: Corpus) -> Corpus:
    corpus.add(*(document(f"d{number}", TEXT) for number in range(DOCUMENTS)))
    corpus.add_labels(*LABELS)
    suggest(corpus, span_proposals, SUGGESTIONS)
    return corpus


def listed(corpus: Corpus, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = corpus.get("/suggestions", params={"size": 500, "facet": True} | parameters)
    return found


def proposals_of(found: dict[str, Any]) -> set[tuple[Any, ...]]:
    return {
        (one["documentIdentifier"], item.get("start"), item["labelName"])
        for one in found["suggestions"]
        for item in [*one["annotations"], *one["categories"]]
    }


def expected(corpus: Corpus) -> set[tuple[Any, ...]]:
    """The unanswered proposals, from the tables of labelling alone: the reference of the stored state."""
    with unit_of_work(actor="tests", write=False) as unit:
        session, project_id = unit.session, corpus.project.id
        project = session.get(Project, project_id)
        assert project is not None
        names = {one.id: one for one in session.query(Label).filter_by(project_id=project_id)}
        exclusive = {one.id: one.exclusive_classes for one in session.query(LabelSet).filter_by(project_id=project_id)}
        live = {one.name: one.label_set_id for one in names.values() if one.deleted_at is None}
        judged, decided = set(), set()
        for table in (Annotation, Category):
            for row in session.query(table).filter(table.project_id == project_id, table.deleted_at.is_(None)):
                if row.status is not None:
                    judged.add((row.document_id, row.start, row.end, names[row.label_id].name))
                if table is Category and row.status == "OK" and row.start is None:
                    decided.add((row.document_id, names[row.label_id].label_set_id))
        everywhere = project.nature == "classification" and project.exclusive_classes
        found = set()
        documents = {
            one.id: one.identifier for one in session.query(Document).filter_by(project_id=project_id, deleted_at=None)
        }
        for row in session.query(Suggestion).filter(Suggestion.document_id.in_(documents)):
            for item in [*row.annotations, *row.categories]:
                name, place = item["labelName"], (item.get("start"), item.get("end"))
                if name not in live or (row.document_id, *place, name) in judged:
                    continue
                one_only = everywhere or exclusive[live[name]]
                if place[0] is None and one_only and (row.document_id, live[name]) in decided:
                    continue
                found.add((documents[row.document_id], item.get("start"), name))
        return found


def check(corpus: Corpus) -> set[tuple[Any, ...]]:
    """The list, its total, its facets and its filters agree with the labelling; returns the open proposals."""
    found = listed(corpus)
    open_ = proposals_of(found)
    assert open_ == expected(corpus)
    assert found["total"]["value"] == len(found["suggestions"])
    facets = {one["name"]: {two["key"]: two["doc_count"] for two in one["buckets"]} for one in found["aggregations"]}
    counted: dict[str, Counter[str]] = {name: Counter() for name in ("label", "suggester", "confidence")}
    for one in found["suggestions"]:
        counted["label"].update({item["labelName"] for item in [*one["annotations"], *one["categories"]]})
        counted["suggester"][one["suggester"]] += 1
        counted["confidence"][f"{int(min(one['confidence'], 0.999) * 10) / 10:.1f}"] += 1
    assert facets == {name: dict(values) for name, values in counted.items() if values}
    for name, values in counted.items():
        for value, number in values.items():
            assert listed(corpus, filter=f"+{name}:{value}", size=0)["total"]["value"] == number
    return open_


def span(one: dict[str, Any], number: int = 0, status: str | None = "OK") -> dict[str, Any]:
    """An answer to a proposal of a listed suggestion."""
    proposal = one["annotations"][number]
    body = {name: proposal[name] for name in ("labelName", "start", "end")}
    return body | {"documentIdentifier": one["documentIdentifier"], "status": status}


def test_answers_and_their_undo_are_followed(filled: Corpus) -> None:
    """T-021: accepted, rejected, changed and deleted annotations, one by one; undo and redo."""
    everything = check(filled)
    first, second = listed(filled)["suggestions"][:2]
    made = filled.post("/annotations", json=span(first))
    assert len(check(filled)) == len(everything) - 1
    filled.post("/annotations", json=span(first, 1, "KO"))
    assert first["_id"] not in [one["_id"] for one in listed(filled)["suggestions"]]
    check(filled)
    filled.patch(f"/annotations/{made['identifier']}", json={"status": None})
    check(filled)
    filled.delete(f"/annotations/{made['identifier']}")
    check(filled)
    for _ in range(4):
        filled.post(f"/documents/{first['documentIdentifier']}/_history/_undo")
        check(filled)
    assert check(filled) == everything
    filled.post(f"/documents/{first['documentIdentifier']}/_history/_redo")
    assert len(check(filled)) == len(everything) - 1
    # An unreviewed annotation at the same place answers nothing until a person judges it.
    machine = filled.post("/annotations", json=span(second, 0, None) | {"creationMode": "automatic"})
    place = (second["documentIdentifier"], second["annotations"][0]["start"], second["annotations"][0]["labelName"])
    assert place in check(filled)
    filled.patch(f"/annotations/{machine['identifier']}", json={"status": "OK"})
    assert place not in check(filled)


def test_skips_and_removed_documents_are_followed(filled: Corpus) -> None:
    everything = check(filled)
    one = listed(filled)["suggestions"][0]
    filled.delete(f"/suggestions/{one['_id']}")
    assert len(check(filled)) == len(everything) - 2
    filled.post(f"/documents/{one['documentIdentifier']}/_history/_undo")
    assert check(filled) == everything
    filled.delete("/documents/d3")
    assert not [place for place in check(filled) if place[0] == "d3"]
    filled.post("/annotations/_clear")
    check(filled)
    assert filled.post("/suggestions/_clear")["count"] == SUGGESTIONS
    assert check(filled) == set()


def test_operations_on_many_annotations_are_followed(filled: Corpus) -> None:
    """Occurrences labelled in one go, annotations cleared, and both undone."""
    everything = check(filled)
    for one in listed(filled)["suggestions"][:6]:
        filled.post("/annotations", json=span(one))
    answered = check(filled)
    assert len(everything) - len(answered) == 6
    filled.post("/annotations/_clear")
    assert check(filled) == everything
    body = {"text": "Paris", "labelName": "place", "scope": "corpus", "status": "OK"}
    labelled = filled.post("/annotations/_label_occurrences", json=body)
    filled.run_jobs()
    assert len(check(filled)) < len(everything), labelled


def test_labels_that_go_and_come_back_are_followed(filled: Corpus) -> None:
    """S-033: proposals of a deleted label are not shown; its restoring shows them again. Merging answers nothing."""
    everything = check(filled)
    one = listed(filled)["suggestions"][0]
    filled.post("/annotations", json=span(one))
    answer = filled.delete("/labels/place")
    filled.run_jobs()
    left = check(filled)
    assert left and not [place for place in left if place[2] == "place"]
    filled.post(f"/job/{answer['removeJob']['id']}/_undo") if answer.get("removeJob") else filled.post(
        "/labels", json={"label": "place", "name": "place"}
    )
    filled.run_jobs()
    assert len(check(filled)) == len(everything) - 1
    merged = filled.post("/labels/_merge", json={"names": ["film", "person"]})
    filled.run_jobs()
    assert check(filled) < everything
    assert merged


def category_proposals(number: int) -> dict[str, Any]:
    names = LABELS[number % 3 :][:2]
    return {"start": 0, "end": len(TEXT), "categories": [{"labelName": name, "score": 0.5} for name in names]}


def test_exclusive_label_sets_are_followed(topics: Corpus) -> None:
    """V-010: a confirmed category answers all proposals of an exclusive set; not those of other documents."""
    topics.add(*(document(f"d{number}", TEXT) for number in range(DOCUMENTS)))
    topics.add_labels(*LABELS)
    suggest(topics, category_proposals, DOCUMENTS)
    everything = check(topics)
    topics.post("/categories", json={"documentIdentifier": "d0", "labelName": "film", "status": "OK"})
    assert not [place for place in check(topics) if place[0] == "d0"]
    topics.patch("/config", 204, json={"classification": {"exclusive_classes": False}})
    assert [place for place in check(topics) if place[0] == "d0"]
    label_set = topics.get("/label_sets")[0]["name"]
    topics.patch(f"/label_sets/{label_set}", json={"exclusiveClasses": True})
    assert not [place for place in check(topics) if place[0] == "d0"]
    topics.post("/documents/d0/_history/_undo")
    assert check(topics) == everything


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("answer", ["accepted", "skipped"])
def test_no_suggestion_is_lost_or_twice_while_pages_are_answered(filled: Corpus, sort: str, answer: str) -> None:
    """C-024, C-063: the next page begins after those of this page that are still open, in every order."""
    order = [one["_id"] for one in listed(filled, sort=sort)["suggestions"]]
    assert len(set(order)) == SUGGESTIONS
    seen, start = [], 0
    while page := listed(filled, sort=sort, size=5, **{"from": start})["suggestions"]:
        seen += [one["_id"] for one in page]
        for one in page[::2]:
            if answer == "skipped":
                filled.delete(f"/suggestions/{one['_id']}")
            else:
                for number in range(len(one["annotations"])):
                    filled.post("/annotations", json=span(one, number))
        start += len(page) - len(page[::2])
    assert seen == order
    assert listed(filled, sort=sort, **{"from": 500})["suggestions"] == []


def test_filters_combine_and_facets_count_the_others(filled: Corpus) -> None:
    """Conflicts 11: values of one facet are alternatives; `+` requires, `-` excludes; a facet ignores its own."""
    everything = listed(filled)["suggestions"]
    labels = {one["_id"]: {item["labelName"] for item in one["annotations"]} for one in everything}
    bands = {one["_id"]: f"{int(one['confidence'] * 10) / 10:.1f}" for one in everything}

    def ids(filter_: str) -> set[str]:
        return {one["_id"] for one in listed(filled, filter=filter_)["suggestions"]}

    assert ids("label:person,label:film") == {key for key, has in labels.items() if has & {"person", "film"}}
    assert ids("+label:person,+label:film") == {key for key, has in labels.items() if has >= {"person", "film"}}
    assert ids("-label:person") == {key for key, has in labels.items() if "person" not in has}
    wanted = {key for key, has in labels.items() if "person" in has and bands[key] == "0.7"}
    found = listed(filled, filter="label:person,confidence:0.7")
    assert {one["_id"] for one in found["suggestions"]} == wanted
    facets = {one["name"]: {two["key"]: two["doc_count"] for two in one["buckets"]} for one in found["aggregations"]}
    others = Counter(name for key, has in labels.items() if bands[key] == "0.7" for name in has)
    assert facets["label"] == others
    assert facets["confidence"] == Counter(bands[key] for key, has in labels.items() if "person" in has)
    assert (ids("suggester:nobody"), ids("confidence:7")) == (set(), set())


def test_answers_of_others_and_hidden_documents(
    filled: Corpus, client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Answers of others count, even unreadable ones; documents of other groups are neither listed nor counted."""
    name = filled.project.name
    reader = as_user(client, "rita", "seeDatasetStats", f"readProject:{name}")
    path = f"{filled.path}/suggestions"
    assert client.get(path).status_code == 401
    assert as_user(client, "eve").get(path).status_code == 404
    everything = reader.get(path, params={"size": 500, "facet": True}).json()
    assert everything["total"]["value"] == SUGGESTIONS
    one = listed(filled)["suggestions"][0]
    for number in range(2):
        filled.post("/annotations", json=span(one, number))
    assert reader.get(path).json()["total"]["value"] == SUGGESTIONS - 1
    monkeypatch.setattr(get_settings(), "document_level_access", True)
    with unit_of_work(actor="tests", write=True) as unit:
        group = Group(name="other", label="other")
        unit.session.add(group)
        unit.session.flush()
        mine = unit.session.query(Document).filter_by(project_id=filled.project.id, identifier="d5").one()
        mine.origin_group_id = group.id
    hidden = [one for one in listed(filled)["suggestions"] if one["documentIdentifier"] == "d5"]
    assert hidden
    found = reader.get(path, params={"size": 500, "facet": True}).json()
    assert found["total"]["value"] == len(found["suggestions"]) == SUGGESTIONS - 1 - len(hidden)
    counted = {one["name"]: {two["key"]: two["doc_count"] for two in one["buckets"]} for one in found["aggregations"]}
    assert counted["suggester"] == {"s": len(found["suggestions"])}
    assert counted["label"] == Counter(
        name for one in found["suggestions"] for name in {item["labelName"] for item in one["annotations"]}
    )
    metrics = reader.get(f"{filled.path}/annotationMetrics").json()
    assert metrics["suggestionCount"] == sum(len(one["annotations"]) for one in found["suggestions"])


def test_the_dashboard_counts_unanswered_proposals_only(filled: Corpus) -> None:
    """S-039: as many as the list shows, also after some were answered; by label and by text."""
    for one in listed(filled)["suggestions"][:4]:
        filled.post("/annotations", json=span(one))
    shown = [item for one in listed(filled)["suggestions"] for item in one["annotations"]]
    metrics = filled.get("/annotationMetrics")
    assert metrics["suggestionCount"] == len(shown) == 2 * SUGGESTIONS - 4
    for field, name in (("labels", "labelName"), ("texts", "text")):
        counted = {one["_id"]: one["count"] for one in metrics["suggestionFacets"][field]}
        assert counted == Counter(item[name] for item in shown)
    light = filled.get("/annotationMetrics", params={"computeTexts": False})["suggestionFacets"]
    assert (light["labels"], light["texts"]) == (metrics["suggestionFacets"]["labels"], [])


def test_damaged_proposals_leave_the_rest_of_the_list(filled: Corpus) -> None:
    broken = {"annotations": ["?", {"labelName": ["x"]}, {"labelName": "person"}], "categories": [None]}
    whole = {"start": 0, "end": len(TEXT)}
    suggest(filled, lambda number: whole | broken if number else span_proposals(1), 2, "other")
    assert len([one for one in listed(filled)["suggestions"] if one["suggester"] == "other"]) == 1
    assert listed(filled)["total"]["value"] == SUGGESTIONS + 1


def test_a_restored_archive_has_the_same_open_suggestions(filled: Corpus) -> None:
    one = listed(filled)["suggestions"][0]
    filled.post("/annotations", json=span(one))
    open_ = check(filled)
    name, job = import_project(filled, export_project(filled))
    assert job["status"] == "COMPLETED", job
    copy = filled.caller.get(f"/api/projects/{name}/suggestions", params={"size": 500, "facet": True}).json()
    assert proposals_of(copy) == open_
    assert copy["total"]["value"] == len(copy["suggestions"])
    assert copy["aggregations"] == listed(filled)["aggregations"]


def test_a_segment_that_was_read_is_a_negative_example(filled: Corpus) -> None:
    """ "Nothing more here" rejects what is proposed: the segment then teaches models that nothing occurs in it."""

    def examples() -> dict[tuple[str, int], list[tuple[str, str | None]]]:
        with unit_of_work(actor="tests", write=False) as unit:
            project = unit.session.get(Project, filled.project.id)
            assert project is not None
            return {
                (one.name, one.start): [(item.text or "", item.status) for item in one.document.annotations]
                for one in training_examples(unit.session, project)
            }

    assert examples() == {}
    read, skipped, corrected = listed(filled)["suggestions"][:3]
    for number in range(len(read["annotations"])):
        filled.post("/annotations", json=span(read, number, "KO"))
    filled.delete(f"/suggestions/{skipped['_id']}")
    # A moved boundary: the proposed span is rejected, the moved one confirmed; nothing else is answered.
    proposed = corrected["annotations"][0]
    filled.post("/annotations", json=span(corrected, 0, "KO"))
    filled.post("/annotations", json=span(corrected) | {"end": proposed["end"] + 3})
    found = examples()
    negative = [place for place, items in found.items() if items and {status for _, status in items} == {"KO"}]
    assert {name for name, _ in negative} >= {read["documentIdentifier"]}
    assert skipped["documentIdentifier"] not in {name for name, _ in found}, "skipping teaches nothing"
    of_corrected = [items for (name, _), items in found.items() if name == corrected["documentIdentifier"]]
    assert sorted(status or "" for items in of_corrected for _, status in items) == ["KO", "OK"]
    open_ = check(filled)
    assert (corrected["documentIdentifier"], proposed["start"], proposed["labelName"]) not in open_
    assert not [
        place for place in open_ if place[:2] in {(read["documentIdentifier"], read["annotations"][0]["start"])}
    ]


def test_imports_are_followed(filled: Corpus) -> None:
    """S-001: documents imported again bring confirmed and rejected labelling, or none; new ones have no suggestions."""
    everything = check(filled)
    first, second = [one for one in listed(filled)["suggestions"] if one["documentIdentifier"] == "d1"][:2]
    judged = [span(first), span(second, 1, "KO")]
    for one in judged:
        one["text"] = TEXT[one["start"] : one["end"]]
        one.pop("documentIdentifier")
    filled.add(document("d1", TEXT) | {"annotations": judged}, document("new", TEXT))
    left = check(filled)
    assert left < everything
    assert not [place for place in left if place[0] == "new"]


FILTERS = ("", "+label:person", "label:person,label:film,confidence:0.7", "-label:place,suggester:s")


@pytest.mark.parametrize("filter_", FILTERS)
def test_the_number_of_statements_does_not_grow_with_the_suggestions(filled: Corpus, filter_: str) -> None:
    """C-063: few suggestions or twenty times as many, a page of them costs the same statements."""
    counts = []
    for number in range(2):
        if number:
            suggest(filled, span_proposals, 20 * SUGGESTIONS, "s")
        parameters = {"size": 2, "filter": filter_}
        listed(filled, **parameters)
        with recorded_statements() as statements:
            assert len(listed(filled, **parameters)["suggestions"]) == 2
        counts.append(len(statements))
    assert counts[0] == counts[1]


@pytest.mark.parametrize("filter_", FILTERS)
@pytest.mark.parametrize(
    ("sort", "index", "sorted_by_index"),
    [
        ("sampling", "by_priority", True),
        ("best", "by_confidence", False),  # of equal confidence, the oldest first: only these are sorted
        ("worst", "by_confidence", True),
        ("newest", "by_created_at", True),
    ],
)
def test_pages_and_counts_are_read_from_indexes(
    filled: Corpus, filter_: str, sort: str, index: str, *, sorted_by_index: bool
) -> None:
    """Counts scan one index once; a page comes from the index of its order, which also decides about filters."""
    engine = get_database().read_engine
    if engine.dialect.name != "sqlite":
        pytest.skip("PostgreSQL chooses by its statistics")
    with recorded_statements() as statements:
        listed(filled, sort=sort, filter=filter_, size=2)
    counts = [one for one in statements if "suggestions" in one[0] and "count(" in one[0]]
    pages = [one for one in statements if one[0].startswith("SELECT suggestions.id \n") and "ORDER BY" in one[0]]
    assert (len(counts), len(pages)) == (1, 1)
    plans = []
    with engine.connect() as connection:
        for statement, parameters in (*counts, *pages):
            rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.append([row[3] for row in rows])
    assert any(line.startswith("SEARCH suggestions USING COVERING INDEX ix_suggestions_by_facets") for line in plans[0])
    assert not any("B-TREE" in line for line in plans[0])
    assert plans[1][0].startswith(f"SEARCH suggestions USING COVERING INDEX ix_suggestions_{index} ")
    assert sorted_by_index is not any("B-TREE" in line for line in plans[1])
    assert not any("B-TREE FOR ORDER BY" in line for line in plans[1])
