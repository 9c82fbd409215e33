"""Endpoints for configuration, build information, the signed-in user and health."""

from __future__ import annotations

from fastapi import Response

from annotarium.access.call import Call
from annotarium.access.guard import guarded
from annotarium.access.request_limits import HEALTH
from annotarium.domains.shell import repository, service
from annotarium.domains.shell.health import check_health_of_parts
from annotarium.domains.shell.schemas import BuildInfo, Configuration, CurrentUser, Health
from annotarium.errors import NotFound
from annotarium.http.routing import DomainRouter

router = DomainRouter(tags=["shell"])


@router.get("/current_user")
@guarded(write=False, effect="annotate")
def current_user(call: Call) -> CurrentUser:
    """The signed-in user."""
    return CurrentUser(username=call.username, sso_login=call.access.sso_login)


@router.get("/ui-config", response_model_exclude_none=True)
@guarded(anonymous=True, write=False)
def ui_config(call: Call) -> Configuration:
    """The configuration of the user interface."""
    return service.read_ui_configuration(call.session)


@router.get("/swagger-ui/buildInfo.json")
@guarded(anonymous=True, write=False)
def build_info(call: Call) -> BuildInfo:
    """Version and build of the server."""
    return service.build_info()


@router.get("/oauth2/me/idp-groups")
@guarded(write=False)
def idp_groups(call: Call) -> list[dict[str, str]]:
    """Groups of the identity provider; 404 if there is none (E-050)."""
    raise NotFound("There are no identity-provider groups", fix="Nothing to do: this server signs users in itself")


@router.get("/health/live")
@guarded(anonymous=True, write=False, bounds=HEALTH)
def live(call: Call) -> Health:
    """Liveness: the process responds."""
    return Health(status="ok")


@router.get("/health/ready")
@guarded(anonymous=True, write=False, bounds=HEALTH)
def ready(call: Call, response: Response) -> Health:
    """Readiness: all parts work; 503 if one does not."""
    health = check_health_of_parts(lambda: repository.ping_database(call.session))
    if health.status != "ok":
        response.status_code = 503
    return health
