"""Operations that are built at their first call.

The framework analyses the parameters and models of every operation when it is declared, and again when its router is
included: with 200 operations this takes a second of each start, and megabytes for operations that are never called.
Here a declaration is only noted. The framework's work happens at the first call (some milliseconds, once), when the API
description is requested, or immediately before processes are forked.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Coroutine, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Literal

from fastapi import APIRouter, Request, Response
from fastapi._compat import ModelField
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic.warnings import UnsupportedFieldAttributeWarning
from starlette.convertors import PathConvertor, register_url_convertor
from starlette.routing import BaseRoute, Match, compile_path
from starlette.types import Receive, Scope, Send

from annotarium.access.guard import Rule, rule_of_endpoint
from annotarium.http.body_admission import admit_body
from annotarium.http.in_flight import caller_of, in_flight
from annotarium.http.inline_execution import make_inline_endpoint
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
    """A route with known `path`, `endpoint`, `methods` and `options`; everything else is built on first access.

    Args:
        options: further arguments of the framework's route.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # base __init__: see `read`
        self.path = path
        self.rule = rule_of_endpoint(endpoint) or Rule()
        self.endpoint = make_inline_endpoint(endpoint) if self.rule.inline else endpoint
        self.methods = {method.upper() for method in options.get("methods") or ["GET"]}
        self.options = options
        self.on_built: Callable[[APIRoute], None] | None = None
        """Called once with the route when it is built, before its first use."""
        self._state: Literal["noted", "reading", "read"] = "noted"
        self._lock = threading.RLock()

    def read(self) -> None:
        """Build the route with the framework. Thread-safe; later calls do nothing."""
        with self._lock:
            if self._state != "noted":
                return
            self._state = "reading"
            try:
                super().__init__(self.path, self.endpoint, **self.options)
                self._complete()
                if self.on_built is not None:
                    self.on_built(self)
            except BaseException:
                self._state = "noted"
                raise
            self._state = "read"

    def _complete(self) -> None:
        """Complete the models of the request and response, which otherwise happens at their first use, with an alias
        warning.

        The framework suppresses that warning too, but only while it declares a field.
        """
        fields = [*_parameter_fields(self.dependant), self.body_field, self.response_field]
        with ignore_alias_warnings():
            for field in fields:
                if field is not None:
                    field._type_adapter.rebuild()

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """The framework's handler, called with a `LimitedRequest` after the URL and the headers are checked."""
        answer = super().get_route_handler()
        rule, shape = self.rule, self._shape()

        async def answer_checked(request: Request) -> Response:
            with errors_as_http_exceptions():
                check_url(request)
            caller, has_credentials = request.scope[_CALLER]
            await admit_body(request, rule, has_credentials=has_credentials)
            body = LimitedRequest(request, rule.limits, caller, shape)
            try:
                return await answer(body)
            finally:
                body.release()

        return answer_checked

    def _shape(self) -> ModelField | None:
        """The field of a JSON body, None if there is no body or the framework splits it into several fields."""
        field = self.body_field
        return None if field is None or self._embed_body_fields else field

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
            self.read()
        try:
            return self.__dict__[name]
        except KeyError:
            raise AttributeError(name) from None


def _parameter_fields(dependant: Dependant) -> Iterator[Any]:
    for place in ("path", "query", "header", "cookie", "body"):
        yield from getattr(dependant, f"{place}_params")
    for inner in dependant.dependencies:
        yield from _parameter_fields(inner)


class DomainRouter(APIRouter):
    """The router of a domain: declares its operations as `LazyRoute`."""

    def __init__(self, tags: Iterable[str] = (), routes: Iterable[BaseRoute] = ()) -> None:
        super().__init__(tags=[*tags], routes=[*routes], route_class=LazyRoute)
