"""Who may be mentioned in a comment: accounts that the caller sees, and that see the project."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from annotarium.access.account_powers import AccountPowers
from annotarium.access.account_powers_loading import read_powers_of_accounts
from annotarium.access.call import ProjectCall
from annotarium.access.repository import projects_named
from annotarium.db.models import User
from annotarium.domains.comments import repository
from annotarium.domains.comments.schemas import MentionablePeople, MentionablePerson

_CONSIDERED = 500
"""Most accounts whose rights are read for one answer."""
_SHOWN = 20


def mentionable_people(call: ProjectCall, query: str) -> MentionablePeople:
    """People whose user name or displayed name contains the query, in any case."""
    found = _who_see_the_project(call, repository.visible_accounts(call, containing=query.strip(), limit=_CONSIDERED))
    people = [MentionablePerson(username=one.username, profilename=one.profilename or one.username) for one in found]
    return MentionablePeople(people=people[:_SHOWN])


def mentionable_usernames(call: ProjectCall, names: Collection[str]) -> set[str]:
    """Those of the names that may be mentioned."""
    accounts = repository.visible_accounts(call, names=names, limit=_CONSIDERED)
    return {one.username for one in _who_see_the_project(call, accounts)}


def _who_see_the_project(call: ProjectCall, accounts: Sequence[User]) -> list[User]:
    if not accounts:
        return []
    powers = read_powers_of_accounts(call.session, [account.id for account in accounts])
    _, group = projects_named(call.session, [call.project.name])[call.project.name]
    return [account for account in accounts if _sees_project(powers[account.id], call.project.id, group)]


def _sees_project(powers: AccountPowers, project_id: int, group: str | None) -> bool:
    if {"readProject:*", "writeProject:*"} & powers.permissions or group in powers.project_groups:
        return True
    return any(right.project == project_id for right in powers.projects)
