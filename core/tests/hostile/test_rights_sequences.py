"""Whatever sequence of calls an account makes, alone or with a helper: neither gains rights, no other user is locked
out, and a platform administrator who can sign in remains.

A world is generated (users, groups, one of which allows no sign-in, roles, projects and shares), then calls by the
attackers and by every account that they created or whose password they set. The rights they may reach are computed
from the tables (`support.rights_model`) at the start and after each call that was allowed.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, precondition, rule, run_state_machine_as_test
from sqlalchemy import event, select
from starlette.requests import Request
from support.hostile_test_sizes import hostile_test_size
from support.rights_model import (
    GROUPS,
    OWN,
    PROJECTS,
    WRITE,
    Account,
    GroupRole,
    ProjectSetup,
    RightsLimits,
    build_rights,
    current_state,
)

from annotarium.access import guard, user_rights_cache
from annotarium.access.predefined_roles import PREDEFINED_BY_NAME
from annotarium.db.database import get_database
from annotarium.db.models import User
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.groups import endpoints as groups
from annotarium.domains.groups.schemas import GroupCreate, GroupPatch
from annotarium.domains.invitations import endpoints as invitations
from annotarium.domains.invitations.attempt_limits import invitation_limits
from annotarium.domains.invitations.schemas import InvitationCreate, InvitationToken
from annotarium.domains.roles import endpoints as roles
from annotarium.domains.roles.schemas import RoleCreate, RolePatch
from annotarium.domains.shares import endpoints as shares
from annotarium.domains.shares.schemas import ShareMode
from annotarium.domains.users import endpoints as users
from annotarium.domains.users.schemas import ProfilePatch, UserCreate, UserPatch
from annotarium.errors import AnnotariumError

Endpoint = Callable[..., Any]
GOOD = "a good long password"
ATTACKERS, VICTIMS = ("ann", "bob"), ("vera", "will", "xena", "yves")
ROLES = ("Reader", "ProjectManager", "GroupUserAdmin", "GroupProjectAdmin", "PlatformProjectAdmin", "PlatformUserAdmin")
OWN_ROLES = ("OfOne", "OfTwo")
PERMISSIONS = (
    "useSearch",
    "exportProject",
    "shareProject",
    "seeGlobalJobs",
    "readProject:*",
    "writeProject:p1",
    "readProject:p2",
    "assignRole:Reader",
    "assignRole:OfOne",
    "createUserIn:g1",
    "createUserIn:g2",
    "createUserIn:closed",
    "createUserIn:*",
    "writeGroup:g1",
    "writeGroup:g2",
    "writeGroup:*",
)
USUAL = (
    ("GroupUserAdmin", "Reader", "assignRole:Reader"),
    ("GroupUserAdmin", "GroupProjectAdmin", "assignRole:*"),
    ("createUserIn:g1", "createUserIn:g2", "ProjectManager"),
    ("createUserIn:g1", "createUserIn:closed"),
    ("createUserIn:*",),
    ("writeGroup:*",),
    ("ProjectManager",),
    (),
)

some_groups = st.lists(st.sampled_from(GROUPS), max_size=2, unique=True).map(tuple)
grants = st.one_of(
    st.sampled_from(USUAL), st.lists(st.sampled_from(ROLES[:4] + PERMISSIONS), max_size=3, unique=True).map(tuple)
)
victim_grants = st.lists(st.sampled_from(ROLES + PERMISSIONS), max_size=2, unique=True).map(tuple)
anybody = st.sampled_from((*ATTACKERS, *VICTIMS, "root", "made1", "made2"))
people = st.sampled_from((*ATTACKERS, *VICTIMS))
some_shares = st.lists(st.tuples(people, st.booleans()), max_size=2, unique_by=lambda one: one[0]).map(tuple)
group_shares = st.lists(st.tuples(st.sampled_from(GROUPS), st.booleans()), max_size=1).map(tuple)
places = st.builds(
    ProjectSetup,
    name=st.just(""),
    owner=st.one_of(st.none(), people),
    group=st.one_of(st.none(), st.sampled_from(GROUPS)),
    users=some_shares,
    groups=group_shares,
)
role_permissions = st.lists(
    st.sampled_from((*PERMISSIONS, "createUserIn:{group}", "writeGroup:{group}")), max_size=2, unique=True
).map(tuple)
group_roles = st.builds(
    GroupRole,
    name=st.just(""),
    group=st.sampled_from(GROUPS),
    permissions=role_permissions,
    holders=st.lists(people, max_size=2, unique=True).map(tuple),
)
one_or_two_groups = st.lists(st.sampled_from(GROUPS), min_size=1, max_size=2)
any_role = st.sampled_from((*ROLES, *OWN_ROLES, "Made"))
who = st.integers(min_value=0, max_value=7)
project = st.sampled_from(PROJECTS)


class Calls(RuleBasedStateMachine):
    """A generated world, and the attackers' calls."""

    @initialize(
        mode=st.sampled_from(("alone", "alone", "together", "platform")),
        ann=st.builds(Account, name=st.just("ann"), grants=grants, groups=some_groups),
        bob=st.builds(Account, name=st.just("bob"), grants=grants, groups=some_groups),
        victims=st.tuples(*(st.tuples(victim_grants, some_groups) for _ in VICTIMS)),
        drawn_places=st.tuples(*(places for _ in PROJECTS)),
        drawn_roles=st.tuples(*(group_roles for _ in OWN_ROLES)),
        root_groups=st.sampled_from(((), ("g1",), ("g1", "closed"))),
    )
    def start(
        self, mode: str, ann: Account, bob: Account, victims: Any, drawn_places: Any, drawn_roles: Any, root_groups: Any
    ) -> None:
        self.made: list[str] = []
        self.links: list[tuple[str, str, str]] = []
        """Invitations that were created: project, creator and token."""
        accounts = [Account("root", tuple(PREDEFINED_BY_NAME), root_groups), ann, bob]
        if mode == "platform":
            accounts[1:] = [Account("ann", ("PlatformUserAdmin",), ann.groups), bob]
        accounts += [Account(name, *drawn) for name, drawn in zip(VICTIMS, victims, strict=True)]
        own_places = [
            ProjectSetup(name, one.owner, one.group, one.users, one.groups)
            for name, one in zip(PROJECTS, drawn_places, strict=True)
        ]
        own_roles = [
            GroupRole(name, one.group, one.permissions, one.holders)
            for name, one in zip(OWN_ROLES, drawn_roles, strict=True)
        ]
        build_rights(accounts, own_places, own_roles)
        self.attackers = {"alone": ["ann"], "together": ["ann", "bob"], "platform": ["root", "ann"]}[mode]
        self.controlled = list(self.attackers)
        self.state = current_state()
        self.limits = RightsLimits(self.state, self.attackers)
        self.allowed = 0
        for actor in range(len(self.attackers)):
            for name in PROJECTS:
                self.invite(actor, name, "write", None)

    def attempt(
        self,
        actor: int,
        endpoint: Callable[..., Any],
        path: dict[str, str],
        plain: set[str] | None = None,
        **given: Any,
    ) -> bool:
        """Make one call as one of the accounts the attackers control; returns True if it was allowed.

        Args:
            plain: names of those whose access such a call is expected to end.
        """
        name = self.controlled[actor % len(self.controlled)]
        request = Request(
            {"type": "http", "method": "POST", "path": "/", "query_string": b"", "headers": [], "scheme": "http"}
            | {"path_params": path, "server": ("studio.test", 80), "client": ("test", 1), "caller": name}
        )
        given |= {"project_name": path["project_name"]} if "project_name" in path else {}
        try:
            self.answer = endpoint(request=request, **given)
        except AnnotariumError as error:
            unexpected = error.status >= 500
            refused = error
        else:
            unexpected, refused = False, None
        assert not unexpected, refused
        if refused is not None:
            return False
        self.allowed += 1
        self.check(name, plain or set())
        return True

    def check(self, actor: str, plain: set[str]) -> None:
        """Compare the current state with what the attackers might reach at the start."""
        before, after = self.state, current_state()
        self.state = after
        administrators = [name for name in after.signs_in if "createUserIn:*" in after.permissions[name]]
        assert administrators, "no platform administrator can sign in any more"
        locked_out = {name for name in before.signs_in if name not in after.signs_in}
        assert locked_out <= plain - {actor}, f"{locked_out} cannot sign in any more"
        for name in locked_out | {name for name in after.signs_in - before.signs_in if name in before.groups}:
            assert name in self.made or self.limits.within(name), f"{name} is not theirs to let in or out"
        for name in self.controlled:
            if name in after.permissions:
                excess = self.limits.excess(after, name)
                assert not excess, f"{name} reaches {excess}"

    def take(self, name: str) -> None:
        """Record that the attackers know the password of an account and can act as it."""
        assert name in self.made or name in self.attackers or self.limits.within(name), f"{name} was taken over"
        if name not in self.controlled:
            self.controlled.append(name)
        self.check("", set())

    @rule(actor=who, whom=anybody)
    def set_password(self, actor: int, whom: str) -> None:
        name = self.controlled[actor % len(self.controlled)]
        body = ProfilePatch(password=GOOD)
        if name != whom and self.attempt(actor, users.update_profile, {"username": whom}, username=whom, body=body):
            self.take(whom)

    @rule(actor=who, whom=anybody, disabled=st.booleans())
    def disable(self, actor: int, whom: str, disabled: bool) -> None:
        body = UserPatch(disabled=disabled)
        self.attempt(actor, users.update_user, {"username": whom}, {whom}, username=whom, body=body)

    @rule(actor=who, whom=anybody, wanted=st.lists(any_role, max_size=2))
    def give_roles(self, actor: int, whom: str, wanted: list[str]) -> None:
        self.attempt(actor, users.update_user, {"username": whom}, username=whom, body=UserPatch(roles=wanted))

    @rule(actor=who, whom=anybody, wanted=st.lists(st.sampled_from(PERMISSIONS), max_size=2))
    def give_permissions(self, actor: int, whom: str, wanted: list[str]) -> None:
        body = UserPatch(permissions=wanted)
        self.attempt(actor, users.update_user, {"username": whom}, username=whom, body=body)

    @rule(actor=who, whom=anybody, cascade=st.booleans())
    def delete_user(self, actor: int, whom: str, cascade: bool) -> None:
        if whom not in self.made:
            self.attempt(actor, users.delete_user, {"username": whom}, {whom}, username=whom, cascade=cascade)

    @rule(actor=who, whom=anybody, names=one_or_two_groups, replace=st.booleans())
    def add_groups(self, actor: int, whom: str, names: list[str], replace: bool) -> None:
        given = {"username": whom, "group_name": names, "replace_existing": replace}
        self.attempt(actor, users.add_groups, {"username": whom}, **given)

    @rule(actor=who, whom=anybody, names=one_or_two_groups)
    def remove_groups(self, actor: int, whom: str, names: list[str]) -> None:
        self.attempt(actor, users.remove_groups, {"username": whom}, username=whom, group_name=names)

    @rule(actor=who, names=some_groups, wanted=st.lists(any_role, max_size=1), permissions=role_permissions)
    def create_user(self, actor: int, names: Any, wanted: list[str], permissions: Any) -> None:
        name = f"made{len(self.made) + 1}"
        body = UserCreate(username=name, password=GOOD, roles=wanted, permissions=list(permissions))
        self.made.append(name)
        if len(self.made) < 4 and self.attempt(actor, users.create_user, {}, body=body, group_name=list(names)):
            self.take(name)
        else:
            self.made.pop()

    @rule(actor=who, group=st.sampled_from(GROUPS), allowed=st.booleans())
    def open_or_close_group(self, actor: int, group: str, allowed: bool) -> None:
        members = {name for name, names in self.state.groups.items() if group in names}
        body = GroupPatch(login_allowed=allowed)
        self.attempt(actor, groups.update_group, {"groupName": group}, members, group_name=group, body=body)

    @rule(actor=who, group=st.sampled_from(GROUPS), wanted=any_role, system=st.booleans())
    def attach_role(self, actor: int, group: str, wanted: str, system: bool) -> None:
        body = GroupPatch.model_validate({"systemAttachedRoles" if system else "attachedRoles": [wanted]})
        self.attempt(actor, groups.update_group, {"groupName": group}, group_name=group, body=body)

    @rule(actor=who, group=st.sampled_from(GROUPS), cascade=st.booleans())
    def delete_group(self, actor: int, group: str, cascade: bool) -> None:
        alone = {name for name, names in self.state.groups.items() if names == {group}} if cascade else set()
        self.attempt(actor, groups.delete_group, {"groupName": group}, alone, group_name=group, cascade=cascade)

    @rule(actor=who, group=st.sampled_from(GROUPS))
    def create_group(self, actor: int, group: str) -> None:
        self.attempt(actor, groups.create_group, {}, body=GroupCreate(label=group, name=group))

    @rule(actor=who, group=st.sampled_from(("", *GROUPS)), permissions=role_permissions)
    def create_role(self, actor: int, group: str, permissions: Any) -> None:
        body = RoleCreate(label="Made", rolename="Made", permissions=list(permissions))
        self.attempt(actor, roles.create_role, {}, body=body, group_name=group)

    @rule(actor=who, rolename=any_role, permissions=role_permissions)
    def update_role(self, actor: int, rolename: str, permissions: Any) -> None:
        body = RolePatch(permissions=list(permissions))
        self.attempt(actor, roles.update_role, {"rolename": rolename}, rolename=rolename, body=body)

    @rule(actor=who, rolename=any_role)
    def delete_role(self, actor: int, rolename: str) -> None:
        self.attempt(actor, roles.delete_role, {"rolename": rolename}, rolename=rolename)

    @rule(actor=who, name=project, whom=anybody, write=st.booleans(), give=st.booleans())
    def share_with_user(self, actor: int, name: str, whom: str, write: bool, give: bool) -> None:
        path = {"project_name": name, "username": whom}
        if give:
            body = ShareMode(read=True, write=write)
            self.attempt(actor, shares.share_with_user, path, username=whom, body=body)
        else:
            self.attempt(actor, shares.unshare_with_user, path, username=whom)

    @rule(actor=who, name=project, group=st.sampled_from(GROUPS), write=st.booleans(), give=st.booleans())
    def share_with_group(self, actor: int, name: str, group: str, write: bool, give: bool) -> None:
        path = {"project_name": name, "group_name": group}
        if give:
            body = ShareMode(read=True, write=write)
            self.attempt(actor, shares.share_with_group, path, group_name=group, body=body)
        else:
            self.attempt(actor, shares.unshare_with_group, path, group_name=group)

    @rule(actor=who, name=project, whom=anybody)
    def change_owner(self, actor: int, name: str, whom: str) -> None:
        self.attempt(actor, shares.change_owner, {"project_name": name}, username=whom)

    @rule(actor=who, name=project, group=st.sampled_from(GROUPS), clear=st.booleans(), share=st.booleans())
    def change_group(self, actor: int, name: str, group: str, clear: bool, share: bool) -> None:
        given = {
            "group_name": group,
            "delete_group_shares": clear,
            "delete_user_shares": clear,
            "share_with_new": share,
        }
        self.attempt(actor, shares.change_group, {"project_name": name}, **given)

    @rule(actor=who, name=project, right=st.sampled_from(("read", "write")), uses=st.sampled_from((None, 1)))
    def invite(self, actor: int, name: str, right: Any, uses: int | None) -> None:
        body = InvitationCreate(right=right, uses=uses)
        if self.attempt(actor, invitations.create_invitation, {"project_name": name}, body=body):
            creator = self.controlled[actor % len(self.controlled)]
            self.links.append((name, creator, self.answer.token))

    @precondition(lambda self: self.links)
    @rule(actor=who, which=st.integers(min_value=0, max_value=7))
    def accept_invitation(self, actor: int, which: int) -> None:
        """An invitation is only valid while the account that created it may share the project."""
        name, creator, token = self.links[which % len(self.links)]
        invitation_limits.forget_all()
        before = self.state
        body = InvitationToken.model_validate({"token": token})
        if self.attempt(actor, invitations.accept_invitation, {}, body=body):
            level, held = before.rights[creator].get(name, 0), before.permissions[creator]
            assert level == OWN or (level == WRITE and "shareProject" in held), f"{creator} may not share {name}"
            assert creator in before.signs_in, f"{creator} cannot sign in"
            Calls.accepted += 1

    @precondition(lambda self: self.links)
    @rule(actor=who, which=st.integers(min_value=0, max_value=7), heir=anybody)
    def give_up_project_and_accept(self, actor: int, which: int, heir: str) -> None:
        """The account that created the invitation loses the project before somebody accepts."""
        name, creator, _ = self.links[which % len(self.links)]
        position, path = self.controlled.index(creator), {"project_name": name}
        self.attempt(position, shares.change_owner, path, username=heir)
        self.attempt(position, shares.leave, path)
        self.accept_invitation(actor, which)

    def teardown(self) -> None:
        Calls.total += getattr(self, "allowed", 0)

    total = 0
    accepted = 0


