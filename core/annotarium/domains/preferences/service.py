"""Rules of preferences: users read and change their own, in projects they may read."""

from __future__ import annotations

from annotarium.access.call import ProjectCall
from annotarium.db.corruption import convert_readable_rows
from annotarium.domains.preferences import repository
from annotarium.domains.preferences.schemas import Preferences


def read_preferences(call: ProjectCall) -> Preferences:
    """The caller's preferences in the project; damaged ones are left out."""
    rows = repository.list_preferences(call)
    sound = convert_readable_rows(rows.values(), lambda row: Preferences.model_validate({row.name: row.value}))
    return Preferences.model_validate({name: value for one in sound for name, value in one if value is not None})


def change_preferences(call: ProjectCall, body: Preferences) -> Preferences:
    """Store the given preferences; null resets one."""
    for name in body.model_fields_set:
        value = getattr(body, name)
        if value is None:
            repository.delete_preference(call, name)
        else:
            repository.save_preference(call, name, value)
    call.session.flush()
    return read_preferences(call)
