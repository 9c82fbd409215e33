"""Sign-in sessions of a user. The user and administrators of the account list and end them."""

from __future__ import annotations

from annotarium.access import audit, rights_revision
from annotarium.access.call import Call
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import now_ms
from annotarium.db.models import User
from annotarium.db.timestamps import iso
from annotarium.domains.users import policy, repository
from annotarium.domains.users.schemas import SignInRead
from annotarium.errors import NotFound
from annotarium_schemas.messages import message


def _get_own_or_administered_account(call: Call, username: str) -> User:
    find = policy.get_visible_user if username == call.username else policy.get_administered_user
    return find(call, username)


def list_sign_ins(call: Call, username: str) -> list[SignInRead]:
    """Open sign-in sessions, newest first."""
    return convert_readable_rows(
        repository.list_open_sign_ins(call.session, _get_own_or_administered_account(call, username)),
        lambda row: SignInRead(
            identifier=str(row.id),
            created_at=iso(row.created_at) or "",
            expires_at=iso(row.expires_at),
            address=row.address,
            agent=row.agent,
            current=row.id == call.access.session_id,
        ),
    )


def end_sign_in(call: Call, username: str, identifier: str) -> None:
    """End one sign-in session, effective from the next request."""
    user = _get_own_or_administered_account(call, username)
    row = next((row for row in repository.list_open_sign_ins(call.session, user) if str(row.id) == identifier), None)
    if row is None:
        raise NotFound(message("none.signIn", "This sign-in does not exist"), fix="It may have ended already")
    row.ended_at = now_ms()
    _note_ended_sign_ins(call, username)


def end_other_sign_ins(call: Call, username: str) -> None:
    """End all sign-in sessions of a user except that of the call."""
    repository.end_sign_ins(call.session, _get_own_or_administered_account(call, username), keep=call.access.session_id)
    _note_ended_sign_ins(call, username)


def _note_ended_sign_ins(call: Call, username: str) -> None:
    audit.add_entry(call.session, call.username, "sign_in.end", username)
    rights_revision.note_rights_change(call.session)