@pytest.fixture
def world(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Callers are passed by name instead of signing in (tested elsewhere), and commits do not wait for the disk."""

    def caller(request: Any) -> Any:
        with unit_of_work(actor="tests", write=False) as unit:
            user_id = unit.session.scalar(select(User.id).where(User.username == request.scope["caller"]))
            return None if user_id is None else user_rights_cache.read_access(unit.session, user_id)

    def hurry(connection: Any, _branch: Any) -> None:
        connection.execute("PRAGMA synchronous=OFF")

    monkeypatch.setattr(guard, "identify", caller)
    database = get_database()
    if database.write_engine.dialect.name == "sqlite":
        database.write_engine.dispose()
        event.listen(database.write_engine, "connect", hurry)


def test_no_sequence_of_calls_extends_the_rights_of_an_account(world: None) -> None:
    run_state_machine_as_test(
        Calls,
        settings=settings(
            max_examples=hostile_test_size(100, 10_000),
            stateful_step_count=int(os.environ.get("RIGHTS_STEPS", "14")),
            deadline=None,
            database=None,
            phases=(Phase.generate, Phase.shrink),
            suppress_health_check=list(HealthCheck),
        ),
    )
    assert Calls.total > hostile_test_size(50, 5_000), "too few calls were allowed to tell anything"
    assert Calls.accepted > hostile_test_size(5, 500), "too few invitations were accepted to tell anything"
