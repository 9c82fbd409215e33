"""Faults that converters of several formats explain in the same words."""

from __future__ import annotations

from annotarium_plugins.base.component import ComponentError

_AGAIN = "Open it in the program it was made with, save it again and send it again"


def damaged(cause: str) -> ComponentError:
    """The file is broken; `cause` is a sentence that says where or how."""
    return ComponentError("The file is damaged or cut off.", cause=cause, fix=_AGAIN)


def protected() -> ComponentError:
    """The content is encrypted."""
    return ComponentError(
        "The file is protected by a password.",
        cause="Its content is encrypted and cannot be read.",
        fix="Save it without a password and send it again",
    )


def not_a(kind: str, fix: str) -> ComponentError:
    """The file is something else than its name says; `kind` is what it should be."""
    return ComponentError(f"The file is not {kind}.", cause="Its content is of another type.", fix=fix)


def no_text(cause: str = "It may hold pictures only.") -> ComponentError:
    """Nothing imported is never a silent success."""
    return ComponentError("The file holds no text.", cause=cause, fix="Check the file; send pictures as text")


def too_large(what: str, limit: str) -> ComponentError:
    """A limit was met; it is named."""
    return ComponentError(f"{what}: {limit} at most.", cause="A limit was met.", fix="Split the file")
