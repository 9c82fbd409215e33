"""Long answers as JSON arrays: read a batch at a time, each in a transaction of its own, so that memory stays flat."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import orjson
from fastapi.responses import StreamingResponse

from annotarium.access.call import ProjectCall
from annotarium.db.models import Project
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.documents import repository

BATCH = 100
"""Documents read at once."""
Items = Callable[[ProjectCall, list[int]], Iterable[Any]]
"""What becomes of some documents, by id."""


def stream_items(
    call: ProjectCall, items: Items, *, filename: str, limit: int = 0, ids: Sequence[int] | None = None
) -> StreamingResponse:
    """A JSON array over the readable documents of the project.

    Args:
        items: makes the array's items of a batch of documents.
        filename: proposed to who saves the answer.
        limit: documents at most, 0 = all.
        ids: the documents, in order; None = all of the project.
    """
    access, project_id = call.access, call.project.id

    def batches() -> Iterator[bytes]:
        left, after, position = limit, 0, 0
        separator = b"["
        while limit <= 0 or left > 0:
            size = min(BATCH, left) if limit > 0 else BATCH
            with unit_of_work(actor=access.username, write=False) as unit:
                project = unit.session.get_one(Project, project_id)
                own = ProjectCall(unit=unit, access=access, project=project)
                if ids is not None:
                    batch = list(ids[position : position + size])
                else:
                    batch = list(repository.page_of_ids(own, after, size))
                if not batch:
                    break
                body = bytearray()
                for item in items(own, batch):
                    body += separator + orjson.dumps(item)
                    separator = b",\n"
            after, position, left = batch[-1], position + len(batch), left - len(batch)
            if body:
                yield bytes(body)
        yield b"[]" if separator == b"[" else b"]"

    headers = {"content-disposition": f'attachment; filename="{filename}"'}
    return StreamingResponse(batches(), media_type="application/json", headers=headers)
