"""Subjects: users with their rights, read from the database and cached until the revision of rights changes."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeVar

from sqlalchemy.orm import Session

from annotarium.access import repository
from annotarium.access.predefined_roles import facets_hidden_by_roles
from annotarium.access.repository import ApiKeyFacts, GrantedRights
from annotarium.access.restriction import parse_restriction
from annotarium.access.rights import Access
from annotarium.db.database import Database

Found = TypeVar("Found")
GROUP_PROJECT_ADMIN = "GroupProjectAdmin"
_CACHE_MAX = 4_096


@dataclass(frozen=True)
class Subject:
    """A user with the facts that authentication needs."""

    user_id: int
    username: str
    password_hash: str
    token_revision: int
    disabled: bool
    access: Access


def read_access(session: Session, user_id: int, restriction: str = "") -> Access | None:
    """The current rights of a user, bypassing the cache (for jobs); None for unknown and disabled users.

    `restriction` is the text of a restriction to apply, empty for none.
    """
    subject = _load_subject(session, user_id)
    if subject is None or subject.disabled:
        return None
    return subject.access.narrowed(parse_restriction(restriction)) if restriction else subject.access


def expand_permissions(granted: GrantedRights) -> frozenset[str]:
    """Permissions of the user and the roles; `{group}` stands for each group of the user, or the role's own group."""
    permissions = set(granted.user.permissions)
    names = {group.id: group.name for group in granted.groups}
    for role in granted.roles:
        groups = list(names.values()) if role.group_id is None else [names[role.group_id]]
        for permission in role.permissions:
            if "{group}" in permission:
                permissions.update(permission.replace("{group}", name) for name in groups)
            else:
                permissions.add(permission)
    return frozenset(permissions)


def _administered_group_ids(granted: GrantedRights) -> frozenset[int]:
    if not any(role.rolename == GROUP_PROJECT_ADMIN for role in granted.roles):
        return frozenset()
    return frozenset(group.id for group in granted.groups)


def _load_subject(session: Session, user_id: int) -> Subject | None:
    granted = repository.read_granted_rights(session, user_id)
    if granted is None:
        return None
    user = granted.user
    # A group that may not sign in only prevents sign-in for users without any group that may.
    shut_out = bool(granted.groups) and not any(group.login_allowed for group in granted.groups)
    access = Access(
        user_id=user.id,
        username=user.username,
        permissions=expand_permissions(granted),
        roles=frozenset(role.rolename for role in granted.roles),
        group_ids=frozenset(group.id for group in granted.groups),
        group_names=frozenset(group.name for group in granted.groups),
        shared_read=frozenset(project_id for project_id, _ in granted.shares),
        shared_write=frozenset(project_id for project_id, write in granted.shares if write),
        administered_group_ids=_administered_group_ids(granted),
    )
    access = replace(access, hidden_facets=facets_hidden_by_roles(access.roles))
    return Subject(
        user_id=user.id,
        username=user.username,
        password_hash=user.password_hash,
        token_revision=user.token_revision,
        disabled=user.disabled or shut_out,
        access=access,
    )


class SubjectCache:
    """The subjects cached in this process, each with the revision under which it was read."""

    def __init__(self) -> None:
        self._subjects: OrderedDict[int, tuple[int, Subject]] = OrderedDict()
        self._ids: dict[str, tuple[int, int]] = {}
        self._keys: dict[str, tuple[int, ApiKeyFacts]] = {}
        self._narrowed: OrderedDict[tuple[int, str], tuple[Subject, Access]] = OrderedDict()
        self._lock = threading.Lock()

    def subject(self, database: Database, user_id: int, revision: int) -> Subject | None:
        """The subject at `revision`, from the cache or the database; a revision of 0 bypasses the cache.

        The caller must have read `revision` before, so that a concurrent change of rights is not missed.
        """
        with self._lock:
            cached = self._subjects.get(user_id)
        if cached is not None and cached[0] == revision and revision:
            return cached[1]
        with database.session(write=False) as session:
            subject = _load_subject(session, user_id)
        if subject is not None:
            with self._lock:
                self._subjects[user_id] = (revision, subject)
                while len(self._subjects) > _CACHE_MAX:
                    self._subjects.popitem(last=False)
        return subject

    def user_id(self, database: Database, username: str, revision: int) -> int | None:
        """The id of the user of that name, cached under the revision."""
        return self._find(self._ids, repository.find_user_id, database, username, revision)

    def key(self, database: Database, digest: str, revision: int) -> ApiKeyFacts | None:
        """The API key with that digest, cached under the revision, which changes when a key is revoked."""
        return self._find(self._keys, repository.find_api_key, database, digest, revision)

    def _find(
        self,
        cached: dict[str, tuple[int, Found]],
        finder: Callable[[Session, str], Found | None],
        database: Database,
        text: str,
        revision: int,
    ) -> Found | None:
        with self._lock:
            known = cached.get(text)
        if known is not None and known[0] == revision and revision:
            return known[1]
        with database.session(write=False) as session:
            found = finder(session, text)
        if found is not None:
            with self._lock:
                if len(cached) > _CACHE_MAX:
                    cached.clear()
                cached[text] = (revision, found)
        return found

    def access(self, subject: Subject, restriction: str) -> Access:
        """The subject's rights within the restriction with that text (empty: all of them)."""
        if not restriction:
            return subject.access
        key = (subject.user_id, restriction)
        with self._lock:
            cached = self._narrowed.get(key)
        if cached is not None and cached[0] is subject:  # after a change of the revision, the subject is another object
            return cached[1]
        access = subject.access.narrowed(parse_restriction(restriction))
        with self._lock:
            self._narrowed[key] = (subject, access)
            while len(self._narrowed) > _CACHE_MAX:
                self._narrowed.popitem(last=False)
        return access

    def clear(self) -> None:
        with self._lock:
            self._subjects.clear()
            self._ids.clear()
            self._keys.clear()
            self._narrowed.clear()


cache = SubjectCache()


def access_for_credential(
    subject: Subject, credential: str, session_id: int | None, restriction: str = "", key_id: int | None = None
) -> Access:
    """The subject's rights within the restriction of its token or key, marked with the credential used."""
    access = cache.access(subject, restriction)
    return replace(access, credential=credential, session_id=session_id, key_id=key_id)  # type: ignore[arg-type]
