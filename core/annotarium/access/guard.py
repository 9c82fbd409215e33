"""Access rules of the routes: every endpoint declares who may call it; without a rule the server does not start.

    @router.post("/projects/{project_name}/labels")
    @guarded("writeLabel", project="write", idempotent=True)
    def create_label(call: ProjectCall, body: PartialLabel) -> LabelRead:
        return service.create_label(call, body)

In the signature that FastAPI sees, the decorator replaces `call` with the request. It identifies the caller, opens the
transaction, checks the rule, runs the endpoint and commits, all in one worker thread. If the database aborted the
transaction because of a conflicting one, it is repeated once (`Rule.repeatable`).
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
        permissions: permission strings; `{name}` parts are filled from the path, and `family:` is satisfied by any
            permission of the family. Empty = any signed-in user.
        any_of: one of the permissions is enough (otherwise all are required).
        project: the right required on the project in the path, None outside projects.
        write: the route opens a writing transaction.
        anonymous: callable without signing in.
        idempotent: with an `Idempotency-Key` header, an identical second call returns the first response.
        owner: the project's owner and the project administrators of its group need none of the permissions.
        inline: changes only a few rows and may run in the event loop's thread (see `http.inline_execution`).
        effect: how far the route reaches, for restricted tokens and keys; None = derived from `write` and `project`.
        versioned: `If-Match` is compared with the version of the changed row; on other routes the header is ignored.
        bounds: limits for the body and for concurrent requests of a caller; None = the default class.
        unthrottled_permission: callers without this permission are limited to a number of calls per minute (see
            `access.throttle`); None: no limit.
        pending_project: the project may be one that the caller is restoring from an archive: not created yet, or
            failed.
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
        """How far the route reaches (see `access.restriction`)."""
        return self.effect or ("write" if self.write or self.project == "write" else "read")

    @property
    def limits(self) -> RequestLimits:
        """The limits in force: `bounds`, or the default class for the route."""
        return self.bounds or (ANONYMOUS if self.anonymous else STANDARD)

    @property
    def repeatable(self) -> bool:
        """Whether a transaction that the database rolled back leaves no other effects, so that it can be repeated."""
        return self.write and (self.inline or self.idempotent)


def rule_of_endpoint(endpoint: Callable[..., Any] | None) -> Rule | None:
    """The rule an endpoint declares, None when it declares none."""
    return getattr(endpoint, "__access_rule__", None)


def _holds_permission(access: Access, permission: str) -> bool:
    return access.holds_family(permission[:-1]) if permission.endswith(":") else access.can(permission)


def check_permissions(access: Access, rule: Rule, path: dict[str, Any]) -> None:
    """Raise `AccessDenied` unless the caller holds the permissions of the rule."""
    wanted = [permission.format(**path) for permission in rule.permissions]
    if not wanted:
        return
    allowed = (any if rule.any_of else all)(_holds_permission(access, permission) for permission in wanted)
    if not allowed:
        raise AccessDenied(
            "Authorization has been denied.",
            cause=message("denied.permission", "You do not have the permission {name}", name=" or ".join(wanted)),
        )


def open_project(session: Session, access: Access, name: str, *, write: bool, cached: bool = False) -> Project:
    """The project, if the caller may see it (else `NotFound`) and, with `write`, change it (else `AccessDenied`).

    With `cached`, the returned object is read-only: changes to the project itself must not be made through it.
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
            message("wrong.noVersion", "If-Match contains no version"), fix="Send the version that the last answer gave"
        )
    return int(digits)


def _identify_caller(request: HTTPConnection, rule: Rule) -> Access:
    """The caller's rights; `NOBODY` (user id 0, no rights) for unauthenticated callers of anonymous routes."""
    if rule.anonymous:
        try:
            return identify(request) or NOBODY
        except AnnotariumError:  # an anonymous route responds even if unneeded credentials are invalid
            return NOBODY
    access = identify(request)
    if access is None:
        raise NotAuthenticated("You are not or no longer authenticated.")
    if access.restriction is not None:
        access.restriction.require_effect(rule.required_effect)
    return access


