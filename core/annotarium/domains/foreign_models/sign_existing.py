"""One-time signing of locally trained models from before the introduction of signatures."""

from __future__ import annotations

import structlog

from annotarium.db.identifiers import timestamp_of_id
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.foreign_models import repository
from annotarium.registry import model_signatures
from annotarium.registry.model_store import list_stored_models

log = structlog.get_logger(__name__)


def sign_existing_models() -> int:
    """Sign the models that the database lists as trained here; return how many. Does nothing after its first run.

    A model from an archive was trained before its row was created here: it stays unsigned and waits for acceptance.
    Called at every start.
    """
    with unit_of_work(actor="", write=False) as unit:
        if repository.were_existing_models_signed(unit.session):
            return 0
        known = repository.models_known_to_database(unit.session)
    count = 0
    for one in list_stored_models():
        ours = (one.owner, one.owner_id, one.timestamp) in known and one.timestamp >= timestamp_of_id(one.owner_id)
        if ours and (one.folder / model_signatures.MANIFEST).is_file():
            model_signatures.sign_model(one.folder)
            count += 1
    with unit_of_work(actor="", write=True) as unit:
        if not repository.were_existing_models_signed(unit.session):
            repository.note_existing_models_signed(unit.session, count)
    if count:
        log.info("models_signed", count=count)
    return count
