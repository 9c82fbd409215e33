"""Decides what an import does with each document, before anything is written.

For an identifier that is already in the project:

- the same content as the last import: `unchanged`, nothing is written, whatever people did to the document since;
- the same content as the document has now, as in an export of it: `unchanged` too;
- other content, and nobody has annotated the document by hand since its import: `replaced`. The old document is
  soft-deleted with everything on it, and the new one takes its identifier;
- other content, and people have worked on the document: `refused`, because their work must not be lost;
- a document that came from a group the caller is not in: `refused`, whatever its content. Callers cannot replace what
  they cannot see.

For a new identifier whose text another document of the project has: `skipped`, when the import leaves out duplicates.
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
    "Nothing needs to be done. To import it anyway, import without skipping duplicates",
)
OTHER_IDENTIFIER_FIX = message("fix.onlyOtherIdentifier", "Import it under another identifier")


def document_limit_message(limit: int) -> str:
    """Message E-024: documents were left out because of the limit of documents per project."""
    text = (
        "Some documents have not been imported because the number of documents per project limit "
        "({limit}) has been reached"
    )
    return message("import.limit", text, limit=limit)


class ImportItem(NamedTuple):
    """A document to write: `item` is its name in the report, `ordinal` its position in the import."""

    item: str
    ordinal: int
    document: PreparedDocument


@dataclass
class ImportResolution:
    """The decisions on one batch.

    Attributes:
        outcomes: one per item, in order.
        to_insert: the documents to write.
        to_delete: ids of the documents that they replace.
    """

    outcomes: list[Outcome] = field(default_factory=list)
    to_insert: list[PreparedDocument] = field(default_factory=list)
    to_delete: list[int] = field(default_factory=list)


def resolve_import_batch(
    call: ProjectCall, batch: Sequence[ImportItem], *, texts: Set[int] | None = None, already_added: int = 0
) -> ImportResolution:
    """Decide on documents whose identifiers differ from each other. Reads the database, writes nothing.

    Args:
        texts: hashes of the texts from earlier batches of the import. A new document whose text is among them, in the
            project or earlier in the batch is skipped. None = duplicates are allowed.
        already_added: number of documents that earlier batches would have added, when nothing is written.
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
                    "People have worked on this document since its import ({count:,} changes), "
                    "so it was left unchanged",
                    one="People have worked on this document since its import ({count:,} change), "
                    "so it was left unchanged",
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
    """Return the ids of the documents for which the batch contains nothing new."""
    met = [(known[one.identifier], one) for one in (entry.document for entry in batch) if one.identifier in known]
    unchanged = {before.id for before, one in met if before.fingerprint == one.fingerprint}
    others = {before.id: one for before, one in met if before.id not in unchanged}
    return unchanged | find_unchanged(call, others) if others else unchanged


def _resolve_new(call: ProjectCall, entry: ImportItem, seen: Set[int] | None, room: int, limit: int) -> Outcome:
    """Decide on a document whose identifier is not in the project."""
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
            # The name of a document that came from a group is only for members of the group.
            if duplicate.origin_group_id is not None:
                return _outcome(
                    entry,
                    SKIPPED,
                    message("import.textThere", "The project already has the same text"),
                    IMPORT_DUPLICATES_FIX,
                )
            text = "The document {identifier} already has the same text"
            return _outcome(
                entry, SKIPPED, message("import.textIn", text, identifier=duplicate.identifier), IMPORT_DUPLICATES_FIX
            )
    if room <= 0:
        return _outcome(
            entry,
            REFUSED,
            document_limit_message(limit),
            message("fix.deleteDocuments", "Delete documents, or ask an administrator to raise the limit"),
        )
    return _outcome(entry, IMPORTED)


def _outcome(entry: ImportItem, outcome: str, message: str | None = None, fix: str | None = None) -> Outcome:
    message_text = message or join_messages(entry.document.notes, "; ") or None
    return Outcome(entry.item, entry.ordinal, outcome, entry.document.identifier, message_text, fix)
