"""Import resolution: what an import does with each document of a batch, decided before anything is written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import select
from support.import_batches import ImportTarget, import_item, outcome_names

from annotarium.db.models import (
    Document,
    Group,
    Project,
)
from annotarium.db.models import (
    Segment as SegmentRow,
)
from annotarium.db.unit_of_work import unit_of_work
from annotarium.importing.document_preparation import PrepareOptions
from annotarium.importing.import_resolution import ImportItem
from annotarium.settings import get_settings


def test_an_existing_document_is_found_by_its_identifier(place: ImportTarget) -> None:
    """Replaced unless it was changed since; then refused, with the number of changes; with the same content it is
    unchanged.
    """
    place.write(*(import_item(name) for name in ("same", "worked", "worked-same", "free")))
    place.work_on("worked", 3)
    place.work_on("worked-same")
    made = place.decide(
        import_item("free", "Other."),
        import_item("new"),
        import_item("worked", "Other."),
        import_item("worked-same"),
        import_item("same"),
        import_item("newer"),
    )
    assert outcome_names(made.outcomes) == ["replaced", "imported", "refused", "unchanged", "unchanged", "imported"]
    assert [one.identifier for one in made.to_insert] == ["free", "new", "newer"]
    assert made.to_delete == [place.document("free").id]
    assert [(one.item, one.identifier) for one in made.outcomes][:2] == [("file#free", "free"), ("file#new", "new")]
    refused = made.outcomes[2]
    assert "3 changes" in str(refused.message) and refused.fix
    assert [one.message for one in made.outcomes[3:]] == [None, None, None]


def test_an_export_of_a_document_is_unchanged_though_its_fingerprint_differs(place: ImportTarget) -> None:
    place.write(import_item("a"))
    with unit_of_work(actor="", write=True) as unit:
        row = unit.session.scalars(select(Document).where(Document.id == place.document("a").id)).one()
        row.fingerprint = "0" * 64
    segments = [{"start": row.start, "end": row.end} for row in place.rows(SegmentRow)]
    again = import_item("a", sentences=segments, reviewed=False)
    made = place.decide(again, import_item("b"))
    assert outcome_names(made.outcomes) == ["unchanged", "imported"]


def test_corrections_are_part_of_the_outcome_message(place: ImportTarget) -> None:
    first = import_item("a")
    noted = ImportItem("i", 7, first.document._replace(notes=["One thing", "Another"]))
    (outcome,) = place.decide(noted).outcomes
    assert (outcome.item, outcome.ordinal, outcome.message, outcome.fix) == ("i", 7, "One thing; Another", None)


@pytest.mark.parametrize(
    ("limit", "taken", "expected"),
    [
        (-1, 0, ["imported", "replaced", "imported", "imported"]),
        (3, 0, ["imported", "replaced", "imported", "refused"]),
        (3, 1, ["imported", "replaced", "refused", "refused"]),
        (2, 0, ["imported", "replaced", "refused", "refused"]),
        (1, 0, ["refused", "replaced", "refused", "refused"]),
        (0, 0, ["refused", "replaced", "refused", "refused"]),
        (-1, 5, ["imported", "replaced", "imported", "imported"]),
    ],
)
def test_the_document_limit_counts_new_documents_only(
    place: ImportTarget, as_user: Any, client: Any, limit: int, taken: int, expected: list[str]
) -> None:
    """E-024: the project has one document. Replacing it does not count towards the limit, nor do deleted documents."""
    place.write(import_item("there"), import_item("gone"))
    as_user(client, "limited", groups=("limited",))
    with unit_of_work(actor="", write=True) as unit:
        group = unit.session.scalars(select(Group).where(Group.name == "limited")).one()
        group.max_docs_per_project = limit
        unit.session.get_one(Project, place.project.id).group_id = group.id
        unit.session.get_one(Document, place.document("gone").id).deleted_at = 1
    made = place.decide(
        import_item("a"), import_item("there", "Other."), import_item("b"), import_item("c"), already_added=taken
    )
    assert outcome_names(made.outcomes) == expected
    assert all(f"({limit})" in str(one.message) and one.fix for one in made.outcomes if one.outcome == "refused")


def test_duplicate_texts_are_skipped_on_request(place: ImportTarget) -> None:
    """Duplicates of an earlier batch, of the project, of earlier items of the batch, also replaced or unchanged
    ones.
    """
    place.write(import_item("there", "There already."), import_item("old", "Old text."))
    batch = [
        import_item("copy", "There already."),
        import_item("first", "A text."),
        import_item("second", "A text."),
        import_item("old", "A new text."),
        import_item("third", "A new text."),
        import_item("earlier", "Of an earlier batch."),
        import_item("there", "There already."),
        import_item("old-words", "Old text."),
    ]
    made = place.decide(*batch, texts={hash("Of an earlier batch.")})
    assert outcome_names(made.outcomes) == [
        "skipped",
        "imported",
        "skipped",
        "replaced",
        "skipped",
        "skipped",
        "unchanged",
        "skipped",
    ]
    messages = [str(one.message) for one in made.outcomes if one.outcome == "skipped"]
    assert "document there" in messages[0]
    assert ["earlier document of this import" in one for one in messages] == [False, True, True, True, False]
    assert all(one.fix for one in made.outcomes if one.outcome == "skipped")
    free = place.decide(*batch)
    assert outcome_names(free.outcomes) == ["imported"] * 3 + [
        "replaced",
        "imported",
        "imported",
        "unchanged",
        "imported",
    ]


def test_the_text_of_a_refused_document_is_not_a_duplicate(place: ImportTarget) -> None:
    """It is not in the project: the changed document was not replaced."""
    place.write(import_item("worked", "Old text."))
    place.work_on("worked")
    made = place.decide(import_item("worked", "New text."), import_item("other", "New text."), texts=set())
    assert outcome_names(made.outcomes) == ["refused", "imported"]


def test_the_passed_set_of_texts_is_not_modified(place: ImportTarget) -> None:
    texts: set[int] = set()
    place.decide(import_item("a"), texts=texts)
    assert texts == set()


@pytest.fixture
def with_document_level_access(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Enable document-level access."""
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


@pytest.mark.usefixtures("with_document_level_access")
def test_documents_of_other_groups_are_neither_replaced_nor_named(
    place: ImportTarget, as_user: Any, client: Any
) -> None:
    as_user(client, "of-law", groups=("law",))
    with unit_of_work(actor="", write=False) as unit:
        group = unit.session.scalars(select(Group.id).where(Group.name == "law")).one()
    place.write(import_item("closed", "Closed text."), options=PrepareOptions(origin_group_id=group))
    for text in ("Closed text.", "Other."):
        (outcome,) = place.decide(import_item("closed", text)).outcomes
        assert (outcome.outcome, str(outcome.message)) == ("refused", "This identifier is in use")
        assert outcome.fix
    (copy,) = place.decide(import_item("copy", "Closed text."), texts=set()).outcomes
    assert copy.outcome == "skipped" and "closed" not in str(copy.message)
