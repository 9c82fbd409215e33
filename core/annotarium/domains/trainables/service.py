"""Rules that experiments, suggesters and gazetteers share: names, labels, parameters, the training job, events."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from sqlalchemy import inspect as sa_inspect

from annotarium.access.call import ProjectCall
from annotarium.content.free_names import first_free_name
from annotarium.content.labels import label_slug
from annotarium.db.corruption import convert_readable_rows
from annotarium.db.identifiers import new_id
from annotarium.db.models import Job
from annotarium.db.row_marks import mark_modified
from annotarium.domains.components.service import require_component
from annotarium.domains.jobs.service import request_cancel
from annotarium.domains.trainables import repository
from annotarium.domains.trainables.repository import Row
from annotarium.domains.trainables.schemas import EngineName, GeneratedLabelHint, NewTrainable, TrainablePatch
from annotarium.errors import NotFound
from annotarium.jobs.job_creation import start_job
from annotarium.registry import get_registry
from annotarium.registry.deleted_models import bring_models_back, find_deleted_owner, set_models_aside
from annotarium_schemas.messages import message

_NOUNS = {
    "experiment": message("component.experiment", "experiment"),
    "suggester": message("component.suggester", "suggester"),
    "gazetteer": message("component.gazetteer", "gazetteer"),
}


def next_free_label(wanted: str, taken: Iterable[str]) -> str:
    """The requested label, or the next free one: `Model`, `Model 2`, `Model 3`."""
    used = set(taken)
    if wanted not in used:
        return wanted
    base = re.sub(r" \d+$", "", wanted)
    number = 2
    while f"{base} {number}" in used:
        number += 1
    return f"{base} {number}"


def next_free_name(label: str, is_taken: Callable[[str], bool]) -> str:
    """A stable name from a label that nothing else has."""
    return first_free_name(label_slug(label)[:200], is_taken)


def validated_parameters(kind: str, engine: str, parameters: dict[str, Any]) -> dict[str, Any]:
    """The parameters completed with their defaults. Raises `InvalidInput` with the invalid fields in `details`."""
    return get_registry().validate(kind, engine, parameters).model_dump(mode="json")


Read = TypeVar("Read")
_FIELDS = ("name", "label", "engine", "parameters", "models", "timestamp", "duration", "uptodate", "tags", "quality")


def trainable_fields(row: Row, training: set[str]) -> dict[str, Any]:
    """The fields of `TrainableRead` for a row; `job_id` only if its name is in `training`."""
    facts: dict[str, Any] = {field: getattr(row, field) for field in _FIELDS}
    return facts | {"job_id": row.job_id if row.name in training else None}


@dataclass(frozen=True)
class TrainableService(Generic[Row]):
    """Manages the rows of one table: experiments, suggesters or gazetteers.

    Attributes:
        model: the table.
        noun: what messages call a row; also the kind of owner in the model store.
        kind: the kind of component that the engine of a row is.
        topic: name of the events sent to clients.
        relabelling_outdates: whether changing the label marks the model as outdated, as new parameters do (T-027).
    """

    model: type[Row]
    noun: str
    kind: str
    topic: str
    relabelling_outdates: bool = False

    def all(self, call: ProjectCall, tags: Sequence[str] = ()) -> list[Row]:
        """Rows in creation order; if tags are given, those that have all of them."""
        rows = repository.list_trainables(call.session, self.model, call.project)
        return [row for row in rows if set(tags) <= set(map(str, row.tags))]

    def require(self, call: ProjectCall, name: str) -> Row:
        """The row of that name; raises `NotFound`."""
        row = repository.find_trainable(call.session, self.model, call.project, name)
        if row is None:
            noun = _NOUNS.get(self.noun, self.noun)
            raise NotFound(message("none.engine", "There is no {kind} {name} in this project", kind=noun, name=name))
        return row

    def label_hint(self, call: ProjectCall, label: str) -> GeneratedLabelHint:
        """The label, with a number appended if it is taken."""
        taken = [row.label for row in self.all(call)]
        return GeneratedLabelHint(label_hint=next_free_label(label.strip() or self.noun.capitalize(), taken))

    def create(self, call: ProjectCall, body: NewTrainable, **more: Any) -> EngineName:
        """Create a row with validated parameters; does not train it (T-026)."""
        require_component(call.access, self.kind, body.engine)
        parameters = validated_parameters(self.kind, body.engine, body.parameters)
        title = get_registry().describe(self.kind, body.engine).title or body.engine
        label = self.label_hint(call, body.label or title).label_hint
        name = next_free_name(label, partial(self._is_name_taken, call))
        row = self.model(
            id=new_id(),
            project_id=call.project.id,
            name=name,
            label=label,
            engine=body.engine,
            parameters=parameters,
            tags=body.tags,
            created_by=call.username,
            modified_by=call.username,
            **more,
        )
        call.session.add(row)
        self.notify(call, name, "created")
        return EngineName(name=name)

    def update(self, call: ProjectCall, name: str, body: TrainablePatch) -> Row:
        """Change label, parameters and tags. New parameters mark the model as outdated, a new label may (T-027)."""
        row = self.require(call, name)
        require_component(call.access, self.kind, row.engine)
        if body.parameters is not None:
            row.parameters = validated_parameters(self.kind, row.engine, body.parameters)
            row.uptodate = False
        if body.label and body.label != row.label:
            row.label = body.label
            row.uptodate = row.uptodate and not self.relabelling_outdates
        if body.tags is not None:
            row.tags = body.tags
        mark_modified(row, call.username)
        self.notify(call, name)
        return row

    def delete(self, call: ProjectCall, row: Row) -> None:
        """Delete a row and cancel its training. It can be restored with its models for a while."""
        self.cancel(call, row)
        kept = {column.key: getattr(row, column.key) for column in sa_inspect(self.model).column_attrs}
        call.unit.after_commit(partial(set_models_aside, row.project_id, self.noun, row.id, kept))
        call.session.delete(row)
        self.notify(call, row.name, "deleted")

    def restore(self, call: ProjectCall, name: str) -> Row:
        """Restore the row that was deleted last under a name, with its models; if the name was given again meanwhile,
        under another one.

        Raises:
            NotFound: none was deleted under that name, or too long ago.
            AccessDenied: the caller may not use its component.
        """
        kept = find_deleted_owner(call.project.id, self.noun, name)
        if kept is None or repository.trainable_exists(call.session, self.model, kept["id"]):
            raise NotFound(
                message("none.deleted", "No {kind} {name} was deleted lately", kind=_NOUNS[self.noun], name=name)
            )
        require_component(call.access, self.kind, kept["engine"])
        row = self.model(**kept)
        row.label = self.label_hint(call, row.label).label_hint
        row.name = next_free_name(row.name, partial(self._is_name_taken, call))
        mark_modified(row, call.username)
        call.session.add(row)
        call.unit.after_commit(partial(bring_models_back, call.project.id, self.noun, row.id))
        self.notify(call, row.name, "created")
        return row

    def _is_name_taken(self, call: ProjectCall, name: str) -> bool:
        return repository.is_name_taken(call.session, self.model, call.project, name)

    def training(self, call: ProjectCall, rows: Iterable[Row]) -> set[str]:
        """Names of the given rows whose job has not ended."""
        rows = list(rows)
        active = repository.active_jobs(call.session, [row.job_id for row in rows if row.job_id])
        return {row.name for row in rows if row.job_id in active}

    def read_all(self, call: ProjectCall, tags: Sequence[str], read: Callable[[Row, set[str]], Read]) -> list[Read]:
        """Read models of the rows, those with all the tags when some are given. `read` gets the names that train."""
        rows = self.all(call, tags)
        training = self.training(call, rows)
        return convert_readable_rows(rows, lambda row: read(row, training))

    def read_one(self, call: ProjectCall, name: str, read: Callable[[Row, set[str]], Read]) -> Read:
        """The read model of one row, or `NotFound`."""
        row = self.require(call, name)
        return read(row, self.training(call, [row]))

    def start(
        self,
        call: ProjectCall,
        row: Row,
        *,
        type: str,
        function: str,
        description: str,
        parameters: dict[str, Any],
        mail_in: str | None = None,
        **more: Any,
    ) -> Job:
        """Start the job that trains a row. Its arguments are `project_name`, the name of the row under `noun`, and
        `more`.

        Args:
            mail_in: see `start_job`; if given, also passed to the job, for jobs that it starts.
        """
        if mail_in is not None:
            more["mail_in"] = mail_in
        job = start_job(
            call.unit,
            type=type,
            function=function,
            arguments={"project_name": call.project.name, self.noun: row.name, **more},
            project=call.project,
            created_by=call.username,
            description=description,
            queue="heavy",
            parameters=parameters,
            mail_in=mail_in,
        )
        row.job_id = job.id
        return job

    def cancel(self, call: ProjectCall, row: Row) -> None:
        """Cancel the training of a row, if it is running."""
        if row.job_id and self.training(call, [row]):
            request_cancel(call, row.job_id)
        row.job_id = None

    def notify(self, call: ProjectCall, name: str, type: str = "changed") -> None:
        """Send an event to the clients of the project."""
        call.unit.emit(self.topic, {"type": type, "name": name, "by": call.username}, project=call.project.name)
