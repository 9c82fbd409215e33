"""Train and test split of a project's documents."""

from __future__ import annotations

from hashlib import blake2b

from annotarium.access.call import ProjectCall
from annotarium.corpus.material import material_changed
from annotarium.domains.projects import repository
from annotarium.errors import InvalidInput


def split_documents(call: ProjectCall, *, test_size: float, incremental: bool) -> dict[str, int]:
    """Put each document in `train` or `test`, at random but the same at each run; how many in each.

    `incremental` leaves documents that are in a part where they are and fills up so that the share of test documents
    comes to `test_size`; otherwise everything is split again.

    Raises:
        InvalidInput: `test_size` is not between 0 and 1.
    """
    if not 0 < test_size < 1:
        message = "testSize must lie between 0 and 1"
        raise InvalidInput(message, details=[{"field": "testSize", "message": message}])
    rows = repository.split_candidates(call.session, call.project)
    kept = {identifier: split for identifier, split in rows if split and incremental}
    free = sorted((identifier for identifier, _ in rows if identifier not in kept), key=_draw)
    wanted = max(0, round(len(rows) * test_size) - sum(split == "test" for split in kept.values()))
    changes = [(identifier, "test" if position < wanted else "train") for position, identifier in enumerate(free)]
    repository.set_split(call.session, changes)
    before = dict(rows)
    moved = [identifier for identifier, split in changes if before[identifier] != split]
    for identifier in moved:
        call.unit.touch(call.project.id, "facets", document_id=identifier)
    if moved:
        material_changed(call)
    call.project.has_split = bool(rows)
    parts = [*kept.values(), *(split for _, split in changes)]
    return {"train": parts.count("train"), "test": parts.count("test")}


def _draw(identifier: int) -> bytes:
    return blake2b(str(identifier).encode(), digest_size=8).digest()
