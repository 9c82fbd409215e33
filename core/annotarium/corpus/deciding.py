"""What an import does with each document, decided before anything is written.

What an identifier that is already in the project means:

- the same content as the last import: `unchanged`, nothing is written, whatever people did to it since;
- what the document says now, as an export of it does: `unchanged` too;
- other content, and nobody has annotated the document by hand since its import: `replaced`. The old document goes as a
  deletion does (soft, with everything on it), the new one takes its identifier;
- other content, and people have worked on it: `refused`. Their work is worth more than a second import;
- a document that came from a group the caller is not in: `refused`, whatever it holds. What nobody showed him he does
  not replace.

An identifier that is new, whose text another document of the project has: `skipped`, when the import was asked to.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, field
from typing import NamedTuple

from annotarium.access.call import ProjectCall
from annotarium.access.visibility import may_read_document_of
from annotarium.corpus import repository
from annotarium.corpus.outcome import IMPORTED, REFUSED, REPLACED, SKIPPED, UNCHANGED, Outcome
from annotarium.corpus.prepare import Prepared
from annotarium.corpus.repository import KnownDocument
from annotarium.corpus.standing.service import already_there
from annotarium_schemas.said import joined, say

BROUGHT = (IMPORTED, REPLACED, UNCHANGED)
"""Outcomes after which the text is in the project."""
ALL_THE_SAME = say(
    "fix.allTheSame",
    "Nothing has to be done. To import it all the same, import without leaving out duplicates",
)
OTHER_IDENTIFIER = say("fix.onlyOtherIdentifier", "Import it under another identifier")


def limit_words(limit: int) -> str:
    """E-024."""
    text = (
        "Some documents have not been imported because the number of documents per project limit "
        "({limit}) has been reached"
    )
    return say("import.limit", text, limit=limit)


class Line(NamedTuple):
    """A document to write: `item` is what the report calls it, `ordinal` its place in the import."""

    item: str
    ordinal: int
    document: Prepared


@dataclass
class Decision:
    """Of a batch.

    Attributes:
        outcomes: one per line, in order.
        wanted: the documents that are to be written.
        gone: ids of the documents that make room for them.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    wanted: list[Prepared] = field(default_factory=list)
    gone: list[int] = field(default_factory=list)


def decide(call: ProjectCall, batch: Sequence[Line], *, texts: Set[int] | None = None, taken: int = 0) -> Decision:
    """Decide on documents whose identifiers differ from each other.

    Args:
        texts: hashes of the texts that earlier batches of the import brought: a new document whose text is among them,
            in the project or earlier in the batch is left out. None = texts may come twice.
        taken: documents that earlier batches would have added, when nothing is written.
    """
    seen = None if texts is None else set(texts)
    known = repository.find_known(call.session, call.project.id, [line.document.identifier for line in batch])
    changed = repository.changes_by_people(call.session, [row.id for row in known.values()]) if known else {}
    same = _unchanged(call, batch, known)
    limit = repository.document_limit(call.session, call.project)
    room = limit - taken - repository.count_documents(call.session, call.project.id) if limit >= 0 else len(batch)
    made = Decision()
    for line in batch:
        one = line.document
        before = known.get(one.identifier)
        if before is None:
            outcome = _new(call, line, seen, room, limit)
            room -= outcome.outcome == IMPORTED
        elif not may_read_document_of(call.access, before.origin_group_id):
            outcome = _line(line, REFUSED, say("import.identifierTaken", "This identifier is in use"), OTHER_IDENTIFIER)
        elif before.id in same:
            outcome = _line(line, UNCHANGED)
        elif before.id in changed:
            outcome = _line(
                line,
                REFUSED,
                say(
                    "import.worked",
                    "People have worked on this document since its import ({count} changes): it was kept",
                    count=changed[before.id],
                ),
                say("fix.otherIdentifier", "Import it under another identifier, or delete the document first"),
            )
        else:
            outcome = _line(line, REPLACED)
            made.gone.append(before.id)
        if outcome.outcome in (IMPORTED, REPLACED):
            made.wanted.append(one)
        if seen is not None and outcome.outcome in BROUGHT:
            seen.add(hash(one.text))
        made.outcomes.append(outcome)
    return made


def _unchanged(call: ProjectCall, batch: Sequence[Line], known: Mapping[str, KnownDocument]) -> set[int]:
    """Ids of the documents for which the batch brings nothing new."""
    met = [(known[one.identifier], one) for one in (line.document for line in batch) if one.identifier in known]
    same = {before.id for before, one in met if before.fingerprint == one.fingerprint}
    others = {before.id: one for before, one in met if before.id not in same}
    return same | already_there(call, others) if others else same


def _new(call: ProjectCall, line: Line, seen: Set[int] | None, room: int, limit: int) -> Outcome:
    """A document whose identifier the project does not have."""
    if seen is not None:
        if hash(line.document.text) in seen:
            return _line(
                line,
                SKIPPED,
                say("import.earlierText", "An earlier document of this import has the same text"),
                ALL_THE_SAME,
            )
        twin = repository.find_twin(call.session, call.project.id, line.document.text)
        if twin is not None:
            # A document of a group is told of to its members only: its name is not for everybody.
            if twin.origin_group_id is not None:
                return _line(
                    line, SKIPPED, say("import.textThere", "The same text is in the project already"), ALL_THE_SAME
                )
            text = "The same text is in the document {identifier} already"
            return _line(line, SKIPPED, say("import.textIn", text, identifier=twin.identifier), ALL_THE_SAME)
    if room <= 0:
        return _line(
            line, REFUSED, limit_words(limit), say("fix.deleteDocuments", "Delete documents, or have the limit raised")
        )
    return _line(line, IMPORTED)


def _line(line: Line, outcome: str, message: str | None = None, fix: str | None = None) -> Outcome:
    words = message or joined(line.document.notes, "; ") or None
    return Outcome(line.item, line.ordinal, outcome, line.document.identifier, words, fix)
