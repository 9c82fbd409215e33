"""Writes batches of imported terms, and derives the relations of a whole lexicon from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, NamedTuple

from sqlalchemy.orm import Session

from annotarium.access.call import Call, ProjectCall
from annotarium.content.validation import InvalidContent
from annotarium.db.identifiers import new_ids, now_ms
from annotarium.db.models import Lexicon
from annotarium.db.unit_of_work import unit_of_work
from annotarium.domains.lexicons import repository
from annotarium.domains.lexicons.circles import closing_edges
from annotarium.domains.lexicons.repository import BROADER
from annotarium.domains.lexicons.term_values import checked_term, is_obsolete, relation_rows, sort_key
from annotarium.importing.outcome import IMPORTED, REFUSED, REPLACED
from annotarium_schemas.documents import Term
from annotarium_schemas.messages import message

_COLUMNS = (
    *("id", "project_id", "lexicon_id", "identifier", "preferred_form", "sort_key", "properties", "obsolete"),
    *("import_id", "created_at", "created_by", "modified_at", "modified_by"),
)
_MAX_RANGE = 2**31 - 1
LINK_BATCH = 2_000
"""Relations and terms whose links are computed in one transaction."""
CUT_BATCH = 500
"""Relations that are taken out in one transaction."""
_PAGE = 1_000


@dataclass(frozen=True)
class WrittenTerm:
    """What became of a term of an import; `message` states why it was refused."""

    identifier: str
    outcome: str
    message: str | None = None
    fix: str | None = None


Values = tuple[str, str, dict[str, Any]]


def write_terms_batch(call: ProjectCall, lexicon: Lexicon, terms: Sequence[Term], import_id: int) -> list[WrittenTerm]:
    """Create or replace terms of a lexicon, with relations that lead nowhere yet (`link_lexicon`).

    A term that an earlier run of this import wrote stays as it is, and counts as imported.
    """
    done: list[WrittenTerm] = []
    good = _checked_terms(terms, done)
    known = repository.rows_by_identifier(call.session, lexicon.id, list(good))
    new = [values for identifier, values in good.items() if identifier not in known]
    ids = dict(zip((values[0] for values in new), new_ids(len(new)), strict=True))
    now = now_ms()
    marks = (import_id, now, call.username, now, call.username)
    rows = [
        (ids[key], call.project.id, lexicon.id, key, form, sort_key(form), own, is_obsolete(own), *marks)
        for key, form, own in new
    ]
    repository.insert_terms(call.session, _COLUMNS, rows)
    mine = {identifier for identifier, (_, written_by, _) in known.items() if written_by == import_id}
    changed = [values for identifier, values in good.items() if identifier in known and identifier not in mine]
    _replace(call, lexicon, changed, known, import_id)
    keys = ids | {identifier: known[identifier][0] for identifier, _, _ in changed}
    relations = [
        row for key, form, own in (*new, *changed) for row in relation_rows(lexicon.id, keys[key], sort_key(form), own)
    ]
    repository.insert_relations(call.session, relations)
    _touch(call, list(ids.values()), [known[identifier][0] for identifier, _, _ in changed])
    repository.raise_terms_version(call.session, lexicon.id)
    done += [WrittenTerm(identifier, IMPORTED) for identifier in (*ids, *mine)]
    done += [WrittenTerm(identifier, REPLACED) for identifier, _, _ in changed]
    return done


def _checked_terms(terms: Sequence[Term], done: list[WrittenTerm]) -> dict[str, Values]:
    """The terms that may be stored, by identifier; the others are added to `done`."""
    good: dict[str, Values] = {}
    for term in terms:
        try:
            values = checked_term(term)
        except InvalidContent as error:
            done.append(WrittenTerm(term.identifier[:200], REFUSED, error.message, error.fix))
            continue
        if values[0] in good:
            words = message("term.twice", "Another term of the file has this identifier; the first one is imported")
            fix = message("fix.oneIdentifier", "Give each term its own identifier")
            done.append(WrittenTerm(values[0][:200], REFUSED, words, fix))
        else:
            good[values[0]] = values
    return good


def _replace(
    call: ProjectCall,
    lexicon: Lexicon,
    changed: Sequence[Values],
    known: dict[str, tuple[int, int | None, int]],
    import_id: int,
) -> None:
    now = now_ms()
    repository.update_terms(
        call.session,
        [
            {
                "id": known[identifier][0],
                "preferred_form": form,
                "sort_key": sort_key(form),
                "properties": properties,
                "obsolete": is_obsolete(properties),
                "import_id": import_id,
                "modified_at": now,
                "modified_by": call.username,
                "version": known[identifier][2] + 1,
            }
            for identifier, form, properties in changed
        ],
    )
    if changed:
        repository.remove_relations_of(call.session, [known[identifier][0] for identifier, _, _ in changed])


def _touch(call: ProjectCall, new: Sequence[int], changed: Sequence[int]) -> None:
    """Write outbox rows: one for a range of new terms, one for each replaced term."""
    for first, last in id_ranges(new):
        call.unit.touch(call.project.id, "terms", document_id=first, start=0, end=last - first)
    for term_id in changed:
        call.unit.touch(call.project.id, "term", document_id=term_id)


def id_ranges(ids: Sequence[int]) -> list[tuple[int, int]]:
    """Ranges of ascending ids, each of which an outbox row can hold. Ids made together are close to each other."""
    ranges: list[tuple[int, int]] = []
    for one in ids:
        if ranges and one - ranges[-1][0] <= _MAX_RANGE:
            ranges[-1] = (ranges[-1][0], one)
        else:
            ranges.append((one, one))
    return ranges


# --- relations --------------------------------------------------------------------------------------------------------

OpenCall = Callable[[], AbstractContextManager[Call]]
"""Opens a writing transaction with its call."""


class CutRelation(NamedTuple):
    """A relation that was taken out because it closes a circle."""

    term_id: int
    identifier: str
    broader: str


def resolve_all(open_call: OpenCall, lexicon_id: int, progress: Callable[[int], None]) -> None:
    """Give all relations of a lexicon their target, as far as it exists, a batch in each transaction."""
    after = done = 0
    while True:
        with open_call() as call:
            ids = repository.page_of_open_relations(call.session, lexicon_id, after, LINK_BATCH)
            if not ids:
                return
            repository.resolve_relations_by_id(call.session, lexicon_id, ids)
        after, done = ids[-1], done + len(ids)
        progress(done)


def recount_all(open_call: OpenCall, lexicon_id: int, progress: Callable[[int], None]) -> None:
    """Count broader and narrower terms of all terms of a lexicon, a batch in each transaction."""
    after = done = 0
    while True:
        with open_call() as call:
            ids = repository.ids_of_terms(call.session, lexicon_id, after, LINK_BATCH)
            if not ids:
                return
            repository.recount_neighbours(call.session, lexicon_id, ids)
        after, done = ids[-1], done + len(ids)
        progress(done)


def cut_circles(session: Session, project_id: int, lexicon_id: int, relation_ids: Sequence[int]) -> list[CutRelation]:
    """Remove relations that close a circle, also from the properties of their terms."""
    relations = [one for one in repository.relations_by_id(session, relation_ids) if one.lexicon_id == lexicon_id]
    terms = repository.terms_by_id(session, project_id, [one.term_id for one in relations])
    cut: list[CutRelation] = []
    touched: set[int] = set()
    for relation in relations:
        row = terms.get(relation.term_id)
        if row is None:
            continue
        targets = [name for name in row.properties.get(BROADER, ()) if name != relation.target_identifier]
        others = {name: value for name, value in row.properties.items() if name != BROADER}
        row.properties = others | ({BROADER: targets} if targets else {})
        touched |= {row.id, relation.target_id or row.id}
        cut.append(CutRelation(row.id, row.identifier, relation.target_identifier))
    session.flush()
    repository.remove_relations(session, [one.id for one in relations])
    repository.recount_neighbours(session, lexicon_id, sorted(touched))
    return cut


def derive_relations(open_call: OpenCall, project_id: int) -> None:
    """Derive the relations of all terms of a project that has none yet: one that was restored from an archive."""
    with open_call() as call:
        lexicons = [row.id for row in repository.list_lexicons(call.session, project_id)]
    for lexicon_id in lexicons:
        _insert_all_relations(open_call, lexicon_id)
        link_lexicon(open_call, project_id, lexicon_id, _ignore)


def link_lexicon(open_call: OpenCall, project_id: int, lexicon_id: int, progress: Callable[[int], None]) -> None:
    """Give the relations of a lexicon their targets, count the neighbours, and remove relations that close a circle."""
    resolve_all(open_call, lexicon_id, progress)
    recount_all(open_call, lexicon_id, progress)
    closing = find_circles(lexicon_id)
    for begin in range(0, len(closing), CUT_BATCH):
        with open_call() as call:
            for one in cut_circles(call.session, project_id, lexicon_id, closing[begin : begin + CUT_BATCH]):
                call.unit.touch(project_id, "term", document_id=one.term_id)


def find_circles(lexicon_id: int) -> list[int]:
    """Ids of relations that close a circle, after targets and counts of neighbours were computed.

    Nobody waits for it: it reads in a transaction of its own. Memory grows with the terms that have both broader and
    narrower ones, which are few in most vocabularies, not with all terms.
    """
    with unit_of_work(actor="", write=False) as unit:
        count = repository.count_inner_edges(unit.session, lexicon_id)
        return closing_edges(repository.inner_edges(unit.session, lexicon_id), count)


def _insert_all_relations(open_call: OpenCall, lexicon_id: int) -> None:
    after = 0
    while True:
        with open_call() as call:
            page = repository.page_of_terms(call.session, lexicon_id, after, _PAGE)
            if not page:
                return
            after = page[-1].id
            rows = [one for row in page for one in relation_rows(lexicon_id, row.id, row.sort_key, row.properties)]
            repository.insert_relations(call.session, rows)


def _ignore(_done: int) -> None:
    return
