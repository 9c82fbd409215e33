"""The hierarchy of errors: every refusal has a code, a message, a cause and a fix.

A domain raises one of these classes; `http.error_handlers` converts it to the published error body `{code, message,
cause, fix, error, errorId, details}` (contract `conflicts.md` 44). `code` is the HTTP status, `error` a stable
identifier that programs can test.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from annotarium_schemas.messages import message, message_of


class AnnotariumError(Exception):
    """An error with texts for users.

    Args:
        message: what failed, one sentence.
        cause: why; defaults to the message.
        fix: what the user can do about it; defaults to the class's `default_fix`.
        details: one entry per invalid field or item: `{"field": "a.b", "message": "..."}`.
    """

    status = 500
    error = "unexpected"
    default_fix: str | None = "Contact support"
    retry_after: int | None = None
    """Seconds after which a repeated request may succeed, for the header `Retry-After`."""

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
        """Message, cause and fix on one line, for a terminal."""
        words = [self.message, self.cause if self.cause != self.message else None, self.fix]
        return ". ".join(one for one in words if one)

    def body(self) -> dict[str, Any]:
        """The JSON body, without the error id, which the handler adds."""
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
    """400: the request was understood but is invalid."""

    status = 400
    error = "invalid_input"
    default_fix = "Correct the marked values and send the request again"


class QuerySyntaxError(InvalidInput):
    """400 with a message that starts with `Failed to parse query` (E-019)."""

    error = "query_syntax"
    default_fix = "Check quotes, brackets and operators of the query"


class NotAuthenticated(AnnotariumError):
    """401: not signed in, or the session has ended."""

    status = 401
    error = "not_authenticated"
    default_fix = "Sign in"


class AccessDenied(AnnotariumError):
    """403: signed in, and the object is visible, but the operation is not allowed."""

    status = 403
    error = "access_denied"
    default_fix = "Sign out and sign in again, or ask an administrator for the right"


class NotFound(AnnotariumError):
    """404: missing, or not visible to the caller (deliberately indistinguishable)."""

    status = 404
    error = "not_found"
    default_fix = "Check the name or identifier"


class DeletedOrUnknown(NotFound):
    """404 for what people have on their screen: somebody else may have deleted it."""

    default_fix = "It may have been deleted: reload"


class MethodNotAllowed(AnnotariumError):
    """405: the path exists, but not for this method.

    Args:
        methods: the methods it exists for.
    """

    status = 405
    error = "method_not_allowed"

    def __init__(self, text: str, *, methods: Iterable[str]) -> None:
        self.allow = ", ".join(sorted(methods))
        """Value of the header `Allow`."""
        super().__init__(text, fix=message("fix.method", "Use one of these methods: {methods}", methods=self.allow))


class Conflict(AnnotariumError):
    """409: the object's state does not allow the change (a name in use, a running job)."""

    status = 409
    error = "conflict"
    default_fix = "Reload and try again"


class VersionMismatch(AnnotariumError):
    """412: `If-Match` is not the current version; `details[0]["current"]` contains the current state."""

    status = 412
    error = "version_mismatch"
    default_fix = "Look at the current version and apply your change again"


class TooLarge(AnnotariumError):
    """413: a limit is exceeded; the message states the limit."""

    status = 413
    error = "too_large"
    default_fix = "Send less, or ask an administrator to raise the limit"


class TooManyRequests(AnnotariumError):
    """429: the caller is rate-limited."""

    status = 429
    error = "too_many_requests"
    default_fix = "Retry later"


class ServiceUnavailable(AnnotariumError):
    """503: a part that the request needs is unavailable."""

    status = 503
    error = "unavailable"
    default_fix = "Retry later or contact support"
