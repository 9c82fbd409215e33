"""Rules of invitations.

An invitation is a link with a random token, of which only the SHA-256 hash is stored; the database looks the hash up,
so that no comparison depends on how much of a token is right. It works as long as its creator may share the project.
Every reason why a token is not accepted (unknown, expired, revoked, used up, project deleted, creator without the
right) gives the same response.
"""

from __future__ import annotations

import hashlib
import secrets
from dataclasses import dataclass

import structlog

from annotarium.access import audit
from annotarium.access.call import Call, ProjectCall, reopen_call_for_writing
from annotarium.access.rights import Access
from annotarium.access.user_rights_cache import read_access
from annotarium.db.identifiers import now_ms, parse_id
from annotarium.db.models import Invitation, InvitationUse, Project
from annotarium.db.timestamps import iso
from annotarium.domains.invitations import repository
from annotarium.domains.invitations.attempt_limits import invitation_limits
from annotarium.domains.invitations.schemas import (
    InvitationAccepted,
    InvitationCreate,
    InvitationCreated,
    InvitationFacts,
    InvitationList,
    InvitationRead,
    InvitationSend,
    Right,
)
from annotarium.domains.shares import service as shares
from annotarium.errors import Conflict, DeletedOrUnknown, InvalidInput, NotFound, ServiceUnavailable
from annotarium.mail import invitation as invitation_mail
from annotarium.mail.message import BadAddress
from annotarium.mail.sending import MailNotAccepted, send_immediately
from annotarium.settings import get_settings
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
DAY_MS = 86_400_000
MOST_PER_PROJECT = 200
"""Invitations of a project that have not expired, revoked and used up ones included."""
_TOKEN_BYTES = 32


def list_invitations(call: ProjectCall) -> InvitationList:
    """The open invitations of the project, newest first."""
    shares.require_may_share(call)
    rows = repository.list_open(call.session, call.project, now_ms())
    sharing = {creator: _may_share(call, creator, call.project) for creator in {row.creator_id for row in rows}}
    return InvitationList(
        invitations=[_read(row, usable=sharing[row.creator_id]) for row in rows],
        sends_mail=invitation_mail.sends_invitations(get_settings()),
    )


def create_invitation(call: ProjectCall, body: InvitationCreate) -> InvitationCreated:
    """Create an invitation; who may share the project may give read and write access.

    Raises:
        AccessDenied: the caller may not share the project.
        Conflict: the project has its maximum of invitations.
    """
    shares.require_may_share(call)
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    row = _add_invitation(call, token, _Terms(body.right, body.days, body.uses))
    return InvitationCreated(**_read(row).model_dump(by_alias=False), token=token)


def send_invitation(call: ProjectCall, body: InvitationSend) -> InvitationRead:
    """Create an invitation for one person and send it. The response does not depend on whether the address has an
    account.

    Opens a writing transaction of its own, because the mail server may be slow. If the message cannot be delivered,
    the invitation is deleted.

    Raises:
        AccessDenied: the caller may not share the project.
        InvalidInput: the installation sends no e-mail, or the address is not valid.
        TooManyRequests: too many e-mails.
        ServiceUnavailable: the mail server did not accept the message.
    """
    shares.require_may_share(call)
    settings = get_settings()
    if not invitation_mail.sends_invitations(settings):
        raise InvalidInput(
            message("wrong.noMail", "This installation sends no e-mail"), fix="Create a link and send it yourself"
        )
    invitation_limits.take_mail(call.access.user_id, body.address)
    token, expires_at = secrets.token_urlsafe(_TOKEN_BYTES), now_ms() + body.days * DAY_MS
    inviter = repository.display_name(call.session, call.access.user_id)
    facts = invitation_mail.InvitationFacts(inviter, call.project.label, body.right == "write", expires_at, token)
    try:
        mail = invitation_mail.compose_invitation_mail(facts, body.address, body.language, settings)
    except BadAddress as error:
        text = message("wrong.mailAddress", "The e-mail address is not valid")
        raise InvalidInput(text, details=[{"field": "address", "message": text}]) from error
    terms = _Terms(body.right, body.days, 1, body.address)
    with reopen_call_for_writing(call) as writing:
        assert isinstance(writing, ProjectCall)
        row = _add_invitation(writing, token, terms)
        sent, row_id = _read(row), row.id
    try:
        send_immediately(mail, settings)
    except MailNotAccepted as error:
        log.warning("invitation_not_sent", error=str(error))
        with reopen_call_for_writing(call) as writing:
            repository.delete_invitation(writing.session, row_id)
        raise ServiceUnavailable(
            message("mail.inviteFailed", "The invitation could not be sent"),
            fix=message("fix.inviteFailed", "Check the address and try again later, or create a link"),
        ) from error
    return sent


@dataclass(frozen=True)
class _Terms:
    """What an invitation permits, for how many days, how often (None = any number), and where it was sent."""

    right: Right
    days: int
    uses: int | None
    sent_to: str | None = None


def _add_invitation(call: ProjectCall, token: str, terms: _Terms) -> Invitation:
    now = now_ms()
    repository.lock_project(call.session, call.project)
    repository.delete_expired(call.session, call.project, now)
    if repository.count_since(call.session, call.project, now) >= MOST_PER_PROJECT:
        raise Conflict(
            message("limit.invitations", "The project already has {number:,} invitations", number=MOST_PER_PROJECT),
            fix=message("fix.invitations", "Wait until some of them have expired, or use one link for several people"),
        )
    row = Invitation(
        project_id=call.project.id,
        creator_id=call.access.user_id,
        token_sha256=_digest(token),
        write=terms.right == "write",
        created_by=call.username,
        created_at=now,
        expires_at=now + terms.days * DAY_MS,
        uses_left=terms.uses,
        sent_to=terms.sent_to,
    )
    call.session.add(row)
    call.session.flush()
    audit.add_entry(
        call.session, call.username, "invitation.create", call.project.name, id=str(row.id), right=terms.right
    )
    _notify_invitations_changed(call, call.project)
    return row


