"""Rules of saved questions: they are documents, written as an import of one document would write them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any

from annotarium.access.call import ProjectCall, require_permission
from annotarium.content.labelling.changes import write_history
from annotarium.content.live_event_fields import restricting_group_of_document
from annotarium.content.questions import (
    QUESTION_FIELD,
    QUESTION_FILTER,
    UNANSWERABLE_FIELD,
    alt_texts_to_answers,
    answers_to_alt_texts,
)
from annotarium.content.segmentation import Policy, segment_nothing
from annotarium.content.training_data import training_data_changed
from annotarium.content.validation import InvalidContent
from annotarium.content.version_check import check_version
from annotarium.db.identifiers import new_id, now_ms
from annotarium.db.imported_author_names import remove_imported_prefix
from annotarium.db.models import Job
from annotarium.db.timestamps import iso
from annotarium.db.unit_of_work import EventVisibility
from annotarium.domains.bulk.schemas import BulkSearch
from annotarium.domains.bulk.service import start_deletion
from annotarium.domains.documents.service import delete_by_ids
from annotarium.domains.imports.schemas import ImportOptions
from annotarium.domains.imports.service import start_import
from annotarium.domains.questions import repository
from annotarium.domains.questions.export import QuestionExport
from annotarium.domains.questions.repository import QuestionRow
from annotarium.domains.questions.schemas import (
    QuestionCreate,
    QuestionPatch,
    QuestionRead,
    Questions,
    QuestionsDeleted,
)
from annotarium.errors import Conflict, DeletedOrUnknown, InvalidInput
from annotarium.importing.document_preparation import PrepareOptions, load_prepared, prepare_document
from annotarium.importing.import_resolution import ImportItem
from annotarium.importing.outcome import IMPORTED, REPLACED
from annotarium.importing.writer import write_documents
from annotarium.jobs.serializers import job_to_json
from annotarium.search.indexer import open_index
from annotarium.search.params import SearchParams
from annotarium.search.search_spec_builder import build_search_spec
from annotarium.search.selection import Selection, document_ids
from annotarium.settings import get_settings
from annotarium_schemas.answers import Ack
from annotarium_schemas.documents import AltText, Document
from annotarium_schemas.messages import message

MAX_FILES = 100
"""Files of one import (C-045)."""
IMPORT_FUNCTION = "import_questions"
_TITLE = 200
"""Code points of a question that are its title."""
_WORD = re.compile(r"\w+")


def list_questions(call: ProjectCall, find: str, from_: int, size: int) -> Questions:
    """A page of the saved questions that the caller may read, in the order in which they were saved.

    Args:
        find: words that the question contains, the last one possibly incomplete; empty = all questions.
    """
    engine, key = open_index(call.project, "documents", reader=call.username)
    words = _WORD.findall(find)
    if find.strip() and not words:
        return Questions(questions=[], total=0)
    query = " ".join([*(f"+{word}" for word in words[:-1]), *(f"+{word}*" for word in words[-1:])])
    params = SearchParams(
        query=query, simple=True, query_filter=QUESTION_FILTER, from_=from_, size=size, sort="createdDate"
    )
    found = engine.search(
        key, build_search_spec(params, "documents", call.access, call.project, engine.facet_names(key))
    )
    ids = [int(hit.id) for hit in found.hits]
    rows = repository.questions_by_id(call, ids)
    return Questions(questions=_read_questions(call, [rows[one] for one in ids if one in rows]), total=found.total)


def read_question(call: ProjectCall, identifier: str) -> QuestionRead:
    """One saved question."""
    return _read_questions(call, [require_question(call, identifier)])[0]


def require_question(call: ProjectCall, identifier: str) -> QuestionRow:
    """The question with this identifier; raises `NotFound` if there is none that the caller may read."""
    found = repository.find_question(call, identifier)
    if found is None:
        raise DeletedOrUnknown(message("none.question", "There is no saved question {name}", name=identifier))
    return found


def _read_questions(call: ProjectCall, rows: Sequence[QuestionRow]) -> list[QuestionRead]:
    ids = [row.id for row in rows]
    alt_texts, counts = repository.alt_texts_of(call, ids), repository.count_judgements(call, ids)
    return [
        QuestionRead(
            identifier=row.identifier,
            text=row.text,
            answers=alt_texts_to_answers(alt_texts.get(row.id, ())),
            unanswerable=row.metadata.get(UNANSWERABLE_FIELD) is True,
            judged=counts.get(row.id, (0, 0))[0],
            relevant=counts.get(row.id, (0, 0))[1],
            created_by=remove_imported_prefix(row.created_by),
            created_date=iso(row.created_at) or "",
            modified_date=iso(row.modified_at) or "",
            version=row.version,
        )
        for row in rows
    ]


# --- writing ----------------------------------------------------------------------------------------------------------


def create_question(call: ProjectCall, body: QuestionCreate) -> QuestionRead:
    """Save a question.

    Raises:
        Conflict: a document has this identifier, or the project may have no more documents.
        InvalidInput: a text may not be stored.
    """
    require_permission(call, "importDocuments")
    if body.identifier is not None and repository.identifier_exists(call, body.identifier):
        problem = message("taken.identifier", "A document has the identifier {name} already", name=body.identifier)
        raise Conflict(
            problem,
            fix=message("fix.freeIdentifier", "Choose another identifier"),
            details=[{"field": "identifier", "message": problem}],
        )
    identifier = body.identifier or f"question-{new_id():x}"
    _write(call, identifier, body.text, body.answers, {QUESTION_FIELD: True}, None)
    return _saved(call, identifier)


def change_question(call: ProjectCall, identifier: str, body: QuestionPatch) -> QuestionRead:
    """Change text or known answers, if the version matches `If-Match`.

    Texts of documents never change: another text replaces the document by one that takes over its identifier, metadata
    and judgements.

    Raises:
        Conflict: the text of a question that people have annotated cannot be replaced.
    """
    require_permission(call, "importDocuments")
    row = require_question(call, identifier)
    current = {"identifier": row.identifier, "version": row.version}
    check_version(call, row.version, "The question was changed meanwhile", lambda: current)
    alt_texts = repository.alt_texts_of(call, [row.id]).get(row.id, [])
    before = alt_texts_to_answers(alt_texts)
    answers = before if body.answers is None else body.answers
    metadata = dict(row.metadata)
    if answers:
        metadata.pop(UNANSWERABLE_FIELD, None)
    if body.text is not None and body.text != row.text:
        _write(call, row.identifier, body.text, answers, metadata, row.origin_group_id)
    elif answers != before or metadata != row.metadata:
        _check_answers(call, row, answers)
        repository.replace_answers(call, row, answers_to_alt_texts(answers), metadata, now_ms())
        call.unit.touch(call.project.id, "document", document_id=row.id)
    else:
        return _read_questions(call, [row])[0]
    return _saved(call, row.identifier)


def _saved(call: ProjectCall, identifier: str) -> QuestionRead:
    row = require_question(call, identifier)
    notify_question(call, "saved", row)
    return _read_questions(call, [row])[0]


def _check_answers(call: ProjectCall, row: QuestionRow, answers: Sequence[str]) -> None:
    _prepare(call, row.identifier, row.text, answers, {}, None)


def _prepare(
    call: ProjectCall,
    identifier: str,
    text: str,
    answers: Iterable[str],
    metadata: dict[str, Any],
    origin_group_id: int | None,
) -> tuple[ImportItem, PrepareOptions]:
    """Prepare the document of a question as an import with the policy `documents_as_segments` does."""
    options = PrepareOptions(
        policy="documents_as_segments",
        language=call.project.lang,
        document_limit=get_settings().document_limit,
        origin_group_id=origin_group_id,
        metadata_split=False,
    )
    document = Document(
        identifier=identifier,
        title=text[:_TITLE],
        text=text,
        metadata=metadata,
        alt_texts=[AltText(name=name, text=answer) for name, answer in answers_to_alt_texts(list(answers))],
    )
    try:
        prepared = prepare_document(document, options=options, segment=segment_nothing)
    except InvalidContent as error:
        raise InvalidInput(error.message, fix=error.fix) from error
    return ImportItem(identifier, 1, load_prepared(prepared.dump())), options


def _write(
    call: ProjectCall,
    identifier: str,
    text: str,
    answers: Sequence[str],
    metadata: dict[str, Any],
    origin_group_id: int | None,
) -> None:
    """Write the document of a question; one with this identifier is replaced."""
    item, options = _prepare(call, identifier, text, answers, metadata, origin_group_id)
    (outcome,) = write_documents(call, [item], options)
    if outcome.outcome not in (IMPORTED, REPLACED):
        raise Conflict(outcome.message or str(outcome.outcome), fix=outcome.fix)
    call.session.flush()


def delete_question(call: ProjectCall, identifier: str) -> Ack:
    """Delete a question, if its version matches `If-Match`. It can be restored, with its judgements."""
    row = require_question(call, identifier)
    current = {"identifier": row.identifier, "version": row.version}
    check_version(call, row.version, "The question was changed meanwhile", lambda: current)
    delete_by_ids(call, [row.id])
    notify_question(call, "deleted", row)
    return Ack()


def restore_question(call: ProjectCall, identifier: str) -> QuestionRead:
    """Restore the question with this identifier that was deleted last.

    Raises:
        NotFound: there is no deleted one.
        Conflict: another document has its identifier now.
    """
    require_permission(call, "deleteDocuments")
    row = repository.last_deleted_question(call, identifier)
    if row is None:
        raise DeletedOrUnknown(message("none.question", "There is no saved question {name}", name=identifier))
    if repository.identifier_exists(call, identifier):
        raise Conflict(message("taken.identifier", "A document has the identifier {name} already", name=identifier))
    repository.restore_document(call, row.id)
    write_history(call, row.id, "document", row.id, "restored", before=None, after={"identifier": identifier})
    call.unit.touch(call.project.id, "document", document_id=row.id)
    training_data_changed.send(call)
    call.unit.emit("documents", {"type": "undone", "count": 1, "by": call.username}, project=call.project.name)
    return _saved(call, identifier)


def delete_all_questions(call: ProjectCall) -> QuestionsDeleted:
    """Start a job that deletes the saved questions that the caller may read; it can be undone."""
    require_permission(call, "deleteDocuments")
    count = list_questions(call, "", 0, 0).total
    if not count:
        return QuestionsDeleted(deleted=0)
    job = start_deletion(call, BulkSearch(query_filter=QUESTION_FILTER))
    return QuestionsDeleted(deleted=count, job=job_to_json(job, call.project))


def notify_question(call: ProjectCall, action: str, row: QuestionRow, **more: Any) -> None:
    """Tell those who may read the question what was done: `saved`, `deleted` or `judged`."""
    arg = {"type": action, "identifier": row.identifier, "by": call.username} | more
    about = EventVisibility(group=restricting_group_of_document(call, row.id))
    call.unit.emit("questions", arg, project=call.project.name, about=about)


def export_questions(call: ProjectCall) -> QuestionExport:
    """The export of all saved questions that the caller may read, to be streamed after the call."""
    require_permission(call, "exportDocuments")
    ids = sorted(document_ids(call, Selection(query_filter=QUESTION_FILTER)))
    return QuestionExport(call.access, call.project.id, ids)


def notify_questions(call: ProjectCall, action: str) -> None:
    """Tell everybody in the project that several questions changed."""
    call.unit.emit("questions", {"type": action, "by": call.username}, project=call.project.name)


def start_question_import(call: ProjectCall, upload_ids: Sequence[str], policy: Policy | None) -> Job:
    """Start a job that imports files of questions: lists in JSON, SQuAD, BEIR.

    Raises:
        InvalidInput: there are no files, or more than `MAX_FILES`.
    """
    if len(upload_ids) > MAX_FILES:
        raise InvalidInput(
            message(
                "limit.questionFiles", "At most {count:,} files of questions are imported at once", count=MAX_FILES
            ),
            fix=message("fix.fewerFiles", "Import them in parts"),
        )
    options = ImportOptions().model_copy(
        update={"segmentation_policy": policy or "compute_if_missing", "use_plan": False}
    )
    return start_import(call, upload_ids, options, function=IMPORT_FUNCTION)
