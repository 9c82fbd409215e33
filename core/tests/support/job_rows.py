"""Job rows in the state in which a worker left them."""

from __future__ import annotations

from typing import Any

from annotarium.db.identifiers import now_ms
from annotarium.db.models import Job
from annotarium.db.unit_of_work import unit_of_work


def add_running_job(job_id: str, **columns: Any) -> str:
    """Insert a running job, with an expired lease unless the columns say otherwise; returns its id."""
    values: dict[str, Any] = {
        "type": "UNSPECIFIED",
        "function": "count_seconds",
        "arguments": {"seconds": 0},
        "state": "running",
        "attempts": 1,
        "fence": 1,
        "lease_until": now_ms() - 1,
    }
    with unit_of_work(actor="", write=True) as unit:
        unit.session.add(Job(id=job_id, **(values | columns)))
    return job_id
