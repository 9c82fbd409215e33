"""The revision of rights: a number in the database that changes with every change of rights.

Each process caches the rights of recent callers and reads them again as soon as this number differs. A revoked right, a
disabled user or an ended sign-in therefore takes effect from the next request on, in every process.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from annotarium.db.identifiers import new_id
from annotarium.db.models import InstanceFact

KEY = "access"


def note_rights_change(session: Session) -> None:
    """Change the revision. To be called when users, roles, groups, memberships, shares or owners change."""
    fact = session.get(InstanceFact, KEY, with_for_update=True)
    if fact is None:
        session.add(InstanceFact(key=KEY, value={"revision": new_id()}))
        return
    fact.value = {"revision": new_id()}
