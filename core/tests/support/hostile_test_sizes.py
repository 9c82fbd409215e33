"""Sizes of the hostile tests: small in `make test`, full in `make test-hostile`."""

from __future__ import annotations

import os

FULL = os.environ.get("ANNOTARIUM_HOSTILE_SCALE") == "full"


def hostile_test_size(small: int, full: int) -> int:
    """Return `full` in `make test-hostile`, else `small`.

    Limits are asserted at either size, on counts and bytes, never on the clock.
    """
    return full if FULL else small
