"""What all tests of the plugins share."""

from __future__ import annotations

from support.hypothesis_profile import disable_deadlines

disable_deadlines()
