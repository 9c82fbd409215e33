"""Rules of preferences: everybody reads and changes their own, of projects they read."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.db.damage import readable
from annotarium.domains.preferences import repository
from annotarium.domains.preferences.schemas import Preferences


def read(call: ProjectCall) -> Preferences:
    """What the caller chose for the project."""
    rows = repository.own(call)
    sound = readable(rows.values(), lambda row: Preferences.model_validate({row.name: row.value}))
    return Preferences.model_validate({name: value for one in sound for name, value in one if value is not None})


def change(call: ProjectCall, body: Preferences) -> Preferences:
    """Keep what is given; null takes the choice back."""
    for name in body.model_fields_set:
        value = getattr(body, name)
        if value is None:
            repository.forget(call, name)
        else:
            repository.keep(call, name, value)
    call.session.flush()
    return read(call)