def revoke_invitation(call: ProjectCall, invitation_id: str) -> None:
    """Revoke an open or used up invitation of the project.

    Raises:
        AccessDenied: the caller may not share the project.
        NotFound: there is no such invitation in this project.
    """
    shares.require_may_share(call)
    number = parse_id(invitation_id)
    row = repository.find_in_project(call.session, call.project, number) if number is not None else None
    if row is None or row.revoked_at is not None:
        raise DeletedOrUnknown(message("none.invitationHere", "There is no such invitation in this project"))
    row.revoked_at = now_ms()
    audit.add_entry(call.session, call.username, "invitation.revoke", call.project.name, id=str(row.id))
    _notify_invitations_changed(call, call.project)


def preview_invitation(call: Call, token: str) -> InvitationFacts:
    """Who invites to which project.

    Raises:
        NotFound: the token is not valid for the caller.
        TooManyRequests: the caller tries too often.
    """
    invitation_limits.take_try(call.access.user_id, call.address)
    found = _find_valid(call, token, lock=False)
    return InvitationFacts(
        project_label=found.project.label,
        inviter=repository.display_name(call.session, found.invitation.creator_id),
        right=_right(found.invitation),
    )


def accept_invitation(call: Call, token: str) -> InvitationAccepted:
    """Share the project with the caller, and count one use. Changes nothing if the caller has the access already.

    Raises:
        NotFound: the token is not valid for the caller.
        TooManyRequests: the caller tries too often.
    """
    invitation_limits.take_try(call.access.user_id, call.address)
    found = _find_valid(call, token, lock=True)
    invitation, project = found.invitation, found.project
    if not found.has_access:
        if invitation.uses_left is not None:
            invitation.uses_left -= 1
        call.session.add(InvitationUse(invitation_id=invitation.id, user_id=call.access.user_id))
        call.session.flush()
        shares.share_with_caller(call, project, write=invitation.write, shared_by=invitation.created_by)
        facts = {"id": str(invitation.id), "right": _right(invitation), "inviter": invitation.created_by}
        audit.add_entry(call.session, call.username, "invitation.accept", project.name, **facts)
    return InvitationAccepted(project_name=project.name, project_label=project.label, right=_right(invitation))


@dataclass(frozen=True)
class _ValidInvitation:
    """An invitation that the caller may accept, its project, and whether the caller has that access already."""

    invitation: Invitation
    project: Project
    has_access: bool


def _find_valid(call: Call, token: str, *, lock: bool) -> _ValidInvitation:
    """The invitation of that token.

    With `lock`, concurrent calls for the same project wait for the end of the transaction. The rights of the caller are
    read after that: those of the call are older, and a second click would not find the share of the first one.

    Raises:
        NotFound: the token is not valid for the caller.
    """
    invitation = repository.find_by_digest(call.session, _digest(token), lock=lock)
    if invitation is not None and (invitation.revoked_at is not None or invitation.expires_at <= now_ms()):
        invitation = None
    project = repository.find_live_project(call.session, invitation.project_id) if invitation is not None else None
    if invitation is not None and project is not None:
        if lock:  # not of expired ones: their deletion locks the project first
            repository.lock_project(call.session, project)
        has_access = _has_access(call, project, write=invitation.write)
        if _may_share(call, invitation.creator_id, project) and _admits(call, invitation, has_access=has_access):
            return _ValidInvitation(invitation, project, has_access)
    raise NotFound(
        message("none.invitation", "This invitation is not valid"),
        cause=message("cause.invitation", "It is unknown, has expired, was revoked or has been used"),
        fix=message("fix.invitation", "Ask for a new invitation"),
    )


def _admits(call: Call, invitation: Invitation, *, has_access: bool) -> bool:
    """Whether the invitation has a use left for the caller."""
    if repository.is_used_by(call.session, invitation, call.access.user_id):
        # Who accepted it and lost the share (removed, or left) needs a new invitation.
        return has_access
    return invitation.uses_left is None or invitation.uses_left > 0


def _has_access(call: Call, project: Project, *, write: bool) -> bool:
    access = read_access(call.session, call.access.user_id)
    if access is None:
        return False
    rights = access.rights_on(project)
    return rights.write if write else rights.read


def _may_share(call: Call, user_id: int, project: Project) -> bool:
    """Whether a user may share the project now; False for disabled and deleted users."""
    access: Access | None = read_access(call.session, user_id)
    return access is not None and shares.may_share(access, project)


def _notify_invitations_changed(call: Call, project: Project) -> None:
    call.unit.emit("project", {"type": "shares", "by": call.username}, project=project.name)


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _right(invitation: Invitation) -> Right:
    return "write" if invitation.write else "read"


def _read(row: Invitation, *, usable: bool = True) -> InvitationRead:
    return InvitationRead(
        id=str(row.id),
        right=_right(row),
        created_by=row.created_by,
        created_at=iso(row.created_at) or "",
        expires_at=iso(row.expires_at) or "",
        uses_left=row.uses_left,
        sent_to=row.sent_to,
        usable=usable,
    )
