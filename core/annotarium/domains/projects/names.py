"""Names of new projects, which are part of URLs."""

from __future__ import annotations

from collections.abc import Container

_SLUG_LENGTH, _STEM_LENGTH = 60, 90
"""Maximum length of a name derived from a label, and of the stem that a number is appended to."""


def name_from_label(label: str) -> str:
    """A name of lower-case letters, digits and `_`."""
    from slugify import slugify  # imported late: takes 4 MB

    return slugify(label, separator="_")[:_SLUG_LENGTH] or "project"


def free_name(base: str, taken: Container[str]) -> str:
    """The name, with a number appended if it is taken: `press_2`."""
    name, number = base, 2
    while name in taken:
        name, number = f"{base[:_STEM_LENGTH]}_{number}", number + 1
    return name
