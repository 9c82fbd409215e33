"""Faults that converters of several formats explain in the same words."""

from __future__ import annotations

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.said import say

CHECK = say("fix.check", "Check the file")
SEND_AGAIN = say("fix.checkAndSend", "Check the file and send it again")
SPLIT_FILE = say("fix.splitFile", "Split it into several files")
EXTENSION = say("fix.extension", "Send it with the extension that it had")
ONE_DOCUMENT = say("fix.oneDocument", "Put at least one document into it")
CHECK_TYPE = say("fix.type", "Check the type of the file")
GIVE_TEXT = say("fix.giveText", "Give it a text")
ONE_ROW = say("fix.oneRow", "Put at least one row into it")
TEXT_EMPTY = say("gate.noText", "The text is empty")
IS_EMPTY = say("file.empty", "The file is empty.")
NO_DOCUMENT = say("file.noDocument", "The file holds no document.")
HAS_NUL = say("file.nul", "The file holds NUL characters: it is not a text.")
TOO_DEEP = say("file.deep", "The file is nested too deep.")
AS_UTF8 = say("fix.utf8", "Save it as UTF-8 and drop it again")
EXCEL = say("kind.excel", "an Excel file")
POWERPOINT = say("kind.powerpoint", "a PowerPoint file")
WORD = say("kind.word", "a Word file")

_AGAIN = say("fix.saveAgain", "Open it in the program it was made with, save it again and send it again")
_PICTURES = say("cause.pictures", "It may hold pictures only.")
NOT_UTF8 = say("file.notUtf8", "Not UTF-8. Save it as UTF-8 and drop it again.")


def damaged(cause: str) -> ComponentError:
    """The file is broken; `cause` is a sentence that says where or how."""
    return ComponentError(say("file.damaged", "The file is damaged or cut off."), cause=cause, fix=_AGAIN)


def protected() -> ComponentError:
    """The content is encrypted."""
    return ComponentError(
        say("file.protected", "The file is protected by a password."),
        cause=say("cause.encrypted", "Its content is encrypted and cannot be read."),
        fix=say("fix.password", "Save it without a password and send it again"),
    )


def not_a(kind: str, fix: str) -> ComponentError:
    """The file is something else than its name says; `kind` is what it should be."""
    return ComponentError(
        say("file.notA", "The file is not {kind}.", kind=kind),
        cause=say("cause.otherType", "Its content is of another type."),
        fix=fix,
    )


def no_text(cause: str = _PICTURES) -> ComponentError:
    """Nothing imported is never a silent success."""
    return ComponentError(
        say("file.noText", "The file holds no text."),
        cause=cause,
        fix=say("fix.pictures", "Check the file; send pictures as text"),
    )


def too_large(what: str, limit: str) -> ComponentError:
    """A limit was met; it is named."""
    return ComponentError(
        say("file.atMost", "{what}: {limit} at most.", what=what, limit=limit),
        cause=say("cause.limit", "A limit was met."),
        fix=say("fix.split", "Split the file"),
    )
