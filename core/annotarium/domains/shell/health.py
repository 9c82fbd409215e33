"""Probes of the parts a request needs; the queue and the index register theirs when the process starts."""

from __future__ import annotations

from collections.abc import Callable

import structlog

from annotarium.db.disk_full import DiskFull
from annotarium.domains.shell.schemas import Health, PartHealth

log = structlog.get_logger(__name__)

Probe = Callable[[], None]
_probes: dict[str, Probe] = {}


class NotReady(Exception):
    """Why a part does not work, in words that anybody may read."""


def register_health_probe(part: str, probe: Probe) -> None:
    """Have readiness ask a part: the probe returns when the part works and raises when not, within a second or so.

    What it raises is for the log; words for whoever asks come by `NotReady`.
    """
    _probes[part] = probe


def check_health_of_parts(database_probe: Probe) -> Health:
    """Ask the record and every registered part."""
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
        return PartHealth(ok=False, message=f"{name} does not answer")  # no addresses or paths: anybody may ask
    return PartHealth(ok=True)
