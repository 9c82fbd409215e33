"""Users with their rights as the guard uses them: read from the database once per rights revision, narrowed once per
restriction.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select

from annotarium.access import rights_revision, user_rights_cache
from annotarium.access.repository import find_user_id
from annotarium.access.restriction import Restriction
from annotarium.access.rights import Access
from annotarium.access.user_rights_cache import SubjectCache, access_for_credential, read_access
from annotarium.db.database import get_database
from annotarium.db.models import Group, LeftShare, User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.auth.operator_api_keys import create_key

pytestmark = pytest.mark.usefixtures("client")


def id_of(name: str) -> int:
    with unit_of_work(actor="", write=False) as unit:
        found = find_user_id(unit.session, name)
    assert found is not None
    return found


def access_of(name: str, restriction: str = "") -> Access | None:
    with unit_of_work(actor="", write=False) as unit:
        return read_access(unit.session, id_of(name), restriction)


def change_user(name: str, **values: Any) -> None:
    """Change columns of a user without raising the rights revision."""
    with unit_of_work(actor="", write=True) as unit:
        user = unit.session.scalars(select(User).where(User.username == name)).one()
        for field, value in values.items():
            setattr(user, field, value)


def test_rights_are_read_with_shares_groups_and_roles(client: Any, as_user: Any, make_project: Any) -> None:
    """A share of a group that the member has left grants nothing; read and write shares are distinguished."""
    as_user(client, "reader", "GroupProjectAdmin", "Reader", "useSearch", groups=("press", "law"))
    read, write = make_project(readers=("reader",)), make_project(writers=("reader",))
    by_group, left = make_project(group_writers=("press",)), make_project(group_readers=("press",))
    make_project(readers=("somebody",), group_readers=("radio",))
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(LeftShare(user_id=id_of("reader"), project_id=left.id))
        ids = {row[0]: row[1] for row in unit.session.execute(select(Group.name, Group.id))}
    access = access_of("reader")
    assert access is not None
    assert (access.user_id, access.username) == (id_of("reader"), "reader")
    assert access.shared_read == {read.id, write.id, by_group.id}
    assert access.shared_write == {write.id, by_group.id}
    assert (access.group_names, access.roles) == ({"press", "law"}, {"GroupProjectAdmin", "Reader"})
    assert access.group_ids == access.administered_group_ids == {ids["press"], ids["law"]}
    assert "useSearch" in access.permissions
    as_user(client, "reader", "Reader", groups=("press",))
    access = access_of("reader")
    assert access is not None
    assert (access.administered_group_ids, access.group_ids) == (frozenset(), {ids["press"]})


def test_jobs_of_deleted_disabled_or_locked_out_users_have_no_rights(client: Any, as_user: Any) -> None:
    as_user(client, "worker", "Reader", groups=("shut", "open"))
    with unit_of_work(actor="", write=True) as unit:
        assert read_access(unit.session, 999_999_999) is None
        unit.session.scalars(select(Group).where(Group.name == "shut")).one().login_allowed = False
    assert access_of("worker") is not None, "the other group lets in"
    as_user(client, "worker", "Reader", groups=("shut",))
    assert access_of("worker") is None
    as_user(client, "worker", "Reader")
    assert access_of("worker") is not None
    change_user("worker", disabled=True)
    assert access_of("worker") is None


def test_rights_of_a_job_are_within_the_restriction_it_was_started_with(client: Any, as_user: Any) -> None:
    as_user(client, "narrow", "Reader", "writeProject:films")
    restriction = Restriction(access_mode="read")
    whole, narrow = access_of("narrow"), access_of("narrow", restriction.text)
    assert whole is not None and narrow is not None
    assert (whole.restriction, narrow.restriction) == (None, restriction)
    assert (whole.can("writeProject:films"), narrow.can("writeProject:films")) == (True, False)


def test_a_subject_is_read_once_a_revision(client: Any, as_user: Any) -> None:
    """Under another revision it is read again; without one (0) always."""
    as_user(client, "kept", "Reader")
    kept, database, user_id = SubjectCache(), get_database(), id_of("kept")
    first = kept.subject(database, user_id, 7)
    assert first is not None
    assert (first.user_id, first.username, first.disabled) == (user_id, "kept", False)
    change_user("kept", disabled=True, token_revision=9)
    assert kept.subject(database, user_id, 7) is first
    second = kept.subject(database, user_id, 8)
    assert second is not None and (second.disabled, second.token_revision) == (True, 9)
    assert kept.subject(database, user_id, 8) is second
    unkept = kept.subject(database, user_id, 0)
    assert unkept is not None and kept.subject(database, user_id, 0) is not unkept
    assert kept.subject(database, 999_999_999, 7) is None


def test_names_and_keys_are_looked_up_once_per_revision(client: Any, as_user: Any) -> None:
    as_user(client, "named", "Reader")
    kept, database, user_id = SubjectCache(), get_database(), id_of("named")
    assert kept.user_id(database, "renamed", 7) is None
    assert kept.user_id(database, "named", 7) == user_id
    change_user("named", username="renamed")
    assert kept.user_id(database, "named", 7) == user_id
    assert kept.user_id(database, "renamed", 7) == user_id, "who was not there is not remembered"
    assert kept.user_id(database, "named", 8) is None
    assert kept.user_id(database, "renamed", 0) == user_id
    change_user("renamed", username="named")
    assert kept.user_id(database, "renamed", 0) is None, "without a revision nothing is remembered"
    create_key("named", "script")
    with unit_of_work(actor="", write=False) as unit:
        (row,) = user_rights_cache.repository.list_api_keys(unit.session, unit.session.get_one(User, user_id))
    digest = row[0].key_sha256
    found = kept.key(database, digest, 7)
    assert found is not None and (found.id, found.user_id) == (row[0].id, user_id)
    assert kept.key(database, digest, 7) is found
    assert kept.key(database, digest, 8) is not found
    assert kept.key(database, "0" * 64, 7) is None


def test_the_subject_cache_is_bounded_and_can_be_cleared(
    client: Any, as_user: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest subjects and narrowed rights are evicted first."""
    monkeypatch.setattr(user_rights_cache, "_CACHE_MAX", 2)
    kept, database = SubjectCache(), get_database()
    names = [f"limited-{number}" for number in range(3)]
    for name in names:
        as_user(client, name, "Reader")
    ids = [id_of(name) for name in names]
    seen = [kept.subject(database, user_id, 7) for user_id in ids]
    assert [kept.subject(database, user_id, 7) is one for user_id, one in zip(ids[1:], seen[1:], strict=True)] == [
        True,
        True,
    ]
    assert kept.subject(database, ids[0], 7) is not seen[0]
    one = seen[1]
    assert one is not None
    texts = [Restriction(project_filter=name).text for name in "abc"]
    narrow = [kept.access(one, text) for text in texts]
    assert [kept.access(one, text) is was for text, was in zip(texts[1:], narrow[1:], strict=True)] == [True, True]
    assert kept.access(one, texts[0]) is not narrow[0]
    found = [kept.user_id(database, name, 7) for name in names]
    assert found == ids
    change_user(names[0], username="limited-x")
    assert kept.user_id(database, names[0], 7) == ids[0], "three fit where two are the most that is kept before"
    kept.user_id(database, "limited-x", 7)
    assert kept.user_id(database, names[0], 7) is None
    change_user("limited-x", username=names[0])
    last = kept.subject(database, ids[2], 7)
    key = kept.access(one, texts[2])
    kept.clear()
    assert kept.subject(database, ids[2], 7) is not last
    assert kept.access(one, texts[2]) is not key
    change_user(names[1], username="limited-y")
    assert kept.user_id(database, names[1], 7) is None


