"""Which labelling and which documents a caller may read: the SQL clause and the rule for one row are compared."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from sqlalchemy import ColumnElement, create_engine, select
from sqlalchemy.orm import Session

from annotarium.access.rights import Access
from annotarium.access.visibility import (
    LabellingVisibility,
    groups_of_visible_documents,
    labelling_visibility,
    labelling_visibility_clause,
    may_read_document_of_group,
    may_read_labelling,
    readable_creation_modes,
    readable_creators,
    readable_documents,
    readable_documents_by_id_clause,
    readable_labelling_clause,
    reads_all_documents,
    reads_all_labelling,
    visible_documents_with_deleted,
)
from annotarium.db.models import Annotation, Base, Category, Document, Project, Relation
from annotarium.settings import get_settings

AUTHORS = ("ann", "imported:ann", "bob", "imported:bob", "carl", "imported:carl", "crf", "")
MODES = ("manual", "imported", "automatic", "undefined")
PROJECT, OTHER = 3, 4
GROUPS = {1: None, 2: 7, 3: 8}


def caller(*permissions: str, **more: Any) -> Access:
    return Access(1, "ann", permissions=frozenset(permissions), **more)


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    """Annotations and categories of every author and mode; documents of two projects, of groups and of none."""
    engine = create_engine("sqlite://")
    tables = (Document, Annotation, Category, Relation)
    Base.metadata.create_all(engine, tables=[table.__table__ for table in tables])  # type: ignore[misc]
    with Session(engine) as session:
        for place, (author, mode) in enumerate(product(AUTHORS, MODES), 1):
            common = {"id": place, "project_id": PROJECT, "document_id": 1, "label_id": 1, "creation_mode": mode}
            common["created_by"] = author
            session.add(Annotation(start=0, end=1, text="a", **common))
            session.add(Category(**common))
        for project, (offset, group), deleted in product((PROJECT, OTHER), GROUPS.items(), (None, 5)):
            number = 100 * project + 10 * offset + (deleted is not None)
            values = {"identifier": str(number), "title": "t", "text": "t", "length": 1}
            session.add(
                Document(
                    id=number, project_id=project, origin_group_id=group, deleted_at=deleted, metadata_={}, **values
                )
            )
        session.flush()
        yield session
    engine.dispose()


def read_rows(session: Session, table: Any, clause: ColumnElement[bool]) -> set[tuple[str, str]]:
    return {tuple(row) for row in session.execute(select(table.created_by, table.creation_mode).where(clause))}


HUMAN = {"manual", "imported"}
OWN = {"ann", "imported:ann"}
LABELLING = [
    # permissions, creators other than the user, modes other than the user's own (None = all)
    ((), set(), set()),
    (("readUserAnnot:bob",), {"bob"}, set()),
    (("readUserAnnot:*",), None, set()),
    (("readModeAnnot:all",), set(), None),
    (("readModeAnnot:*",), set(), None),
    (("readModeAnnot:automatic",), set(), {"automatic", "undefined"}),
    (("readModeAnnot:manual", "readUserAnnot:bob"), {"bob"}, {"manual", "undefined"}),
    (("readModeAnnot:manual", "readUserAnnot:*"), None, {"manual", "undefined"}),
    (("readModeAnnot:all", "readUserAnnot:bob"), {"bob"}, None),
    (("readModeAnnot:all", "readUserAnnot:*", "readModeAnnot:manual"), None, None),
]


@pytest.mark.parametrize(("permissions", "creators", "modes"), LABELLING)
def test_labelling_of_others_is_limited_by_author_and_mode_permissions(
    session: Session, permissions: tuple[str, ...], creators: set[str] | None, modes: set[str] | None
) -> None:
    """A user's own work is always readable, also where a file or archive names the user as its author; the work of
    others needs both permissions.
    """
    access = caller(*permissions)
    assert readable_creators(access) == creators
    assert readable_creation_modes(access) == modes
    assert labelling_visibility(access) == LabellingVisibility(
        "ann", readable_creators(access), readable_creation_modes(access)
    )
    assert reads_all_labelling(access) is (creators is None and modes is None)

    def is_read(author: str, mode: str) -> bool:
        if author in OWN:
            return True
        by_creator = creators is None or mode not in HUMAN or author.removeprefix("imported:") in creators
        return by_creator and (modes is None or mode in modes)

    expected = {(author, mode) for author, mode in product(AUTHORS, MODES) if is_read(author, mode)}
    for table in (Annotation, Category):
        assert read_rows(session, table, labelling_visibility_clause(labelling_visibility(access), table)) == expected
        assert read_rows(session, table, readable_labelling_clause(access, Project(id=PROJECT), table)) == expected
    assert {row for row in product(AUTHORS, MODES) if may_read_labelling(access, *row)} == expected


def test_labelling_without_author_or_mode() -> None:
    """Labelling without an author is no one's own: it is readable like that of others."""
    assert may_read_labelling(caller("readModeAnnot:all"), None, None)
    assert not may_read_labelling(caller("readUserAnnot:*"), None, None)
    assert may_read_labelling(caller(), "ann", None)


