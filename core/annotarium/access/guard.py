"""The guard of the routes: every endpoint declares who may call it, or the server does not start.

    @router.post("/projects/{project_name}/labels")
    @guarded("writeLabel", project="write", idempotent=True)
    def create_label(call: ProjectCall, body: PartialLabel) -> LabelRead:
        return service.create_label(call, body)

The decorator replaces `call` by the request in the signature FastAPI sees, identifies the caller, opens the
transaction, checks the rule, runs the endpoint, commits. It runs in one worker thread from begin to commit. An act that
the record ended only because of another transaction is made once more (`Rule.repeatable`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import wraps
from hashlib import blake2b
from typing import Annotated, Any, Literal, get_type_hints

import structlog
from fastapi import Path, Request
from fastapi.encoders import jsonable_encoder
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session
from starlette.concurrency import run_in_threadpool
from starlette.requests import HTTPConnection

from annotarium.access import repository
from annotarium.access.call import Call, ProjectCall
from annotarium.access.identity import client_address, identify
from annotarium.access.request_limits import ANONYMOUS, STANDARD, RequestLimits
from annotarium.access.restriction import Effect
from annotarium.access.rights import Access
from annotarium.access.throttle import throttle
from annotarium.db.models import IdempotencyKey, Project
from annotarium.db.serialization_failures import is_serialization_failure
from annotarium.db.unit_of_work import unit_of_work
from annotarium.errors import AccessDenied, AnnotariumError, InvalidInput, NotAuthenticated, NotFound
from annotarium_schemas.messages import message

log = structlog.get_logger(__name__)
NOBODY = Access(user_id=0, username="")


@dataclass(frozen=True)
class Rule:
    """Who may call a route.

    Attributes:
        permissions: permission strings; `{name}` parts are filled from the path, `family:` is met by any permission of
            the family. Empty = any signed-in user.
        any_of: one permission is enough (otherwise all are needed).
        project: the project right the path's project must be open with, None outside projects.
        write: the route opens a writing transaction.
        anonymous: callable without signing in.
        idempotent: an `Idempotency-Key` header makes a second identical call return the first answer.
        owner: the project's owner and its group's project administrators need none of the permissions.
        brief: a change of a few rows, made where it takes least (see `http.inline_execution`).
        versioned: `If-Match` is held against the version of what is changed; elsewhere the header does nothing.
        effect: how far it goes, for tokens and keys with a restriction; None = it follows from `write` and `project`.
        bounds: how long a body may be and how many requests of a caller are answered at once; None: as most routes.
        unthrottled: the permission without which calls are limited by the minute (see `access.throttle`); None: they
            are not.
        coming: the project may be one that the caller makes of an archive, which is not there yet, or failed to be.
    """

    permissions: tuple[str, ...] = ()
    any_of: bool = False
    project: Literal["read", "write"] | None = None
    write: bool = True
    anonymous: bool = False
    idempotent: bool = False
    owner: bool = False
    inline: bool = False
    effect: Effect | None = None
    versioned: bool = False
    bounds: RequestLimits | None = None
    unthrottled_permission: str | None = None
    pending_project: bool = False

    @property
    def required_effect(self) -> Effect:
        """How far the route goes (see `access.restriction`)."""
        return self.effect or ("write" if self.write or self.project == "write" else "read")

    @property
    def limits(self) -> RequestLimits:
        """The bounds that hold."""
        return self.bounds or (ANONYMOUS if self.anonymous else STANDARD)

    @property
    def repeatable(self) -> bool:
        """Whether nothing is left of an act that the record took back, so that it can simply be made once more."""
        return self.write and (self.inline or self.idempotent)


def rule_of_endpoint(endpoint: Callable[..., Any] | None) -> Rule | None:
    """The rule an endpoint declares, None when it declares none."""
    return getattr(endpoint, "__access_rule__", None)


def _holds_permission(access: Access, permission: str) -> bool:
    return access.holds_family(permission[:-1]) if permission.endswith(":") else access.can(permission)


def check_permissions(access: Access, rule: Rule, path: dict[str, Any]) -> None:
    """Raise `AccessDenied` unless the caller holds what the rule asks."""
    wanted = [permission.format(**path) for permission in rule.permissions]
    if not wanted:
        return
    allowed = (any if rule.any_of else all)(_holds_permission(access, permission) for permission in wanted)
    if not allowed:
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.permission", "The permission {name} is missing", name=" or ".join(wanted)),
        )


def open_project(session: Session, access: Access, name: str, *, write: bool, cached: bool = False) -> Project:
    """The project, if the caller may see it (else `NotFound`) and, when asked, change it (else `AccessDenied`).

    With `cached` the object is for reading only: nothing of the project itself is changed through it.
    """
    find = repository.find_project_cached if cached else repository.find_project
    project = find(session, name)
    rights = access.rights_on(project) if project else None
    if project is None or rights is None or not rights.read:
        raise NotFound(message("none.project", "There is no project {name}", name=name))
    if write and not rights.write:
        raise AccessDenied(message("denied.readOnly", "The project is read-only"))
    return project


def _parse_if_match(value: str | None) -> int | None:
    if not value or value.strip() == "*":
        return None
    digits = value.strip().removeprefix("W/").strip('"')
    if not digits.isdecimal() or len(digits) > 18:
        raise InvalidInput(
            message("wrong.noVersion", "If-Match holds no version"), fix="Send the version that the last answer gave"
        )
    return int(digits)


def _identify_caller(request: HTTPConnection, rule: Rule) -> Access:
    """Who calls; nobody (user id 0, no rights) on a route that is open to everybody."""
    if rule.anonymous:
        try:
            return identify(request) or NOBODY
        except AnnotariumError:  # an open route answers in spite of credentials it has no use for
            return NOBODY
    access = identify(request)
    if access is None:
        raise NotAuthenticated("You are not or no longer authenticated.")
    if access.restriction is not None:
        access.restriction.require_effect(rule.required_effect)
    return access


def find_call_refusal(request: HTTPConnection, rule: Rule, *, counted: bool = False) -> AnnotariumError | None:
    """Why this caller may not call the route, None when allowed.

    For requests whose parameters or body are wrong: who may not call a route learns that, not what the body lacks.

    Args:
        counted: this is the call itself, which counts where calls are limited by the minute.
    """
    try:
        with open_call(request, replace(rule, write=False, effect=rule.required_effect)) as call:
            access = call.access
        if rule.unthrottled_permission is not None:
            (throttle.take if counted else throttle.check)(access, rule.unthrottled_permission)
        return None
    except AnnotariumError as error:
        return error


@contextmanager
def open_call(request: HTTPConnection, rule: Rule) -> Iterator[Call | ProjectCall]:
    """Identify the caller, open the transaction, check the rule; commit at the end."""
    access = _identify_caller(request, rule)
    headers = request.headers
    common: dict[str, Any] = {
        "access": access,
        "idempotency_key": headers.get("idempotency-key"),
        "if_match": _parse_if_match(headers.get("if-match")) if rule.versioned else None,
        "request_id": getattr(request.state, "request_id", None),
        "address": client_address(request),
        "secure": request.url.scheme in ("https", "wss"),
    }
    if rule.project is None:
        check_permissions(access, rule, request.path_params)
        with unit_of_work(actor=access.username, write=rule.write) as unit:
            unit.restriction = access.restriction_text
            yield Call(unit=unit, **common)
        return
    with unit_of_work(actor=access.username, write=rule.write) as unit:
        unit.restriction = access.restriction_text
        name = request.path_params["project_name"]
        cached = rule.inline or not rule.write
        try:
            project = open_project(unit.session, access, name, write=rule.project == "write", cached=cached)
        except NotFound:
            pending_project = (
                repository.find_pending_project(unit.session, access, name) if rule.pending_project else None
            )
            if pending_project is None:
                raise
            project = pending_project
        if not (rule.owner and access.rights_on(project).owner):
            check_permissions(access, rule, request.path_params)
        yield ProjectCall(unit=unit, project=project, **common)


def _stored_idempotency_key(given: str, restriction: str) -> str:
    """A key as it is kept. Each restriction has its own: what a full token was answered is not for a narrow one."""
    if not restriction:
        return given[:128]
    return blake2b(given[:128].encode(), key=blake2b(restriction.encode()).digest()[:64], digest_size=32).hexdigest()


def _run_once_per_idempotency_key(call: Call, route: str, arguments: dict[str, Any], run: Callable[[], Any]) -> Any:
    """Run a create at most once for its `Idempotency-Key`.

    Something else under a used key is refused: answered with what was made before, it would be lost without a word.
    """
    if call.idempotency_key is None:
        return run()
    key = (call.username, _stored_idempotency_key(call.idempotency_key, call.access.restriction_text))
    asked = blake2b(repr(sorted(arguments.items())).encode(), digest_size=12).hexdigest()
    stored = call.session.get(IdempotencyKey, key)
    if stored is not None:
        if stored.route != route or stored.answer.get("asked", asked) != asked:
            raise InvalidInput(
                message("wrong.keyUsed", "This Idempotency-Key was used for another call"),
                fix="Use a new key for each call",
            )
        return stored.answer["body"]
    answer = run()
    body = jsonable_encoder(answer, by_alias=True)
    call.session.add(IdempotencyKey(username=key[0], key=key[1], route=route, answer={"body": body, "asked": asked}))
    return answer


def guarded(
    *permissions: str,
    project: Literal["read", "write"] | None = None,
    any_of: bool = False,
    write: bool | None = None,
    anonymous: bool = False,
    idempotent: bool = False,
    owner: bool = False,
    inline: bool = False,
    effect: Effect | None = None,
    versioned: bool = False,
    bounds: RequestLimits | None = None,
    pending_project: bool = False,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the rule of an endpoint whose first parameter is `call`.

    Args:
        write: whether a writing transaction is opened; default: True unless `project="read"`.
        owner: the project's owner needs none of the permissions.
        brief: it changes a few rows and nothing else.
        versioned: the endpoint checks `call.if_match`.
        effect: how far it goes where `write` and `project` do not say it (see `access.restriction`).
        bounds: the class of its limits, when it is not that of most routes.
        coming: it answers for a project, too, that the caller is making of an archive.
    """
    writes = write if write is not None else project != "read"
    facts = (permissions, any_of, project, writes, anonymous, idempotent, owner, inline, effect, versioned, bounds)
    rule = Rule(*facts, pending_project=pending_project)

    def decorate(endpoint: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(endpoint, include_extras=True)
        signature = inspect.signature(endpoint)
        # FastAPI hands the request to one parameter only: the guard takes it and passes it on.
        asking = [name for name, hint in hints.items() if hint is Request and name != "return"]
        if idempotent and asking:
            raise TypeError(
                f"{endpoint.__name__}: an idempotent endpoint takes no request, its arguments are compared by `repr`"
            )

        def attempt(request: Request, arguments: dict[str, Any]) -> Any:
            with open_call(request, rule) as call:
                if idempotent:
                    route = f"{request.method} {request.url.path}"
                    return _run_once_per_idempotency_key(call, route, arguments, lambda: endpoint(call, **arguments))
                return endpoint(call, **arguments)

        @wraps(endpoint)
        def run(*, request: Request, project_name: str | None = None, **arguments: Any) -> Any:
            arguments |= dict.fromkeys(asking, request)
            try:
                return attempt(request, arguments)
            except DBAPIError as error:
                if not (rule.repeatable and is_serialization_failure(error)):
                    raise
                log.warning("transaction_retried", path=request.url.path, error=str(error.orig)[:200])
                return attempt(request, arguments)

        public: Any = run
        public.__signature__ = _public_signature(signature, hints, rule)
        public.__access_rule__ = rule
        return public  # type: ignore[no-any-return]

    return decorate


def with_access_rule(
    rule: Rule, bounds: RequestLimits | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the rule of an async endpoint that opens its calls itself with `open_call` (uploads, waits, sockets).

    `bounds` is the class of its limits, when it is not that of the rule.

    An endpoint that takes the `request` is refused here already, before it reads a body or starts anything; a socket,
    which signs on with a token of its own, checks by itself.
    """

    def decorate(endpoint: Callable[..., Any]) -> Callable[..., Any]:
        endpoint.__access_rule__ = rule if bounds is None else replace(rule, bounds=bounds)  # type: ignore[attr-defined]
        hints = get_type_hints(endpoint, include_extras=True)
        name = next((name for name, hint in hints.items() if hint is Request), None)
        if name is None or not inspect.iscoroutinefunction(endpoint):
            return endpoint

        @wraps(endpoint)
        async def run(**arguments: Any) -> Any:
            error = await run_in_threadpool(find_call_refusal, arguments[name], rule, counted=True)
            if error is not None:
                raise error
            return await endpoint(**arguments)

        signature = inspect.signature(endpoint)
        parameters = [
            one.replace(annotation=hints.get(one.name, one.annotation)) for one in signature.parameters.values()
        ]
        returned = hints.get("return", signature.return_annotation)
        run.__signature__ = signature.replace(  # type: ignore[attr-defined]
            parameters=parameters, return_annotation=None if returned is type(None) else returned
        )
        return run

    return decorate


def _public_signature(signature: inspect.Signature, hints: dict[str, Any], rule: Rule) -> inspect.Signature:
    keyword = inspect.Parameter.KEYWORD_ONLY
    parameters = [inspect.Parameter("request", keyword, annotation=Request)]
    if rule.project is not None:
        name = Annotated[str, Path(description="Name of the project")]
        parameters.append(inspect.Parameter("project_name", keyword, annotation=name))
    for parameter in list(signature.parameters.values())[1:]:
        annotation = hints.get(parameter.name, parameter.annotation)
        if annotation is Request:
            continue
        parameters.append(parameter.replace(kind=keyword, annotation=annotation))
    returned = hints.get("return", signature.return_annotation)
    return inspect.Signature(parameters, return_annotation=None if returned is type(None) else returned)
