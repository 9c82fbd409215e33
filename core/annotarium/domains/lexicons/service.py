"""Rules of lexicons: their names and colours, what other domains read of their terms, deletion."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.access.rights import Access
from annotarium.content.free_names import first_free_name, name_taken
from annotarium.content.labelling.changes import write_history
from annotarium.content.labels import label_slug
from annotarium.content.palette import next_color
from annotarium.content.version_check import check_version
from annotarium.db.corruption import convert_readable_rows, json_object_or_empty
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.models import Job, Lexicon, LexiconTerm
from annotarium.db.row_marks import mark_deleted, mark_modified, mark_restored
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.lexicons import repository
from annotarium.domains.lexicons.term_values import checked_term, is_obsolete, sort_key
from annotarium.domains.lexicons.term_writing import derive_relations
from annotarium.errors import Conflict, InvalidInput, NotFound
from annotarium.jobs.job_creation import start_job
from annotarium_schemas.documents import Term
from annotarium_schemas.lexicons import LexiconCreate, LexiconRead, LexiconUpdate
from annotarium_schemas.messages import message

__all__ = ["checked_term", "derive_relations", "is_obsolete", "sort_key"]

MAX_LEXICONS = 1_000
"""Live lexicons of a project."""
BATCH = 500
"""Terms read in one transaction."""
KEPT_MS = 30 * 86_400_000
"""How long a deleted lexicon can be restored."""
DIRECT_MAX = 2_000
"""Terms that are removed within the request; more are removed by a job."""


def require_lexicon(call: ProjectCall, name: str) -> Lexicon:
    """The lexicon of that name, or `NotFound`."""
    lexicon = repository.find_lexicon(call.session, call.project.id, name)
    if lexicon is None:
        raise NotFound(
            message("none.lexicon", "There is no lexicon {name} in this project", name=name),
            fix="Create the lexicon first, or check its name",
        )
    return lexicon


def require_lexicon_by_id(call: ProjectCall, lexicon_id: int) -> Lexicon:
    """The live lexicon of that id in the project, or `NotFound`: it was deleted meanwhile."""
    lexicon = repository.find_lexicon_by_id(call.session, call.project.id, lexicon_id)
    if lexicon is None:
        raise NotFound(message("gone.lexicon", "The lexicon was deleted"))
    return lexicon


def require_editable_lexicon(call: ProjectCall, name: str) -> Lexicon:
    """The lexicon of that name, whose terms may be changed by hand.

    Raises:
        NotFound: there is no such lexicon. Conflict: it only takes imports.
    """
    lexicon = require_lexicon(call, name)
    if not lexicon.manual_edition_allowed:
        raise Conflict(
            message("taken.lexicon", "The terms of {lexicon} cannot be changed by hand", lexicon=lexicon.label),
            fix="Allow it in the settings of the lexicon, or import a file",
        )
    return lexicon


# --- what other domains read ------------------------------------------------------------------------------------------


def lexicon_versions(call: ProjectCall) -> dict[str, str]:
    """A mark by lexicon name that differs after any change of its terms."""
    return repository.lexicon_versions(call.session, call.project.id)


def iter_terms(call: ProjectCall, lexicon_names: Sequence[str]) -> Iterator[Term]:
    """All terms of these lexicons, in their order, read batch by batch: memory does not grow with their number.

    Iterating needs no open transaction.

    Raises:
        NotFound: a lexicon does not exist; before the first term.
    """
    lexicons = [(require_lexicon(call, name).id, name) for name in dict.fromkeys(lexicon_names)]
    return _iterate_terms(call.access, lexicons)


def _iterate_terms(access: Access, lexicons: Sequence[tuple[int, str]]) -> Iterator[Term]:
    for lexicon_id, name in lexicons:
        after = 0
        while True:
            with unit_of_work(actor=access.username, write=False) as unit:
                rows = repository.page_of_terms(unit.session, lexicon_id, after, BATCH)
                terms = [build_term(row, name) for row in rows]
                after = rows[-1].id if rows else 0
            if not terms:
                break
            yield from terms


def find_terms(call: ProjectCall, wanted: Sequence[tuple[str, str]]) -> list[Term]:
    """The terms that exist among these (lexicon, identifier), in this order."""
    lexicons = {row.name: row.id for row in repository.list_lexicons(call.session, call.project.id)}
    names = {key: name for name, key in lexicons.items()}
    pairs = [(lexicons[lexicon], key) for lexicon, key in dict.fromkeys(wanted) if lexicon in lexicons]
    found = {(names[row.lexicon_id], row.identifier): row for row in repository.find_terms(call.session, pairs)}
    return [build_term(found[pair], pair[0]) for pair in dict.fromkeys(wanted) if pair in found]


def build_term(row: LexiconTerm, lexicon: str) -> Term:
    """A term as components and annotations have it."""
    properties = json_object_or_empty(row.properties)
    return Term(
        identifier=row.identifier, lexicon=lexicon, preferred_form=row.preferred_form, properties=properties or None
    )


def notify_terms_changed(call: ProjectCall, lexicon: Lexicon, action: str) -> None:
    """Raise the version of the terms, and notify the clients of the project."""
    repository.raise_terms_version(call.session, lexicon.id)
    _notify(call, lexicon, action)


def _notify(call: ProjectCall, lexicon: Lexicon, action: str) -> None:
    event = {"type": action, "lexicon": lexicon.name, "by": call.username}
    call.unit.emit("lexicons", event, project=call.project.name)


# --- lexicons ---------------------------------------------------------------------------------------------------------


def _build_lexicon_read_model(row: Lexicon, terms: int | None = None) -> LexiconRead:
    return LexiconRead(
        name=row.name,
        label=row.label,
        color=row.color,
        manual_edition_allowed=row.manual_edition_allowed,
        terms=terms,
        created_at=iso(row.created_at),
        created_by=row.created_by,
        modified_at=iso(row.modified_at),
        modified_by=row.modified_by,
        version=row.version,
        terms_version=row.terms_version,
    )


def list_lexicons(call: ProjectCall, *, compute_metrics: bool) -> list[LexiconRead]:
    """Lexicons in creation order, with the number of their terms if requested."""
    rows = repository.list_lexicons(call.session, call.project.id)
    counts = repository.count_terms(call.session, [row.id for row in rows]) if compute_metrics else {}
    return convert_readable_rows(
        rows, lambda row: _build_lexicon_read_model(row, counts.get(row.id, 0) if compute_metrics else None)
    )


def read_lexicon(call: ProjectCall, name: str, *, compute_metrics: bool = False) -> LexiconRead:
    row = require_lexicon(call, name)
    count = repository.count_terms(call.session, [row.id]).get(row.id, 0) if compute_metrics else None
    return _build_lexicon_read_model(row, count)


def _snapshot(row: Lexicon) -> dict[str, Any]:
    return {name: getattr(row, name) for name in ("name", "label", "color", "manual_edition_allowed")}


def create_lexicon(call: ProjectCall, body: LexiconCreate) -> LexiconRead:
    """Create a lexicon. Without a name, one is derived from the label; without a colour, it gets the least used one.

    Raises:
        InvalidInput: it has no label (V-026). Conflict: the name is taken, or the project has too many lexicons.
    """
    words = body.label or body.name
    if not words:
        problem = message("field.lexiconText", "A lexicon needs a label")
        raise InvalidInput(
            message("wrong.lexiconText", "The lexicon has no label"), details=[{"field": "label", "message": problem}]
        )
    known = repository.list_lexicons(call.session, call.project.id)
    _require_room(known)
    names = {row.name for row in known}
    if body.name and label_slug(body.name) in names:
        raise name_taken(message("taken.lexiconName", "The lexicon {name} already exists", name=body.name), "name")
    name = first_free_name(label_slug(body.name or words)[:240], names.__contains__)
    row = Lexicon(
        id=new_id(),
        project_id=call.project.id,
        name=name,
        label=words,
        color=body.color or next_color([one.color.upper() for one in known]),
        manual_edition_allowed=body.manual_edition_allowed,
        created_by=call.username,
        modified_by=call.username,
    )
    call.session.add(row)
    call.session.flush()
    write_history(call, 0, "lexicon", row.id, "created", before=None, after=_snapshot(row))
    _notify(call, row, "created")
    return _build_lexicon_read_model(row, 0)


def _require_room(known: Sequence[Lexicon]) -> None:
    if len(known) >= MAX_LEXICONS:
        raise Conflict(
            message("taken.lexicons", "The project has {count:,} lexicons, which is the limit", count=len(known)),
            fix="Delete lexicons that are not needed",
        )


def _check_lexicon_version(call: ProjectCall, row: Lexicon) -> None:
    check_version(
        call,
        row.version,
        "The lexicon was changed by somebody else",
        lambda: _build_lexicon_read_model(row).model_dump(mode="json", by_alias=True),
    )


def copy_lexicons(source: ProjectCall, call: ProjectCall) -> int:
    """Create the lexicons of another project, without their terms, in one that has none; returns how many."""
    rows = repository.list_lexicons(source.session, source.project.id)
    for row in rows:
        made = Lexicon(id=new_id(), project_id=call.project.id, **_snapshot(row))
        made.created_by = made.modified_by = call.username
        call.session.add(made)
        write_history(call, 0, "lexicon", made.id, "created", before=None, after=_snapshot(made))
    return len(rows)


def start_copying_terms(source: ProjectCall, call: ProjectCall) -> Job:
    """Start the job that copies the terms of another project, after its lexicons were copied (`copy_lexicons`)."""
    ids = [row.id for row in repository.list_lexicons(source.session, source.project.id)]
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="copy_terms",
        arguments={
            "project_name": call.project.name,
            "source": source.project.name,
            "source_id": source.project.id,
        },
        project=call.project,
        created_by=call.username,
        description=message("start.copyTerms", "Copying the terms of {project}", project=source.project.label),
        total_steps=sum(repository.count_terms(source.session, ids).values()),
    )


def update_lexicon(call: ProjectCall, name: str, body: LexiconUpdate) -> LexiconRead:
    """Change label, colour, or whether terms may be changed by hand. The name stays: annotations name it.

    Raises:
        VersionMismatch: somebody else changed it meanwhile.
    """
    row = require_lexicon(call, name)
    _check_lexicon_version(call, row)
    before = _snapshot(row)
    for field in ("label", "color", "manual_edition_allowed"):
        if getattr(body, field) is not None:
            setattr(row, field, getattr(body, field))
    mark_modified(row, call.username)
    write_history(call, 0, "lexicon", row.id, "updated", before=before, after=_snapshot(row))
    _notify(call, row, "changed")
    return _build_lexicon_read_model(row)


def delete_lexicon(call: ProjectCall, name: str) -> None:
    """Delete a lexicon. Annotations keep its terms. It can be restored (`restore_lexicon`); a job removes the terms of
    those that were deleted long ago.

    Raises:
        VersionMismatch: somebody else changed it meanwhile.
    """
    row = require_lexicon(call, name)
    _check_lexicon_version(call, row)
    mark_deleted(row, call.username)
    call.session.flush()
    write_history(call, 0, "lexicon", row.id, "deleted", before=_snapshot(row), after=None)
    _purge_old(call)
    call.unit.touch(call.project.id, "lexicon", document_id=row.id)
    _notify(call, row, "deleted")


def restore_lexicon(call: ProjectCall, name: str) -> LexiconRead:
    """Restore the lexicon of that name that was deleted last, or the terms of one that was cleared, if it has none yet.

    Raises:
        NotFound: there is none, or it was deleted long ago. Conflict: the name is in use, or there are too many.
    """
    known = repository.list_lexicons(call.session, call.project.id)
    empty = next((row for row in known if row.name == name), None)
    if empty is None:
        _require_room(known)
    row = _find_cleared(call, empty) if empty else _find_deleted(call, name)
    if empty is not None:
        for field in ("label", "color", "manual_edition_allowed"):
            setattr(row, field, getattr(empty, field))
        row.version, row.terms_version = empty.version, empty.terms_version + 1
        mark_deleted(empty, call.username)
        call.session.flush()
    mark_restored(row)
    call.session.flush()
    write_history(call, 0, "lexicon", row.id, "restored", before=None, after=_snapshot(row))
    call.unit.touch(call.project.id, "lexicon", document_id=row.id)
    notify_terms_changed(call, row, "created")
    return _build_lexicon_read_model(row)


def _find_deleted(call: ProjectCall, name: str) -> Lexicon:
    row = repository.find_restorable_lexicon(call.session, call.project.id, name, now_ms() - KEPT_MS)
    if row is None:
        raise NotFound(message("none.deletedLexicon", "There is no deleted lexicon {name} to restore", name=name))
    return row


def _find_cleared(call: ProjectCall, empty: Lexicon) -> Lexicon:
    """The lexicon in whose place a live one without terms is since it was cleared."""
    row = repository.find_cleared_lexicon(call.session, empty, now_ms() - KEPT_MS)
    if row is None or repository.count_terms(call.session, [empty.id]).get(empty.id, 0):
        raise name_taken(message("taken.lexiconName", "The lexicon {name} already exists", name=empty.name), "name")
    return row


def clear_lexicon(call: ProjectCall, name: str) -> None:
    """Put an empty lexicon in the place of one: its terms can be restored (`restore_lexicon`) for as long as those of a
    deleted one, unless it has terms again.

    The new row has the creation time of the old one, by which the two are known to belong together.
    """
    row = require_lexicon(call, name)
    if not repository.count_terms(call.session, [row.id]).get(row.id, 0):
        return
    empty = Lexicon(id=new_id(), project_id=call.project.id, **_snapshot(row))
    empty.created_at, empty.created_by = row.created_at, row.created_by
    empty.terms_version, empty.version = row.terms_version, row.version
    mark_deleted(row, call.username)
    call.session.flush()
    mark_modified(empty, call.username)
    call.session.add(empty)
    call.session.flush()
    _purge_old(call)
    call.unit.touch(call.project.id, "lexicon", document_id=row.id)
    write_history(call, 0, "lexicon", empty.id, "cleared", before=_snapshot(row), after=_snapshot(empty))
    notify_terms_changed(call, empty, "cleared")


def _purge_old(call: ProjectCall) -> None:
    """Start jobs that remove the terms of lexicons that cannot be restored any more."""
    for old in _unrestorable(call):
        words = message("start.purgeLexicon", "Removing the terms of the deleted lexicon {lexicon}", lexicon=old.label)
        _start_removal(call, old, words)


def remove_some_terms(call: ProjectCall, lexicon_id: int, most: int, *, unchanged_since: int) -> int:
    """Remove terms of a lexicon with their relations, the oldest first; returns how many.

    Args:
        unchanged_since: terms that were created or changed after this time stay: an import that follows replaces terms
            that are still to be removed.
    """
    ids = repository.page_of_term_ids(call.session, lexicon_id, most, unchanged_since=unchanged_since)
    if ids:
        repository.remove_terms(call.session, ids)
    return len(ids)


def _unrestorable(call: ProjectCall) -> Sequence[Lexicon]:
    return repository.lexicons_deleted_before(call.session, call.project.id, now_ms() - KEPT_MS)


def remove_purged_lexicon(call: ProjectCall, lexicon_id: int) -> None:
    """Remove the row of a lexicon that was deleted too long ago to be restored."""
    if any(row.id == lexicon_id for row in _unrestorable(call)):
        repository.remove_lexicon(call.session, lexicon_id)


def _start_removal(call: ProjectCall, row: Lexicon, words: str) -> Job:
    count = repository.count_terms(call.session, [row.id]).get(row.id, 0)
    return start_job(
        call.unit,
        type="UNSPECIFIED",
        function="remove_terms",
        arguments={"project_name": call.project.name, "lexicon_id": row.id, "unchanged_since": now_ms()},
        project=call.project,
        created_by=call.username,
        description=words,
        total_steps=count,
    )