def test_narrowed_rights_belong_to_one_subject(client: Any, as_user: Any) -> None:
    """After a reload under another revision the user has other rights: those narrowed before do not apply any more."""
    as_user(client, "again", "Reader")
    kept, database, user_id = SubjectCache(), get_database(), id_of("again")
    text = Restriction(access_mode="write").text
    before = kept.subject(database, user_id, 7)
    assert before is not None
    assert not kept.access(before, text).can("writeLabel")
    as_user(client, "again", "Annotator")
    after = kept.subject(database, user_id, 8)
    assert after is not None
    assert kept.access(after, text).can("writeLabel")
    assert kept.access(after, "") is after.access


def test_rights_name_the_credential_they_were_obtained_with(client: Any, as_user: Any) -> None:
    as_user(client, "shown", "Reader")
    subject = SubjectCache().subject(get_database(), id_of("shown"), 7)
    assert subject is not None
    plain = access_for_credential(subject, "cookie", 4)
    assert plain == replace(subject.access, credential="cookie", session_id=4)
    text = Restriction(access_mode="read").text
    by_key = access_for_credential(subject, "key", None, text, 6)
    assert (by_key.credential, by_key.session_id, by_key.key_id, by_key.restriction_text) == ("key", None, 6, text)


def test_the_revision_grows_with_every_change_of_rights(client: Any, as_user: Any) -> None:
    with unit_of_work(actor="", write=True) as unit:
        before = user_rights_cache.repository.read_rights_revision(get_database(), None)[0]
        rights_revision.note_rights_change(unit.session)
    assert user_rights_cache.repository.read_rights_revision(get_database(), None)[0] > before


def test_a_key_is_looked_up_again_after_the_cache_was_cleared(client: Any, as_user: Any) -> None:
    as_user(client, "forgetful", "Reader")
    create_key("forgetful", "script")
    kept, database = SubjectCache(), get_database()
    with unit_of_work(actor="", write=False) as unit:
        user = unit.session.get_one(User, id_of("forgetful"))
        (row,) = user_rights_cache.repository.list_api_keys(unit.session, user)
    found = kept.key(database, row[0].key_sha256, 7)
    assert kept.key(database, row[0].key_sha256, 7) is found
    kept.clear()
    assert kept.key(database, row[0].key_sha256, 7) is not found
