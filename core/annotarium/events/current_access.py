"""The present rights of a caller whose request has ended: of a live connection, of work that continues."""

from __future__ import annotations

from annotarium.access.rights import Access
from annotarium.access.user_rights_cache import cache
from annotarium.db.database import get_database
from annotarium.events import repository
from annotarium.events.tokens import LiveClaims


def find_current_access(claims: LiveClaims) -> Access | None:
    """The rights now; None if the user may not sign in any more, signed out, or the API key was revoked."""
    database = get_database()
    revision, restriction = repository.read_rights_revision(database, claims.session_id)
    if claims.key_id is not None:
        with database.session(write=False) as session:
            key = repository.find_api_key_by_id(session, claims.key_id)
        restriction = key.restriction if key is not None else None
    subject = cache.subject(database, claims.user_id, revision) if restriction is not None else None
    return None if subject is None or subject.disabled else cache.access(subject, restriction or "")
