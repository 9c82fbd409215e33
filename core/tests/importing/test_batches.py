"""Writing a batch of documents: the rows, and the notifications of the project."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select
from support.import_batches import PLAIN, ImportTarget, import_item, outcome_names

from annotarium.content import labels as labels_module
from annotarium.content.labels import LabelKey
from annotarium.content.training_data import training_data_changed
from annotarium.db.models import (
    AltText,
    Annotation,
    Category,
    Document,
    DocumentLayout,
    Group,
    History,
    Job,
    Label,
    LabelSet,
    Outbox,
    Relation,
)
from annotarium.db.models import (
    Segment as SegmentRow,
)
from annotarium.db.unit_of_work import unit_of_work
from annotarium.importing.document_preparation import PrepareOptions
from annotarium.importing.import_resolution import ImportItem, ImportResolution
from annotarium.importing.outcome import Outcome
from annotarium.importing.writer import label_keys, reject_over_label_limit

PLACE = {"start": 0, "end": 5, "labelName": "place"}
PRESS, SPORT = {"labelName": "press"}, {"labelName": "sport"}


def test_all_parts_of_a_document_are_written(place: ImportTarget) -> None:
    pair = {"start": 0, "end": 13, "labelName": "pair", "fragments": [[0, 5], [9, 13]], "status": "OK", "score": 0.5}
    facts = {"creationMode": "manual", "properties": {"a": 1}, "terms": [{"identifier": "t", "lexicon": "l"}]}
    (outcome,) = place.write(
        import_item(
            "d",
            annotations=[PLACE | {"identifier": "1"} | facts, pair | {"identifier": "2"}],
            categories=[PRESS | {"score": 0.25}],
            relations=[{"name": "in", "source": "2", "target": "1", "properties": {"b": 2}}],
            sentences=[{"start": 0, "end": 13, "metadata": {"n": 1}}, {"start": 14, "end": 20}],
            altTexts=[{"name": "fr", "text": "Paris est grand."}],
            layout=[{"kind": "strong", "start": 0, "end": 5}],
            metadata={"year": 2026},
            reviewed=True,
        ),
        options=PrepareOptions(policy="compute_if_missing", origin_group_id=None),
    )
    assert (outcome.item, outcome.identifier, outcome.outcome) == ("file#d", "d", "imported")
    document, labels = place.document("d"), {row.id: row.name for row in place.rows(Label)}
    assert (document.title, document.length, document.metadata_, document.reviewed, document.split) == (
        "Title d",
        20,
        {"year": 2026},
        True,
        None,
    )
    assert len(document.fingerprint) == 64
    assert [(row.start, row.end, row.ordinal, row.metadata_) for row in place.rows(SegmentRow)] == [
        (0, 13, 0, {"n": 1}),
        (14, 20, 1, None),
    ]
    first, second = sorted(place.rows(Annotation), key=lambda row: row.end)
    assert (first.start, first.end, first.text, labels[first.label_id]) == (0, 5, "Paris", "place")
    assert (first.creation_mode, first.status, first.properties) == ("manual", None, {"a": 1})
    assert ([term["identifier"] for term in first.terms], first.fragments) == (["t"], None)
    assert (second.text, second.fragments, second.terms) == ("Paris is big.", [[0, 5], [9, 13]], None)
    assert (second.status, second.score, second.creation_mode) == ("OK", 0.5, "imported")
    (category,) = place.rows(Category)
    assert (category.start, category.end, category.score, labels[category.label_id]) == (None, None, 0.25, "press")
    (relation,) = place.rows(Relation)
    assert (relation.source_id, relation.target_id, relation.properties) == (second.id, first.id, {"b": 2})
    assert [(row.name, row.text) for row in place.rows(AltText)] == [("fr", "Paris est grand.")]
    (layout,) = place.rows(DocumentLayout)
    assert (layout.document_id, len(layout.marks)) == (document.id, 1)
    assert {row.document_id for row in (first, second, category, relation)} == {document.id}
    assert place.touched == [("document", document.id)]


def test_defaults_of_title_and_group_of_an_imported_document(place: ImportTarget, as_user: Any, client: Any) -> None:
    as_user(client, "of-press", groups=("press",))
    with unit_of_work(actor="", write=False) as unit:
        group = unit.session.scalars(select(Group.id).where(Group.name == "press")).one()
    place.write(import_item("d", title=""), options=PrepareOptions(origin_group_id=group))
    place.write(import_item("e", annotations=[]))
    found = place.document("d")
    assert (found.title, found.origin_group_id) == ("d", group)
    assert (place.document("e").reviewed, place.document("e").origin_group_id) == (False, None)
    assert place.rows(DocumentLayout) == []


def test_relations_link_annotations_of_their_own_document(place: ImportTarget) -> None:
    def linked(name: str, *ends: int) -> ImportItem:
        spans = [{"identifier": str(end), "start": 0, "end": end, "labelName": "x"} for end in ends]
        relation = {"name": "next", "source": str(ends[len(ends) // 2]), "target": str(ends[0])}
        return import_item(name, annotations=spans, relations=[relation] if len(ends) > 1 else [])

    place.write(linked("a", 1, 2, 3), linked("b", 4), linked("c", 5, 6))
    spans = {row.id: (row.document_id, row.end) for row in place.rows(Annotation)}
    found = [(row.document_id, spans[row.source_id], spans[row.target_id]) for row in place.rows(Relation)]
    a, c = place.document("a").id, place.document("c").id
    assert sorted(found) == sorted([(a, (a, 2), (a, 1)), (c, (c, 6), (c, 5))])


# authors and timestamps


def test_author_and_timestamps_are_stored_apart_from_the_importer(
    place: ImportTarget, as_user: Any, client: Any
) -> None:
    """An author named in a file is marked as imported; a component's automatic work keeps the component's name, unless
    it is the name of an account.
    """
    as_user(client, "robot-account")
    by = {"createdBy": "anna", "createdDate": "2020-01-01T00:00:00Z", "modifiedDate": "2020-01-02T00:00:00Z"}
    machine = {"creationMode": "automatic"}
    spans = [
        PLACE | {"end": 1},
        PLACE | {"end": 2} | by,
        PLACE | {"end": 3, "createdBy": "marie"},
        PLACE | {"end": 4, "createdBy": "crf"} | machine,
        PLACE | {"end": 5, "createdBy": "crf"},
        PLACE | {"end": 6, "createdBy": "robot-account"} | machine,
        PLACE | {"end": 7, "createdDate": "2020-01-03T00:00:00Z"},
        PLACE | {"end": 8, "modifiedDate": "2020-01-04T00:00:00Z"},
        PLACE | {"end": 9} | machine,
    ]
    place.write(import_item("d", annotations=spans, **by))
    rows = sorted(place.rows(Annotation), key=lambda row: row.end)
    assert [row.created_by for row in rows] == [row.modified_by for row in rows]
    assert [(row.created_by, row.imported_by) for row in rows] == [
        ("marie", None),
        ("imported:anna", "marie"),
        ("marie", None),
        ("crf", None),
        ("imported:crf", "marie"),
        ("imported:robot-account", "marie"),
        ("marie", None),
        ("marie", None),
        ("marie", None),
    ]
    assert [(row.imported_at is None) == (row.imported_by is None) for row in rows] == [True] * 9
    document, now = place.document("d"), rows[0].created_at
    day = 86_400_000
    first = 1_577_836_800_000
    assert [(row.created_at, row.modified_at) for row in rows[:8]] == [
        (now, now),
        (first, first + day),
        (now, now),
        (now, now),
        (now, now),
        (now, now),
        (first + 2 * day, first + 2 * day),
        (now, first + 3 * day),
    ]
    assert (document.created_by, document.imported_by, document.imported_at) == ("imported:anna", "marie", now)
    assert (document.created_at, document.modified_at) == (first, first + day)
    assert {row.version for row in (*rows, document)} == {1}
    assert {(row.deleted_at, row.deleted_by) for row in (*rows, document)} == {(None, None)}


# replacement of documents


def test_a_replaced_document_is_retained_and_listed_in_the_history(place: ImportTarget) -> None:
    """Each old document is recorded with its replacement, whatever else the batch contains; the job can be undone."""
    place.write(*(import_item(name, "First text.") for name in ("a", "b", "c", "same")))
    place.work_on("c")
    old = {name: place.document(name).id for name in ("a", "b", "c")}
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Job(id="j" * 32, type="DOC_IMPORT", function="f", project_id=place.project.id))
    found = place.write(
        import_item("new"),
        import_item("b", "Second."),
        import_item("c", "Second."),
        import_item("same", "First text."),
        import_item("a", "Second too."),
        job="j" * 32,
    )
    assert outcome_names(found) == ["imported", "replaced", "refused", "unchanged", "replaced"]
    rows = {row.id: row for row in place.rows(Document)}
    for name in ("a", "b"):
        gone = rows[old[name]]
        assert gone.deleted_at is not None and (gone.deleted_by, gone.version) == ("marie", 2)
    assert rows[old["c"]].deleted_at is None
    entries = [row for row in place.rows(History) if row.entity == "document"]
    assert [(row.document_id, row.entity_id, row.action, row.actor, row.job_id) for row in entries] == [
        (old["b"], old["b"], "deleted", "marie", "j" * 32),
        (old["a"], old["a"], "deleted", "marie", "j" * 32),
    ]
    assert [row.before for row in entries] == [
        {"identifier": name, "replacedBy": place.document(name).id} for name in ("b", "a")
    ]
    fresh = [("document", place.document(name).id) for name in ("new", "b", "a")]
    assert sorted(place.touched) == sorted([("delete", old["b"]), ("delete", old["a"]), *fresh])
    queued = [(row.operation, row.document_id) for row in place.rows(Outbox)]
    assert set(place.touched) <= set(queued)
    with unit_of_work(actor="", write=False) as unit:
        assert unit.session.get_one(Job, "j" * 32).undoable


def test_a_job_that_replaced_nothing_is_not_undoable(place: ImportTarget) -> None:
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Job(id="k" * 32, type="DOC_IMPORT", function="f", project_id=place.project.id))
    place.write(import_item("a"), job="k" * 32)
    with unit_of_work(actor="", write=False) as unit:
        assert not unit.session.get_one(Job, "k" * 32).undoable
    assert place.rows(History) == []


def test_the_replacement_of_a_test_document_is_a_test_document(place: ImportTarget) -> None:
    """Otherwise a model would be trained on its test documents. A split in the metadata takes precedence."""
    names = ("a", "b", "c", "d")
    place.write(*(import_item(name, "First text.") for name in names))
    with unit_of_work(actor="", write=True) as unit:
        for row in unit.session.scalars(select(Document).where(Document.project_id == place.project.id)):
            row.split = {"a": "test", "b": "train", "c": "test"}.get(row.identifier)
    told = {"metadata": {"split": "train"}}
    place.write(*(import_item(name, "Second.", **(told if name == "c" else {})) for name in names))
    assert {name: place.document(name).split for name in names} == {"a": "test", "b": "train", "c": "train", "d": None}


@pytest.mark.parametrize(
    ("options", "values", "parts", "is_split"),
    [
        (PLAIN, {"a": "Test", "b": "train", "c": "other", "d": 3}, ["test", "train", None, None], True),
        (PLAIN, {"a": "dev", "b": "train"}, ["train", "train", None, None], False),
        (PrepareOptions(metadata_split=False), {"a": "test"}, [None] * 4, False),
    ],
)
def test_documents_get_the_split_in_their_metadata(
    place: ImportTarget, options: PrepareOptions, values: dict[str, Any], parts: list[str | None], is_split: bool
) -> None:
    names = ("a", "b", "c", "d")
    place.write(
        *(import_item(name, metadata={"split": values[name]} if name in values else {}) for name in names),
        options=options,
    )
    assert [place.document(name).split for name in names] == parts
    row, told = place.row, [arg for _, arg in place.events if "hasSplit" in arg]
    assert row.has_split is is_split
    if not is_split:
        assert told == []
        return
    assert told == [{"type": "updated", "by": "marie", "hasSplit": True}]
    assert {name: row.split_facts[name] for name in ("by", "field", "who")} == {
        "by": "import",
        "field": "split",
        "who": "marie",
    }
    place.change(split_facts={"by": "hand"})
    place.write(import_item("late", metadata={"split": "test"}))
    assert [arg for _, arg in place.events if "hasSplit" in arg] == []
    assert place.row.split_facts == {"by": "hand"}, "a split that is there is not told of again"


def test_the_project_is_reported_once_of_what_came(place: ImportTarget) -> None:
    """Who learns from the documents too; of a batch that changes nothing nobody is told."""
    heard: list[Any] = []
    with training_data_changed.listening(heard.append):
        place.write(import_item("a"), import_item("b"))
        assert place.events == [("documents", {"type": "imported", "count": 2, "by": "marie"})]
        assert len(heard) == 1
        place.write(import_item("a"), import_item("b"))
        assert (place.events, place.touched, len(heard)) == ([], [], 1)
        place.write(import_item("a", "Other words."), import_item("b"))
        assert place.events == [("documents", {"type": "imported", "count": 1, "by": "marie"})]
        assert len(heard) == 2


# labels


def test_documents_over_the_label_limit_are_refused_and_replace_nothing(
    place: ImportTarget, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(labels_module, "LABELS_MAX", 1)
    place.write(import_item("a", annotations=[PLACE]), import_item("b"), import_item("c"))
    old = {name: place.document(name).id for name in ("a", "b", "c")}
    found = place.write(
        import_item("b", "Other words here.", annotations=[PLACE | {"labelName": "person"}]),
        import_item("a", "Paris and so on."),
        import_item("c", "Paris is one.", annotations=[PLACE]),
        import_item("d", categories=[PRESS]),
        import_item("e", annotations=[PLACE, PLACE | {"labelName": "person", "end": 3}]),
        import_item("f"),
    )
    assert outcome_names(found) == ["refused", "replaced", "replaced", "refused", "refused", "imported"]
    assert {one.identifier for one in found if one.message} == {"b", "d", "e"}
    assert all("labels" in str(one.message) and one.fix for one in found if one.outcome == "refused")
    live = {row.identifier: row.id for row in place.rows(Document) if row.deleted_at is None}
    assert live.keys() == {"a", "b", "c", "f"}
    assert live["b"] == old["b"] and old["a"] not in live.values() and old["c"] not in live.values()
    entries = [row for row in place.rows(History) if row.entity == "document"]
    assert {row.document_id: row.before["replacedBy"] for row in entries} == {old[n]: live[n] for n in ("a", "c")}


def test_a_resolution_within_the_label_limit_is_unchanged() -> None:
    batch = [import_item("a", annotations=[PLACE]), import_item("b", categories=[PRESS])]
    keys = label_keys([one.document for one in batch])
    assert keys == [LabelKey("place"), LabelKey("press")]
    decided = ImportResolution([Outcome("x", 1, "imported")] * 2, [one.document for one in batch])
    assert reject_over_label_limit(decided, batch, set(keys)) is decided
    left = reject_over_label_limit(decided, batch, {LabelKey("press")})
    assert outcome_names(left.outcomes) == ["refused", "imported"]
    assert [one.identifier for one in left.to_insert] == ["b"]


def test_only_label_sets_with_two_categories_on_a_document_stop_being_exclusive(
    client: Any, as_user: Any, make_project: Any, open_as: Any
) -> None:
    """T-020: one rule for the project and for each of its sets; rejected categories and categories of segments do not
    count.
    """
    as_user(client, "marie", "ProjectManager")
    place = ImportTarget(make_project(owner="marie", nature="classification", exclusive_classes=True), open_as)
    place.write(import_item("a", categories=[PRESS]))
    with unit_of_work(actor="", write=True) as unit:
        values = {"project_id": place.project.id, "nature": "classification", "exclusive_classes": True}
        other = LabelSet(name="other", label="Other", **values)
        unit.session.add(other)
        unit.session.flush()
        for name in ("x", "y"):
            unit.session.add(
                Label(project_id=place.project.id, label_set_id=other.id, name=name, label=name, color="#000000")
            )

    def sets() -> dict[str, tuple[bool, int]]:
        return {row.name: (row.exclusive_classes, row.version) for row in place.rows(LabelSet)}

    before, version = sets(), place.row.version
    place.write(
        import_item("b", categories=[PRESS, {"labelName": "x"}]),
        import_item("c", categories=[PRESS, SPORT | {"status": "KO"}]),
        import_item("d", categories=[PRESS | {"start": 0, "end": 5}, SPORT | {"start": 0, "end": 5}]),
        import_item("e", categories=[PRESS, PRESS | {"score": 0.5}]),
    )
    assert (sets(), place.row.exclusive_classes, place.row.version) == (before, True, version)
    assert [arg for _, arg in place.events if "classification" in arg] == []
    place.write(import_item("f", categories=[PRESS, SPORT]))
    after = sets()
    assert after == {"default": (False, before["default"][1] + 1), "other": before["other"]}
    assert (place.row.exclusive_classes, place.row.version) == (False, version + 1)
    told = [arg for _, arg in place.events if "classification" in arg]
    assert told == [
        {
            "type": "updated",
            "by": "marie",
            "classification": {"exclusive_classes": False},
            "cause": "severalCategories",
        }
    ]
    place.write(import_item("g", categories=[{"labelName": "x"}, {"labelName": "y"}]))
    assert sets() == {"default": after["default"], "other": (False, before["other"][1] + 1)}
    assert place.row.version == version + 1, "it was not exclusive any more"
    place.change(exclusive_classes=True)
    place.write(import_item("h", categories=[PRESS, SPORT]))
    assert (place.row.exclusive_classes, sets()["default"]) == (False, after["default"])
    place.write(import_item("i", categories=[PRESS, SPORT]))
    assert [arg for _, arg in place.events if "classification" in arg] == []
