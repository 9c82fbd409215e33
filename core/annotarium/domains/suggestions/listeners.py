"""Has the state of suggestions follow the labelling; `connect` is called in every process that writes."""

from __future__ import annotations

from sqlalchemy import event
from sqlalchemy.orm import Session

from annotarium.content.suggestions.unanswered import note_flushed_rows, refresh_touched
from annotarium.db.unit_of_work import about_to_commit


def connect() -> None:
    """Hear of every change before its commit, and of labels that change; however often it is called."""
    about_to_commit.connect(refresh_touched)
    if not event.contains(Session, "after_flush", note_flushed_rows):
        event.listen(Session, "after_flush", note_flushed_rows)
