"""Sizes of the hostile tests: small in `make test`, full with `make test-hostile`."""

from __future__ import annotations

import os

FULL = os.environ.get("ANNOTARIUM_HOSTILE_SCALE") == "full"


def hostile_test_size(small: int, full: int) -> int:
    """The size to attack with: `full` when `make test-hostile` runs, else `small`.

    Limits are asserted at either size, on counts and bytes, never on the clock.
    """
    return full if FULL else small