def find_call_refusal(request: HTTPConnection, rule: Rule, *, counted: bool = False) -> AnnotariumError | None:
    """The error this caller would get from the route's access rule, None if the call is allowed.

    Used for requests with invalid parameters or body: a caller without the right must get that error and no details
    about the body.

    Args:
        counted: True for the call itself, which counts towards the limit per minute.
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
    """The key as stored. It depends on the restriction: a restricted token must not get a full token's response."""
    if not restriction:
        return given[:128]
    return blake2b(given[:128].encode(), key=blake2b(restriction.encode()).digest()[:64], digest_size=32).hexdigest()


def _key_of_answer(call: Call) -> tuple[str, str] | None:
    if call.idempotency_key is None:
        return None
    return call.username, _stored_idempotency_key(call.idempotency_key, call.access.restriction_text)


def _stored_answer(call: Call) -> IdempotencyKey | None:
    """What a call with this `Idempotency-Key` was answered."""
    key = _key_of_answer(call)
    return None if key is None else call.session.get(IdempotencyKey, key)


def _run_once_per_idempotency_key(call: Call, route: str, arguments: dict[str, Any], run: Callable[[], Any]) -> Any:
    """Run a create operation at most once for its `Idempotency-Key`.

    A different call under a used key is refused: it would otherwise be lost silently, answered with the earlier
    response.
    """
    key = _key_of_answer(call)
    if key is None:
        return run()
    asked = blake2b(repr(sorted(arguments.items())).encode(), digest_size=12).hexdigest()
    stored = _stored_answer(call)
    if stored is not None:
        if stored.route != route or stored.answer.get("asked", asked) != asked:
            raise InvalidInput(
                message("wrong.keyUsed", "This Idempotency-Key was used for another request"),
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
    dry_run_reads: bool = False,
    prepare: Callable[..., Any] | None = None,
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Declare the rule of an endpoint whose first parameter is `call`.

    Args:
        write: whether a writing transaction is opened; default: True unless `project="read"`.
        owner: the project's owner needs none of the permissions.
        inline: the endpoint changes a few rows and does nothing else.
        versioned: the endpoint checks `call.if_match`.
        effect: how far the route reaches, if `write` and `project` do not imply it (see `access.restriction`).
        bounds: the class of its limits, if it is not the default one.
        dry_run_reads: with `dry_run` in its body it writes nothing, so that nobody waits for its transaction.
        prepare: slow work with the endpoint's arguments in a reading transaction before the writing one, so that nobody
            waits for it; the endpoint gets its answer as `call.prepared`, and checks what may have changed since.
        pending_project: also responds for a project that the caller is restoring from an archive.
    """
    writes = write if write is not None else project != "read"
    facts = (permissions, any_of, project, writes, anonymous, idempotent, owner, inline, effect, versioned, bounds)
    rule = Rule(*facts, pending_project=pending_project)

    def decorate(endpoint: Callable[..., Any]) -> Callable[..., Any]:
        hints = get_type_hints(endpoint, include_extras=True)
        signature = inspect.signature(endpoint)
        # FastAPI passes the request to one parameter only: the wrapper takes it and passes it on.
        asking = [name for name, hint in hints.items() if hint is Request and name != "return"]
        if idempotent and asking:
            raise TypeError(
                f"{endpoint.__name__}: an idempotent endpoint takes no request, its arguments are compared by `repr`"
            )

        def attempt(request: Request, arguments: dict[str, Any]) -> Any:
            if dry_run_reads and any(getattr(value, "dry_run", False) is True for value in arguments.values()):
                with open_call(request, replace(rule, write=False, effect=rule.required_effect)) as call:
                    return endpoint(call, **arguments)
            prepared = None
            if prepare is not None:
                with open_call(request, replace(rule, write=False, effect=rule.required_effect)) as call:
                    if _stored_answer(call) is None:
                        prepared = prepare(call, **arguments)
            with open_call(request, rule) as call:
                call.prepared = prepared
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

    `bounds` is the class of its limits, if it differs from the rule's. For an endpoint that takes the `request`,
    callers without the right are refused here, before the endpoint reads a body or starts anything. WebSocket
    endpoints, which authenticate with a token of their own, have to check the caller themselves.
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
