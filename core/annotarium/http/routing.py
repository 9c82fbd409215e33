"""Routes that are analysed when they are first called.

FastAPI analyses the parameters and models of a route when it is declared, and again when its router is included. With
more than 200 routes that takes a third of the start-up time and 40 MB in each API process, most of it for routes that
nobody calls (decision 0122). Here a declaration is only stored. FastAPI's analysis runs with the first request (some
milliseconds, once), when the OpenAPI document is requested, or in the parent before API processes are forked.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi.routing import APIRoute
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Scope, Send

from annotarium.access.guard import Rule, rule_of_endpoint
from annotarium.http.body_admission import admit_body
from annotarium.http.in_flight import caller_of, in_flight
from annotarium.http.inline_execution import make_inline_endpoint
from annotarium.http.model_fields import build_validators, whole_body_field
from annotarium.http.requests import LimitedRequest, check_url, errors_as_http_exceptions


class _NonEmptyPathConvertor(PathConvertor):
    """Names in a path may contain slashes and line breaks, unlike the framework's own converter; they are not empty."""

    regex = "(?s:.+)"


class _AnyPathConvertor(PathConvertor):
    """The rest of a path, possibly empty."""

    regex = "(?s:.*)"


register_url_convertor("path", _NonEmptyPathConvertor())
register_url_convertor("anything", _AnyPathConvertor())
_CALLER = "annotarium.caller"
_PATH = ("path_regex", "path_format", "param_convertors")


@contextmanager
def ignore_alias_warnings() -> Iterator[None]:
    """Suppress the warning about aliases of fields that are completed after their declaration."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        yield


class LazyRoute(APIRoute):
    """A route that knows its `path`, `endpoint`, `methods` and `options`; every other attribute is built on access.

    Args:
        options: further arguments of the framework's route.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # `build` calls the base's
        self.path = path
        self.rule = rule_of_endpoint(endpoint) or Rule()
        self.endpoint = make_inline_endpoint(endpoint) if self.rule.inline else endpoint
        self.methods = {method.upper() for method in options.get("methods") or ["GET"]}
        self.options = options
        self._state: Literal["declared", "building", "built"] = "declared"
        self._lock = threading.RLock()

    @property
    def is_built(self) -> bool:
        """Whether FastAPI has analysed the declaration."""
        return self._state == "built"

    def build(self) -> None:
        """Have FastAPI analyse the declaration. Thread-safe; only the first call does something."""
        with self._lock:
            if self._state != "declared":
                return
            self._state = "building"
            try:
                super().__init__(self.path, self.endpoint, **self.options)
                with ignore_alias_warnings():
                    build_validators(self)
            except BaseException:
                self._state = "declared"
                raise
            self._state = "built"

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """FastAPI's handler, called with a `LimitedRequest` after the limits that need no body were checked."""
        answer = super().get_route_handler()
        rule, body_field = self.rule, whole_body_field(self)

        async def answer_checked(request: Request) -> Response:
            with errors_as_http_exceptions():
                check_url(request)
            caller, has_credentials = request.scope[_CALLER]
            await admit_body(request, rule, has_credentials=has_credentials)
            body = LimitedRequest(request, rule.limits, caller, body_field)
            try:
                return await answer(body)
            finally:
                body.release()

        return answer_checked

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Process a request, counted until the whole response is sent.

        Raises:
            TooManyRequests: the caller has too many requests in progress.
        """
        limits = self.rule.limits
        scope[_CALLER] = caller_of(scope)
        key = in_flight.enter(limits.name, scope[_CALLER][0], limits.at_once)
        try:
            await super().handle(scope, receive, send)
        finally:
            in_flight.leave(key)

    def under(self, prefix: str, **options: Any) -> LazyRoute:
        """The same operation with a longer path."""
        return LazyRoute(prefix + self.path, self.endpoint, **(self.options | options))

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """Whether a request matches this operation; WebSockets never do."""
        return super().matches(scope) if scope["type"] == "http" else (Match.NONE, {})

    def __getattr__(self, name: str) -> Any:
        """Build the route when an attribute is missing; for path attributes, only the path is compiled."""
        if name.startswith("__") or "_lock" not in self.__dict__:
            raise AttributeError(name)
        if name in _PATH:
            self.__dict__ |= dict(zip(_PATH, compile_path(self.path), strict=True))
        else:
            self.build()
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None


class DomainRouter(APIRouter):
    """The router of a domain: declares its operations as `LazyRoute`."""

    def __init__(self, tags: Iterable[str] = (), routes: Iterable[BaseRoute] = ()) -> None:
        super().__init__(tags=[*tags], routes=[*routes], route_class=LazyRoute)