def test_a_relation_is_readable_if_both_of_its_ends_are(session: Session) -> None:
    numbers = {row: place for place, row in enumerate(product(AUTHORS, MODES), 1)}
    own, foreign, machine = numbers["ann", "manual"], numbers["bob", "manual"], numbers["crf", "automatic"]
    ends = {1: (own, machine), 2: (own, foreign), 3: (foreign, own), 4: (foreign, foreign)}
    for number, (source, target) in ends.items():
        values = {"project_id": PROJECT, "document_id": 1, "name_id": 1, "created_by": "ann"}
        session.add(Relation(id=number, source_id=source, target_id=target, **values))
    session.flush()

    def read(*permissions: str) -> set[int]:
        clause = readable_labelling_clause(caller(*permissions), Project(id=PROJECT), Relation)
        return set(session.scalars(select(Relation.id).where(clause)))

    assert read("readModeAnnot:all") == {1}
    assert read("readModeAnnot:automatic", "readUserAnnot:bob") == {1}
    assert read("readModeAnnot:manual", "readUserAnnot:bob") == {2, 3, 4}
    assert read("readModeAnnot:all", "readUserAnnot:*") == {1, 2, 3, 4}
    assert read() == set()


@pytest.fixture
def with_document_level_access(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Enable document-level access."""
    monkeypatch.setenv("ANNOTARIUM_DOCUMENT_LEVEL_ACCESS", "true")
    get_settings.cache_clear()
    yield
    monkeypatch.undo()
    get_settings.cache_clear()


def read_documents(session: Session, access: Access) -> dict[str, set[int]]:
    project = Project(id=PROJECT)
    clauses = {
        "live": readable_documents(access, project),
        "reach": visible_documents_with_deleted(access, project),
        "known": readable_documents_by_id_clause(groups_of_visible_documents(access)),
    }
    found = {name: select(Document.id).where(clause) for name, clause in clauses.items()}
    return {name: set(session.scalars(query, {"project": PROJECT})) for name, query in found.items()}


@pytest.mark.parametrize(
    ("access", "groups"),
    [
        (caller(group_ids=frozenset({7})), {None, 7}),
        (caller(), {None}),
        (caller("readProject:somewhere", group_ids=frozenset({7, 8})), {None, 7, 8}),
        (caller("readProject:*"), {None, 7, 8}),
    ],
)
def test_documents_of_a_group_are_readable_by_its_members(
    session: Session, with_document_level_access: None, access: Access, groups: set[int | None]
) -> None:
    """Never documents of other projects; deleted ones only where the labelling on them is requested."""
    live = {100 * PROJECT + 10 * offset for offset, group in GROUPS.items() if group in groups}
    deleted = {number + 1 for number in live}
    assert read_documents(session, access) == {"live": live, "reach": live | deleted, "known": live}
    assert {group for group in GROUPS.values() if may_read_document_of_group(access, group)} == groups
    assert reads_all_documents(access) is access.can("readProject:*")
    assert groups_of_visible_documents(access) == (None if access.can("readProject:*") else access.group_ids)


def test_without_document_level_access_groups_hide_nothing(session: Session) -> None:
    access = caller(group_ids=frozenset({7}))
    live = {100 * PROJECT + 10 * offset for offset in GROUPS}
    assert read_documents(session, access) == {"live": live, "reach": live | {n + 1 for n in live}, "known": live}
    assert (
        reads_all_documents(access)
        and groups_of_visible_documents(access) is None
        and may_read_document_of_group(access, 8)
    )
