"""Hypothesis without deadlines: on a busy machine, generating an example may be slow."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def disable_deadlines() -> None:
    """Disable the deadline of examples and the health check for slow generation."""
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
