"""Rules of terms changed by hand, and of the tree."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotarium.access.call import ProjectCall
from annotarium.content.free_names import first_free_name, name_taken
from annotarium.content.labelling.changes import write_history
from annotarium.content.labels import label_slug
from annotarium.content.validation import InvalidContent
from annotarium.content.version_check import check_version
from annotarium.db.corruption import json_object_or_empty
from annotarium.db.identifiers import first_id_of, new_id, now_ms
from annotarium.db.models import Lexicon, LexiconTerm
from annotarium.db.row_marks import mark_modified
from annotarium.db.timestamps import iso
from annotarium.domains.lexicons import repository
from annotarium.domains.lexicons.repository import BROADER, RELATED, Node
from annotarium.domains.lexicons.service import (
    KEPT_MS,
    notify_terms_changed,
    require_editable_lexicon,
    require_lexicon,
)
from annotarium.domains.lexicons.term_values import checked_term, is_obsolete, relation_rows, sort_key
from annotarium.errors import InvalidInput, NotFound
from annotarium_schemas.documents import Term
from annotarium_schemas.lexicons import TermNode, TermNodes, TermRead, TermUpdate, TermWrite
from annotarium_schemas.messages import message

MAX_TREE_PAGE = 1_000
MAX_NEIGHBOURS = 200
"""Broader, narrower or related terms that a card shows."""
_MAX_LEVELS = 10_000
_MAX_ABOVE = 100_000
"""Terms above a term that are read to find a circle."""


def require_term(call: ProjectCall, lexicon: Lexicon, identifier: str) -> LexiconTerm:
    """The term of that identifier, or `NotFound`."""
    term = repository.find_term(call.session, lexicon.id, identifier)
    if term is None:
        words = "There is no term {name} in the lexicon {lexicon}"
        raise NotFound(message("none.term", words, name=identifier[:80], lexicon=lexicon.label))
    return term


def build_term_read_model(row: LexiconTerm, lexicon: str) -> TermRead:
    return TermRead(
        identifier=row.identifier,
        lexicon=lexicon,
        preferred_form=row.preferred_form,
        value=row.preferred_form,
        properties=json_object_or_empty(row.properties),
        broader_count=row.broader_count,
        narrower_count=row.narrower_count,
        created_at=iso(row.created_at),
        created_by=row.created_by,
        modified_at=iso(row.modified_at),
        modified_by=row.modified_by,
        version=row.version,
    )


def read_term(call: ProjectCall, lexicon_name: str, identifier: str, *, term_only: bool) -> dict[str, Any]:
    """A term; without `term_only` also its `broader`, `narrower` and `related` terms with their forms.

    Raises:
        NotFound: there is no such lexicon or term.
    """
    lexicon = require_lexicon(call, lexicon_name)
    row = require_term(call, lexicon, identifier)
    answer: dict[str, Any] = build_term_read_model(row, lexicon.name).model_dump(
        mode="json", by_alias=True, exclude_none=True
    )
    if term_only:
        return answer
    near = {
        BROADER: repository.neighbours(call.session, row.id, BROADER, incoming=False, size=MAX_NEIGHBOURS),
        "narrower": repository.page_of_children(call.session, row.id, 0, MAX_NEIGHBOURS),
        RELATED: repository.neighbours(call.session, row.id, RELATED, incoming=False, size=MAX_NEIGHBOURS),
    }
    lists = {name: [_node(one).model_dump(mode="json", by_alias=True) for one in found] for name, found in near.items()}
    return answer | lists | {"lexiconLabel": lexicon.label, "color": lexicon.color}


def _snapshot(row: LexiconTerm) -> dict[str, Any]:
    fields = ("identifier", "preferred_form", "properties")
    return {name: getattr(row, name) for name in fields} | {"lexicon_id": row.lexicon_id}


def create_term(call: ProjectCall, lexicon_name: str, body: TermWrite, *, overwrite: bool) -> TermRead:
    """Create a term by hand. Without an identifier, one is derived from the form.

    Args:
        overwrite: a term of this identifier is replaced.

    Raises:
        NotFound: there is no such lexicon. InvalidInput: a text is missing or too long, or relations form a circle.
        Conflict: the identifier is taken, or the lexicon only takes imports.
    """
    lexicon = require_editable_lexicon(call, lexicon_name)
    identifier = body.identifier or _free_identifier(call, lexicon, body.preferred_form or "")
    values = _checked(Term(identifier=identifier, preferred_form=body.preferred_form, properties=body.properties))
    known = repository.find_term(call.session, lexicon.id, values[0])
    if known is not None and not overwrite:
        raise name_taken(
            message("taken.term", "The lexicon has a term {name} already", name=values[0][:80]), "identifier"
        )
    if known is not None:
        return _write(call, lexicon, known, values)
    row = LexiconTerm(id=new_id(), project_id=call.project.id, lexicon_id=lexicon.id, created_by=call.username)
    row.modified_by = call.username
    _set_values(row, values)
    call.session.add(row)
    call.session.flush()
    _write_relations(call, lexicon, row)
    return _announce(call, lexicon, row, "created", None)


def _free_identifier(call: ProjectCall, lexicon: Lexicon, form: str) -> str:
    if not form:
        problem = message("field.termText", "A term needs a form or an identifier")
        raise InvalidInput(
            message("wrong.termText", "The term has no form"),
            details=[{"field": "preferredForm", "message": problem}],
        )
    return first_free_name(
        label_slug(form), lambda name: repository.find_term(call.session, lexicon.id, name) is not None
    )


def _checked(term: Term) -> tuple[str, str, dict[str, Any]]:
    try:
        return checked_term(term)
    except InvalidContent as error:
        details = [{"field": "properties", "message": error.message}]
        raise InvalidInput(error.message, fix=error.fix or None, details=details) from error


def update_term(call: ProjectCall, lexicon_name: str, body: TermUpdate) -> TermRead:
    """Change a term by hand. Annotations that point to it under an earlier identifier are not changed.

    Raises:
        VersionMismatch: somebody else changed it meanwhile. Others as for `create_term`.
    """
    lexicon = require_editable_lexicon(call, lexicon_name)
    row = require_term(call, lexicon, body.identifier)
    check_version(
        call,
        row.version,
        "The term was changed by somebody else",
        lambda: build_term_read_model(row, lexicon.name).model_dump(mode="json", by_alias=True),
    )
    identifier = body.new_identifier or row.identifier
    if identifier != row.identifier and repository.find_term(call.session, lexicon.id, identifier) is not None:
        raise name_taken(
            message("taken.term", "The lexicon has a term {name} already", name=identifier[:80]), "newIdentifier"
        )
    base = json_object_or_empty(row.properties) if body.properties is None else body.properties
    removed = frozenset(body.unset)
    properties = {name: value for name, value in (base | body.set).items() if name not in removed}
    form = body.preferred_form or row.preferred_form
    values = _checked(Term(identifier=identifier, preferred_form=form, properties=properties))
    return _write(call, lexicon, row, values)


def _set_values(row: LexiconTerm, values: tuple[str, str, dict[str, Any]]) -> None:
    row.identifier, row.preferred_form, row.properties = values
    row.sort_key, row.obsolete = sort_key(row.preferred_form), is_obsolete(row.properties)


def _write(call: ProjectCall, lexicon: Lexicon, row: LexiconTerm, values: tuple[str, str, dict[str, Any]]) -> TermRead:
    before = _snapshot(row)
    renamed = values[0] != row.identifier
    _set_values(row, values)
    mark_modified(row, call.username)
    call.session.flush()
    touched = set(repository.open_relations_to(call.session, [row.id])) if renamed else set()
    _write_relations(call, lexicon, row, touched)
    return _announce(call, lexicon, row, "updated", before)


def _write_relations(
    call: ProjectCall, lexicon: Lexicon, row: LexiconTerm, touched: Sequence[int] | set[int] = ()
) -> None:
    """Derive the relations of a term anew, and the counts of all terms that they concern.

    Raises:
        InvalidInput: the term would be above itself.
    """
    session = call.session
    old = {one.target_id for one in repository.relations_of(session, [row.id]) if one.target_id is not None}
    repository.remove_relations_of(session, [row.id])
    repository.insert_relations(session, relation_rows(lexicon.id, row.id, row.sort_key, row.properties))
    named = [*row.properties.get(BROADER, ()), *row.properties.get(RELATED, ())]
    repository.resolve_relations(session, lexicon.id, [row.identifier, *named])
    session.expire_all()
    _require_no_circle(call, row)
    new = {one.target_id for one in repository.relations_of(session, [row.id]) if one.target_id is not None}
    below = repository.sources_of(session, row.id)
    repository.recount_neighbours(session, lexicon.id, sorted({row.id, *old, *new, *below, *touched}))
    session.expire(row)


def _require_no_circle(call: ProjectCall, row: LexiconTerm) -> None:
    """Walk up from the term, level by level."""
    level: Sequence[int] = [row.id]
    seen: set[int] = set()
    for _ in range(_MAX_LEVELS):
        above = [one for one in repository.broader_targets(call.session, level) if one not in seen]
        if row.id in above:
            problem = message("field.circle", "A broader term may not be below the term itself")
            raise InvalidInput(
                message("wrong.circle", "The term {name} would be its own broader term", name=row.preferred_form[:80]),
                fix="Remove one of the broader terms",
                details=[{"field": "properties.broader", "message": problem}],
            )
        seen.update(above)
        if not above or len(seen) > _MAX_ABOVE:
            return
        level = above


def _announce(
    call: ProjectCall, lexicon: Lexicon, row: LexiconTerm, action: str, before: dict[str, Any] | None
) -> TermRead:
    write_history(call, 0, "term", row.id, action, before=before, after=_snapshot(row))
    call.unit.touch(call.project.id, "term", document_id=row.id)
    notify_terms_changed(call, lexicon, "termsChanged")
    return build_term_read_model(row, lexicon.name)


def delete_term(call: ProjectCall, lexicon_name: str, identifier: str) -> None:
    """Delete a term. Annotations keep it; terms that name it as broader become roots, unless they have another one.

    Raises:
        NotFound: there is no such lexicon or term. VersionMismatch: somebody else changed it meanwhile.
    """
    lexicon = require_editable_lexicon(call, lexicon_name)
    row = require_term(call, lexicon, identifier)
    check_version(
        call,
        row.version,
        "The term was changed by somebody else",
        lambda: build_term_read_model(row, lexicon.name).model_dump(mode="json", by_alias=True),
    )
    before, term_id = _snapshot(row), row.id
    targets = {one.target_id for one in repository.relations_of(call.session, [term_id]) if one.target_id is not None}
    below = repository.sources_of(call.session, term_id)
    call.session.expunge(row)
    repository.remove_terms(call.session, [term_id])
    repository.recount_neighbours(call.session, lexicon.id, sorted({*targets, *below}))
    write_history(call, 0, "term", term_id, "deleted", before=before, after=None)
    call.unit.touch(call.project.id, "term", document_id=term_id)
    notify_terms_changed(call, lexicon, "termsChanged")


def restore_term(call: ProjectCall, lexicon_name: str, identifier: str) -> TermRead:
    """Create a term again as it was when it was deleted last.

    Raises:
        NotFound: there is no such lexicon, or no such deletion in the last days.
        Conflict: there is a term of this identifier, or the lexicon only takes imports.
        InvalidInput: it would close a circle now.
    """
    lexicon = require_editable_lexicon(call, lexicon_name)
    for change in repository.deleted_terms(call.session, call.project.id, first_id_of(now_ms() - KEPT_MS)):
        before = json_object_or_empty(change.before)
        if (before.get("lexicon_id"), before.get("identifier")) == (lexicon.id, identifier):
            break
    else:
        words = "There is no deleted term {name} in the lexicon {lexicon}"
        raise NotFound(message("none.deletedTerm", words, name=identifier[:80], lexicon=lexicon.label))
    properties = json_object_or_empty(before.get("properties"))
    body = TermWrite(identifier=identifier, preferred_form=before.get("preferred_form"), properties=properties)
    return create_term(call, lexicon_name, body, overwrite=False)


# --- the tree ---------------------------------------------------------------------------------------------------------


def _node(row: Node) -> TermNode:
    identifier, form, narrower, broader, obsolete = row
    return TermNode(
        identifier=identifier, preferred_form=form, narrower_count=narrower, broader_count=broader, obsolete=obsolete
    )


def list_roots(call: ProjectCall, lexicon_name: str, *, first: int, size: int) -> TermNodes:
    """One page of the terms that have no broader term, in alphabetical order."""
    lexicon = require_lexicon(call, lexicon_name)
    rows = repository.page_of_roots(call.session, lexicon.id, first, size)
    return TermNodes(terms=[_node(row) for row in rows], total=repository.count_roots(call.session, lexicon.id))


def list_children(call: ProjectCall, lexicon_name: str, identifier: str, *, first: int, size: int) -> TermNodes:
    """One page of the terms directly below a term, in alphabetical order.

    Raises:
        NotFound: there is no such lexicon or term.
    """
    lexicon = require_lexicon(call, lexicon_name)
    row = require_term(call, lexicon, identifier)
    rows = repository.page_of_children(call.session, row.id, first, size)
    return TermNodes(terms=[_node(one) for one in rows], total=row.narrower_count)
