"""How an author named by an imported file or archive is stored.

No account can have such a name (`domains.users.schemas.Username`). What is counted, searched or permitted by name is
therefore never attributed to an account, whether one with the same name exists or not.
"""

from __future__ import annotations

PREFIX = "imported:"
_LONGEST = 255


def add_imported_prefix(name: str) -> str:
    """The stored form of an author named by a file or archive; empty stays empty."""
    return f"{PREFIX}{remove_imported_prefix(name)}"[:_LONGEST] if name else ""


def remove_imported_prefix(name: str) -> str:
    """The author's name as in the file or archive; other names are unchanged."""
    while name.startswith(PREFIX):  # repeated prefixes come from nested or manipulated archives
        name = name.removeprefix(PREFIX)
    return name
