"""How the name of an author is kept who did not make a row here: a file or an archive that somebody brought names him.

No account can have such a name (`domains.users.schemas.Username`), so that nothing that is counted, found or allowed by
name takes it for an account, whether one of that name exists or not.
"""

from __future__ import annotations

PREFIX = "imported:"
_LONGEST = 255


def add_imported_prefix(name: str) -> str:
    """The name of an author that a file or an archive gives, as it is kept; empty stays empty."""
    return f"{PREFIX}{remove_imported_prefix(name)}"[:_LONGEST] if name else ""


def remove_imported_prefix(name: str) -> str:
    """The name of an author as the file or archive wrote it; other names are unchanged."""
    while name.startswith(PREFIX):  # an archive of what came in an archive, or one that was made to look so
        name = name.removeprefix(PREFIX)
    return name
