"""Models from before there were signatures: those that were trained here are signed, once."""

from __future__ import annotations

import structlog

from annotarium.db.identifiers import timestamp_of_id
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.foreign_models import repository
from annotarium.registry import signatures
from annotarium.registry.model_store import all_models

log = structlog.get_logger(__name__)


def sign_former_models() -> int:
    """Sign the models that the database says were trained here, if that was never done; how many.

    What came in an archive was trained before its row was made here: such a model waits for acceptance. To be called
    at every start; it does something at the first one only.
    """
    with unit_of_work(actor="", write=False) as unit:
        if repository.were_signed(unit.session):
            return 0
        known = repository.known_models(unit.session)
    count = 0
    for one in all_models():
        ours = (one.owner, one.owner_id, one.timestamp) in known and one.timestamp >= timestamp_of_id(one.owner_id)
        if ours and (one.folder / signatures.MANIFEST).is_file():
            signatures.sign(one.folder)
            count += 1
    with unit_of_work(actor="", write=True) as unit:
        if not repository.were_signed(unit.session):
            repository.note_signed(unit.session, count)
    if count:
        log.info("models_signed", count=count)
    return count
