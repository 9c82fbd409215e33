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
from annotarium.access.visibility import may_read_document_of_group
from annotarium.importing import repository
from annotarium.importing.document_preparation import PreparedDocument
from annotarium.importing.outcome import IMPORTED, REFUSED, REPLACED, SKIPPED, UNCHANGED, Outcome
from annotarium.importing.repository import ExistingDocument
from annotarium.importing.unchanged.service import find_unchanged
from annotarium_schemas.messages import join_messages, message

PRESENT_OUTCOMES = (IMPORTED, REPLACED, UNCHANGED)
"""Outcomes after which the text is in the project."""
IMPORT_DUPLICATES_FIX = message(
    "fix.allTheSame",
    "Nothing has to be done. To import it all the same, import without leaving out duplicates",
)
OTHER_IDENTIFIER_FIX = message("fix.onlyOtherIdentifier", "Import it under another identifier")


def document_limit_message(limit: int) -> str:
    """E-024."""
    text = (
        "Some documents have not been imported because the number of documents per project limit "
        "({limit}) has been reached"
    )
    return message("import.limit", text, limit=limit)


class ImportItem(NamedTuple):
    """A document to write: `item` is what the report calls it, `ordinal` its place in the import."""

    item: str
    ordinal: int
    document: PreparedDocument


@dataclass
class ImportResolution:
    """Of a batch.

    Attributes:
        outcomes: one per line, in order.
        wanted: the documents that are to be written.
        gone: ids of the documents that make room for them.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    to_insert: list[PreparedDocument] = field(default_factory=list)
    to_delete: list[int] = field(default_factory=list)


def resolve_import_batch(
    call: ProjectCall, batch: Sequence[ImportItem], *, texts: Set[int] | None = None, already_added: int = 0
) -> ImportResolution:
    """Decide on documents whose identifiers differ from each other.

    Args:
        texts: hashes of the texts that earlier batches of the import brought: a new document whose text is among them,
            in the project or earlier in the batch is left out. None = texts may come twice.
        already_added: documents that earlier batches would have added, when nothing is written.
    """
    seen = None if texts is None else set(texts)
    known = repository.find_existing(call.session, call.project.id, [entry.document.identifier for entry in batch])
    changed = repository.count_manual_changes(call.session, [row.id for row in known.values()]) if known else {}
    unchanged = _find_unchanged(call, batch, known)
    limit = repository.document_limit(call.session, call.project)
    room = (
        limit - already_added - repository.count_documents(call.session, call.project.id) if limit >= 0 else len(batch)
    )
    resolution = ImportResolution()
    for entry in batch:
        one = entry.document
        before = known.get(one.identifier)
        if before is None:
            outcome = _resolve_new(call, entry, seen, room, limit)
            room -= outcome.outcome == IMPORTED
        elif not may_read_document_of_group(call.access, before.origin_group_id):
            outcome = _outcome(
                entry, REFUSED, message("import.identifierTaken", "This identifier is in use"), OTHER_IDENTIFIER_FIX
            )
        elif before.id in unchanged:
            outcome = _outcome(entry, UNCHANGED)
        elif before.id in changed:
            outcome = _outcome(
                entry,
                REFUSED,
                message(
                    "import.worked",
                    "People have worked on this document since its import ({count:,} changes): it was kept",
                    one="People have worked on this document since its import ({count:,} change): it was kept",
                    count=changed[before.id],
                ),
                message("fix.otherIdentifier", "Import it under another identifier, or delete the document first"),
            )
        else:
            outcome = _outcome(entry, REPLACED)
            resolution.to_delete.append(before.id)
        if outcome.outcome in (IMPORTED, REPLACED):
            resolution.to_insert.append(one)
        if seen is not None and outcome.outcome in PRESENT_OUTCOMES:
            seen.add(hash(one.text))
        resolution.outcomes.append(outcome)
    return resolution


def _find_unchanged(call: ProjectCall, batch: Sequence[ImportItem], known: Mapping[str, ExistingDocument]) -> set[int]:
    """Ids of the documents for which the batch brings nothing new."""
    met = [(known[one.identifier], one) for one in (entry.document for entry in batch) if one.identifier in known]
    unchanged = {before.id for before, one in met if before.fingerprint == one.fingerprint}
    others = {before.id: one for before, one in met if before.id not in unchanged}
    return unchanged | find_unchanged(call, others) if others else unchanged


def _resolve_new(call: ProjectCall, entry: ImportItem, seen: Set[int] | None, room: int, limit: int) -> Outcome:
    """A document whose identifier the project does not have."""
    if seen is not None:
        if hash(entry.document.text) in seen:
            return _outcome(
                entry,
                SKIPPED,
                message("import.earlierText", "An earlier document of this import has the same text"),
                IMPORT_DUPLICATES_FIX,
            )
        duplicate = repository.find_duplicate(call.session, call.project.id, entry.document.text)
        if duplicate is not None:
            # A document of a group is told of to its members only: its name is not for everybody.
            if duplicate.origin_group_id is not None:
                return _outcome(
                    entry,
                    SKIPPED,
                    message("import.textThere", "The same text is in the project already"),
                    IMPORT_DUPLICATES_FIX,
                )
            text = "The same text is in the document {identifier} already"
            return _outcome(
                entry, SKIPPED, message("import.textIn", text, identifier=duplicate.identifier), IMPORT_DUPLICATES_FIX
            )
    if room <= 0:
        return _outcome(
            entry,
            REFUSED,
            document_limit_message(limit),
            message("fix.deleteDocuments", "Delete documents, or have the limit raised"),
        )
    return _outcome(entry, IMPORTED)


def _outcome(entry: ImportItem, outcome: str, message: str | None = None, fix: str | None = None) -> Outcome:
    message_text = message or join_messages(entry.document.notes, "; ") or None
    return Outcome(entry.item, entry.ordinal, outcome, entry.document.identifier, message_text, fix)
