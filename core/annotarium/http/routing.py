"""Operations that are read when they are first called.

The framework reads the parameters and shapes of every operation when it is declared, and once more when its router is
included: with 200 operations that is a second of each start, and megabytes for operations nobody calls. Here a
declaration is only noted. What the framework makes of it, it makes at the first call (some milliseconds, once), when
the description is asked for, or at once where processes are about to be forked.
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
    """Names in an address may hold slashes and line breaks, where the framework's own stops; none is empty."""

    regex = "(?s:.+)"


class _AnyPathConvertor(PathConvertor):
    """Whatever is left of an address, nothing too."""

    regex = "(?s:.*)"


register_url_convertor("path", _NonEmptyPathConvertor())
register_url_convertor("anything", _AnyPathConvertor())
_CALLER = "annotarium.caller"
_PATH = ("path_regex", "path_format", "param_convertors")


@contextmanager
def ignore_alias_warnings() -> Iterator[None]:
    """No warning about aliases of fields that are made ready later than they were declared."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsupportedFieldAttributeWarning)
        yield


class LazyRoute(APIRoute):
    """A route whose `path`, `endpoint`, `methods` and `options` are known; the rest is made when it is asked for.

    Args:
        options: the further arguments of the framework's route.
    """

    def __init__(self, path: str, endpoint: Callable[..., Any], **options: Any) -> None:  # the framework's: see `read`
        self.path = path
        self.rule = rule_of_endpoint(endpoint) or Rule()
        self.endpoint = make_inline_endpoint(endpoint) if self.rule.inline else endpoint
        self.methods = {method.upper() for method in options.get("methods") or ["GET"]}
        self.options = options
        self.on_built: Callable[[APIRoute], None] | None = None
        """Called once with the route when it is read, before anybody uses it."""
        self._state: Literal["noted", "reading", "read"] = "noted"
        self._lock = threading.RLock()

    def read(self) -> None:
        """Have the framework make of the declaration what it makes of it. Safe for threads; once is enough."""
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
        """Make the shapes of what comes and goes ready: they would be at their first use, with a warning about aliases.

        The framework silences that warning too, but only while it declares a field.
        """
        fields = [*_parameter_fields(self.dependant), self.body_field, self.response_field]
        with ignore_alias_warnings():
            for field in fields:
                if field is not None:
                    field._type_adapter.rebuild()

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        """What answers a request.

        The framework's, which is given a request that reads its body as `LimitedRequest` does.
        """
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
        """What the framework makes of a JSON body, None when it takes it apart first or takes none."""
        field = self.body_field
        return None if field is None or self._embed_body_fields else field

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, counted until all of the answer is sent.

        Raises:
            TooManyRequests: the caller has too many in flight.
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
        """Whether a request means this operation."""
        return super().matches(scope) if scope["type"] == "http" else (Match.NONE, {})

    def __getattr__(self, name: str) -> Any:
        """What is not there yet."""
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
    """The router of a domain."""

    def __init__(self, tags: Iterable[str] = (), routes: Iterable[BaseRoute] = ()) -> None:
        super().__init__(tags=[*tags], routes=[*routes], route_class=LazyRoute)
