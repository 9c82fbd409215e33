"""Where a user is signed in: the user sees it and ends it; so do those who manage the account."""

from __future__ import annotations

from annotarium.access import audit, revision
from annotarium.access.call import Call
from annotarium.db.corruption import convert_rows
from annotarium.db.identifiers import now_ms
from annotarium.db.models import User
from annotarium.db.timestamps import iso
from annotarium.domains.users import policy, repository
from annotarium.domains.users.schemas import SignInRead
from annotarium.errors import NotFound
from annotarium_schemas.messages import message


def _account(call: Call, username: str) -> User:
    find = policy.get_visible if username == call.username else policy.require_administered
    return find(call, username)


def list_sign_ins(call: Call, username: str) -> list[SignInRead]:
    """Open sign-ins, newest first."""
    return convert_rows(
        repository.open_sign_ins(call.session, _account(call, username)),
        lambda row: SignInRead(
            identifier=str(row.id),
            created_at=iso(row.created_at) or "",
            expires_at=iso(row.expires_at),
            address=row.address,
            agent=row.agent,
            current=row.id == call.access.session_id,
        ),
    )


def end_one(call: Call, username: str, identifier: str) -> None:
    """End one sign-in: what it opened is closed from the next request on."""
    user = _account(call, username)
    row = next((row for row in repository.open_sign_ins(call.session, user) if str(row.id) == identifier), None)
    if row is None:
        raise NotFound(message("none.signIn", "There is no such sign-in"), fix="It may have ended already")
    row.ended_at = now_ms()
    _ended(call, username)


def end_others(call: Call, username: str) -> None:
    """End all sign-ins of a user but the caller's own."""
    repository.end_sign_ins(call.session, _account(call, username), keep=call.access.session_id)
    _ended(call, username)


def _ended(call: Call, username: str) -> None:
    audit.add_entry(call.session, call.username, "sign_in.end", username)
    revision.bump(call.session)
