"""Errors that converters of several formats report in the same words."""

from __future__ import annotations

from annotarium_plugins.base.component import ComponentError
from annotarium_schemas.messages import message

CHECK = message("fix.check", "Check the file")
SEND_AGAIN = message("fix.checkAndSend", "Check the file and upload it again")
SPLIT_FILE = message("fix.splitFile", "Split it into several files")
EXTENSION = message("fix.extension", "Upload it with its original extension")
ONE_DOCUMENT = message("fix.oneDocument", "Add at least one document")
CHECK_TYPE = message("fix.type", "Check the type of the file")
GIVE_TEXT = message("fix.giveText", "Add a text to it")
ONE_ROW = message("fix.oneRow", "Add at least one row")
TEXT_EMPTY = message("gate.noText", "The text is empty")
IS_EMPTY = message("file.empty", "The file is empty.")
NO_DOCUMENT = message("file.noDocument", "The file contains no documents.")
HAS_NUL = message("file.nul", "The file contains NUL characters: it is not a text.")
TOO_DEEP = message("file.deep", "The file is nested too deep.")
AS_UTF8 = message("fix.utf8", "Save it as UTF-8 and drop it again")
EXCEL = message("kind.excel", "an Excel file")
POWERPOINT = message("kind.powerpoint", "a PowerPoint file")
WORD = message("kind.word", "a Word file")

_AGAIN = message("fix.saveAgain", "Open it in the program that created it, save it and upload it again")
_PICTURES = message("cause.pictures", "It may contain only images.")
NOT_UTF8 = message("file.notUtf8", "The file is not UTF-8. Save it as UTF-8 and drop it again.")


def damaged_file(cause: str) -> ComponentError:
    """The file is damaged; `cause` is a sentence that states where or how."""
    return ComponentError(message("file.damaged", "The file is damaged or cut off."), cause=cause, fix=_AGAIN)


def password_protected() -> ComponentError:
    """The content is encrypted."""
    return ComponentError(
        message("file.protected", "The file is protected with a password."),
        cause=message("cause.encrypted", "Its content is encrypted and cannot be read."),
        fix=message("fix.password", "Save it without a password and upload it again"),
    )


def wrong_format(kind: str, fix: str) -> ComponentError:
    """The content is not of the type that the file name states; `kind` is the expected type."""
    return ComponentError(
        message("file.notA", "The file is not {kind}.", kind=kind),
        cause=message("cause.otherType", "Its content is of another type."),
        fix=fix,
    )


def no_text_found(cause: str = _PICTURES) -> ComponentError:
    """The file contains no text. Importing nothing must be an error."""
    return ComponentError(
        message("file.noText", "The file contains no text."),
        cause=cause,
        fix=message("fix.pictures", "Check the file; provide images as text"),
    )


def too_large(what: str, limit: str) -> ComponentError:
    """A limit was exceeded; the message names it."""
    return ComponentError(
        message("file.atMost", "{what}: at most {limit}.", what=what, limit=limit),
        cause=message("cause.limit", "A limit was exceeded."),
        fix=message("fix.split", "Split the file"),
    )
