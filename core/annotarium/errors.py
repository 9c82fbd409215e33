"""The one error tree: every refusal carries code, message, cause and fix.

A domain raises one of these classes; `annotarium.app` turns it into the published error body
`{code, message, cause, fix, error, errorId, details}` (contract `conflicts.md` 44). `code` is the HTTP status,
`error` the stable word a program can test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotarium_schemas.messages import message, message_of


class AnnotariumError(Exception):
    """A failure with words for the person who met it.

    Args:
        message: what failed, one sentence.
        cause: why, in plain words; defaults to the message.
        fix: what to do about it; None when nothing can be done.
        details: one entry per faulty field or item: `{"field": "a.b", "message": "..."}`.
    """

    status = 500
    error = "unexpected"
    default_fix: str | None = "Contact support"
    retry_after: int | None = None
    """Seconds after which the same request may do better, for the header `Retry-After`."""

    def __init__(
        self,
        message: str,
        *,
        cause: str | None = None,
        fix: str | None = None,
        details: list[dict[str, Any]] | None = None,
    ) -> None:
        super().__init__(message)
        self.message = message
        self.cause = cause or message
        self.fix = fix if fix is not None else self.default_fix
        self.details = details or []

    def one_line(self) -> str:
        """In one line, for a terminal."""
        words = [self.message, self.cause if self.cause != self.message else None, self.fix]
        return ". ".join(one for one in words if one)

    def body(self) -> dict[str, Any]:
        """The wire form, without the error id that the handler adds."""
        body: dict[str, Any] = {"code": self.status, "message": self.message, "cause": self.cause, "error": self.error}
        if self.fix:
            body["fix"] = self.fix
        if self.details:
            body["details"] = [_detail_with_message_code(one) for one in self.details]
        said = message_of(message=self.message, cause=self.cause, fix=self.fix)
        if said:
            body["said"] = said
        return body


def _detail_with_message_code(detail: dict[str, Any]) -> dict[str, Any]:
    said = message_of(message=detail.get("message"))
    return detail | {"said": said} if said else detail


class InvalidInput(AnnotariumError):
    """400: the request is understood and wrong."""

    status = 400
    error = "invalid_input"
    default_fix = "Correct the marked values and send the request again"


class QuerySyntaxError(InvalidInput):
    """400 whose message starts with `Failed to parse query` (E-019)."""

    error = "query_syntax"
    default_fix = "Check quotes, brackets and operators of the query"


class NotAuthenticated(AnnotariumError):
    """401: nobody is signed in, or the session ended."""

    status = 401
    error = "not_authenticated"
    default_fix = "Sign in"


class AccessDenied(AnnotariumError):
    """403: signed in, visible, but not allowed."""

    status = 403
    error = "access_denied"
    default_fix = "Sign out and sign in again, or ask an administrator for the right"


class NotFound(AnnotariumError):
    """404: absent, or outside the caller's reach (both look the same on purpose)."""

    status = 404
    error = "not_found"
    default_fix = "Check the name or identifier"


class DeletedOrUnknown(NotFound):
    """404 for what people have on their screen: somebody else may have deleted it."""

    default_fix = "It may have been deleted: reload"


class MethodNotAllowed(AnnotariumError):
    """405: the address exists, but not for this method.

    Args:
        methods: those it is there for.
    """

    status = 405
    error = "method_not_allowed"

    def __init__(self, text: str, *, methods: Iterable[str]) -> None:
        self.allow = ", ".join(sorted(methods))
        """For the header `Allow`."""
        super().__init__(text, fix=message("fix.method", "Use one of these methods: {methods}", methods=self.allow))


class Conflict(AnnotariumError):
    """409: the state of the object refuses the change (a name in use, a running job)."""

    status = 409
    error = "conflict"
    default_fix = "Reload and try again"


class VersionMismatch(AnnotariumError):
    """412: `If-Match` names an older version; `details[0]["current"]` holds the current state."""

    status = 412
    error = "version_mismatch"
    default_fix = "Look at the current version and apply your change again"


class TooLarge(AnnotariumError):
    """413: over a limit; the message names the limit."""

    status = 413
    error = "too_large"
    default_fix = "Send less, or ask an administrator to raise the limit"


class TooManyRequests(AnnotariumError):
    """429: slowed down on purpose."""

    status = 429
    error = "too_many_requests"
    default_fix = "Retry later"


class ServiceUnavailable(AnnotariumError):
    """503: a part the request needs is down."""

    status = 503
    error = "unavailable"
    default_fix = "Retry later or contact support"
