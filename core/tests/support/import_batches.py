"""Batches of documents written as by an import, without its processes: `ImportTarget`, `import_item`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sqlalchemy import select

from annotarium.content.segmentation import SegmentFunction
from annotarium.db.models import (
    Document,
    History,
    Project,
)
from annotarium.db.unit_of_work import unit_of_work
from annotarium.importing.document_preparation import PrepareOptions, load_prepared, prepare_document
from annotarium.importing.import_resolution import ImportItem, ImportResolution, resolve_import_batch
from annotarium.importing.outcome import Outcome
from annotarium.importing.writer import write_documents
from annotarium_schemas.documents import Document as Given

PLAIN = PrepareOptions()


def split_into_halves(text: str, *_: Any) -> list[tuple[int, int]]:
    return [(0, len(text) // 2), (len(text) // 2, len(text))]


def import_item(
    identifier: str, text: str = "Paris is big. It is.", options: PrepareOptions = PLAIN, **fields: Any
) -> ImportItem:
    given = Given.model_validate({"identifier": identifier, "title": f"Title {identifier}", "text": text} | fields)
    segment: SegmentFunction = split_into_halves  # type: ignore[assignment]
    prepared = prepare_document(given, options=options, segment=segment)
    return ImportItem(f"file#{identifier}", 1, load_prepared(prepared.dump()))


class ImportTarget:
    """A project of Marie's to which batches are written as by an import, without its processes."""

    def __init__(self, project: Project, open_as: Any) -> None:
        self.project, self._open_as, self.events = project, open_as, list[Any]()
        self.touched = list[tuple[str, int | None]]()

    @contextmanager
    def open(self, *, job: str | None = None) -> Iterator[Any]:
        with self._open_as("marie", self.project) as call:
            call.unit.relay, call.job_id = False, job
            yield call
            self.events = [(event.mutation, event.arg) for event in call.unit.events]
            self.touched = [(row.operation, row.document_id) for row in call.unit.touched]

    def write(self, *batch: ImportItem, options: PrepareOptions = PLAIN, job: str | None = None) -> list[Outcome]:
        with self.open(job=job) as call:
            return write_documents(call, batch, options)

    def decide(self, *batch: ImportItem, **more: Any) -> ImportResolution:
        with self.open() as call:
            return resolve_import_batch(call, batch, **more)

    def rows(self, table: Any) -> list[Any]:
        """Return the rows of the project in the order of their creation."""
        with unit_of_work(actor="", write=False) as unit:
            query = select(table).where(table.project_id == self.project.id)
            return list(unit.session.scalars(query.order_by(*table.__table__.primary_key)))

    def document(self, identifier: str) -> Any:
        """Return the document that is not deleted."""
        (found,) = [row for row in self.rows(Document) if row.identifier == identifier and row.deleted_at is None]
        return found

    def change(self, **values: Any) -> None:
        """Set columns of the project."""
        with unit_of_work(actor="", write=True) as unit:
            for name, value in values.items():
                setattr(unit.session.get_one(Project, self.project.id), name, value)

    @property
    def row(self) -> Project:
        with unit_of_work(actor="", write=False) as unit:
            return unit.session.get_one(Project, self.project.id)

    def work_on(self, identifier: str, times: int = 1) -> None:
        """Change the document as an annotating user does."""
        document = self.document(identifier)
        with unit_of_work(actor="paul", write=True) as unit:
            for number in range(times):
                values = {"entity": "annotation", "entity_id": number, "action": "created", "actor": "paul"}
                unit.session.add(History(project_id=self.project.id, document_id=document.id, **values))


def outcome_names(found: list[Outcome]) -> list[str]:
    return [one.outcome for one in found]
