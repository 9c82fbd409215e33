"""`_batch_chown_and_share`: owners and shares of many projects in one call."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select

from annotarium.db.models import Group
from annotarium.db.unit_of_work import Event, unit_of_work

PATH = "/api/projects/_batch_chown_and_share"


@pytest.fixture
def admin(client: Any, as_user: Any) -> Any:
    """May transfer every project; has no write share."""
    return as_user(client, "mover", "PlatformProjectAdmin")


@pytest.fixture
def people(client: Any, as_user: Any) -> None:
    as_user(client, "marie", "ProjectManager", groups=("press",))
    as_user(client, "paul", "ProjectManager", groups=("press",))
    as_user(client, "alone", "ProjectManager")


def notified(events: list[Event]) -> set[tuple[str | None, str | None]]:
    """For whom, about which project, there were messages of visibility."""
    return {(event.user, event.project) for event in events if event.mutation == "visibility"}


def operation(users: dict[str, Any], **receive: list[str]) -> dict[str, Any]:
    return {"users": users, "receive": receive}


def migrate(admin: Any, *operations: dict[str, Any], query: str = "", **options: Any) -> dict[str, Any]:
    migration = {"operations": list(operations)} | {
        name: options.pop(name) for name in ("shareProjectWithPreviousOwner",) if name in options
    }
    answer = admin.post(f"{PATH}{query}", json={"migration": migration} | options)
    assert answer.status_code == 200, answer.text
    return answer.json()  # type: ignore[no-any-return]


def shares(admin: Any, project: str) -> dict[str, bool]:
    rows = admin.get(f"/api/projects/{project}/shares/users").json()
    return {row["username"]: row["mode"]["write"] for row in rows}


def info(admin: Any, project: str) -> Any:
    return admin.get(f"/api/projects/{project}/_info").json()


@pytest.mark.parametrize("dry", [False, True])
def test_a_project_is_given_and_the_former_owner_keeps_writing(
    admin: Any, people: None, make_project: Any, emitted_events: list[Event], dry: bool
) -> None:
    """A dry run reports the same and changes nothing."""
    name = make_project(owner="marie", group="press").name
    done = migrate(admin, operation({"username": "paul"}, ownership=[name]), query=f"?dryRun={dry}")
    assert done["ownershipChanges"] == [
        {
            "projectName": name,
            "from": {"username": "marie", "groupName": "press"},
            "to": {"username": "paul", "groupName": "press"},
        }
    ]
    shared = {"projectName": name, "share": {"username": "marie", "mode": {"read": True, "write": True}}}
    assert done["projectUserShares"] == [shared]
    assert done["errors"] == {"missingProject": [], "missingProjectGroup": [], "missingProjectOwner": []}
    assert info(admin, name)["owner"]["username"] == ("marie" if dry else "paul")
    assert shares(admin, name) == ({} if dry else {"marie": True})
    assert notified(emitted_events) == (set() if dry else {("paul", name), ("marie", name)})


def test_a_transfer_can_remove_the_former_owner(admin: Any, people: None, make_project: Any) -> None:
    name = make_project(owner="marie").name
    done = migrate(admin, operation({"username": "paul"}, ownership=[name]), shareProjectWithPreviousOwner=False)
    assert done["projectUserShares"] == []
    assert shares(admin, name) == {}


def test_a_project_without_an_owner_can_be_assigned(admin: Any, people: None, make_project: Any) -> None:
    name = make_project(owner=None).name
    done = migrate(admin, operation({"username": "alone"}, ownership=[name]))
    (change,) = done["ownershipChanges"]
    assert change["from"] == {"username": "", "groupName": ""}
    assert change["to"] == {"username": "alone", "groupName": ""}
    assert done["projectUserShares"] == []
    assert done["errors"]["missingProjectGroup"] == [], "it was in no group before"
    assert info(admin, name)["owner"]["username"] == "alone"


def test_a_group_without_the_new_owner_is_reported(admin: Any, people: None, make_project: Any) -> None:
    name = make_project(owner="marie", group="press").name
    done = migrate(admin, operation({"username": "alone"}, ownership=[name]))
    assert done["errors"]["missingProjectGroup"] == [name]
    assert done["ownershipChanges"][0]["to"] == {"username": "alone", "groupName": ""}


def test_who_owns_it_already_changes_nothing(
    admin: Any, people: None, make_project: Any, emitted_events: list[Event]
) -> None:
    name = make_project(owner="marie", group="press").name
    done = migrate(admin, operation({"username": "marie"}, ownership=[name]))
    assert (done["ownershipChanges"], done["projectUserShares"], notified(emitted_events)) == ([], [], set())


def test_access_is_shared_with_all_matching_users(
    admin: Any, people: None, make_project: Any, emitted_events: list[Event]
) -> None:
    """A second operation changes the mode of shares that the first one created."""
    read, written = (make_project(owner="alone").name for _ in range(2))
    group = {"groups": {"$in": ["press", "radio"]}}
    done = migrate(admin, operation(group, readAccess=[read, "absent"], writeAccess=[written]))
    assert {(one["projectName"], one["share"]["username"]) for one in done["projectUserShares"]} == {
        (name, user) for name in (read, written) for user in ("marie", "paul")
    }
    assert done["errors"]["missingProject"] == ["absent"]
    assert shares(admin, read) == {"marie": False, "paul": False}
    assert shares(admin, written) == {"marie": True, "paul": True}
    assert notified(emitted_events) == {(user, name) for name in (read, written) for user in ("marie", "paul")}
    migrate(admin, operation({"username": "paul"}, writeAccess=[read]))
    assert shares(admin, read) == {"marie": False, "paul": True}


def test_a_dry_run_shares_nothing(admin: Any, people: None, make_project: Any) -> None:
    name = make_project(owner="alone").name
    done = migrate(admin, operation({"username": "paul"}, readAccess=[name]), query="?dryRun=true")
    assert done["projectUserShares"]
    assert shares(admin, name) == {}


def test_ambiguous_owners_are_reported_and_other_operations_succeed(
    admin: Any, people: None, make_project: Any
) -> None:
    """If the filter matches two users or none, the owner does not change; a missing project is reported once."""
    first, second = (make_project(owner="alone").name for _ in range(2))
    both = operation({"groups": "press"}, ownership=[first, second, "absent"])
    done = migrate(admin, both, operation({"username": "paul"}, ownership=["absent", second]))
    assert done["errors"]["missingProjectOwner"] == [first, second]
    assert done["errors"]["missingProject"] == ["absent"]
    assert [change["projectName"] for change in done["ownershipChanges"]] == [second]


def test_unchanged_projects_are_listed_on_request(admin: Any, people: None, make_project: Any) -> None:
    moved, stays = (make_project(owner="marie").name for _ in range(2))
    change = operation({"username": "paul"}, ownership=[moved])
    asked = migrate(admin, change, query="?dryRun=true", warnNonChownedProjects=True)["nonChownedProjects"]
    assert stays in asked and moved not in asked
    assert migrate(admin, change, query="?dryRun=true")["nonChownedProjects"] == []


def test_the_project_limit_of_a_group_applies(
    admin: Any, people: None, client: Any, as_user: Any, make_project: Any
) -> None:
    as_user(client, "member", "ProjectManager", groups=("full",))
    with unit_of_work(actor="", write=True) as work:
        work.session.scalars(select(Group).where(Group.name == "full")).one().max_projects = 0
    name = make_project(owner="marie").name
    body = {"migration": {"operations": [operation({"username": "member"}, ownership=[name])]}}
    assert admin.post(PATH, json=body).status_code == 409
    assert info(admin, name)["owner"]["username"] == "marie"


@pytest.mark.parametrize(
    "users",
    [
        {"age": 3},
        {"username": {"$regex": "m.*"}},
        {"username": {"$in": "marie"}},
        {"username": {"$in": ["marie"], "$nin": []}},
    ],
)
def test_an_invalid_filter_changes_nothing(admin: Any, people: None, make_project: Any, users: dict[str, Any]) -> None:
    name = make_project(owner="alone").name
    body = {"migration": {"operations": [operation(users, ownership=[name])]}}
    assert admin.post(PATH, json=body).status_code == 400
    assert info(admin, name)["owner"]["username"] == "alone"


def test_filter_conditions_are_conjunctive_and_an_empty_filter_matches_no_user(
    admin: Any, people: None, make_project: Any
) -> None:
    name = make_project(owner="alone").name
    done = migrate(
        admin,
        operation({"username": "marie", "groups": "radio"}, readAccess=[name]),
        operation({}, readAccess=[name]),
    )
    assert done["projectUserShares"] == []


@pytest.mark.parametrize(
    "option", [{"virtualTargetUsers": [{"username": "x"}]}, {"virtualTargetUsersFromMigration": True}]
)
def test_options_for_assumed_accounts_are_refused(admin: Any, option: dict[str, Any]) -> None:
    assert admin.post(PATH, json={"migration": {"operations": []}} | option).status_code == 400


def test_the_size_of_a_migration_is_limited(admin: Any) -> None:
    """A migration is processed in one transaction."""
    many = [operation({"username": "x"})] * 1001
    assert admin.post(PATH, json={"migration": {"operations": many}}).status_code == 400
    names = [str(number) for number in range(10_001)]
    for kind in ("ownership", "readAccess", "writeAccess"):
        body = {"migration": {"operations": [operation({"username": "x"}, **{kind: names})]}}
        assert admin.post(PATH, json=body).status_code == 400
    assert admin.post(PATH, json={"migration": {"operations": many[:-1]}}).status_code == 200
