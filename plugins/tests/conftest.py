"""Fixtures shared by all tests of the plugins."""

from __future__ import annotations

from support.hypothesis_profile import disable_deadlines

disable_deadlines()
