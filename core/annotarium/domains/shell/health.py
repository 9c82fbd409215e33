"""Health probes of the parts that requests need; queue and index register theirs when the process starts."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from annotarium.db.disk_full import DiskFull
from annotarium.domains.shell.schemas import Health, PartHealth

log = structlog.get_logger(__name__)

Probe = Callable[[], None]
_probes: dict[str, Probe] = {}


class NotReady(Exception):
    """Why a part does not work, in a text that is safe to show to anyone."""


def register_health_probe(part: str, probe: Probe) -> None:
    """Register a probe of a part for the readiness check. It returns if the part works, else raises, within about a
    second.

    The exception is only logged, except that the text of a `NotReady` is shown to the client.
    """
    _probes[part] = probe


def check_health_of_parts(database_probe: Probe) -> Health:
    """Probe the database and all registered parts."""
    parts = {name: _check_part(name, probe) for name, probe in ({"record": database_probe} | _probes).items()}
    return Health(status="ok" if all(part.ok for part in parts.values()) else "failing", parts=parts)


def _check_part(name: str, probe: Probe) -> PartHealth:
    try:
        probe()
    except DiskFull as full:
        log.warning("part_not_ready", part=name, error=full.cause)
        return PartHealth(ok=False, message=full.cause)
    except NotReady as reason:
        log.warning("part_not_ready", part=name, error=str(reason.__cause__ or reason))
        return PartHealth(ok=False, message=str(reason))
    except Exception as failure:  # noqa: BLE001  # whatever a part raises means it does not work
        log.warning("part_not_ready", part=name, error=str(failure))
        return PartHealth(
            ok=False, message=f"{name} does not answer"
        )  # contains no address or path: anyone may call this
    return PartHealth(ok=True)
