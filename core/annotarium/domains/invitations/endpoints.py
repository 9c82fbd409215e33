"""Endpoints of invitations (not part of the published API). A token is sent in a body only, never in an address."""

from __future__ import annotations

from annotarium.access.call import Call, ProjectCall
from annotarium.access.guard import guarded
from annotarium.domains.invitations import service
from annotarium.domains.invitations.schemas import (
    InvitationAccepted,
    InvitationCreate,
    InvitationCreated,
    InvitationFacts,
    InvitationList,
    InvitationRead,
    InvitationSend,
    InvitationToken,
)
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["invitations"])


@router.get("/projects/{project_name}/invitations", response_model_exclude_none=True)
@guarded(project="read", effect="chmod")
def list_invitations(call: ProjectCall) -> InvitationList:
    """The open invitations of the project, for those who may share it."""
    return service.list_invitations(call)


@router.post("/projects/{project_name}/invitations", response_model_exclude_none=True)
@guarded(project="read", write=True, effect="chmod")
def create_invitation(call: ProjectCall, body: InvitationCreate) -> InvitationCreated:
    """Create an invitation. Only this response contains its token: it honours no `Idempotency-Key`, which would store
    the token.
    """
    return service.create_invitation(call, body)


@router.post("/projects/{project_name}/invitations/_send", response_model_exclude_none=True)
@guarded(project="read", effect="chmod")
def send_invitation(call: ProjectCall, body: InvitationSend) -> InvitationRead:
    """Create an invitation for one person and send it by e-mail."""
    return service.send_invitation(call, body)


@router.delete("/projects/{project_name}/invitations/{invitation_id}", status_code=204)
@guarded(project="read", write=True, effect="chmod")
def revoke_invitation(call: ProjectCall, invitation_id: str) -> None:
    """Revoke an invitation; who accepted it before keeps the share."""
    service.revoke_invitation(call, invitation_id)


@router.post("/invitations/_preview")
@guarded(write=False, effect="account")
def preview_invitation(call: Call, body: InvitationToken) -> InvitationFacts:
    """Who invites to which project, for the holder of a valid token."""
    return service.preview_invitation(call, body.token.get_secret_value())


@router.post("/invitations/_accept")
@guarded(effect="account")
def accept_invitation(call: Call, body: InvitationToken) -> InvitationAccepted:
    """Accept an invitation: the project is shared with the caller. Accepting it again changes nothing."""
    return service.accept_invitation(call, body.token.get_secret_value())
