"""The revision of rights: a number in the record that changes with every change of rights.

Each process keeps the rights of recent callers and reads them again as soon as this number differs, so that a right
taken away, a user disabled or a sign-in ended counts from the next request on, in every process.
"""

from __future__ import annotations

from sqlalchemy.orm import Session

from annotarium.db.identifiers import new_id
from annotarium.db.models import InstanceFact

KEY = "access"


def note_rights_change(session: Session) -> None:
    """Say that rights change in this transaction: users, roles, groups, memberships, shares, owners of projects."""
    fact = session.get(InstanceFact, KEY, with_for_update=True)
    if fact is None:
        session.add(InstanceFact(key=KEY, value={"revision": new_id()}))
        return
    fact.value = {"revision": new_id()}
