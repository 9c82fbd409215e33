"""Names on the server for names of ours: indexes, aliases, fields."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from annotarium.search.facet_values import stored_facet_value
from annotarium.search.query.limits import replace_lone_surrogates

SEPARATOR = "\x1f"
"""Separates name and value of a facet that has no field of its own."""

_VECTORS = ".v"
_PLAIN = re.compile(r"[0-9a-z_]{1,40}")
_LONGEST_FIELD = 120
_LONGEST_KEY = 500
_DIGITS = re.compile(r"\d+")


def _fingerprint(text: str, size: int = 16) -> str:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=size).hexdigest()


def safe_name(name: str) -> str:
    """Return a part of an index name for any name: the name itself when harmless, else a hash, marked by a dash."""
    return name if _PLAIN.fullmatch(name) else f"x-{_fingerprint(name)}"


@dataclass(frozen=True, slots=True)
class IndexNames:
    """Names for one index: `<prefix>.<project>.<kind>` is the alias of the generation in use."""

    prefix: str
    project: str
    kind: str

    @property
    def live(self) -> str:
        """The alias of the generation in use."""
        return f"{self.prefix}.{safe_name(self.project)}.{safe_name(self.kind)}"

    @property
    def all(self) -> str:
        """A pattern of all generations."""
        return f"{self.live}.*"

    def generation(self, number: int) -> str:
        """Return the name of a generation's index."""
        return f"{self.live}.{number}"


def project_index_pattern(prefix: str, project: str) -> str:
    """Return a pattern of all indexes of a project."""
    return f"{prefix}.{safe_name(project)}.*"


def state_index(prefix: str) -> str:
    """Return the name of the index with the `applied_seq` of all other indexes."""
    return f"{prefix}.state"


def writing_alias(index: str) -> str:
    """Return the alias for writing to a generation. Writing through an alias never creates an index by accident."""
    return f"{index}.w"


def vectors_index(index: str) -> str:
    """Return the name of the index with the vectors of a generation."""
    return f"{index}{_VECTORS}"


def items_index(index: str) -> str:
    """Return the name of the index with the items, for itself or for the index with their vectors."""
    return index.removesuffix(_VECTORS)


def generation_of(index: str) -> int:
    """Return the generation number of an index."""
    return int(items_index(index).rpartition(".")[2])


def field_name(name: str) -> str:
    """Return a field name for any name; characters other than ASCII letters, digits and `_` become code points."""
    name = stored_facet_name(name)
    plain = "".join(one if one.isascii() and (one.isalnum() or one == "_") else f"-{ord(one):x}-" for one in name)
    if len(plain) > _LONGEST_FIELD:
        return f"{plain[:80]}-{_fingerprint(name)}"
    return plain or "-"


def stored_facet_name(name: str) -> str:
    """Return a facet name as it is stored."""
    return stored_facet_value(name)


def overflow_field_value(name: str, value: str = "") -> str:
    """Return the value in the field `more` of a facet that has no field of its own."""
    return f"{stored_facet_name(name)}{SEPARATOR}{value}"


def server_item_id(identifier: str) -> str:
    """Return the server's id of an item."""
    identifier = replace_lone_surrogates(identifier)
    fits = 0 < len(identifier.encode("utf-8")) <= _LONGEST_KEY
    return identifier if fits else f"x-{_fingerprint(identifier)}"


def default_sort_key(identifier: str) -> str:
    """Return the sort key of unranked items: the id, with numbers ordered by size. Our ids increase with time."""
    return _DIGITS.sub(lambda number: number.group().zfill(20), replace_lone_surrogates(identifier)[:_LONGEST_KEY])
