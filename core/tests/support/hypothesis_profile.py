"""Properties are not judged by the clock: what draws their examples may wait for its turn on a busy machine."""

from __future__ import annotations

from hypothesis import HealthCheck, settings


def disable_deadlines() -> None:
    """From here on no property fails because of how long an example, or the making of one, took."""
    settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
    settings.load_profile("patient")
