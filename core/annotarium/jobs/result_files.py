"""Result files of jobs, for the user who started them: one per job, retained for some days."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from annotarium.files.file_locks import lock_descriptor
from annotarium.settings import get_settings


def result_file_path(job_id: str) -> Path:
    """The path of a job's result file."""
    return get_settings().exports_folder / f"{job_id}.export"


def write_result_file(job_id: str, chunks: Iterable[bytes]) -> int:
    """Write the result file of a job atomically; returns its size in bytes."""
    target = result_file_path(job_id)
    target.parent.mkdir(parents=True, exist_ok=True)
    part = target.with_suffix(".part")
    with part.open("wb") as file:
        lock_descriptor(file.fileno())
        for chunk in chunks:
            file.write(chunk)
        file.flush()
        os.fsync(file.fileno())
        size = file.tell()
    part.replace(target)
    return size
