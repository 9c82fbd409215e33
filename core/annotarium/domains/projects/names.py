"""Names for new projects, which go into addresses."""

from __future__ import annotations

from collections.abc import Container

_SLUG_LENGTH, _STEM_LENGTH = 60, 90
"""Characters of a name made of a label, and of one that a number is added to."""


def name_from_label(label: str) -> str:
    """A name of small letters, digits and `_`."""
    from slugify import slugify  # 4 MB that wait for the first name made of words

    return slugify(label, separator="_")[:_SLUG_LENGTH] or "project"


def free_name(base: str, taken: Container[str]) -> str:
    """The name, or with the first number that makes it free: `press_2`."""
    name, number = base, 2
    while name in taken:
        name, number = f"{base[:_STEM_LENGTH]}_{number}", number + 1
    return name
